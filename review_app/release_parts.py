"""Which golds of a release are public: a stratified sample with a stored seed, and how representative it is.

Tasks whose golds give each other away (siblings) are public together or not at all, or a public gold would tell a
withheld one.
"""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statsmodels.stats.proportion import test_proportions_2indep as two_shares

from review_app.domain.task import Task
from review_app.release_statistics import is_ordered

# What of a withheld task's events stays readable; everything else leaves its commitment. Nothing here holds a table,
# its shape, SQL, a text that somebody wrote, or what would lead to the source of the task.
OPEN_FIELDS: Mapping[str, frozenset[str]] = {
    "TaskImported": frozenset({"task_id", "language", "domain", "max_rechecks"}),
    "ExpertAssigned": frozenset({"expert", "seat", "lease_seconds", "guidelines"}),
    "SeatReturned": frozenset({"expert", "category"}),
    "LeaseExpired": frozenset({"expert"}),
    "SeatVacated": frozenset({"expert"}),
    "AnswerSealed": frozenset({"active_seconds"}),
    "ReviewSubmitted": frozenset({"verdict", "active_seconds"}),
    "RepairProposed": frozenset({"category", "re_executable"}),
    "RepairAccepted": frozenset({"proposal"}),
    "RepairDeclined": frozenset({"proposal"}),
    "RecheckSubmitted": frozenset({"confirm"}),
    "ReviewerReplaced": frozenset({"old", "new"}),
    "TaskReleased": frozenset({"release", "manifest"}),
    "LeadActionUndone": frozenset({"undone"}),
}


@dataclass(frozen=True)
class Parts:
    """The public tasks, the withheld ones, and how the choice was made."""

    public: tuple[str, ...]
    withheld: tuple[str, ...]
    share: float
    seed: int


def withheld_fields(kind: str, fields: Sequence[str]) -> frozenset[str]:
    """Return the payload fields of an event that a withheld task's public chain leaves out; all of an unknown kind."""
    return frozenset(fields) - OPEN_FIELDS.get(kind, frozenset())


def strata_of(task: Task) -> tuple[tuple[str, str], ...]:
    """Return the strata of a task: domain, modalities, language, and whether its order counts."""
    kinds = sorted({file.modality for file in task.revision.workspace})
    return (
        ("domain", task.domain),
        ("modalities", " + ".join(kinds) or "none"),
        ("language", task.language),
        ("order of the rows", "counts" if is_ordered(task) else "does not count"),
    )


def choose(tasks: Sequence[Task], share: float, seed: int) -> Parts:
    """Return the parts: about `share` of each cell of domain x modalities x language x order is public.

    The same tasks, share and seed give the same parts. A share of 1 makes everything public.
    """
    if share >= 1:
        return Parts(tuple(task.task_id for task in tasks), (), 1.0, seed)
    cells: dict[tuple[tuple[str, str], ...], list[list[Task]]] = defaultdict(list)
    families: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        families[task.sibling].append(task)
    for family in families.values():
        cells[strata_of(family[0])].append(family)
    public: set[str] = set()
    carried = 0.0
    for cell in sorted(cells):
        drawn = sorted(cells[cell], key=lambda family: _draw(seed, family[0].task_id))
        wanted = share * sum(map(len, drawn)) + carried
        taken = 0
        for family in drawn:
            if taken + len(family) / 2 > wanted:
                break
            public |= {task.task_id for task in family}
            taken += len(family)
        carried = wanted - taken  # what a small cell could not give, the next one makes up for
    names = [task.task_id for task in tasks]
    open_ones = tuple(name for name in names if name in public)
    return Parts(open_ones, tuple(name for name in names if name not in public), share, seed)


def _draw(seed: int, task_id: str) -> str:
    return hashlib.sha256(f"{seed} {task_id}".encode()).hexdigest()


def representativeness(tasks: Sequence[Task], parts: Parts) -> dict[str, Any]:
    """Return for each value of each stratum its count in all and in the public part, and a test of both shares.

    A small `p` says that the public part is another mixture than the withheld one; None where nothing can be tested.
    """
    public = [task for task in tasks if task.task_id in parts.public]
    everywhere = Counter(pair for task in tasks for pair in strata_of(task))
    here = Counter(pair for task in public for pair in strata_of(task))
    rows = []
    for (stratum, value), count in sorted(everywhere.items()):
        inside, rest = here[stratum, value], count - here[stratum, value]
        p = _same_share(inside, len(public), rest, len(tasks) - len(public))
        rows.append(
            {
                "stratum": stratum,
                "value": value,
                "all": count,
                "public": inside,
                "share_in_all": count / len(tasks),
                "share_in_public": inside / len(public) if public else None,
                "p": p,
            }
        )
    return {"share": parts.share, "seed": parts.seed, "public": len(public), "all": len(tasks), "strata": rows}


def _same_share(inside: int, public: int, rest: int, withheld: int) -> float | None:
    """The p of the score test that two shares are equal (Miettinen and Nurminen 1985)."""
    if not public or not withheld or inside + rest in (0, public + withheld):
        return None
    p = float(two_shares(inside, public, rest, withheld, method="score").pvalue)
    return p if math.isfinite(p) else None


def commitment(salt: str, gold: bytes) -> str:
    """Return what stands for a withheld gold: SHA-256 over the salt's bytes and the gold's bytes."""
    return hashlib.sha256(bytes.fromhex(salt) + gold).hexdigest()
