"""What a build says afterwards: a task's way through the stages, lints counted, a page of HTML."""

import json
from html.parser import HTMLParser

import pytest

from pipeline.build import BuildParams, build
from pipeline.content import Reason, Rejection, Stage
from pipeline.errors import BuildError
from pipeline.explain import explain
from pipeline.report import BuildReport
from pipeline.report_html import html_report
from review_app.cli import main


@pytest.fixture
def out(corpus, tmp_path):
    corpus.ask("SELECT DISTINCT code FROM shop ORDER BY sales")
    corpus.ask("SELECT name FROM city ORDER BY people LIMIT 1")
    corpus.line("{")
    corpus.ask("SELECT 1", "absent")
    build(corpus.root, tmp_path / "out", BuildParams())
    return tmp_path / "out"


def states(out, task_id):
    return {step.stage: step.state for step in explain(out, task_id).steps}


def test_a_candidate_passed_every_stage_and_each_says_what_it_found(out):
    found = explain(out, "task_1")
    assert found.candidate and {step.state for step in found.steps} == {"passed"}
    said = found.to_text()
    for word in ("Question 0?", "all tables, all rows", "ORDER BY", "DISTINCT changes nothing", "cells read back"):
        assert word in said


def test_a_rejected_task_passed_what_lies_before_its_rejection_and_nothing_behind(out):
    found = states(out, "task_2")
    assert found["sample"] == "passed" and found["rules"] == "not reached"
    assert found["determine"] == "rejected: LIMIT cuts a tie"
    assert "Bern" in explain(out, "task_2").to_text(), "the proof is shown"


def test_what_was_no_instance_or_had_no_database_is_explained_too(out):
    assert states(out, "task_3")["source"] == "rejected: unreadable line"
    assert states(out, "task_4")["database"] == "rejected: database missing"


def test_what_the_build_never_had_is_refused_by_name(out, tmp_path):
    with pytest.raises(BuildError, match="task_9"):
        explain(out, "task_9")
    with pytest.raises(BuildError, match="finished build"):
        explain(tmp_path / "nowhere", "task_1")


def test_the_command_explains_without_building(corpus, out, capsys):
    before = (out / "manifest.json").stat().st_mtime_ns
    assert main(["build", "--source", str(corpus.root), "--out", str(out), "--explain", "task_2"]) == 0
    assert "determine: rejected: LIMIT cuts a tie" in capsys.readouterr().out
    assert (out / "manifest.json").stat().st_mtime_ns == before


def test_the_report_counts_the_lints_of_the_candidates(corpus, out):
    lints = json.loads((out / "report.json").read_text())["lints"]
    assert lints["note: DISTINCT changes nothing"] == 1
    assert build(corpus.root, out, BuildParams()).lints == lints, "those of an earlier build count too"


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen, self.text = [], set(), ""

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onload", "onerror"}
        if tag not in {"meta", "rect"}:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_page_holds_counts_bars_and_examples_and_no_text_of_the_source_as_html():
    bad = "<script>alert(1)</script>"
    rejection = Rejection(bad, Stage.EXECUTE, Reason.NO_ROW, bad, bad)
    page = _Tags()
    page.feed(html_report(BuildReport(bad, 4, 3, (rejection,), lints={"note: LIKE <b>": 2})))
    assert not page.open and "script" not in page.seen and "b" in page.seen
    assert page.text.count(bad) == 5 and "svg" in page.seen
    assert "4 instances: 3 candidates, 1 rejected" in page.text and "25.0%" in page.text and "LIKE <b>" in page.text


def test_provenance_has_the_features_of_the_gold_for_strata(out):
    found = json.loads((out / "task_1/private/provenance.json").read_text())["features"]
    assert found["stratum"] == "0 joins, flat, plain, ordered" and found["ordered"] is True


def test_a_build_writes_its_page(out):
    assert "LIMIT cuts a tie" in (out / "report.html").read_text()
