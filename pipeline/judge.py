"""One instance through all gates: from a question with SQL to a gold with rules, or a rejection."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.tables import Table
from pipeline.content import Instance, Reason, Rejected, Stage
from pipeline.database import Database
from pipeline.params import BuildParams
from pipeline.sampling.live import Ask, Liveness, Parts, lost
from pipeline.sandbox import Answer, QueryFailed, Sandbox
from pipeline.sql.clock import clock_reading
from pipeline.sql.outputs import outputs
from pipeline.sql.quotes import with_plain_literals
from pipeline.sql.tree import parse
from pipeline.stages.determine import Determined, bag, determine
from pipeline.stages.execute import Limits, execute, gold_table, objection, rows_as_text
from pipeline.stages.infer_rules import Inferred, check_rules, infer_rules
from pipeline.stages.sample import Sampling, choose_tables, samplings

PROBE_ROWS = 100_000  # variants of a gold may return more rows than the gold, but not without end


@dataclass(frozen=True)
class Judged:
    """A gold that passed every gate. `sql` runs on the sampled database; `tables` are those it reads.

    `liveness` says of each part of the gold whether it matters.
    """

    sql: str
    gold: Table
    inferred: Inferred
    sampling: Sampling
    tables: tuple[str, ...]
    determined: Determined
    texts_unquoted: int
    liveness: tuple[Liveness, ...]


def judge(
    task_id: str,
    instance: Instance,
    database: Database,
    sampled: Callable[[Sampling], Path],
    sandbox: Sandbox,
    limits: Limits,
    *,
    params: BuildParams | None = None,
) -> Judged:
    """Return the gold of an instance. Raises Rejected at the first gate that it does not pass.

    `sampled` gives the database of a sampling; all checks after the first execution run on that one.
    """
    params = params or BuildParams()
    sql = instance.sql.strip()
    answer = run_gates(database.path, sql, sandbox, limits)
    tables = _tables_read(answer, database)
    plain, unquoted = with_plain_literals(sql, prepares_on(database.path, sandbox, limits))
    chosen = choose_tables(database, tables, params.seed, params.max_tables)
    size = database.path.stat().st_size
    tried = samplings(chosen, plain, params.sampling, size, params.copied_up_to_bytes)
    sampling, path, again, live = _Samples(sampled, plain, answer, sandbox, limits, database).first_that_holds(
        tried, may_copy=size <= params.copied_up_to_bytes
    )
    determined = determined_on(database, path, plain, again, sandbox, limits)
    gold = gold_table(again)
    order = determined.order_fixed if determined.ordered else None
    origins = outputs(parse(plain), len(again.columns))
    inferred = infer_rules(task_id, instance.question, again, gold.header, origins, order)
    check_rules(gold, inferred.rules)
    return Judged(plain, gold, inferred, sampling, tables, determined, unquoted, live)


_Held = tuple[Sampling, Path, Answer, tuple[Liveness, ...]]


class _Samples:
    """The samples that are tried for one gold, whose answer on the source is known."""

    def __init__(
        self,
        sampled: Callable[[Sampling], Path],
        sql: str,
        answer: Answer,
        sandbox: Sandbox,
        limits: Limits,
        database: Database,
    ) -> None:
        self._sampled = sampled
        self._sql = sql
        self._answer = answer
        self._sandbox = sandbox
        self._limits = limits
        self._database = database
        self._parts = Parts(sql, database, self._asking(database.path), answer)

    def first_that_holds(self, tried: Sequence[Sampling], *, may_copy: bool) -> _Held:
        """Return the first sampling on which the gold has a result that will do and every part of it is live.

        The last of them is a copy. It is not taken for a part's sake unless the database is small enough to copy.
        Raises Rejected.
        """
        without_effect: list[Liveness] = []
        for sampling in tried[:-1]:
            held = self._held(sampling)
            if held is not None and not (without_effect := lost(held[3])):
                return held
        if without_effect and not may_copy:
            raise _not_live(without_effect)
        path = self._sampled(tried[-1])
        again = execute(self._sandbox, path, self._sql, self._limits)
        _same_result(self._answer, again)
        return tried[-1], path, again, self._parts.on(self._asking(path), again, is_copy=True)

    def _held(self, sampling: Sampling) -> _Held | None:
        try:
            path = self._sampled(sampling)
            again = execute(self._sandbox, path, self._sql, self._limits)
        except QueryFailed:  # choosing the rows met a limit; the next way may not
            return None
        except Rejected as rejected:
            if rejected.stage is not Stage.EXECUTE:
                raise
            return None
        shrunk = sampling.rows is not None and sampling.rows.witnesses is not None
        if (shrunk and objection(again) is None) or (not shrunk and bag(again.rows) == bag(self._answer.rows)):
            return sampling, path, again, self._parts.on(self._asking(path), again, is_copy=False)
        return None

    def _asking(self, path: Path) -> Ask:
        def ask(query: str, rows: int, steps: int) -> Answer:
            return self._sandbox.run(path, query, seconds=self._limits.time_limit_seconds, rows=rows, steps=steps)

        return ask


def _not_live(parts: Sequence[Liveness]) -> Rejected:
    message = (
        f"the gold gives the same without {len(parts)} of its parts on every sample that was tried, though not on the "
        "source; sample with other rows, or copy"
    )
    return Rejected(Stage.SAMPLE, Reason.NOT_LIVE, message, "\n".join(part.what for part in parts))


def run_gates(database: Path, sql: str, sandbox: Sandbox, limits: Limits) -> Answer:
    """Return the result of a gold that can be one. Raises Rejected: reads the clock, fails, empty, too large."""
    clock = clock_reading(sql)
    if clock is not None:
        message = f"{clock} changes with the day or the run; write the date that is meant"
        raise Rejected(Stage.SQL, Reason.READS_THE_CLOCK, message, clock)
    answer = execute(sandbox, database, sql, limits)
    problem = objection(answer)
    if problem is not None:
        raise problem
    return answer


def determined_on(
    schema: Database, path: Path, sql: str, answer: Answer, sandbox: Sandbox, limits: Limits
) -> Determined:
    """Return how far the data in `path` determine the answer of a gold. Raises Rejected if not at all."""

    def probe(query: str) -> Answer:
        return sandbox.run(path, query, seconds=limits.time_limit_seconds, rows=PROBE_ROWS)

    return determine(sql, answer, probe, lambda name: _columns_of(schema, name))


def _tables_read(answer: Answer, database: Database) -> tuple[str, ...]:
    read = {table.lower() for table in answer.tables}
    missing = [name for name in (*database.views, *database.left_out) if name.lower() in read]
    if missing:
        message = f"the SQL reads {missing[0]}, a view or virtual table; write it over the tables behind it"
        raise Rejected(Stage.SAMPLE, Reason.READS_A_VIEW, message, ", ".join(missing))
    return tuple(sorted(table.name for name in answer.tables if (table := database.table(name)) is not None))


def prepares_on(path: Path, sandbox: Sandbox, limits: Limits) -> Callable[[str], str | None]:
    """Return the function that says what SQLite objects to in a query, without running it; None if nothing."""

    def objection_to(query: str) -> str | None:
        try:
            sandbox.run(path, f"EXPLAIN {query}", seconds=limits.time_limit_seconds, rows=0)
        except QueryFailed as error:
            return str(error)
        return None

    return objection_to


def _same_result(source: Answer, sampled: Answer) -> None:
    if bag(source.rows) == bag(sampled.rows):
        return
    evidence = f"source:\n{rows_as_text(source.rows[:5])}\nsampled:\n{rows_as_text(sampled.rows[:5])}"
    message = "the SQL gives another result on the sampled database than on the source"
    raise Rejected(Stage.SAMPLE, Reason.SAMPLE_CHANGES_RESULT, message, evidence)


def _columns_of(database: Database, name: str) -> list[str]:
    table = database.table(name)
    return [column.name for column in table.columns] if table is not None else []
