"""The Chinese of every word on our screens, from its gettext catalogue beside this module."""

from pathlib import Path

from babel.messages.pofile import read_po

CATALOGUE = Path(__file__).parent / "locale" / "zh" / "LC_MESSAGES" / "review.po"


def chinese(path: Path = CATALOGUE) -> dict[str, str]:
    """Return English -> Chinese. The text form of the catalogue is read, so that nothing has to be compiled."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale="zh", domain="review", abort_invalid=True)
    return {str(message.id): str(message.string) for message in catalogue if message.id}


ZH = chinese()
