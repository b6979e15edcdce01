"""Is what an agent left a prediction? Decided by the evaluator's own strict reader, never by its content."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import EvaluatorError
from evaluator.tables import parse_table, read_bytes

NAME = "prediction.csv"


@dataclass(frozen=True)
class Accepted:
    """The digest of an accepted prediction, or why there is none. `there` says whether any file was left."""

    sha256: str | None
    there: bool
    reason: str


def accept(output: Path) -> Accepted:
    """Look at `output/prediction.csv` and no other name.

    The folder and the file must not be links, the file a regular one of bounded size that the evaluator reads.
    What an agent is told is the reason, never whether the table is right.
    """
    path = output / NAME
    if output.is_symlink():
        return Accepted(None, True, "the output folder is a link; write into the folder that was given")
    if not path.exists() and not path.is_symlink():
        return Accepted(None, False, f"there is no {NAME} in the output folder")
    try:
        data = read_bytes(path)
        parse_table(data)
    except EvaluatorError as error:
        return Accepted(None, True, str(error))
    return Accepted(hashlib.sha256(data).hexdigest(), True, "")
