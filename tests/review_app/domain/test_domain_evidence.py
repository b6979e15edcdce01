"""Findings prove what they say wherever the workspace can."""

from dataclasses import replace

import pytest
from builders import both_seated, finding, reviewed, sealed, task_of, tried

from review_app.domain.content import Evidence, FindingKind, Part, Verdict
from review_app.domain.errors import Incomplete, NotPossible
from review_app.domain.evidence import check_evidence

WHOLE = 'query "SELECT 1", 1 rows'


def submit(given, *, with_files=True):
    task = task_of([*both_seated(), sealed("ann")])
    if not with_files:
        task = replace(task, revision=replace(task.revision, workspace=()))
    tried(task, reviewed("ann", Verdict.REVISE, findings=(given,)))


@pytest.mark.parametrize("part", [Part.QUESTION, Part.WORKSPACE, Part.GOLD])
def test_a_finding_without_evidence_is_refused(part):
    with pytest.raises(Incomplete, match="cites nothing"):
        submit(replace(finding("f", part), evidence=()))


@pytest.mark.parametrize(("part", "kind"), [(Part.RULES, FindingKind.WRONG_RULES), (Part.GOLD, FindingKind.OWN_ERROR)])
def test_what_no_file_can_prove_needs_no_evidence(part, kind):
    submit(replace(finding("f", part, kind), evidence=()))


def test_an_empty_workspace_has_no_evidence_to_ask_for():
    submit(replace(finding("f"), evidence=()), with_files=False)


@pytest.mark.parametrize("path", ["nowhere.csv", ""])
def test_a_citation_of_no_file_is_refused(path):
    with pytest.raises(NotPossible, match="there is no file"):
        submit(replace(finding("f"), evidence=(Evidence(path, "row 2"),)))


def test_a_query_cites_the_workspace_as_a_whole():
    check_evidence((Evidence("", WHOLE),), ())
