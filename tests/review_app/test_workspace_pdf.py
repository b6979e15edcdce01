"""A PDF of the workspace is read in a process of its own: pictures, words with their places, tables."""

import os
import resource
import signal

import pdfs
import pytest

from review_app.workspace import pdf
from review_app.workspace.preview import PreviewError

BOUNDED = (resource.RLIMIT_AS, resource.RLIMIT_FSIZE)
LINES = ["Net assets were 12.5 million", "in the year 2023"]


@pytest.fixture
def document(tmp_path):
    def make(pages, extra=""):
        path = tmp_path / "f.pdf"
        path.write_bytes(pdfs.pdf(pages, extra))
        return path

    return make


def test_a_line_is_found_with_its_place_on_the_page(document):
    first, second = pdf.page_lines(document([["cover"], LINES]), 2)
    assert (first.text, second.text) == tuple(LINES)
    assert first.left == pytest.approx(0.1, abs=0.01)
    assert first.top < 1 / 8 < first.top + first.height  # its baseline is 100 of 800 points from above
    assert second.top - first.top == pytest.approx(40 / 800, abs=0.01)


def test_every_box_lies_on_the_page(document):
    for line in pdf.page_lines(document([[*LINES, "x" * 90]]), 1):
        assert 0 <= line.left < 1 and 0 <= line.top < 1 and line.width > 0 and line.height > 0


def test_a_page_that_is_cut_keeps_words_above_its_picture(document):
    line = pdf.page_lines(document([LINES], "/CropBox [60 0 600 720]"), 1)[0]
    assert line.left == pytest.approx(0, abs=0.01)
    assert line.top < 20 / 720 < line.top + line.height


def test_a_turned_page_has_a_picture_and_words_but_no_places(document):
    path = document([LINES], "/Rotate 90")
    assert pdf.page_lines(path, 1) == ()
    assert LINES[0] in pdf.page_text(path, 1)
    assert pdf.page_image(path, 1).startswith(b"\x89PNG")


def test_a_page_that_claims_to_be_a_mile_wide_is_drawn_small(document):
    path = document([LINES])
    path.write_bytes(path.read_bytes().replace(b"[0 0 600 800]", b"[0 0 9e6 800]"))
    assert len(pdf.page_image(path, 1)) < 1_000_000


@pytest.mark.parametrize("read", [pdf.page_image, pdf.page_text, pdf.page_lines])
@pytest.mark.parametrize("number", [0, 3])
def test_a_page_that_is_not_there_is_refused_in_words(document, read, number):
    with pytest.raises(PreviewError, match="the PDF has 2 pages"):
        read(document([LINES, LINES]), number)


@pytest.mark.parametrize("read", [pdf.page_image, pdf.page_text, pdf.page_lines, pdf.page_tables])
def test_bytes_that_are_no_pdf_are_refused_in_words(tmp_path, read):
    path = tmp_path / "f.pdf"
    path.write_bytes(b"%PDF-1.7\n" + b"\0" * 999)
    with pytest.raises(PreviewError, match="does not read as PDF"):
        read(path, 1)


def test_a_reader_that_died_is_replaced(document):
    path = document([LINES])
    pdf.page_text(path, 1)
    reader = pdf._READER._child
    os.kill(reader.pid, signal.SIGKILL)
    reader.wait()
    assert LINES[0] in pdf.page_text(path, 1)


def test_a_reader_that_hangs_is_replaced_and_the_page_says_so(document, monkeypatch):
    path = document([LINES])
    pdf.page_text(path, 1)
    os.kill(pdf._READER._child.pid, signal.SIGSTOP)
    monkeypatch.setattr(pdf, "SECONDS", 0.5)
    with pytest.raises(PreviewError, match="page 1 could not be read within"):
        pdf.page_text(path, 1)
    monkeypatch.undo()
    assert LINES[0] in pdf.page_text(path, 1)


def test_the_reader_writes_no_file_and_has_a_bound_on_memory(document):
    pdf.page_text(document([LINES]), 1)
    bounds = {what: resource.prlimit(pdf._READER._child.pid, what)[0] for what in BOUNDED}
    assert bounds[resource.RLIMIT_FSIZE] == 0
    assert 0 < bounds[resource.RLIMIT_AS] <= 3 << 30
