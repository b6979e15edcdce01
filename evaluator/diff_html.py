"""A diff as one self-contained HTML page, for reports and mail."""

from __future__ import annotations

from html import escape

from evaluator.diff_model import CellDifference, Diff, Difference, shown
from evaluator.diff_text import scores_line, verdict_line

_STYLE = (
    "body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{border:1px solid #999;padding:.2rem .5rem;text-align:left}"
    "td{white-space:pre-wrap;overflow-wrap:anywhere}.primary{border-left:4px solid #b00;padding-left:.6rem}"
)
_HEADINGS = ("Gold row", "Gold column", "Gold", "Prediction", "Prediction row", "Prediction column", "Kind")


def explain_html(diff: Diff) -> str:
    """Return the diff as an HTML page without scripts or outside references; all table content is escaped."""
    findings = "".join(_finding(found, primary=found is diff.primary) for found in diff.differences)
    more = "<p>There is more than is shown.</p>" if diff.truncated else ""
    scores = "" if diff.primary is None else f"<p>{escape(scores_line(diff))}</p>"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diff</title><style>{_STYLE}</style></head>'
        f"<body><h1>{escape(verdict_line(diff))}</h1>{findings}{_cells(diff.cells)}{more}{scores}</body></html>\n"
    )


def _finding(found: Difference, *, primary: bool) -> str:
    mark = ' class="primary"' if primary else ""
    sure = "proved" if found.exact else "likely"
    examples = "".join(f"<li>{escape(example)}</li>" for example in found.examples)
    heading = f"{found.code} {found.title} ({sure})"
    body = f"<p>{escape(found.sentence)}</p>" + (f"<ul>{examples}</ul>" if examples else "")
    return f"<section{mark}><h2>{escape(heading)}</h2>{body}</section>"


def _cells(cells: tuple[CellDifference, ...]) -> str:
    if not cells:
        return ""
    head = "".join(f'<th scope="col">{heading}</th>' for heading in _HEADINGS)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(map(_row, cells))}</tbody></table>"


def _row(cell: CellDifference) -> str:
    values = (
        str(cell.gold_row),
        str(cell.gold_column + 1),
        shown(cell.gold),
        shown(cell.prediction),
        str(cell.prediction_row),
        str(cell.prediction_column + 1),
        cell.kind,
    )
    return f"<tr>{''.join(f'<td>{escape(value)}</td>' for value in values)}</tr>"
