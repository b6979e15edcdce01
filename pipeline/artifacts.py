"""Files that appear whole or not at all, and the store of what several tasks share."""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.sources.base import file_digest


def canonical_json(value: object) -> bytes:
    """Return a value as JSON text for a file: sorted keys, indented, UTF-8, a line end last."""
    return (json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def canonical_line(value: dict[str, str]) -> bytes:
    """Return a JSON object on one line, keys in their order."""
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file under a temporary name beside it and rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_bytes(data)
    temporary.replace(path)


def link_or_copy(source: Path, target: Path) -> None:
    """Make `target` the same file as `source`, or a copy where the file system has no hard links."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def replace_folder(new: Path, target: Path, trash: Path) -> None:
    """Put a finished folder in the place of `target`; what was there goes through `trash` and away."""
    if target.exists():
        shutil.rmtree(trash, ignore_errors=True)
        target.rename(trash)
    new.rename(target)
    shutil.rmtree(trash, ignore_errors=True)


@dataclass
class Digests:
    """SHA-256 of files, computed once for each content on the disk however many links it has."""

    _known: dict[tuple[int, int, int, int], str] = field(default_factory=dict)

    def of(self, path: Path) -> str:
        """Return the digest of a file."""
        status = path.stat()
        key = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        if key not in self._known:
            self._known[key] = file_digest(path)
        return self._known[key]

    def match(self, folder: Path, files: Mapping[str, str]) -> bool:
        """Return whether a folder holds these files with these digests, and no others."""
        with suppress(OSError):
            found = {str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir()}
            return found == set(files) and all(self.of(folder / name) == d for name, d in files.items())
        return False


class ArtifactStore:
    """Folders named by what they were made from. A damaged one is made again."""

    def __init__(self, root: Path, digests: Digests) -> None:
        self._root = root
        self._digests = digests
        self._checked: set[str] = set()

    def folder(self, key: str, make: Callable[[Path], dict[str, object]]) -> tuple[Path, dict[str, object]]:
        """Return the folder of a key and the description stored with it, made now if need be.

        `make` fills an empty folder and returns the description. Its exceptions leave nothing behind.
        """
        folder, description = self._root / key, self._root / f"{key}.json"
        stored = self._stored(folder, description, key)
        if stored is not None:
            return folder, stored
        temporary = self._root / f"{key}.tmp"
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        try:
            content = make(temporary)
            files = {str(p.relative_to(temporary)): self._digests.of(p) for p in temporary.rglob("*") if p.is_file()}
            replace_folder(temporary, folder, self._root / f"{key}.old")
            write_atomically(description, canonical_json({"files": files, "content": content}))
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        self._checked.add(key)
        return folder, content

    def _stored(self, folder: Path, description: Path, key: str) -> dict[str, object] | None:
        with suppress(OSError, ValueError, KeyError):
            stored = json.loads(description.read_bytes())
            if key in self._checked or self._digests.match(folder, stored["files"]):
                self._checked.add(key)
                content: dict[str, object] = stored["content"]
                return content
        return None
