"""Build candidate tasks from a source: `build(source, out, params)`."""

import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.artifacts import canonical_json, canonical_line, write_atomically
from pipeline.content import Instance, Stage
from pipeline.errors import BuildError
from pipeline.explain import OUTCOMES
from pipeline.measured import peak_memory_mib
from pipeline.output import ARTIFACTS, FORMAT, FORMAT_VERSION, OutputFolder
from pipeline.params import BuildParams
from pipeline.report import BuildReport
from pipeline.report_html import html_report
from pipeline.runner import BUILDER_VERSION, Outcome, Runner
from pipeline.sampling.live import shares
from pipeline.sampling.overlap import Overlap, SampledTask, overlap
from pipeline.sandbox import Sandbox
from pipeline.sources import open_source
from pipeline.sources.base import Source, file_digest
from pipeline.stages.execute import Limits
from pipeline.translate.build import Translation
from pipeline.translate.glossary import read_glossary, to_csv
from pipeline.translate.model import Direction
from pipeline.translate.words import Translator
from pipeline.workers import Numbered, in_workers
from pipeline.workspace import SAMPLED

__all__ = ["BuildParams", "BuildReport", "Progress", "build"]

Progress = Callable[[int, int, str], None]
"""Called after each instance with how many are done, how many there are, and which task it was, with what became of
all so far: `task_7: 5 kept, rejected 1 at sql, 1 at execute`."""


def build(
    source: Path,
    out: Path,
    params: BuildParams,
    progress: Progress | None = None,
    *,
    workers: int = 1,
    translator: Translator | None = None,
) -> BuildReport:
    """Turn every instance of a source into a candidate folder or a rejection, and write manifest and report.

    A second call with the same arguments finishes what a killed one began and repeats nothing that is up
    to date; the same source and params give the same bytes. A task's number is `first_id` plus the place of
    its instance in the source, so that it never depends on the fate of the others.

    Args:
        source: a folder (or file of questions) that `open_source` knows.
        out: the candidates folder; it must be new, empty, or from an earlier build.
        workers: how many processes share the databases; a build that translates uses one. Any number, same bytes.
        translator: a model that is asked for words and questions which no glossary and no pair has, or None.

    Raises:
        SourceError: nothing can be read from the source.
        BuildError: `out` cannot be used, another build writes there, an id of `only` is unknown, or the
            disk is full; what is finished stays, and the next call goes on from there.
    """
    began = time.perf_counter()
    opened = open_source(source)
    entries = _chosen(opened, params)
    with ExitStack() as stack:
        folder = stack.enter_context(OutputFolder.locked(out))
        done = _counter(progress, len(entries))
        sandbox = stack.enter_context(Sandbox())  # starts its process at the first query only
        translation = _translation(opened, folder, sandbox, params, translator)
        if workers > 1 and translation is None:
            outcomes, seconds = in_workers(source, out, params, entries, _repeated(entries), workers, done)
        else:
            runner = Runner(opened, folder, sandbox, params, translation, _repeated(entries))
            outcomes = []
            for task_id, entry in entries:
                outcomes.append(runner.outcome(task_id, entry))
                done(outcomes[-1])
            seconds = runner.watch.seconds
        report = _report(opened.corpus, outcomes, folder.root)
        folder.drop_all_but([outcome.task_id for outcome in outcomes if outcome.rejection is None])
        _write_results(folder, opened, params, outcomes, report)
        if translation is not None:
            write_atomically(folder.root / "untranslated.csv", to_csv(translation.unknown_words()).encode())
        sandbox.close()  # so that its memory counts
        took = {"all": time.perf_counter() - began, **seconds}
        figures = {"workers": workers, "seconds": took, "peak_memory_mib": peak_memory_mib()}
        write_atomically(folder.root / ARTIFACTS / "run.json", canonical_json(figures))
    return report


def _counter(progress: Progress | None, total: int) -> Callable[[Outcome], None]:
    kept, rejected = 0, Counter[Stage]()

    def done(outcome: Outcome) -> None:
        nonlocal kept
        if outcome.rejection is None:
            kept += 1
        else:
            rejected[outcome.rejection.stage] += 1
        if progress is not None:
            stages = ", ".join(f"{rejected[stage]} at {stage}" for stage in Stage if rejected[stage])
            so_far = f"{kept} kept" + (f", rejected {stages}" if stages else "")
            progress(kept + rejected.total(), total, f"{outcome.task_id}: {so_far}")

    return done


def _repeated(entries: Sequence[Numbered]) -> frozenset[str]:
    """Return the tasks whose instance has an id that an earlier one has."""
    first: dict[str, str] = {}
    instances = [(task_id, entry.id) for task_id, entry in entries if isinstance(entry, Instance)]
    return frozenset(task_id for task_id, name in instances if first.setdefault(name, task_id) != task_id)


