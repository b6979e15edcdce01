"""Rules by example: small changes of a gold's own cells and rows, and which of them the rules accept."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from enum import StrEnum

from evaluator.cells import reader_for
from evaluator.compare import compare
from evaluator.errors import EvaluatorError
from evaluator.numbers import CellError, exact_value, is_null
from evaluator.rules import ColumnRule, ColumnType, Rules
from evaluator.tables import Table

MAX_ROWS = 20  # of the gold, enough to show what happens to rows
_LONGEST = 60  # characters of a cell that makes a good example
_WORK = Context(prec=80, rounding=ROUND_HALF_UP)


class Change(StrEnum):
    """What a near miss changes: in the table (the first group) or in a cell. The most telling ones come first."""

    ROWS_SWAPPED = "two rows swapped"
    ROW_REPEATED = "a row given twice"
    ROW_MISSING = "the last row left out"
    COLUMNS_SWAPPED = "the columns in another order"
    HEADERS = "other names for the columns"
    COLUMN_MORE = "one column more"
    ONE_DIGIT_LESS = "one digit less"
    LAST_DIGIT = "last digit one higher"
    NOISE = "off by one in a billion"
    PERCENT_SIGN = "with a % sign"
    THOUSANDS = "with thousands separators"
    HUNDREDTH = "as a share of 1 instead of 100"
    ZEROS = "with another zero at the end"
    UPPER_CASE = "in capital letters"
    BLANKS = "with blanks around it"
    WIDE = "in full-width characters"
    SLASHES = "the date with slashes"
    MIDNIGHT = "the date with the time 00:00:00"
    ZONE = "the time with the zone Z"
    OTHER_WORD = "in another word for it"
    NULL_WORD = "the word NULL"
    EMPTY = "left empty"


@dataclass(frozen=True)
class NearMiss:
    """One change and what the rules say of it.

    For a cell: its gold column (from 0), its row as in the file (the header is row 1), the cell before and after.
    For a change of the table these are None, 0 and empty.
    """

    change: Change
    accepted: bool
    column: int | None = None
    row: int = 0
    before: str = ""
    after: str = ""


def near_misses(gold: Table, rules: Rules, columns: frozenset[int] | None = None) -> tuple[NearMiss, ...]:
    """Return the small changes of the gold that can be shown, each accepted or refused by `evaluator.compare`.

    The same gold and rules give the same list. A change that would leave the text as it is is not listed.

    Args:
        gold: the gold; its first rows serve for changes of rows.
        rules: one rule a column.
        columns: the columns whose rules are finished; None for all. While some are not, nothing is said of the table.
    """
    chosen = range(len(gold.header)) if columns is None else sorted(columns)
    found = [miss for column in chosen for miss in _of_column(gold, rules, column)]
    if len(chosen) == len(gold.header):
        found += _of_table(Table(gold.header, gold.rows[:MAX_ROWS]), rules)
    return tuple(found)


def _of_column(gold: Table, rules: Rules, column: int) -> Iterator[NearMiss]:
    rule = replace(rules.columns[column], gold_index=0)
    alone = Rules(rules.task_id, False, (rule,))
    cells = [row[column] for row in gold.rows]
    for change, edit in _edits(rule).items():
        for row, cell in enumerate(cells):
            edited = edit(cell) if len(cell) <= _LONGEST else None
            if edited is None or edited == cell:
                continue
            accepted = _passes(_one(cell), _one(edited), alone)
            if accepted is not None:
                yield NearMiss(change, accepted, column, row + 2, cell, edited)
            break


def _one(cell: str) -> Table:
    return Table(("cell",), ((cell,),))


def _passes(gold: Table, changed: Table, rules: Rules) -> bool | None:
    try:
        return compare(gold, changed, rules).passed
    except EvaluatorError:  # the gold itself does not read; said elsewhere
        return None


Edit = Callable[[str], str | None]  # the changed cell, None where the change says nothing of it


def _edits(rule: ColumnRule) -> dict[Change, Edit]:
    def number(change: Callable[[Decimal], str | None]) -> Edit:
        def edit(cell: str) -> str | None:
            sign = "%" if cell.strip().endswith("%") else ""
            try:
                value = exact_value(cell.strip().removesuffix("%"), rule)
            except CellError:
                return None
            if not value or abs(value.adjusted()) > _LONGEST:  # null, zero, or no example for people
                return None
            changed = change(value)
            return None if changed is None else changed + sign

        return edit

    both: dict[Change, Edit] = {Change.NULL_WORD: _null_word, Change.EMPTY: _empty}
    by_type: dict[ColumnType, dict[Change, Edit]] = {
        ColumnType.NUMBER: {
            Change.ONE_DIGIT_LESS: number(_one_digit_less),
            Change.LAST_DIGIT: number(_last_digit),
            Change.NOISE: number(lambda value: _written(value * (1 + Decimal("1e-9")))),
            Change.ZEROS: lambda cell: f"{cell}0" if "." in cell and cell[-1].isdigit() else None,
            Change.PERCENT_SIGN: lambda cell: f"{cell}%" if cell[-1:].isdigit() else None,
            Change.THOUSANDS: number(lambda value: f"{value:,f}" if abs(value) >= 1000 else None),
            Change.HUNDREDTH: _of_percent(number(lambda value: _written(value / 100))),
        },
        ColumnType.TEXT: {
            Change.UPPER_CASE: lambda cell: cell.upper(),
            Change.BLANKS: lambda cell: f" {cell} ",
            Change.WIDE: _wide,
        },
        ColumnType.DATE: {Change.SLASHES: _slashes, Change.MIDNIGHT: lambda cell: f"{cell}T00:00:00"},
        ColumnType.DATETIME: {Change.SLASHES: _slashes, Change.ZONE: lambda cell: f"{cell}Z"},
        ColumnType.BOOLEAN: {Change.OTHER_WORD: _other_word},
    }
    return {change: _of_values(edit) for change, edit in (by_type[rule.type] | both).items()}


def _of_percent(edit: Edit) -> Edit:
    """Let a share lose its % sign with the change: 80.2% becomes 0.802."""

    def share(cell: str) -> str | None:
        changed = edit(cell)
        return None if changed is None else changed.removesuffix("%")

    return share


def _of_values(edit: Edit) -> Edit:
    """Let nulls alone: what is said of a value says nothing of its absence."""
    return lambda cell: None if is_null(cell.strip()) else edit(cell)


def _null_word(cell: str) -> str | None:
    return "NULL"


def _empty(cell: str) -> str | None:
    return ""


def _written(value: Decimal) -> str:
    return format(value, "f")


def _places(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def _one_digit_less(value: Decimal) -> str | None:
    places = _places(value.normalize(_WORK)) - 1
    if places < 0:
        return None
    try:
        return _written(value.quantize(Decimal((0, (1,), -places)), context=_WORK))
    except InvalidOperation:  # more digits than an example for people has
        return None


def _last_digit(value: Decimal) -> str:
    return _written(value + Decimal((0, (1,), -max(0, _places(value)))))


def _wide(cell: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in cell)


def _slashes(cell: str) -> str | None:
    return cell.replace("-", "/") if "-" in cell else None


_WORDS = {"true": "yes", "yes": "1", "y": "yes", "1": "true", "是": "true"}
_WORDS |= {"false": "no", "no": "0", "n": "no", "0": "false", "否": "false"}


def _other_word(cell: str) -> str | None:
    return _WORDS.get(cell.strip().casefold())


def _of_table(gold: Table, rules: Rules) -> Iterator[NearMiss]:
    for change, changed in _changed_tables(gold, rules):
        accepted = _passes(gold, changed, rules)
        if accepted is not None:
            yield NearMiss(change, accepted)


def _changed_tables(gold: Table, rules: Rules) -> Iterator[tuple[Change, Table]]:
    header, rows = gold.header, gold.rows
    other = _first_other_row(gold, rules)
    if other is not None:
        yield Change.ROWS_SWAPPED, Table(header, (rows[other], *rows[1:other], rows[0], *rows[other + 1 :]))
    if rows:
        yield Change.ROW_REPEATED, Table(header, (*rows, rows[-1]))
        yield Change.ROW_MISSING, Table(header, rows[:-1])
    if len(header) > 1:
        yield Change.COLUMNS_SWAPPED, Table(header[::-1], tuple(row[::-1] for row in rows))
    yield Change.HEADERS, Table(tuple(f"c{place + 1}" for place in range(len(header))), rows)
    yield Change.COLUMN_MORE, Table((*header, "n"), tuple((*row, str(n)) for n, row in enumerate(rows, 1)))


def _first_other_row(gold: Table, rules: Rules) -> int | None:
    """The first row that the rules tell from row 0; swapping equal rows would show nothing."""
    readers = [reader_for(rule) for rule in rules.columns]
    try:
        read = [tuple(reader(cell) for reader, cell in zip(readers, row, strict=True)) for row in gold.rows]
    except CellError:
        return None
    return next((place for place, row in enumerate(read) if row != read[0]), None)
