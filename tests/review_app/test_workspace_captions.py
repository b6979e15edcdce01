"""The captions that a video carries are read in a process with limits, and given as WebVTT."""

import pytest
from movies import mp4

from review_app.workspace import captions
from review_app.workspace.captions import Captions, captions_of, vtt
from review_app.workspace.child import ChildFailed

CHINESE = [(500, 1500, "第一句 & <b>"), (1500, 2500, "two\nlines")]


def test_every_track_of_a_video_is_read_with_its_language(tmp_path):
    film = tmp_path / "talk.mp4"
    film.write_bytes(mp4({"chi": CHINESE, "eng": [(0, 1000, "first")]}))
    chinese, english = captions_of(film)
    assert chinese == Captions("chi", vtt(CHINESE))
    assert "00:00:00.500 --> 00:00:01.500\n第一句 &amp; &lt;b&gt;\n\n" in chinese.vtt
    assert "00:00:01.500 --> 00:00:02.500\ntwo\nlines\n" in chinese.vtt
    assert (english.language, english.vtt.splitlines()[-1]) == ("eng", "first")


@pytest.mark.parametrize("data", [b"", b"no video at all", mp4({}), mp4({"eng": [(0, 900, "x")]})[:400]])
def test_a_file_without_readable_captions_has_none(tmp_path, data):
    film = tmp_path / "talk.mp4"
    film.write_bytes(data)
    assert captions_of(film) == ()


def test_a_reader_that_dies_leaves_a_video_without_captions(tmp_path, monkeypatch):
    def dies(*_):
        raise ChildFailed("captions_child")

    monkeypatch.setattr(captions, "asked", dies)
    assert captions_of(tmp_path / "talk.mp4") == ()


def test_blank_lines_and_cues_without_text_or_time_do_not_end_the_file_early():
    text = vtt([(0, 10, "a\n\n\nb"), (10, 20, " \n"), (30, 30, "never"), (3_723_004, 3_723_005, "late\r\nand later")])
    assert text == "WEBVTT\n\n00:00:00.000 --> 00:00:00.010\na\nb\n\n01:02:03.004 --> 01:02:03.005\nlate\nand later\n"
