"""Lints of what a gold compares and sorts, and of the values that are there."""

from collections.abc import Iterator

from sqlglot import exp

from pipeline.checks.lint_case import Case, GoldLint, LintKind, Severity, block, lint
from pipeline.database import quoted
from pipeline.sql.facts import Value
from pipeline.sql.grouping import resolved
from pipeline.sql.resolve import Place
from pipeline.sql.tree import render

_RANGES = {"gt", "gte", "lt", "lte", "between"}
_EQUALITIES = {"eq", "neq", "in", *_RANGES}
_NUMBERS = {"integer", "real"}
_NUMERIC_NAMES = ("INT", "REAL", "FLOA", "DOUB", "NUM", "DEC", "BOOL", "DATE")


def like_without_wildcard(case: Case) -> Iterator[GoldLint]:
    """LIKE or GLOB with a pattern that matches one text only, in whatever case: `=` may be meant, or a wildcard."""
    for node in case.tree.find_all(exp.Like, exp.ILike, exp.Glob):
        wild = "*?[" if isinstance(node, exp.Glob) else "%_"
        pattern = node.expression
        if isinstance(pattern, exp.Literal) and not set(wild) & set(pattern.name):
            message = f"the pattern {pattern.name!r} has no wildcard; only the whole text matches"
            yield lint(LintKind.LIKE_PLAIN, Severity.WARNING, message, render(node))


def null_in_sort_key(case: Case) -> Iterator[GoldLint]:
    """A sort key is NULL in some row: it comes first in an ascending order, and with LIMIT it may be the answer."""
    for select in case.selects():
        order = select.args.get("order")
        limited = select.args.get("limit") is not None
        for key in order.expressions if order is not None else []:
            expression = render(resolved(key.this, select))
            asked = block(select, f"{expression} AS k", grouped=True)
            nulls = case.number(f"SELECT count(*) FROM ({asked}) WHERE k IS NULL")
            if nulls:
                first = limited and not key.args.get("desc")
                severity = Severity.ERROR if first else Severity.NOTE
                message = (
                    f"{nulls} rows have NULL in the sort key {expression}; say where they belong, or leave them out"
                )
                yield lint(LintKind.NULL_IN_SORT_KEY, severity, message, render(key))


def number_stored_as_text(case: Case) -> Iterator[GoldLint]:
    """Numbers kept as text are sorted or compared by size: '10' comes before '9'."""
    for place, use in sorted(_by_size(case)):
        column, table = quoted(place.column), quoted(place.table)
        plain = f"replace(ltrim({column}, '-'), ',', '')"
        counted = (
            f"SELECT count(*),"
            f" sum({plain} GLOB '[0-9]*' AND NOT {plain} GLOB '*[^0-9.]*' AND NOT {plain} GLOB '*.*.*'),"
            f" count(DISTINCT instr({plain} || '.', '.')), min({column}), max({column})"
            f" FROM {table} WHERE typeof({column}) = 'text' AND {column} <> ''"
        )
        rows = case.ask(counted)
        if rows and _mostly(rows[0][1], rows[0][0]) and _several(rows[0][2]):
            message = f"{place.table}.{place.column} holds numbers as text, {use} as text; CAST it"
            evidence = f"least as text {rows[0][3]!r}, greatest {rows[0][4]!r}"
            yield lint(LintKind.NUMBER_AS_TEXT, Severity.ERROR, message, evidence)


def _mostly(numbers: object, texts: object) -> bool:
    """A few words among the numbers (`unknown`) do not make them names."""
    return isinstance(numbers, int) and isinstance(texts, int) and numbers > 0 and numbers * 10 >= texts * 9


def _several(cell: object) -> bool:
    return isinstance(cell, int) and cell > 1


def _by_size(case: Case) -> set[tuple[Place, str]]:
    found = {(p.places[0], "compared") for p in case.facts.predicates if p.bare and p.operator in _RANGES}
    for node in case.tree.find_all(exp.Ordered, exp.Min, exp.Max):
        select = node.find_ancestor(exp.Select)
        column = resolved(node.this, select) if select is not None else node.this
        if isinstance(column, exp.Column) and (place := case.resolver.place(column)) is not None:
            found.add((place, "sorted" if isinstance(node, exp.Ordered) else "compared"))
    return {(place, use) for place, use in found if place.table in case.tables}


def types_differ(case: Case) -> Iterator[GoldLint]:
    """A column is compared with a value, or joined with a column, of another type than it holds."""
    for predicate in case.facts.predicates:
        if predicate.bare and predicate.operator in _EQUALITIES and len(predicate.places) == 1:
            yield from _against_values(case, predicate.places[0], predicate.values)
    for one, two in case.facts.joins:
        kinds = [_kinds(case, place) for place in (one, two)]
        if all(kinds) and any(k == {"text"} for k in kinds) and any(k <= _NUMBERS for k in kinds):
            names = f"{one.table}.{one.column} ({_said(kinds[0])}) = {two.table}.{two.column} ({_said(kinds[1])})"
            message = "a join compares text with numbers; only SQLite converts one into the other"
            yield lint(LintKind.TYPES_DIFFER, Severity.WARNING, message, names)


def _against_values(case: Case, place: Place, values: tuple[Value, ...]) -> Iterator[GoldLint]:
    kinds = _kinds(case, place)
    if not kinds:
        return
    name = f"{place.table}.{place.column}"
    texts = [v for v in values if isinstance(v, str)]
    numbers = [v for v in values if isinstance(v, int | float)]
    if kinds <= _NUMBERS and texts:
        converted = all(_reads_as_number(text) for text in texts) and _is_numeric(case, place)
        severity = Severity.NOTE if converted else Severity.ERROR
        message = f"{name} holds numbers and is compared with a text; write the number"
        yield lint(LintKind.TYPES_DIFFER, severity, message, f"{texts[0]!r} against {_said(kinds)}")
    if kinds == {"text"} and numbers:
        converted = not _is_numeric(case, place) and case.tables[place.table][place.column] != ""
        severity = Severity.WARNING if converted else Severity.ERROR
        message = f"{name} holds text and is compared with a number; write a text, or CAST the column"
        yield lint(LintKind.TYPES_DIFFER, severity, message, f"{numbers[0]!r} against {_said(kinds)}")


def _kinds(case: Case, place: Place) -> set[str]:
    """Return the types that a column holds, NULL aside; empty if it cannot be asked."""
    if place.column not in case.tables.get(place.table, {}):
        return set()
    rows = case.ask(f"SELECT DISTINCT typeof({quoted(place.column)}) FROM {quoted(place.table)}")
    return {str(row[0]) for row in rows or ()} - {"null"}


def _is_numeric(case: Case, place: Place) -> bool:
    declared = case.tables[place.table][place.column].upper()
    return any(name in declared for name in _NUMERIC_NAMES) and not any(t in declared for t in ("CHAR", "TEXT", "CLOB"))


def _reads_as_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _said(kinds: set[str]) -> str:
    return ", ".join(sorted(kinds))
