"""The candidates folder on the disk: who may write it, and what of it is finished."""

import fcntl
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline.artifacts import ArtifactStore, Digests, canonical_json, replace_folder, write_atomically
from pipeline.content import Reason, Rejection, Stage
from pipeline.errors import BuildError

FORMAT = "dataspace-candidates"
FORMAT_VERSION = 1
ARTIFACTS = ".artifacts"


class OutputFolder:
    """A candidates folder that this process alone writes.

    `.artifacts/` in it holds what tasks share and, for each finished instance, a note of its fingerprint and
    outcome; it may be deleted when the build is over.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.digests = Digests()
        self.artifacts = ArtifactStore(root / ARTIFACTS / "workspaces", self.digests)
        self._notes = root / ARTIFACTS / "tasks"
        self._temporary = root / ARTIFACTS / "tmp"

    @classmethod
    @contextmanager
    def locked(cls, root: Path) -> Iterator["OutputFolder"]:
        """Open the folder for one build. Raises BuildError if it holds something else or another build runs."""
        if root.exists() and not root.is_dir():
            raise BuildError(f"{root}: is a file; name a folder for the candidates")
        if root.is_dir() and any(root.iterdir()) and not (root / ARTIFACTS).is_dir() and not _is_ours(root):
            raise BuildError(f"{root}: holds other files; name a new or empty folder for the candidates")
        (root / ARTIFACTS).mkdir(parents=True, exist_ok=True)
        with (root / ARTIFACTS / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise BuildError(f"{root}: another build writes there; wait for it or name another folder") from error
            folder = cls(root)
            shutil.rmtree(folder._temporary, ignore_errors=True)
            (root / "manifest.json").unlink(missing_ok=True)  # until the build ends it would be wrong
            yield folder

    def finished(self, task_id: str, fingerprint: str) -> tuple[dict[str, str], Rejection | None] | None:
        """Return files and rejection of a task that was made with this fingerprint and is still whole."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            note = json.loads((self._notes / f"{task_id}.json").read_bytes())
            if note["fingerprint"] != fingerprint:
                return None
            if note["rejection"] is not None:
                return {}, _rejection(note["rejection"])
            if self.digests.match(self.root / task_id, note["files"]):
                return note["files"], None
        return None

    def new_folder(self, task_id: str) -> Path:
        """Return an empty folder in which to make a task."""
        folder = self._temporary / task_id
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def keep(self, task_id: str, fingerprint: str, made: Path) -> dict[str, str]:
        """Put a finished task in its place, note it, and return its files with their digests."""
        files = {str(p.relative_to(made)): self.digests.of(p) for p in sorted(made.rglob("*")) if p.is_file()}
        replace_folder(made, self.root / task_id, self._temporary / f"{task_id}.old")
        self._note(task_id, {"fingerprint": fingerprint, "files": files, "rejection": None})
        return files

    def note_rejection(self, task_id: str, fingerprint: str, rejection: Rejection) -> None:
        """Note that a task was rejected, so that it is not tried again."""
        self._note(task_id, {"fingerprint": fingerprint, "files": {}, "rejection": rejection.to_json()})

    def drop_all_but(self, task_ids: Sequence[str]) -> None:
        """Remove the folders of tasks that are no candidates of this build."""
        for folder in self.root.glob("task_*"):
            if folder.name not in set(task_ids):
                shutil.rmtree(folder)
        shutil.rmtree(self._temporary, ignore_errors=True)

    def _note(self, task_id: str, note: Mapping[str, object]) -> None:
        write_atomically(self._notes / f"{task_id}.json", canonical_json(note))


def _is_ours(root: Path) -> bool:
    with suppress(OSError, ValueError):
        manifest = json.loads((root / "manifest.json").read_bytes())
        return isinstance(manifest, dict) and manifest.get("format") == FORMAT
    return False


def _rejection(fields: Mapping[str, str]) -> Rejection:
    return Rejection(
        fields["instance"],
        Stage(fields["stage"]),
        Reason(fields["reason"]),
        fields["message"],
        fields["evidence"],
    )
