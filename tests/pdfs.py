"""PDFs made by the tests: lines of Helvetica on pages of 600 by 800 points."""


def pdf(pages: list[list[str]], extra: str = "") -> bytes:
    """Return a PDF with these lines on each page; `extra` goes into each page's dictionary."""
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
