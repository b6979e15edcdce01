"""Content-addressed files: tables refer to digests, the bytes lie here. Nothing is ever half stored or changed."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path


class BlobError(Exception):
    """A blob is missing, damaged, or could not be stored; the message names it."""


def sync_folder(folder: Path) -> None:
    """Make a rename in the folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Blobs:
    """A folder of files by SHA-256. Written to a temporary name, fsynced, renamed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, data: bytes) -> str:
        """Store bytes and return their digest; storing twice is harmless.

        Raises:
            BlobError: the disk refused; nothing is left behind.
        """
        digest = hashlib.sha256(data).hexdigest()
        if not self.path_if_there(digest):
            self._write(digest, lambda target: target.write_bytes(data))
        return digest

    def put_file(self, source: Path) -> str:
        """Store a file's bytes without holding them in memory, and return their digest.

        Raises:
            BlobError: the file cannot be read or the disk refused; nothing is left behind.
        """
        try:
            with source.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise BlobError(f"{source}: cannot be read ({error.strerror})") from error
        if not self.path_if_there(digest):
            self._write(digest, lambda target: shutil.copyfile(source, target))
        return digest

    def _write(self, digest: str, fill: Callable[[Path], object]) -> None:
        target = self._path(digest)
        temporary: Path | None = None
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=".new-")
            os.close(handle)
            temporary = Path(name)
            fill(temporary)
            with temporary.open("rb") as stream:
                os.fsync(stream.fileno())
                written = hashlib.file_digest(stream, "sha256").hexdigest()
            if written != digest:
                raise BlobError(f"blob {digest[:12]}: its source changed while it was read; import it again")
            temporary.chmod(0o444)
            temporary.replace(target)
            sync_folder(target.parent)
        except OSError as error:
            raise BlobError(
                f"blob {digest[:12]} was not stored: {error.strerror}; free space below {self.folder} and try again"
            ) from error
        finally:
            if temporary is not None:
                temporary.unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
            raise BlobError(f"{digest!r} is no blob's name")
        return self.folder / digest[:2] / digest

    def path_if_there(self, digest: str) -> Path | None:
        """Return the file's path, or None."""
        path = self._path(digest)
        return path if path.is_file() else None

    def path(self, digest: str) -> Path:
        """Return the file's path.

        Raises:
            BlobError: no such blob.
        """
        found = self.path_if_there(digest)
        if found is None:
            raise BlobError(f"blob {digest[:12]} is missing below {self.folder}; restore it from a backup")
        return found

    def digests(self) -> list[str]:
        """Return the digests of all that is stored, sorted."""
        return sorted(path.name for path in self.folder.glob("??/*") if not path.name.startswith("."))

    def sound(self, digest: str) -> Path:
        """Return the file's path, its bytes checked against the digest.

        Raises:
            BlobError: missing or damaged.
        """
        path = self.path(digest)
        with path.open("rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() != digest:
                raise self._damaged(digest)
        return path

    def read(self, digest: str) -> bytes:
        """Return the bytes, checked against the digest.

        Raises:
            BlobError: missing or damaged.
        """
        data = self.path(digest).read_bytes()
        if hashlib.sha256(data).hexdigest() != digest:
            raise self._damaged(digest)
        return data

    def _damaged(self, digest: str) -> BlobError:
        return BlobError(f"blob {digest[:12]} below {self.folder} is damaged; restore it from a backup")
