"""The Chinese of every word on our screens, from its gettext catalogue beside this module."""

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

FOLDER = Path(__file__).parent / "locale" / "zh" / "LC_MESSAGES"
CATALOGUE = FOLDER / "review.po"


def catalogue(path: Path) -> Catalog:
    """Return a catalogue. Its text form is read, so that nothing has to be compiled."""
    with path.open("rb") as file:
        return read_po(file, locale="zh", abort_invalid=True)


def chinese(path: Path = CATALOGUE) -> dict[str, str]:
    """Return English -> Chinese."""
    return {str(message.id): str(message.string) for message in catalogue(path) if message.id}


ZH = chinese()
