"""A PDF of the workspace is read in a process of its own: pictures, words with their places, tables."""

import pytest

from review_app.workspace import pdf
from review_app.workspace.preview import PreviewError

LINES = ["Net assets were 12.5 million", "in the year 2023"]


def written(pages, extra=""):
    """A PDF with these lines of Helvetica on each page of 600 by 800 points."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, lines in enumerate(pages):
        shown = "".join(f"BT /F1 20 Tf 60 {700 - 40 * place} Td ({line}) Tj ET\n" for place, line in enumerate(lines))
        font = "/Resources << /Font << /F1 3 0 R >> >>"
        box = f"/MediaBox [0 0 600 800] /Contents {5 + 2 * number} 0 R"
        objects.append(f"<< /Type /Page /Parent 2 0 R {font} {box} {extra} >>")
        objects.append(f"<< /Length {len(shown)} >>\nstream\n{shown}endstream")
    body, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    start = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    return f"{body}{start}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF".encode()


@pytest.fixture
def document(tmp_path):
    def make(pages, extra=""):
        path = tmp_path / "f.pdf"
        path.write_bytes(written(pages, extra))
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
