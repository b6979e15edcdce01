"""A diff as plain text, for the command line."""

from __future__ import annotations

from evaluator.compare import ErrorCode
from evaluator.diff_model import CellDifference, Diff, Difference, shown

_CELLS = 10


def explain_text(diff: Diff) -> str:
    """Return the diff in a few lines: the verdict, the primary difference first, examples, cells, scores."""
    lines = [verdict_line(diff)]
    for found in sorted(diff.differences, key=lambda found: found is not diff.primary):
        lines += _finding(found, primary=found is diff.primary)
    if diff.cells:
        lines.append("cells:")
        lines += [_cell(cell) for cell in diff.cells[:_CELLS]]
        if len(diff.cells) > _CELLS or diff.truncated:
            lines.append("  ...")
    if diff.primary is not None:
        lines.append(scores_line(diff))
    return "\n".join(lines)


def verdict_line(diff: Diff) -> str:
    """Return the outcome in one line."""
    if diff.outcome.passed:
        return "equal under the rules"
    if diff.outcome.error_code == ErrorCode.UNDECIDED:
        return f"undecided: {diff.outcome.error}"
    return f"not equal ({diff.outcome.error_code}): {diff.outcome.error}"


def _finding(found: Difference, *, primary: bool) -> list[str]:
    mark = "=>" if primary else "  "
    sure = "proved" if found.exact else "likely"
    return [f"{mark} {found.code} {found.title} ({sure}): {found.sentence}", *(f"     {one}" for one in found.examples)]


def _cell(cell: CellDifference) -> str:
    where = f"gold row {cell.gold_row} column {cell.gold_column + 1}"
    there = f"prediction row {cell.prediction_row} column {cell.prediction_column + 1}"
    return f"  {where} {shown(cell.gold)} | {there} {shown(cell.prediction)} | {cell.kind}"


def _share(value: float) -> str:
    """Two digits; 1.00 is said of all and 0.00 of none, never of nearly all or nearly none."""
    return f"{min(max(value, 0.01), 0.99) if 0 < value < 1 else value:.2f}"


def scores_line(diff: Diff) -> str:
    """Return the soft scores in one line."""
    scores = diff.scores
    rows = (scores.row_precision, scores.row_recall, scores.row_f1)
    text = "rows: precision {}, recall {}, F1 {};".format(*map(_share, rows))
    text += f" cells: {_share(scores.cell_accuracy)}"
    if scores.would_pass_under:
        text += f"; would pass {', '.join(scores.would_pass_under)}"
    return text
