"""Tables of texts as frames that a grid can draw."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st


def frame_of(columns: tuple[str, ...], rows: Sequence[tuple[str | None, ...]]) -> pd.DataFrame:
    """Return texts as a frame; columns of one name get numbers, since a grid needs them apart. None stays NULL."""
    names: list[str] = []
    for column in columns:
        taken, number = {*columns, *names} if column in names else set(names), 1
        while (name := column if number == 1 else f"{column} ({number})") in taken:
            number += 1
        names.append(name)
    return pd.DataFrame([list(row) for row in rows], columns=names, dtype=object)


def plain_table(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], height: int = 320) -> None:
    """Draw a whole table; long ones are sent lazily, page by page."""
    frame = frame_of(columns, rows)
    frame.index = pd.RangeIndex(2, len(frame) + 2)  # as in the file: the header is row 1
    st.dataframe(frame, height=min(height, 38 + 35 * max(1, len(frame))), lazy=len(frame) > 500)
