"""A task's workspace on a desk: loaded tables by page, search, SQL. Callers have checked who may see the files."""

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache

from review_app.desk.office import Office
from review_app.domain.blindness import Seen
from review_app.domain.content import WorkspaceFile
from review_app.domain.errors import ReviewError
from review_app.workspace.index import Index
from review_app.workspace.loading import IndexFailed, Source, build

AnyFile = Seen | WorkspaceFile
Files = tuple[tuple[str, str, str], ...]
LOADER = "workspace loader"


def index_of(office: Office, files: Iterable[AnyFile]) -> Index:
    """Return the loaded workspace, loading it at the first call, or anew if its folder was emptied.

    Raises:
        IndexFailed: it could not be loaded.
    """
    named = _named(files)
    with _lock(named):  # whoever comes while it is being loaded waits, instead of loading it too
        found = _index(office, named)
        if not found.database.exists():
            _index.cache_clear()
            found = _index(office, named)
    return found


def load_ahead(office: Office, which: Callable[[], Iterable[AnyFile]]) -> None:
    """Begin to load a workspace that somebody will open soon; the page that opens it says what went wrong.

    `which` gives its files, none if there is nothing to load; it is asked beside the page too.
    """

    def load() -> None:
        with suppress(IndexFailed, ReviewError):
            if files := tuple(which()):
                index_of(office, files)

    if office.loads_ahead:
        threading.Thread(target=load, name=LOADER, daemon=True).start()


def _named(files: Iterable[AnyFile]) -> Files:
    return tuple((file.path, file.modality, file.sha256) for file in files)


@lru_cache(maxsize=256)
def _lock(files: Files) -> threading.Lock:
    """One lock a workspace; in the rare case that one is forgotten while held, a workspace is loaded twice."""
    return threading.Lock()


@lru_cache(maxsize=64)
def _index(office: Office, files: Files) -> Index:
    """Kept by content: every click asks again, and what a digest names never changes."""
    sources = [Source(path, modality, office.blobs.path(sha256)) for path, modality, sha256 in files]
    return build(office.settings.workspaces, sources)
