"""What a build took: seconds by part and peak memory. Kept out of everything that must be the same bytes twice."""

import resource
import sys
from collections.abc import Iterable, Mapping


def added(parts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return seconds by part of several processes, added up."""
    total: dict[str, float] = {}
    for seconds in parts:
        for part, spent in seconds.items():
            total[part] = total.get(part, 0.0) + spent
    return total


def peak_memory_mib() -> dict[str, float]:
    """Return the most memory that this process held, and the most that one of its ended children did (MiB)."""
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10  # macOS counts bytes, others KiB
    own, children = (
        resource.getrusage(who).ru_maxrss / unit for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return {"builder": round(own, 1), "largest_child": round(children, 1)}
