"""Columns and rows that one table has and the other has not."""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.diff_model import Difference, difference, plural, shown
from evaluator.diff_repairs import would_be_equal
from evaluator.diff_rows import Pairing
from evaluator.diff_sides import Row, Sides
from evaluator.tables import Table

_TOTAL_WORDS = ("total", "sum", "合计", "总计", "小计", "all")


def column_findings(sides: Sides, mapping: Sequence[int | None]) -> list[Difference]:
    """Return S1 and S2: prediction columns that stand for no gold column, and gold columns without one."""
    findings = []
    extra = [j for j in range(len(sides.prediction.header)) if j not in mapping]
    if extra:
        findings.append(_extra_columns(sides, mapping, extra))
    missing = [i for i, j in enumerate(mapping) if j is None]
    if missing:
        names = ", ".join(sides.name(i) for i in missing)
        sentence = f"{plural(len(missing), 'gold column')} has no counterpart: {names}"
        findings.append(difference("S2", sentence, column=missing[0], count=len(missing)))
    return findings


def _extra_columns(sides: Sides, mapping: Sequence[int | None], extra: list[int]) -> Difference:
    kept = [j for j in mapping if j is not None]
    subset = len(kept) == len(mapping) and would_be_equal(sides.gold, _columns(sides.prediction, kept), sides.rules)
    kinds = {_extra_kind(sides.prediction, j) for j in extra}
    detail = kinds.pop() if len(kinds) == 1 else ""
    names = ", ".join(f"{j + 1} ({sides.prediction.header[j]})" for j in extra)
    sentence = f"the prediction has {plural(len(extra), 'column')} too many: {names}"
    if detail:
        sentence += f" ({detail})"
    if subset:
        sentence += "; without that the tables are equal"
    return difference("S1", sentence, exact=subset, count=len(extra), detail=detail)


def _extra_kind(table: Table, column: int) -> str:
    columns = table.columns()
    cells = columns[column]
    if any(other == cells for index, other in enumerate(columns) if index != column):
        return "duplicate of another column"
    if cells and cells in [tuple(str(n + start) for n in range(len(cells))) for start in (0, 1)]:
        return "row number"
    return ""


def _columns(table: Table, kept: Sequence[int]) -> Table:
    rows = tuple(tuple(row[j] for j in kept) for row in table.rows)
    return Table(tuple(table.header[j] for j in kept), rows)


def row_findings(sides: Sides, mapping: Sequence[int | None], pairing: Pairing) -> list[Difference]:
    """Return S3 and S4: gold rows without a counterpart, prediction rows without one; with the cause if one fits."""
    findings = []
    if pairing.missing:
        findings.append(_missing_rows(sides, mapping, pairing))
    if pairing.extra:
        findings.append(_extra_rows(sides, mapping, pairing))
    return findings


def _missing_rows(sides: Sides, mapping: Sequence[int | None], pairing: Pairing) -> Difference:
    gold, prediction = sides.rows(mapping)
    detail = _missing_kind(sides, gold, prediction, pairing)
    complete = Table(sides.prediction.header, sides.prediction.rows + _added(sides, mapping, pairing.missing))
    exact = not pairing.extra and _whole(mapping) and _equal_unordered(sides, complete)
    sentence = f"the prediction lacks {plural(len(pairing.missing), 'row')} of gold{_because(detail)}"
    return difference(
        "S3",
        sentence + ("; with them added the tables hold the same rows" if exact else ""),
        exact=exact,
        count=len(pairing.missing),
        examples=[_row_shown(sides.gold, row) for row in pairing.missing[:5]],
        detail=detail,
    )


def _extra_rows(sides: Sides, mapping: Sequence[int | None], pairing: Pairing) -> Difference:
    gold, prediction = sides.rows(mapping)
    detail = _extra_kind_of_rows(sides, gold, prediction, pairing)
    dropped = set(pairing.extra)
    rest = tuple(row for index, row in enumerate(sides.prediction.rows) if index not in dropped)
    exact = not pairing.missing and _whole(mapping) and _equal_unordered(sides, Table(sides.prediction.header, rest))
    sentence = f"the prediction has {plural(len(pairing.extra), 'row')} that gold has not{_because(detail)}"
    return difference(
        "S4",
        sentence + ("; without them the tables hold the same rows" if exact else ""),
        exact=exact,
        count=len(pairing.extra),
        examples=[_row_shown(sides.prediction, row) for row in pairing.extra[:5]],
        detail=detail,
    )


def _missing_kind(sides: Sides, gold: list[Row], prediction: list[Row], pairing: Pairing) -> str:
    header = [sides.prediction.header]
    if len(pairing.missing) == 1 and _read(sides, header)[0] == gold[pairing.missing[0]]:
        return "first row taken as header"
    if pairing.extra or pairing.pairs:
        return ""
    if set(gold) == set(prediction) and len(set(prediction)) == len(prediction):
        return "duplicates removed"
    if gold[: len(prediction)] == prediction:
        return "cut off"
    return "subset"


def _extra_kind_of_rows(sides: Sides, gold: list[Row], prediction: list[Row], pairing: Pairing) -> str:
    rows = [sides.prediction.rows[row] for row in pairing.extra]
    if all(row == sides.prediction.header for row in rows):
        return "header repeated"
    last = len(sides.prediction.rows) - 1
    if list(pairing.extra) == [last] and any(cell.strip().casefold() in _TOTAL_WORDS for cell in rows[0]):
        return "total row"
    if pairing.missing or pairing.pairs:
        return ""
    return "duplicated rows" if set(gold) == set(prediction) else "superset"


_BECAUSE = {
    "first row taken as header": "its first row stands where the header belongs",
    "duplicates removed": "it has each different row only once",
    "cut off": "it ends early",
    "header repeated": "they repeat the header",
    "total row": "it is a total",
    "duplicated rows": "they repeat rows, as a join over several matches does",
}


def _because(detail: str) -> str:
    return f": {_BECAUSE[detail]}" if detail in _BECAUSE else ""


def _read(sides: Sides, rows: list[tuple[str, ...]]) -> list[Row]:
    if len(sides.prediction.header) != len(sides.gold.header):
        return [()]
    return [tuple(sides.readers[kind].cell(cell) for kind, cell in zip(sides.kinds, row, strict=True)) for row in rows]


def _whole(mapping: Sequence[int | None]) -> bool:
    return None not in mapping


def _added(sides: Sides, mapping: Sequence[int | None], rows: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Return gold rows with their cells in the prediction's column order, empty where a column is not gold's."""
    place = {j: i for i, j in enumerate(mapping) if j is not None}
    width = range(len(sides.prediction.header))
    return tuple(tuple(sides.gold.rows[row][place[j]] if j in place else "" for j in width) for row in rows)


def _equal_unordered(sides: Sides, prediction: Table) -> bool:
    rules = type(sides.rules)(sides.rules.task_id, False, sides.rules.columns)
    return would_be_equal(sides.gold, prediction, rules)


def _row_shown(table: Table, row: int) -> str:
    cells = ", ".join(shown(cell) for cell in table.rows[row][:8])
    return f"row {row + 2}: {cells}{', …' if len(table.header) > 8 else ''}"
