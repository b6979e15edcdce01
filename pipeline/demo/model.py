"""What a demo database is made of: words in two languages, tables, rows and questions."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random


class Language(StrEnum):
    """A language in which each database and each question is written."""

    EN = "en"
    ZH = "zh"


@dataclass(frozen=True)
class Words:
    """One concept in both languages: a name, a value, a sentence."""

    en: str
    zh: str

    def says(self, language: Language) -> str:
        """Return the text in `language`."""
        return self.en if language is Language.EN else self.zh


Cell = int | float | str | Words | None
"""A value of a table. `Words` differ between the languages; everything else is the same in both."""

Rows = dict[str, list[tuple[Cell, ...]]]
"""The rows of each table, by the table's English name, in the order of its columns."""


class Kind(StrEnum):
    """The declared type of a column; dates and times are ISO 8601 text."""

    TEXT = "text"
    INTEGER = "integer"
    REAL = "real"
    DATE = "date"
    DATETIME = "datetime"


@dataclass(frozen=True)
class Column:
    """A column. `refers` is the English name of the table whose one-column primary key it holds."""

    name: Words
    kind: Kind
    about: Words
    key: bool = False
    refers: str | None = None
    values: Words = Words("", "")


@dataclass(frozen=True)
class Table:
    """A table. Its primary key is all columns marked `key`, in their order."""

    name: Words
    columns: tuple[Column, ...]

    @property
    def keys(self) -> tuple[Column, ...]:
        """The columns of the primary key."""
        return tuple(column for column in self.columns if column.key)


class Tag(StrEnum):
    """What a question's SQL or its result shows; the tests check each of them."""

    JOIN3 = "join3"
    SELF_JOIN = "self_join"
    GROUP = "group"
    HAVING = "having"
    ORDER_LIMIT = "order_limit"
    SUBQUERY = "subquery"
    CTE = "cte"
    RECURSIVE = "recursive"
    WINDOW = "window"
    SET_OPERATION = "set_operation"
    CASE = "case"
    DATE = "date"
    PERCENT = "percent"
    NULL = "null"
    LEADING_ZERO = "leading_zero"
    WIDE_CHARACTERS = "wide_characters"
    DUPLICATES = "duplicates"
    LARGE = "large"


@dataclass(frozen=True)
class Question:
    """A question in both languages and its one gold SQL.

    In `sql`, `[fund]` is a table or column by its English name and `{Xi'an}` a text value of the data
    by its English form; `[total|总计]` and `{high|高}` are a name and a value that only the answer has,
    in both languages. `evidence` is what an expert of the domain knows and the schema does not say.
    """

    ask: Words
    sql: str
    tags: tuple[Tag, ...] = ()
    evidence: Words | None = None


@dataclass(frozen=True)
class Domain:
    """A demo domain: `prefix` begins its two databases' names, `name` is the word of the benchmark."""

    prefix: str
    name: str
    tables: tuple[Table, ...]
    rows: Callable[[Random], Rows]
    questions: tuple[Question, ...] = ()

    def database(self, language: Language) -> str:
        """Return the name of the domain's database in `language`, such as `fund_zh`."""
        return f"{self.prefix}_{language}"


def text(en: str, zh: str, about: str, about_zh: str, key: bool = False, refers: str | None = None) -> Column:
    """Return a text column; codes are text, so that their leading zeros stay."""
    return Column(Words(en, zh), Kind.TEXT, Words(about, about_zh), key, refers)


def number(en: str, zh: str, about: str, about_zh: str, key: bool = False, refers: str | None = None) -> Column:
    """Return a column of whole numbers."""
    return Column(Words(en, zh), Kind.INTEGER, Words(about, about_zh), key, refers)


def real(en: str, zh: str, about: str, about_zh: str) -> Column:
    """Return a column of decimal numbers."""
    return Column(Words(en, zh), Kind.REAL, Words(about, about_zh))


def date(en: str, zh: str, about: str, about_zh: str, key: bool = False) -> Column:
    """Return a column of ISO dates, `YYYY-MM-DD`."""
    return Column(Words(en, zh), Kind.DATE, Words(about, about_zh), key, None, Words("YYYY-MM-DD", "YYYY-MM-DD"))


def moment(en: str, zh: str, about: str, about_zh: str) -> Column:
    """Return a column of ISO times without a zone, `YYYY-MM-DD HH:MM:SS`."""
    shape = "YYYY-MM-DD HH:MM:SS"
    return Column(Words(en, zh), Kind.DATETIME, Words(about, about_zh), values=Words(shape, shape))


def choice(en: str, zh: str, about: str, about_zh: str, values: tuple[Words, ...]) -> Column:
    """Return a text column that holds one of a few values, which its description lists."""
    listed = Words("; ".join(word.en for word in values), "；".join(word.zh for word in values))
    return Column(Words(en, zh), Kind.TEXT, Words(about, about_zh), values=listed)
