"""Many instances at once: every database belongs to one worker process, so that no two make the same workspace."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from pipeline.content import BadEntry, Instance
from pipeline.errors import BuildError
from pipeline.measured import added
from pipeline.output import OutputFolder
from pipeline.params import BuildParams
from pipeline.runner import Outcome, Runner
from pipeline.sandbox import Sandbox
from pipeline.sources import open_source
from pipeline.sources.base import Source

Numbered = tuple[str, Instance | BadEntry]
"""An entry of a source with the id of its task."""


@dataclass(frozen=True)
class Work:
    """What a worker process does in one go: the entries of a database. `repeated` are tasks with an id used before."""

    source: Path
    out: Path
    params: BuildParams
    entries: tuple[Numbered, ...]
    repeated: frozenset[str]


def in_workers(
    source: Path,
    out: Path,
    params: BuildParams,
    entries: Sequence[Numbered],
    repeated: frozenset[str],
    workers: int,
    done: Callable[[Outcome], None],
) -> tuple[list[Outcome], dict[str, float]]:
    """Return the outcomes in the order of the entries, made by several processes, and their seconds by part.

    The folder must be locked. `done` is called with each outcome when its database is finished. Raises BuildError
    if a process dies or nothing can be written any more.
    """
    works = [Work(source, out, params, group, repeated) for group in _groups(entries)]
    outcomes: dict[str, Outcome] = {}
    measured: list[dict[str, float]] = []
    # spawn: a forked copy of a process with threads (a progress bar has one) may hang
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(outcomes_of, work) for work in works]
        try:
            for future in as_completed(futures):
                made, seconds = future.result()
                measured.append(seconds)
                for outcome in made:
                    outcomes[outcome.task_id] = outcome
                    done(outcome)
        except BrokenProcessPool as error:
            message = f"{out}: a worker process died, perhaps for want of memory; build again with fewer workers"
            raise BuildError(message) from error
        finally:
            pool.shutdown(cancel_futures=True)
    return [outcomes[task_id] for task_id, _ in entries], added(measured)


def outcomes_of(work: Work) -> tuple[list[Outcome], dict[str, float]]:
    """Return the outcomes of one piece of work, and its seconds by part; runs in a worker process."""
    with ExitStack() as stack:
        sandbox = stack.enter_context(Sandbox())
        runner = Runner(_opened(work.source), OutputFolder(work.out), sandbox, work.params, repeated=work.repeated)
        return [runner.outcome(task_id, entry) for task_id, entry in work.entries], runner.watch.seconds


@cache
def _opened(source: Path) -> Source:
    return open_source(source)


def _groups(entries: Sequence[Numbered]) -> list[tuple[Numbered, ...]]:
    """Return the entries by database, the largest group first: a long one at the end would leave workers idle."""
    groups: dict[str, list[Numbered]] = {}
    for task_id, entry in entries:
        groups.setdefault(entry.db if isinstance(entry, Instance) else "", []).append((task_id, entry))
    return [tuple(group) for group in sorted(groups.values(), key=lambda group: -len(group))]