def _translation(
    source: Source, folder: OutputFolder, sandbox: Sandbox, params: BuildParams, translator: Translator | None
) -> Translation | None:
    if params.translate is Direction.NONE:
        return None
    return Translation(
        source,
        params.translate,
        params.translate_parts,
        store=folder.artifacts,
        sandbox=sandbox,
        limits=Limits(params.time_limit_seconds, params.row_limit),
        max_bytes=params.max_database_bytes,
        glossary=read_glossary(params.glossary) if params.glossary is not None else (),
        translator=translator,
    )


def _chosen(source: Source, params: BuildParams) -> list[Numbered]:
    numbered: list[Numbered] = [(f"task_{n}", entry) for n, entry in enumerate(source.entries(), params.first_id)]
    if params.only:
        unknown = sorted(set(params.only) - {entry.id for _, entry in numbered})
        if unknown:
            raise BuildError(f"the source {source.corpus} has no instance {unknown[0]!r}; check the id")
        numbered = [(task_id, entry) for task_id, entry in numbered if entry.id in params.only]
    return numbered[: params.limit]


def _report(corpus: str, outcomes: list[Outcome], root: Path) -> BuildReport:
    rejected = tuple(outcome.rejection for outcome in outcomes if outcome.rejection is not None)
    up_to_date = sum(outcome.up_to_date for outcome in outcomes)
    candidates = [root / outcome.task_id for outcome in outcomes if outcome.rejection is None]
    stored = [(folder, _provenance(folder)) for folder in candidates]
    lints = Counter(kind for _, provenance in stored for kind in _lints_of(provenance))
    ordered = dict(sorted(lints.items(), key=lambda pair: (-pair[1], pair[0])))
    live = shares([part for _, provenance in stored for part in provenance["checks"]["liveness"]])
    return BuildReport(corpus, len(outcomes), len(candidates), rejected, up_to_date, ordered, live, _overlaps(stored))


def _provenance(candidate: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((candidate / "private" / "provenance.json").read_bytes())
    return found


def _lints_of(provenance: Mapping[str, Any]) -> set[str]:
    lints = provenance["checks"]["lints"]
    return {f"{one['severity']}: {one['kind']}" if "kind" in one else "not linted" for one in lints}


def _overlaps(stored: Sequence[tuple[Path, Mapping[str, Any]]]) -> dict[str, Overlap]:
    """Return for each database of which several tasks have samples how much those share."""
    tasks: dict[str, list[SampledTask]] = {}
    for folder, provenance in stored:
        rows = provenance["sampling"].get("rows")
        if rows:
            task = SampledTask(folder / "private" / SAMPLED, {name: (kept, of) for name, (kept, of) in rows.items()})
            tasks.setdefault(provenance["instance"]["db"], []).append(task)
    found = {name: overlap(of_database) for name, of_database in sorted(tasks.items())}
    return {name: one for name, one in found.items() if one is not None}


def _write_results(
    folder: OutputFolder, source: Source, params: BuildParams, outcomes: list[Outcome], report: BuildReport
) -> None:
    lines = [canonical_line(rejection.to_json()) for rejection in report.rejected]
    write_atomically(folder.root / "rejections.jsonl", b"".join(lines))
    write_atomically(folder.root / "report.json", canonical_json(report.to_json()))
    write_atomically(folder.root / "report.md", report.to_markdown().encode())
    write_atomically(folder.root / "report.html", html_report(report).encode())
    write_atomically(folder.root / ARTIFACTS / OUTCOMES, canonical_json(_ends(outcomes)))
    manifest = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "builder_version": BUILDER_VERSION,
        "params": {
            **asdict(params),
            "only": list(params.only),
            "table_rows": dict(params.table_rows),
            "glossary": _glossary_digest(params),
        },
        "source": {"corpus": source.corpus, "layout": source.layout, "digests": source.digests()},
        "tasks": [
            {"task_id": outcome.task_id, "instance": outcome.instance, "files": outcome.files}
            for outcome in outcomes
            if outcome.rejection is None
        ],
        "counts": report.counts(),
    }
    write_atomically(folder.root / "manifest.json", canonical_json(manifest))


def _ends(outcomes: list[Outcome]) -> dict[str, object]:
    return {
        outcome.task_id: {
            "instance": outcome.instance,
            "rejection": outcome.rejection.to_json() if outcome.rejection is not None else None,
        }
        for outcome in outcomes
    }


def _glossary_digest(params: BuildParams) -> str | None:
    """Return the digest of a person's glossary: its path says nothing on another machine."""
    return file_digest(params.glossary) if params.glossary is not None else None
