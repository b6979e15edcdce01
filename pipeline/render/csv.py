"""CSV that keeps types: a missing value is empty, and text that could be a number is quoted."""

from collections.abc import Iterator, Sequence

from pipeline.render.typed import number_in, number_text

Row = tuple[object, ...]


def write(header: Sequence[str], rows: Sequence[Row]) -> bytes:
    """Return a table as CSV: UTF-8, commas, LF, quotes only where needed.

    NULL is an empty cell and empty text is `""`; the text 007 is written `"007"` and the number 7 as `7`.
    """
    lines = [",".join(_text_cell(name) for name in header)]
    lines += [",".join(_cell(cell) for cell in row) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def read(data: bytes) -> tuple[list[str], list[Row]]:
    """Return header and rows of what `write` wrote, with the types of the cells. Raises ValueError."""
    rows = list(_rows(data.decode()))
    return [str(cell) for cell in rows[0]], rows[1:]


def _cell(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, int | float):
        return number_text(cell)
    assert isinstance(cell, str)
    return _text_cell(cell)


def _text_cell(text: str) -> str:
    plain = text and text == text.strip() and number_in(text) is None and not set(text) & set(',"\n\r')
    return text if plain else '"' + text.replace('"', '""') + '"'


def _rows(text: str) -> Iterator[Row]:
    at, row = 0, []
    while at < len(text):
        cell, at = _quoted(text, at) if text[at] == '"' else _plain(text, at)
        row.append(cell)
        if at >= len(text) or text[at] not in ",\n":
            raise ValueError(f"character {at}: a comma or a line end is expected")
        if text[at] == "\n":
            yield tuple(row)
            row = []
        elif text[at + 1 : at + 2] in {"", "\n"}:
            row.append(None)
            at += 1
            yield tuple(row)
            row = []
        at += 1


def _plain(text: str, at: int) -> tuple[object, int]:
    end = min(found for c in ",\n" if (found := text.find(c, at)) >= 0)
    cell = text[at:end]
    if not cell:
        return None, end
    number = number_in(cell)
    return (cell if number is None else number), end


def _quoted(text: str, at: int) -> tuple[str, int]:
    end = at + 1
    while True:
        end = text.index('"', end)
        if text[end + 1 : end + 2] != '"':
            return text[at + 1 : end].replace('""', '"'), end + 1
        end += 2
