"""Are the files those of the manifest?"""

from collections.abc import Iterator

from review_app.audit.bundle import MANIFEST, SUMS, Bundle, sha256
from review_app.audit.report import Area, Check, failed, proved


def check_files(bundle: Bundle) -> Iterator[Check]:
    """Compare every file with the manifest, and look for files that are missing or were added; in both parts."""
    yield from _check_part(bundle)
    if bundle.private is not None:
        yield from _check_part(bundle.private)


def _check_part(bundle: Bundle) -> Iterator[Check]:
    named: dict[str, str] = dict(bundle.manifest["files"])
    there = {path.relative_to(bundle.root).as_posix() for path in bundle.root.rglob("*") if not path.is_dir()}
    for name in sorted(there - named.keys() - {MANIFEST, SUMS}):
        yield failed(Area.FILES, name, "the manifest does not name this file; it was added")
    for name, digest in sorted(named.items()):
        path = bundle.root / name
        if path.is_symlink() or not path.is_file():
            yield failed(Area.FILES, name, "the file is missing, or is no plain file")
        elif sha256(path) != digest:
            yield failed(Area.FILES, name, "the file was changed: its SHA-256 is not that of the manifest")
        else:
            yield proved(Area.FILES, name)
    yield from _sums(bundle, named)


def _sums(bundle: Bundle, named: dict[str, str]) -> Iterator[Check]:
    """The list for `sha256sum -c` says the same as the manifest."""
    path = bundle.root / SUMS
    if not path.is_file():
        return
    pairs = [line.split("  ", 1) for line in path.read_text(encoding="utf-8").splitlines() if line]
    said = {pair[1]: pair[0] for pair in pairs if len(pair) == 2}
    if said == {**named, MANIFEST: sha256(bundle.root / MANIFEST)}:
        yield proved(Area.FILES, SUMS)
    else:
        yield failed(Area.FILES, SUMS, "its list differs from the manifest")
