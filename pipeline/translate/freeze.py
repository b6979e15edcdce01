"""Which columns keep their values in every language, and why."""

import re
from collections.abc import Iterable, Mapping

from pipeline.database import Database, TableSchema
from pipeline.sql.clock import tokens_of
from pipeline.translate.survey import Survey

_NUMBER = re.compile(r"[+\-]?[\d.,\s]*\d[\d.,\s]*%?")
_DATE = re.compile(
    r"\d{4}[-/.年]\d{1,2}([-/.月]\d{1,2}日?)?([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)?|\d{1,2}:\d{2}(:\d{2})?"
)
_ADDRESS = re.compile(r"[\w.+\-]+@[\w\-]+\.[\w.\-]+|(https?://|www\.)\S+|\+?[\d()\-\s]{7,}")
_CODE = re.compile(r"[A-Z0-9][A-Z0-9_\-./]*|[a-z]*\d[a-z0-9_\-]*", re.ASCII)
_SHORT = re.compile(r"[A-Z0-9+\-/]{1,3}", re.ASCII)
_CODE_NAME = re.compile(
    r"(^|_)(id|code|code\d|key|no|number|symbol|ticker|iso\d*|abbreviation|uuid|sku)$|代码|编码|编号|序号"
)
_UNIT_NAME = re.compile(r"(^|_)units?$|计量单位|^单位$")
_ADDRESS_NAME = re.compile(r"address|street|postcode|zip|e_?mail|url|website|phone|地址|邮编|邮箱|网址|电话")
_LETTERS = {"en": re.compile(r"[^\W\d_]"), "zh": re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")}
_COMPUTING = {"CHECK", "COLLATE", "GENERATED"}


def frozen_columns(database: Database, found: Survey, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the names of columns (lower case) whose values are frozen, each with the reason.

    `chosen` are those that a glossary keeps. What is linked with a frozen column is frozen with it.
    """
    reasons = {name: reason for name, reason in chosen.items() if name in found.texts}
    for name, texts in found.texts.items():
        if texts and name not in reasons and (reason := _by_texts(name, texts)):
            reasons[name] = reason
    for table in database.tables:
        for name in _computed_with(table):
            reasons.setdefault(name, f"the statement of the table {table.name} computes with texts")
    return spread(reasons, found.groups, found.texts)


def spread(
    reasons: Mapping[str, str], groups: Mapping[str, frozenset[str]], texts: Mapping[str, frozenset[str]]
) -> dict[str, str]:
    """Return the frozen columns together with those that hold texts and are linked with them."""
    found = dict(reasons)
    for name in sorted(reasons):
        for other in sorted(groups.get(name, ())):
            if texts.get(other):
                found.setdefault(other, f"linked with {name}: {reasons[name]}")
    return found


def untranslatable(text: str, language: str) -> str | None:
    """Return why a single text stays as it is in a column that is translated, or None.

    >>> untranslatable("3.5%", "en"), untranslatable("Chief", "en"), untranslatable("Chief", "zh")
    ('number', None, 'no word of the language')
    """
    for reason, pattern in (("number", _NUMBER), ("date or time", _DATE), ("address", _ADDRESS)):
        if pattern.fullmatch(text.strip()):
            return reason
    return None if _LETTERS[language].search(text) else "no word of the language"


def _by_texts(name: str, texts: Iterable[str]) -> str | None:
    shapes = (("numbers", _NUMBER), ("dates or times", _DATE), ("addresses", _ADDRESS), ("codes or flags", _SHORT))
    plain = [text.strip() for text in texts if text.strip()]
    for reason, shape in shapes:
        if all(shape.fullmatch(text) for text in plain):
            return reason
    if _CODE_NAME.search(name) and all(_CODE.fullmatch(text) for text in plain):
        return "identifiers or codes"
    if _UNIT_NAME.search(name):
        return "units"
    return "addresses" if _ADDRESS_NAME.search(name) else None


def _computed_with(table: TableSchema) -> list[str]:
    """Return all columns of a table whose statement compares, orders or computes texts by itself."""
    computes = any(token.text.upper() in _COMPUTING for token in tokens_of(table.sql))
    if computes or any(column.generated for column in table.columns):
        return [column.name.lower() for column in table.columns]
    return []
