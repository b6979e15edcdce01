"""The child process that reads the caption tracks of a video. Started by `captions.captions_of` only.

Standard input is the file's path as JSON; the answer is one JSON object with the tracks and their cues.
"""

import json
import sys
from collections.abc import Sequence
from typing import Any

import av
from av.subtitles.stream import SubtitleStream

from review_app.workspace.child import limit

MEMORY_BYTES = 2 << 30
CPU_SECONDS = 15
MOST_CUES = 20_000
MOST_TRACKS = 20


def main() -> None:
    """Read the request from standard input, write the answer to standard output."""
    limit(memory=MEMORY_BYTES, cpu_seconds=CPU_SECONDS)
    path = json.loads(sys.stdin.buffer.read())
    try:
        tracks = _tracks(path)
    except (av.FFmpegError, ValueError):  # no video that is known: it has no captions either
        tracks = []
    sys.stdout.write(json.dumps({"tracks": tracks}))


def _tracks(path: str) -> list[dict[str, Any]]:
    # file: keeps the library from taking a path for an address
    with av.open(f"file:{path}") as video:
        streams = video.streams.subtitles[:MOST_TRACKS]
        cues: dict[int, list[tuple[int, int, str]]] = {stream.index: [] for stream in streams}
        if streams:
            _read(video, streams, cues)
        return [{"language": stream.language or "", "cues": cues[stream.index]} for stream in streams]


def _read(video: Any, streams: Sequence[SubtitleStream], cues: dict[int, list[tuple[int, int, str]]]) -> None:
    for packet in video.demux(streams):
        if not packet.size or packet.pts is None or len(cues[packet.stream.index]) >= MOST_CUES:
            continue
        start = round(packet.pts * packet.time_base * 1000)
        end = start + round((packet.duration or 0) * packet.time_base * 1000)
        texts = [one.dialogue.decode(errors="replace") for one in packet.decode() if hasattr(one, "dialogue")]
        if any(texts):
            cues[packet.stream.index].append((start, end, "\n".join(texts)))


if __name__ == "__main__":
    main()
