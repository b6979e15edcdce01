"""Readers of text-to-SQL sources; `open_source` chooses one from the layout."""

from pathlib import Path

from pipeline.errors import SourceError
from pipeline.sources.base import Source
from pipeline.sources.corpora import QUESTIONS, CorporaSource
from pipeline.sources.download import DownloadSource, read_list

_LISTS = ("dev.json", "train_spider.json", "train.json", "test.json")


def open_source(path: Path) -> Source:
    """Return the reader for a folder, or for one file of questions in it.

    A folder with `questions.jsonl` has the corpora layout; one with `dev.json` (else `train_spider.json`,
    `train.json`, `test.json`) is a Spider or BIRD download, told apart by the name of the SQL field.

    Raises:
        SourceError: there is no such folder, or nothing in it that looks like questions.
    """
    path = path.resolve()
    if path.is_dir() and (path / QUESTIONS).is_file():
        return CorporaSource(path)
    if path.is_file() and path.name == QUESTIONS:
        return CorporaSource(path.parent)
    questions = path if path.is_file() else next((path / n for n in _LISTS if (path / n).is_file()), None)
    if not path.exists():
        raise SourceError(f"{path}: there is no such folder; check the path of the source")
    if questions is None:
        raise SourceError(f"{path}: holds neither {QUESTIONS} nor {', '.join(_LISTS)}; name the source's folder")
    return DownloadSource(questions, _download_layout(questions))


def _download_layout(questions: Path) -> str:
    first = next((entry for entry in read_list(questions) if isinstance(entry, dict)), {})
    return "bird" if "SQL" in first else "spider"
