"""The build report as one HTML page that needs nothing else: counts, bars, and examples of each rejection."""

from html import escape

from pipeline.report import BuildReport

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}
table{border-collapse:collapse;width:100%}td,th{padding:.2rem .6rem;text-align:left;border-bottom:1px solid #ddd}
td.n,th.n{text-align:right}pre{background:#f5f5f5;padding:.6rem;overflow:auto;white-space:pre-wrap}
rect{fill:#31708f}@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#1b1b1b}pre{background:#2a2a2a}
td,th{border-color:#444}rect{fill:#7fb3d5}}
"""
_WIDTH = 240


def html_report(report: BuildReport) -> str:
    """Return the page. Every text of the source is escaped; nothing is loaded and no script runs."""
    rejected = len(report.rejected)
    parts_of_golds = sum(report.liveness.values())
    parts = [
        f"<h1>Build report: {escape(report.corpus)}</h1>",
        f"<p>{report.total} instances: {report.candidates} candidates, {rejected} rejected.</p>",
        "<h2>What became of the instances</h2>",
        _bars("outcome", {"candidate": report.candidates, **report.rejections}, report.total),
        "<h2>What to look at in the candidates</h2>" if report.lints else "",
        _bars("lint", report.lints, report.candidates) if report.lints else "",
        "<h2>Does every part of the golds matter?</h2>" if parts_of_golds else "",
        _bars("part of a gold", report.liveness, parts_of_golds) if parts_of_golds else "",
        _overlaps(report) if report.overlap else "",
        *(_examples(reason, report) for reason in report.rejections),
    ]
    head = f"<meta charset='utf-8'><title>Build report: {escape(report.corpus)}</title><style>{_STYLE}</style>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{''.join(parts)}</body></html>\n"


def _bars(what: str, counts: dict[str, int], of: int) -> str:
    rows = "".join(_bar(name, count, of) for name, count in counts.items())
    return f"<table><tr><th>{what}</th><th class='n'>instances</th><th class='n'>share</th><th></th></tr>{rows}</table>"


def _bar(name: str, count: int, of: int) -> str:
    share = count / of if of else 0.0
    bar = f"<rect width='{share * _WIDTH:.1f}' height='12'/>"
    drawn = f"<svg width='{_WIDTH}' height='12' role='img' aria-label='{share:.1%}'>{bar}</svg>"
    return f"<tr><td>{escape(name)}</td><td class='n'>{count}</td><td class='n'>{share:.1%}</td><td>{drawn}</td></tr>"


def _overlaps(report: BuildReport) -> str:
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td class='n'>{o.tasks}</td><td class='n'>{o.mean:.1%}</td>"
        f"<td class='n'>{o.most:.1%}</td></tr>"
        for name, o in report.overlap.items()
    )
    head = "<tr><th>samples of</th><th class='n'>tasks</th><th class='n'>mean</th><th class='n'>most</th></tr>"
    return f"<h2>Rows that the samples of neighbouring tasks share</h2><table>{head}{rows}</table>"


def _examples(reason: str, report: BuildReport) -> str:
    shown = [
        f"<p><b>{escape(r['instance'])}</b> ({escape(r['stage'])}): {escape(r['message'])}</p>"
        f"<pre>{escape(r['evidence'])}</pre>"
        for r in report.examples()[reason]
    ]
    return f"<h2>{escape(reason)}: {report.rejections[reason]}</h2>{''.join(shown)}"
