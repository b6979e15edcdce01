"""The smallest workbook (XLSX) that holds given cells, as its XML says them."""

import io
import zipfile

NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>'
)


def text(value: str) -> str:
    return f'<c t="inlineStr"><is><t>{value}</t></is></c>'


def number(value: str) -> str:
    return f"<c><v>{value}</v></c>"


def truth(value: bool) -> str:
    return f'<c t="b"><v>{int(value)}</v></c>'


def error(value: str = "#DIV/0!") -> str:
    return f'<c t="e"><f>1/0</f><v>{value}</v></c>'


def workbook(**sheets: list[list[str]]) -> bytes:
    """Return the workbook; a sheet is rows of cells made by the functions above."""
    names = list(sheets)
    parts = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": _relations({"rId1": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": f'<workbook {NS} xmlns:r="{RELATED}"><sheets>'
        + "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, name in enumerate(names, start=1))
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": _relations(
            {f"rId{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(names) + 1)}
        ),
    }
    for n, rows in enumerate(sheets.values(), start=1):
        body = "".join(f"<row>{''.join(row)}</row>" for row in rows)
        parts[f"xl/worksheets/sheet{n}.xml"] = f"<worksheet {NS}><sheetData>{body}</sheetData></worksheet>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def _relations(targets: dict[str, tuple[str, str]]) -> str:
    lines = "".join(
        f'<Relationship Id="{key}" Type="{RELATED}/{kind}" Target="{target}"/>'
        for key, (kind, target) in targets.items()
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{lines}</Relationships>'
    )
