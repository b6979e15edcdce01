"""How long the parts of a build take. Kept out of everything that must be the same bytes twice."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stopwatch:
    """Adds up seconds by the name of a part. A part inside another stops the outer one's clock."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.seconds: dict[str, float] = {}
        self._clock = clock
        self._parts: list[str] = []
        self._since = 0.0

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count the time of a block to this part."""
        self._credit()
        self._parts.append(name)
        try:
            yield
        finally:
            self._credit()
            self._parts.pop()

    def _credit(self) -> None:
        now = self._clock()
        if self._parts:
            name = self._parts[-1]
            self.seconds[name] = self.seconds.get(name, 0.0) + now - self._since
        self._since = now
