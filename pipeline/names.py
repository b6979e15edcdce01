"""Names that come from a source and must become file names, and the key that siblings share."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable

LONGEST_STEM_BYTES = 120  # a file name has 255 bytes on common file systems; a suffix and a number must fit
_RESERVED = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))}
_SQL_PIECE = re.compile(r"""('(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])""")


def is_safe_component(name: str) -> bool:
    """Return whether a name can be used as one part of a path without leaving its folder."""
    if not name or name in {".", ".."} or len(name.encode("utf-8", "replace")) > 200:
        return False
    return not any(c in "/\\:" or unicodedata.category(c) in {"Cc", "Cs"} for c in name)


def slug(name: str) -> str:
    """Return a file-name stem for a name: letters and digits of any script, `_` and `-` for the rest.

    Never empty, never more than 120 bytes, never a name that Windows reserves.

    >>> slug("../x"), slug("frpm 2014/15"), slug("电视频道"), slug("")
    ('x', 'frpm_2014_15', '电视频道', 'table')
    """
    text = unicodedata.normalize("NFC", name)
    text = re.sub(r"[^\w-]+", "_", text).strip("_-")
    text = text.encode("utf-8")[:LONGEST_STEM_BYTES].decode("utf-8", "ignore") or "table"
    return f"{text}_" if text.lower() in _RESERVED else text


def file_stems(names: Iterable[str]) -> dict[str, str]:
    """Return a stem for each name, different for each even where a file system ignores case.

    The first name (in sorted order) keeps its slug; names that clash with it get `_2`, `_3`, and so on.
    """
    taken: set[str] = set()
    stems: dict[str, str] = {}
    for name in sorted(set(names)):
        stem, number = slug(name), 1
        while _folded(candidate := stem if number == 1 else f"{stem}_{number}") in taken:
            number += 1
        taken.add(_folded(candidate))
        stems[name] = candidate
    return stems


def _folded(stem: str) -> str:
    return unicodedata.normalize("NFKD", stem).casefold()


def normalised_sql(sql: str) -> str:
    """Return the SQL with blanks and case made equal outside of quotes; a last `;` is dropped."""
    pieces = _SQL_PIECE.split(sql.strip().rstrip(";"))
    kept = [piece if at % 2 else re.sub(r"\s+", " ", piece).lower() for at, piece in enumerate(pieces)]
    return "".join(kept).strip()


def sibling_key(pair: str | None, db: str, sql: str) -> str:
    """Return the key of all instances with the same gold: the source's pair, else a digest of db and SQL."""
    if pair is not None:
        return pair
    return hashlib.sha256(f"{db}\0{normalised_sql(sql)}".encode()).hexdigest()
