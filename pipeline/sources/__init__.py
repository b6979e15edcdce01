"""Readers of text-to-SQL sources; `open_source` chooses one from the layout."""

from pathlib import Path

from pipeline.errors import SourceError
from pipeline.sources.archer import KNOWLEDGE_FIELD, ArcherSource
from pipeline.sources.base import Source, language_of
from pipeline.sources.bull import BullSource
from pipeline.sources.chase import ChaseSource
from pipeline.sources.corpora import QUESTIONS, CorporaSource
from pipeline.sources.download import DownloadSource
from pipeline.sources.ehrsql import EhrsqlSource
from pipeline.sources.fields import first_object
from pipeline.sources.generic import GenericSource

_LISTS = (
    "dev.json",
    "chase_dev.json",
    "valid.json",
    "train_spider.json",
    "train.json",
    "chase_train.json",
    "test.json",
)
_EHRSQL = ("mimic_iii", "eicu")


def open_source(path: Path) -> Source:
    """Return the reader for a folder, or for one file of questions in it.

    A folder with `questions.jsonl` has the corpora layout; one with `dev.json` (else `train.json` and the like) is
    a download, told apart by the fields of its first entry; one with a single other `.jsonl` file is generic; one
    with `mimic_iii/` or `eicu/` is EHRSQL.

    Raises:
        SourceError: there is no such folder, or nothing in it that looks like questions.
    """
    path = path.resolve()
    if not path.exists():
        raise SourceError(f"{path}: there is no such folder; check the path of the source")
    if path.is_file():
        return _by_file(path)
    if (path / QUESTIONS).is_file():
        return CorporaSource(path)
    for name in _LISTS:
        if (path / name).is_file():
            return _by_file(path / name)
    lists = [found for db in _EHRSQL if (found := _first_list(path / db)) is not None]
    if lists:
        return EhrsqlSource(path, tuple(lists))
    lines = sorted(path.glob("*.jsonl"))
    if len(lines) == 1:
        return GenericSource(lines[0])
    if lines:
        raise SourceError(f"{path}: holds {len(lines)} files of JSON Lines; name the one with the questions")
    raise SourceError(f"{path}: holds neither {QUESTIONS} nor {', '.join(_LISTS)}; name the source's folder")


def _by_file(path: Path) -> Source:
    if path.name == QUESTIONS:
        return CorporaSource(path.parent)
    if path.suffix == ".jsonl":
        return GenericSource(path)
    first = first_object(path)
    if "sql_query" in first and "db_name" in first:
        return BullSource(path)
    if "is_impossible" in first:
        return EhrsqlSource(path.parent, (path,))
    if "interaction" in first:
        return ChaseSource(path)
    if KNOWLEDGE_FIELD in first or "reasoning_type" in first:
        return ArcherSource(path)
    return DownloadSource(path, _download_layout(first))


def _first_list(folder: Path) -> Path | None:
    return next((folder / name for name in _LISTS if (folder / name).is_file()), None)


def _download_layout(first: dict[str, object]) -> str:
    if "SQL" in first:
        return "bird"
    return "cspider" if language_of(str(first.get("question", ""))) == "zh" else "spider"
