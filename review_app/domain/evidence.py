"""What findings and messages must cite: the files of the workspace, wherever they can prove something."""

from review_app.domain.citations import Query, read
from review_app.domain.content import Evidence, Finding, FindingKind, Part, WorkspaceFile
from review_app.domain.errors import Incomplete, NotPossible


def needs_evidence(part: Part, kind: FindingKind) -> bool:
    """Say whether a finding has to cite the workspace, where there is one.

    What is said of the rules is proved by the tables on the page, and an own mistake by its owner's word.
    """
    return part is not Part.RULES and kind is not FindingKind.OWN_ERROR


def check_findings(findings: tuple[Finding, ...], workspace: tuple[WorkspaceFile, ...]) -> None:
    """Return for findings that say something and prove it.

    Raises:
        Incomplete: one is empty, or cites nothing although the workspace has files and its kind needs evidence.
        NotPossible: one cites a file that the workspace has not.
    """
    for finding in findings:
        if not finding.text.strip():
            raise Incomplete(f"the finding about the {finding.part.value} says nothing; describe what is wrong")
        if needs_evidence(finding.part, finding.kind) and workspace and not finding.evidence:
            raise Incomplete(
                f"the finding about the {finding.part.value} cites nothing; cite the file and the place that prove it"
            )
        check_evidence(finding.evidence, workspace)


def check_evidence(evidence: tuple[Evidence, ...], workspace: tuple[WorkspaceFile, ...]) -> None:
    """Return for citations of files that are there; a query may cite the workspace as a whole, by an empty path.

    Raises:
        NotPossible: there is no such file.
    """
    paths = {file.path for file in workspace}
    for cited in evidence:
        whole = not cited.path and isinstance(read(cited.locator), Query)
        if cited.path not in paths and not whole:
            raise NotPossible(f"there is no file {cited.path!r} in the workspace; cite one that is there")
