"""Python refuses CSV cells of over 131,072 characters unless told otherwise, for the whole process."""

import csv

from evaluator.tables import MAX_CELL


def allow_long_cells() -> None:
    """Let every CSV reader of this process take cells as long as an answer may hold. Only ever raised, never put back:
    that would shorten the read of another thread.
    """
    if csv.field_size_limit() < MAX_CELL:
        csv.field_size_limit(MAX_CELL)
