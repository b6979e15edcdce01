"""Which table goes into which kind of file, by rule, with the reason of each decision."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from pipeline.stages.shape import Shape

MOST_MARKDOWN_ROWS = 400
MOST_MARKDOWN_COLUMNS = 16
LONGEST_MARKDOWN_CELL = 2000
MOST_JSON_ROWS = 20_000
MOST_CSV_ROWS = 200_000


class Modality(StrEnum):
    """The kinds of files in which a table can lie."""

    CSV = "csv"
    JSON = "json"
    SQLITE = "sqlite"
    MARKDOWN = "markdown"


@dataclass(frozen=True)
class Route:
    """Where one table goes, and why."""

    table: str
    modality: Modality
    reason: str

    def to_json(self) -> dict[str, object]:
        """Return the fields as a JSON object."""
        return asdict(self)


def route(shapes: Mapping[str, Shape], linked: Mapping[str, int], seed: int) -> list[Route]:
    """Return one route a table, in the order of `shapes`; the same for the same shapes and seed.

    Four or more tables use all four modalities wherever a table can be written in each: first the modality
    that fewest tables can have chooses the one that suits it best, then every other table goes to the
    modality that suits it best among those used least. `linked` counts the foreign keys from and to a table.
    """
    fits = {name: _fitting(shape) for name, shape in shapes.items()}
    routes: dict[str, Route] = {}
    wanted = list(Modality) if len(shapes) >= len(Modality) else []
    for modality in sorted(wanted, key=lambda m: (sum(m in f for f in fits.values()), m)):
        able = [name for name in shapes if name not in routes and modality in fits[name]]
        if able:
            best = max(able, key=lambda n: (_score(modality, shapes[n], linked.get(n, 0)), _draw(seed, n)))
            why = (
                f"suits {modality} best of {len(able)} tables: {_because(modality, shapes[best], linked.get(best, 0))}"
            )
            routes[best] = Route(best, modality, why)
    for name in sorted(set(shapes) - set(routes), key=lambda n: _draw(seed, n)):
        routes[name] = _balanced(name, shapes[name], linked.get(name, 0), fits[name], list(routes.values()))
    return [routes[name] for name in shapes]


def _balanced(name: str, shape: Shape, links: int, fits: Sequence[Modality], so_far: Sequence[Route]) -> Route:
    used = {modality: sum(r.modality is modality for r in so_far) for modality in fits}
    best = max(fits, key=lambda m: (_score(m, shape, links) - used[m], m))
    others = [m for m in Modality if m not in fits]
    barred = f"; not in {', '.join(others)}: {_obstacle(shape)}" if others else ""
    return Route(name, best, f"{_because(best, shape, links)}, {used[best]} tables there already{barred}")


def _fitting(shape: Shape) -> list[Modality]:
    if shape.has_bytes or shape.has_infinite or shape.has_broken_text or shape.columns == 0:
        return [Modality.SQLITE]
    fits = [Modality.SQLITE]
    if shape.rows <= MOST_CSV_ROWS and not (shape.columns == 1 and shape.has_null):  # an empty line gets lost
        fits.append(Modality.CSV)
    if shape.rows <= MOST_JSON_ROWS:
        fits.append(Modality.JSON)
    if not _obstacle(shape):
        fits.append(Modality.MARKDOWN)
    return fits


def _obstacle(shape: Shape) -> str:
    """Return why a table cannot be Markdown; empty if it can."""
    obstacles = {
        "bytes, broken text or infinite numbers": shape.has_bytes or shape.has_broken_text or shape.has_infinite,
        f"more than {MOST_MARKDOWN_ROWS} rows": shape.rows > MOST_MARKDOWN_ROWS,
        f"more than {MOST_MARKDOWN_COLUMNS} columns": shape.columns > MOST_MARKDOWN_COLUMNS,
        f"a cell with more than {LONGEST_MARKDOWN_CELL} characters": shape.longest > LONGEST_MARKDOWN_CELL,
        "control characters": shape.has_control,
        "columns of several types": shape.mixed > 0,
        "empty text beside missing values": shape.has_empty_text and shape.has_null,
        "one column with missing values": shape.columns == 1 and (shape.has_null or shape.has_empty_text),
    }
    return next((text for text, holds in obstacles.items() if holds), "")


def _score(modality: Modality, shape: Shape, links: int) -> float:
    texty = shape.text_cells / max(1, shape.rows * shape.columns)
    if modality is Modality.MARKDOWN:
        return 3.0 * (5 <= shape.rows <= 100) + 1.0 * (shape.rows > 0) + texty
    if modality is Modality.SQLITE:
        return 1.0 * min(links, 4) + 2.0 * (shape.rows > 5000) + 0.5 * (shape.mixed > 0)
    if modality is Modality.JSON:
        return 1.0 + 2.0 * texty + 1.0 * shape.has_null
    return 2.0 + 1.0 * (shape.rows > 100) + (1.0 - texty)


def _because(modality: Modality, shape: Shape, links: int) -> str:
    facts = {
        Modality.MARKDOWN: f"short enough to read ({shape.rows} rows)",
        Modality.SQLITE: f"{links} foreign keys, {shape.rows} rows",
        Modality.JSON: f"{shape.text_cells} texts in {shape.rows} rows",
        Modality.CSV: f"plain rows ({shape.rows})",
    }
    return facts[modality]


def _draw(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"route\0{seed}\0{name}".encode()).digest()
