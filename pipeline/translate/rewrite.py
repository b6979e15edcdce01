"""A gold in other words: names and texts exchanged on its tree."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from pipeline.sql.tree import parse, render
from pipeline.translate.flow import flow_of
from pipeline.translate.model import Maps

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class OwnNames:
    """The names that only a gold has: of columns it makes, and of tables (aliases, CTEs)."""

    columns: frozenset[str]
    tables: frozenset[str]


def rewritten(sql: str, maps: Maps, texts: Mapping[str, object]) -> str:
    """Return the gold with all names and texts exchanged.

    `texts` are the columns that hold texts, by their names in lower case. Raises NotParsed.
    """
    tree = parse(sql)
    flow = flow_of(tree, texts)
    _exchange(flow.texts, maps.values, maps)
    _exchange(flow.patterns, maps.patterns, maps)
    columns = {**{k.lower(): v for k, v in maps.labels.items()}, **maps.names()}
    tables = {name.lower(): target for name, target in {**maps.labels, **maps.tables}.items()}
    for identifier in list(tree.find_all(exp.Identifier)):
        place = _place(identifier)
        known = columns if place == "column" else tables if place == "table" else {}
        name = known.get(identifier.name.lower())
        if name is not None:
            identifier.replace(exp.to_identifier(name, quoted=not _PLAIN.fullmatch(name) or identifier.quoted))
    return render(tree)


def _exchange(found: list[tuple[exp.Literal, frozenset[str]]], words: Mapping[str, str], maps: Maps) -> None:
    """Exchange literals, each once, unless one of the columns that they stand beside is frozen."""
    frozen = {id(literal) for literal, columns in found if columns & maps.frozen.keys()}
    for literal in {id(literal): literal for literal, _ in found if id(literal) not in frozen}.values():
        literal.set("this", words.get(literal.name, literal.name))


def own_names(tree: exp.Query, columns: Mapping[str, object], tables: Mapping[str, object]) -> OwnNames:
    """Return the names in a gold that are none of the database's; `columns` and `tables` are in lower case."""
    found: dict[str, set[str]] = {"column": set(), "table": set(), "": set()}
    for identifier in tree.find_all(exp.Identifier):
        found[_place(identifier)].add(identifier.name)
    return OwnNames(
        frozenset(name for name in found["column"] if name.lower() not in columns),
        frozenset(name for name in found["table"] if name.lower() not in tables),
    )


def normal(sql: str) -> str:
    """Return the SQL in one spelling: names quoted in lower case, everything else as the library writes it."""
    tree = parse(sql)
    for identifier in list(tree.find_all(exp.Identifier)):
        identifier.replace(exp.to_identifier(identifier.name.lower(), quoted=True))
    return render(tree)


def texts_in(sql: str) -> set[str]:
    """Return the texts that stand in the SQL between quotes. Raises NotParsed."""
    return {literal.name for literal in parse(sql).find_all(exp.Literal) if literal.is_string}


def _place(identifier: exp.Identifier) -> str:
    """Return whether an identifier names a column or a table; empty if neither."""
    parent, key = identifier.parent, identifier.arg_key
    if isinstance(parent, exp.Column):
        return {"this": "column", "table": "table"}.get(key or "", "")
    if isinstance(parent, exp.Table):
        return "table" if key == "this" else ""
    if isinstance(parent, exp.TableAlias):
        return "table" if key == "this" else "column"
    return "column" if isinstance(parent, exp.Alias) or key == "using" else ""
