"""All checks of a release, one after the other; one that fails stops no other."""

from collections.abc import Callable, Iterator
from pathlib import Path

from review_app.audit.bundle import MANIFEST, Bundle, read_bundle, sha256
from review_app.audit.chains import check_blindness, check_chains, check_decisions
from review_app.audit.files import check_files
from review_app.audit.report import AuditReport, Check
from review_app.audit.statistics import check_statistics
from review_app.audit.tasks import check_commitments, check_independent, check_tasks, sampled_tasks


def audit(
    root: Path,
    *,
    private: Path | None = None,
    golds: Path | None = None,
    sample: int | None = None,
    seed: int = 0,
    progress: Callable[[Check], None] = lambda check: None,
) -> AuditReport:
    """Return what an audit of the release in a folder finds. Nothing is written there.

    `sample` checks the golds and workspaces of so many tasks only, drawn by `seed`; files, chains, decisions and
    statistics are checked whole. `private` is the private part, without which withheld golds are not proved.
    `golds` is a folder of a third party's golds.

    Raises:
        AuditError: there is no release in the folder.
    """
    bundle = read_bundle(root, private)
    checks = []
    for check in _all(bundle, golds, sampled_tasks(bundle, sample, seed)):
        progress(check)
        checks.append(check)
    return AuditReport(str(bundle.manifest.get("name", root.name)), sha256(root / MANIFEST), tuple(checks))


def _all(bundle: Bundle, golds: Path | None, tasks: list[str]) -> Iterator[Check]:
    yield from check_files(bundle)
    yield from check_chains(bundle)
    yield from check_decisions(bundle)
    yield from check_blindness(bundle)
    yield from check_tasks(bundle, tasks)
    yield from check_commitments(bundle)
    yield from check_statistics(bundle)
    if golds is not None:
        yield from check_independent(bundle, golds, tasks)
