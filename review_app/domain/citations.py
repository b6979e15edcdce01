"""Where in a workspace file something stands: the locators of citations, as people read them and as links open them.

A locator is stored as text in the ledger; this module gives that text a meaning. Text that follows no form is a
locator too: it says in the expert's own words where to look, and opens the file at its beginning.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Rows:
    """Rows `first` to `last`, as numbered in the file, of a table (empty: the file's only one), maybe of one column."""

    first: int
    last: int
    table: str = ""
    column: str = ""


@dataclass(frozen=True)
class PdfPage:
    """A page, counted from 1, maybe with the words on it that matter."""

    number: int
    words: str = ""


@dataclass(frozen=True)
class Lines:
    """Lines `first` to `last` of a text, counted from 1."""

    first: int
    last: int


@dataclass(frozen=True)
class Pointer:
    """A place in a JSON document, by RFC 6901: "" is the whole, "/a/0" the first element of `a`."""

    pointer: str


@dataclass(frozen=True)
class Moment:
    """A moment in a video, in tenths of a second."""

    tenths: int


@dataclass(frozen=True)
class Query:
    """What a SELECT over the workspace gave: its text, the number of rows, and the result's digest, if it was taken.

    The digest (`result_digest`) says whether the SELECT still gives what was cited.
    """

    sql: str
    rows: int
    digest: str = ""


@dataclass(frozen=True)
class Words:
    """A place in the expert's own words."""

    text: str


Locator = Rows | PdfPage | Lines | Pointer | Moment | Query | Words
_TEXT = r'"(?:[^"\\]|\\.)*"'
_ROWS = re.compile(rf"(?:table ({_TEXT}), )?rows? (\d{{1,12}})(?:-(\d{{1,12}}))?(?:, column ({_TEXT}))?")
_PAGE = re.compile(rf"page (\d{{1,9}})(?:, ({_TEXT}))?")
_LINES = re.compile(r"lines? (\d{1,12})(?:-(\d{1,12}))?")
_POINTER = re.compile(rf"value ({_TEXT})")
_MOMENT = re.compile(r"(\d{1,4}):([0-5]\d):([0-5]\d)\.(\d)")
_QUERY = re.compile(rf"query ({_TEXT}), (\d{{1,12}}) rows(?:, result ([0-9a-f]{{12}}))?")


def written(locator: Locator) -> str:
    """Return the locator as text; `read` gives it back."""
    match locator:
        case Rows(first, last, table, column):
            inside = f"table {_quoted(table)}, " if table else ""
            of = f", column {_quoted(column)}" if column else ""
            return f"{inside}{_span('row', first, last)}{of}"
        case PdfPage(number, words):
            return f"page {number}" + (f", {_quoted(words)}" if words else "")
        case Lines(first, last):
            return _span("line", first, last)
        case Pointer(pointer):
            return f"value {_quoted(pointer)}"
        case Moment(tenths):
            seconds = tenths // 10
            return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{tenths % 10}"
        case Query(sql, rows, digest):
            return f"query {_quoted(sql)}, {rows} rows" + (f", result {digest}" if digest else "")
        case Words(text):
            return text


def read(text: str) -> Locator:
    """Return what a stored locator means; text of no known form is the expert's own words."""
    for pattern, make in _FORMS:
        found = pattern.fullmatch(text)
        if found:
            locator = make(found)
            # another spelling of the same place stays as it was written
            return locator if written(locator) == text else Words(text)
    return Words(text)


def result_digest(columns: Sequence[str], rows: Iterable[Sequence[str | None]]) -> str:
    """Return twelve digits that name a result: equal names, cells and order of rows, equal digits."""
    made = hashlib.sha256(json.dumps(list(columns)).encode())
    for row in rows:
        made.update(json.dumps(list(row)).encode())
    return made.hexdigest()[:12]


def _span(word: str, first: int, last: int) -> str:
    return f"{word} {first}" if first == last else f"{word}s {first}-{last}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _plain(quoted: str | None) -> str:
    try:
        return str(json.loads(quoted)) if quoted else ""
    except ValueError:
        return ""


def _rows(found: re.Match[str]) -> Locator:
    first = int(found[2])
    return Rows(first, int(found[3] or first), _plain(found[1]), _plain(found[4]))


def _page(found: re.Match[str]) -> Locator:
    return PdfPage(int(found[1]), _plain(found[2]))


def _lines(found: re.Match[str]) -> Locator:
    return Lines(int(found[1]), int(found[2] or found[1]))


def _pointer(found: re.Match[str]) -> Locator:
    return Pointer(_plain(found[1]))


def _moment(found: re.Match[str]) -> Locator:
    hours, minutes, seconds, tenth = (int(part) for part in found.groups())
    return Moment(((hours * 60 + minutes) * 60 + seconds) * 10 + tenth)


def _query(found: re.Match[str]) -> Locator:
    return Query(_plain(found[1]), int(found[2]), found[3] or "")


_FORMS = (
    (_ROWS, _rows),
    (_PAGE, _page),
    (_LINES, _lines),
    (_POINTER, _pointer),
    (_MOMENT, _moment),
    (_QUERY, _query),
)
