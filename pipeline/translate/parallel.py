"""Words harvested from a corpus that has the same questions on the same rows in both languages."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from sqlglot import exp

from pipeline.database import Database, read_rows, reading
from pipeline.sql.tree import NotParsed, parse
from pipeline.translate.model import Kind

Pair = tuple[Kind, str, str]


def harvest(
    source: Database, target: Database, golds: Iterable[tuple[str, str]] = ()
) -> Mapping[tuple[Kind, str], str]:
    """Return what words become, as two databases and pairs of golds show it; of several forms the most frequent.

    Empty unless both databases have the same tables, columns and rows in the same order, up to words. `golds` are pairs
    of the same gold in both languages; those that differ in more than words are passed over. Raises sqlite3.Error.
    """
    pairs = [*_names(source, target), *_texts(source, target)]
    if not pairs:
        return {}
    pairs += [pair for one, other in golds for pair in _gold_words(one, other)]
    counted: dict[tuple[Kind, str], Counter[str]] = defaultdict(Counter)
    for kind, word, other in pairs:
        counted[kind, word][other] += 1
    return {key: min(forms, key=lambda form: (-forms[form], form)) for key, forms in counted.items()}


def _names(source: Database, target: Database) -> list[Pair]:
    if [len(t.columns) for t in source.tables] != [len(t.columns) for t in target.tables]:
        return []
    found: list[Pair] = []
    for one, other in zip(source.tables, target.tables, strict=True):
        found.append((Kind.TABLE, one.name, other.name))
        found += [(Kind.COLUMN, a.name, b.name) for a, b in zip(one.columns, other.columns, strict=True)]
    return found


def _texts(source: Database, target: Database) -> list[Pair]:
    if len(source.tables) != len(target.tables):
        return []
    found: set[Pair] = set()
    with reading(source.path) as one, reading(target.path) as other:
        for a, b in zip(source.tables, target.tables, strict=True):
            for left, right in zip_longest(read_rows(one, a), read_rows(other, b)):
                pairs = _same_row(left, right)
                if pairs is None:
                    return []
                found.update(pairs)
    return sorted(found)


def _same_row(left: Sequence[object] | None, right: Sequence[object] | None) -> list[Pair] | None:
    """Return the pairs of texts of two rows; None if they differ in anything else."""
    if left is None or right is None or len(left) != len(right):
        return None
    pairs = []
    for one, other in zip(left, right, strict=True):
        if isinstance(one, str) and isinstance(other, str):
            pairs.append((Kind.VALUE, one, other))
        elif type(one) is not type(other) or one != other:
            return None
    return pairs


def _gold_words(one: str, other: str) -> Iterator[Pair]:
    try:
        left, right = list(parse(one).walk()), list(parse(other).walk())
    except NotParsed:
        return
    if [type(node) for node in left] != [type(node) for node in right]:
        return
    for a, b in zip(left, right, strict=True):
        if isinstance(a, exp.Identifier):
            yield Kind.LABEL, a.name, b.name
        elif isinstance(a, exp.Literal) and a.is_string:
            yield Kind.VALUE, a.name, b.name
