"""How far a model's judgement of questions agrees with what experts later said of the same tasks."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.meaning import JUDGEMENTS
from review_app.agreement.cases import Case
from review_app.agreement.coefficients import cohen_kappa, gwet_ac1, raw_agreement
from review_app.agreement.intervals import share
from review_app.domain.content import Verdict
from review_app.domain.errors import NotPossible

SOUND, FAULTY = "sound", "faulty"


def read_judgements(candidates: Path) -> dict[str, str]:
    """Return the model's decision on each candidate of a folder.

    Raises:
        NotPossible: the folder holds no judgements.
    """
    try:
        lines = (candidates / JUDGEMENTS).read_text(encoding="utf-8").splitlines()
        said = [json.loads(line) for line in lines]
        return {str(one["task_id"]): str(one["decision"]) for one in said}
    except (OSError, ValueError, KeyError) as error:
        raise NotPossible(f"{candidates} holds no judgements; run `dataspace judge` on it first") from error


def judge_report(judgements: Mapping[str, str], cases: Sequence[Case]) -> dict[str, Any]:
    """Return counts of decisions against the experts' verdicts, and coefficients where both are plain.

    Two experts who accept call a task sound; if one of them does not, it is faulty. The model's "pass" is sound,
    "repair" and "reject" are faulty; what it left to a person counts in the table only.
    """
    experts = {case.task_id: _experts(case) for case in cases}
    both = {task_id: (decision, experts[task_id]) for task_id, decision in judgements.items() if task_id in experts}
    table = Counter(both.values())
    pairs = [
        (SOUND if decision == "pass" else FAULTY, said)
        for decision, said in both.values()
        if decision in ("pass", "repair", "reject")
    ]
    passed = [said for decision, said in both.values() if decision == "pass"]
    held = share(passed.count(SOUND), len(passed))
    return {
        "judged": len(judgements),
        "reviewed_too": len(both),
        "table": [
            {"model": decision, "experts": said, "tasks": count} for (decision, said), count in sorted(table.items())
        ],
        "passed_and_sound": asdict(held),
        "raw_agreement": raw_agreement(pairs).value,
        "cohen_kappa": cohen_kappa(pairs).value,
        "gwet_ac1": gwet_ac1(pairs, (SOUND, FAULTY)).value,
    }


def _experts(case: Case) -> str:
    return SOUND if all(one.verdict is Verdict.ACCEPT for one in case.judgements) else FAULTY
