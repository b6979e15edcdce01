"""The report as files: JSON, one CSV a table, Markdown, one self-contained HTML page."""

import csv
import io
import json
from enum import StrEnum
from html import escape
from typing import Any

from review_app.agreement.report import Report, Table

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1c2526}"
    "table{border-collapse:collapse;margin:.5rem 0 2rem}th,td{border-bottom:1px solid #cfd8d9;padding:.25rem .7rem;"
    "text-align:left;vertical-align:top}td.n{text-align:right;font-variant-numeric:tabular-nums}p{max-width:60rem}"
    ".bar{display:inline-block;height:.6rem;background:#1f6f78;margin-left:.5rem}"
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Format(StrEnum):
    """The forms that a report can be written in."""

    CSV = "csv"
    JSON = "json"
    HTML = "html"
    MD = "md"


def files(report: Report, form: Format) -> dict[str, str]:
    """Return the files of the report in one form, by name."""
    if form is Format.JSON:
        return {"agreement.json": json.dumps(report.to_json(), ensure_ascii=False, indent=2) + "\n"}
    if form is Format.CSV:
        return {f"agreement-{table.name}.csv": _csv(table) for table in report.tables}
    if form is Format.MD:
        return {"agreement.md": _markdown(report)}
    return {"agreement.html": _html(report)}


def shown(value: Any) -> str:
    """Return a figure for people: shares and coefficients with three digits, nothing as a dash."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _csv(table: Table) -> str:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_exact(value) for value in row] for row in table.rows)
    return stream.getvalue()


def _exact(value: Any) -> str:
    """Every digit of a number; a text that a spreadsheet would take for a formula is kept from being one."""
    if value is None:
        return ""
    text = repr(value) if isinstance(value, float) else str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text


def _markdown(report: Report) -> str:
    parts = ["# Agreement of the experts", _about(report)]
    for table in report.tables:
        parts += [f"## {table.title}", table.note]
        if not table.rows:
            parts.append("Nothing to count yet.")
            continue
        head = "| " + " | ".join(table.columns) + " |"
        rule = "|" + " --- |" * len(table.columns)
        rows = ["| " + " | ".join(_cell(value) for value in row) + " |" for row in table.rows]
        parts.append("\n".join([head, rule, *rows]))
    return "\n\n".join(parts) + "\n"


def _cell(value: Any) -> str:
    return shown(value).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def _about(report: Report) -> str:
    return (
        f"{report.cases} tasks whose first blind round is done. All figures but those on the process come from what "
        f"two experts sealed and submitted before they saw anything of each other. Seed: {report.seed}."
    )


def _html(report: Report) -> str:
    body = "".join(_section(table) for table in report.tables)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Agreement</title>'
        f"<style>{_STYLE}</style></head><body><h1>Agreement of the experts</h1><p>{escape(_about(report))}</p>"
        f"{body}</body></html>\n"
    )


def _section(table: Table) -> str:
    title = f"<h2>{escape(table.title)}</h2><p>{escape(table.note)}</p>"
    if not table.rows:
        return f"{title}<p>Nothing to count yet.</p>"
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    share = table.columns.index("share") if "share" in table.columns else None
    rows = "".join(
        f"<tr>{''.join(_td(value, bar=place == share) for place, value in enumerate(row))}</tr>" for row in table.rows
    )
    return f"{title}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _td(value: Any, *, bar: bool) -> str:
    drawn = f'<span class="bar" style="width:{6 * value:.2f}rem"></span>' if bar and isinstance(value, float) else ""
    number = ' class="n"' if isinstance(value, int | float) or value is None else ""
    return f"<td{number}>{escape(shown(value))}{drawn}</td>"
