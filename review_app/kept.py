"""Diffs that were just made: a page asks for the same one at every click."""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from evaluator.diff import Diff
from evaluator.rules import Rules
from evaluator.tables import Table

Key = tuple[str, str, Rules, str]


class Kept:
    """The last few diffs by the content of their tables.

    The tables themselves, which may be large, are not kept. Whoever asks holds both of them already, so nothing is
    told to anybody; of an answer to two at once it may be made twice.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[Key, Diff | None] = OrderedDict()
        self._lock = Lock()

    def get(self, tables: tuple[Table, Table], rules: Rules, way: str, make: Callable[[], Diff | None]) -> Diff | None:
        """Return the diff of two tables under rules, made now if it is not kept; `way` names how it is made."""
        key = (_digest(tables[0]), _digest(tables[1]), rules, way)
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
        made = make()
        with self._lock:
            self._found[key] = made
            while len(self._found) > self._most:
                self._found.popitem(last=False)
        return made


def _digest(table: Table) -> str:
    return hashlib.sha256(json.dumps([table.header, table.rows]).encode()).hexdigest()
