"""The tables of a SQLite file with their keys, as a diagram."""

from unicodedata import east_asian_width

import streamlit as st

from review_app.ui.bench import AnyFile, Bench
from review_app.ui.plain import short
from review_app.workspace.schema import Schema, schema_of

MOST_TABLES = 40
MOST_COLUMNS = 30
FONT_POINTS = 11


def draw(bench: Bench, file: AnyFile) -> None:
    """Draw the diagram on asking."""
    page = bench.page
    with st.expander(page.t("Tables and keys as a diagram"), icon=":material/schema:"):
        schema = schema_of(page.office.blobs.path(file.sha256))
        if len(schema.tables) > MOST_TABLES:
            st.caption(page.t("The first {shown} tables of {total}.", shown=MOST_TABLES, total=len(schema.tables)))
        st.graphviz_chart(diagram(schema), width="content")


def diagram(schema: Schema) -> str:
    """Return the schema in the DOT language. Names are quoted texts, never markup."""
    shown = schema.tables[:MOST_TABLES]
    names = {table.name for table in shown}
    lines = [
        "digraph schema {",
        "rankdir=LR; bgcolor=transparent;",
        f'node [shape=box, fontname="sans-serif", fontsize={FONT_POINTS}];',
        'node [style=filled, fillcolor="#f6f8f8", color="#1f6f78"];',
        'edge [fontname="sans-serif", fontsize=9, color="#6a8a8e", fontcolor="#6a8a8e"];',
    ]
    for table in shown:
        columns = [f"{'● ' if column in table.key else ''}{short(column, 40)}" for column in table.columns]
        more = ["…"] if len(columns) > MOST_COLUMNS else []
        title, rows = short(table.name, 40), [*columns[:MOST_COLUMNS], *more]
        body = "".join(f"{_escaped(line)}\\l" for line in rows)
        width = max(_inches(line) for line in [title, *rows])
        lines.append(f'{_quoted(table.name)} [width={width:.2f}, label="{_escaped(title)}\\n\\n{body}"];')
    for key in schema.foreign_keys:
        if key.table in names and key.other in names:
            label = _escaped(short(", ".join(key.columns), 40))
            lines.append(f'{_quoted(key.table)} -> {_quoted(key.other)} [label="{label}"];')
    return "\n".join([*lines, "}"])


def _inches(text: str) -> float:
    """At least how wide a box has to be: the layout takes Chinese letters for narrow ones."""
    letters = sum(1.0 if east_asian_width(letter) in "WF" else 0.6 for letter in text)
    return letters * FONT_POINTS / 72 + 0.3


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ").replace("&", "&amp;")


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'
