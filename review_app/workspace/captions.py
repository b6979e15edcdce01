"""The caption tracks that a video carries in itself, as WebVTT (W3C), which browsers show."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from review_app.workspace.child import ChildFailed, asked

SECONDS = 20
KEPT = 64  # videos whose captions stay at hand


@dataclass(frozen=True)
class Captions:
    """One track: its language as the file names it (may be empty), and its text as WebVTT."""

    language: str
    vtt: str


@lru_cache(KEPT)
def captions_of(path: Path) -> tuple[Captions, ...]:
    """Return the tracks in the file's order; none where it has none or does not read. A blob never changes."""
    try:
        tracks = asked("captions_child", json.dumps(str(path)).encode(), SECONDS)["tracks"]
    except ChildFailed:
        return ()
    return tuple(Captions(str(track["language"]), vtt(track["cues"])) for track in tracks)


def vtt(cues: Iterable[tuple[int, int, str]]) -> str:
    """Return a WebVTT file of cues (start and end in milliseconds, text); blank lines would end a cue and go."""
    blocks = ["WEBVTT"]
    for start, end, text in cues:
        lines = [line for line in _escaped(text).splitlines() if line.strip()]
        if lines and end > start:
            blocks.append("\n".join([f"{_clock(start)} --> {_clock(end)}", *lines]))
    return "\n\n".join(blocks) + "\n"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _clock(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{rest:03d}"
