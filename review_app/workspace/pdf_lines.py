"""The lines of a PDF page with their places on its picture, so that they can be selected and marked there."""

from dataclasses import dataclass

import pypdfium2

MOST_LINES = 3_000
MOST_CHARACTERS = 100_000


@dataclass(frozen=True)
class Line:
    """Words of one line; the box is given in parts of the page's width and height, from its upper left corner."""

    text: str
    left: float
    top: float
    width: float
    height: float


@dataclass
class _Run:
    """Characters that stand side by side, in points from the lower left corner."""

    text: str
    left: float
    bottom: float
    right: float
    top: float

    def takes(self, other: "_Run") -> bool:
        """Take the other run in, if it goes on in the same line."""
        height = min(self.top - self.bottom, other.top - other.bottom)
        shared = min(self.top, other.top) - max(self.bottom, other.bottom)
        gap = other.left - self.right
        if shared < height / 2 or not -height < gap < height:
            return False
        apart = gap > height / 4 and not self.text.endswith(" ")
        self.text += (" " if apart else "") + other.text
        self.right, self.bottom, self.top = other.right, min(self.bottom, other.bottom), max(self.top, other.top)
        return True


def lines_of(page: pypdfium2.PdfPage) -> tuple[Line, ...]:
    """Return the lines in the file's order; none for a page that is shown turned, where they would lie askew."""
    if page.get_rotation():
        return ()
    left, bottom, right, top = page.get_bbox()
    width, height = right - left, top - bottom
    if width <= 0 or height <= 0:
        return ()
    return tuple(
        Line(
            run.text.strip(),
            (run.left - left) / width,
            (top - run.top) / height,
            (run.right - run.left) / width,
            (run.top - run.bottom) / height,
        )
        for run in _runs(page.get_textpage())
        if run.text.strip() and run.right > run.left and run.top > run.bottom
    )


def _runs(words: pypdfium2.PdfTextPage) -> list[_Run]:
    found: list[_Run] = []
    length = 0
    for number in range(min(words.count_rects(), 10 * MOST_LINES)):
        box = words.get_rect(number)
        run = _Run(" ".join(words.get_text_bounded(*box).split("\r\n")), *box)
        length += len(run.text)
        if length > MOST_CHARACTERS or len(found) >= MOST_LINES:
            break
        if not found or not found[-1].takes(run):
            found.append(run)
    return found
