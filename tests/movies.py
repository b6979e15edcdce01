"""Videos for the tests: a few seconds of grey, with caption tracks."""

import io
from fractions import Fraction

import av

Cue = tuple[int, int, str]
HEADER = b"""[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Alignment
Style: Default,Arial,16,&Hffffff,2

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


def mp4(tracks: dict[str, list[Cue]], seconds: int = 3) -> bytes:
    """Return an MP4 file with these caption tracks: language -> cues (start and end in milliseconds, text)."""
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as out:
        picture = out.add_stream("libx264", rate=10, width=320, height=180, pix_fmt="yuv420p")
        streams = {}
        for language in tracks:
            stream = out.add_stream("mov_text")
            stream.time_base = Fraction(1, 1000)
            stream.metadata["language"] = language
            stream.codec_context.subtitle_header = HEADER
            streams[language] = stream
        for number in range(10 * seconds):
            frame = av.VideoFrame(320, 180, "yuv420p")
            for plane in frame.planes:
                plane.update(bytes([8 * number % 256]) * plane.buffer_size)
            frame.pts = number
            out.mux(picture.encode(frame))
        out.mux(picture.encode(None))
        for language, cues in tracks.items():
            for start, end, text in cues:
                out.mux(_packet(streams[language], start, end, text.encode()))
    return file.getvalue()


def _packet(stream, start: int, end: int, text: bytes) -> av.Packet:
    packet = av.Packet(len(text).to_bytes(2, "big") + text)  # as 3GPP TS 26.245 stores a timed text
    packet.stream, packet.time_base = stream, Fraction(1, 1000)
    packet.pts = packet.dts = start
    packet.duration = end - start
    return packet
