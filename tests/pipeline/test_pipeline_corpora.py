"""All 2,355 instances of the six real corpora, built whole: about 20 seconds on one core."""

import json
import sqlite3
from contextlib import closing

import pytest

from evaluator.compare import compare
from evaluator.rules import parse_rules
from evaluator.tables import read_table
from pipeline.build import BuildParams, build
from pipeline.render import csv

pytestmark = pytest.mark.shared

# candidates of each corpus when this was written; a gate that becomes stricter or looser shows here
CANDIDATES = {
    "archer-bilingual": (200, 148),
    "bird-dev-lite": (432, 413),
    "chase-zh": (445, 428),
    "defog-sqlite": (249, 245),
    "spider-dev": (919, 845),
    "spider-dk": (110, 102),
}


@pytest.fixture(scope="module", params=CANDIDATES)
def built(request, corpora, tmp_path_factory):
    out = tmp_path_factory.mktemp("corpora") / request.param
    return build(corpora / request.param, out, BuildParams()), out


def private(out):
    return [folder / "private" for folder in sorted(out.glob("task_*"))]


def test_every_instance_is_a_candidate_or_a_proved_rejection(built):
    report, out = built
    assert (report.total, report.candidates) == CANDIDATES[report.corpus]
    assert len(private(out)) == report.candidates == report.total - len(report.rejected)
    assert all(rejection.message and rejection.evidence for rejection in report.rejected)
    assert not {"builder error", "rules do not fit"} & set(report.rejections)


def test_every_gate_could_be_tried(built):
    _, out = built
    checks = [json.loads((folder / "provenance.json").read_text())["checks"] for folder in private(out)]
    assert [check["determined"]["unchecked"] for check in checks] == [[]] * len(checks)


def test_every_gold_equals_itself_under_its_rules(built):
    _, out = built
    for folder in private(out):
        gold = read_table(folder / "gold.csv")
        assert compare(gold, gold, parse_rules(json.loads((folder / "rules.json").read_text()))).passed


def test_every_gold_runs_as_it_is_stored(built):
    _, out = built
    for folder in private(out):
        sql = (folder / "gold.sql").read_text()
        with closing(sqlite3.connect(f"file:{folder / 'sampled.sqlite'}?mode=ro", uri=True)) as connection:
            rows = connection.execute(sql).fetchall()
        assert len(rows) == len(read_table(folder / "gold.csv").rows)


def test_every_gold_has_the_size_that_the_corpus_names(built, corpora):
    report, out = built
    lines = (corpora / report.corpus / "questions.jsonl").read_text().splitlines()
    named = {entry["id"]: (entry["rows"], entry["cols"]) for entry in map(json.loads, lines)}
    for folder in private(out):
        gold = read_table(folder / "gold.csv")
        instance = json.loads((folder / "provenance.json").read_text())["instance"]["id"]
        assert (len(gold.rows), len(gold.header)) == named[instance]


def test_csv_files_hold_the_rows_of_the_source(built, corpora):
    report, out = built
    for folder in private(out)[:: max(1, report.candidates // 12)]:
        provenance = json.loads((folder / "provenance.json").read_text())
        database = corpora / report.corpus / "db" / f"{provenance['instance']['db']}.sqlite"
        for file in provenance["workspace"]:
            if file["modality"] == "csv":
                with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
                    wanted = connection.execute(f'SELECT * FROM "{file["tables"][0]}"').fetchall()
                assert csv.read((folder.parent / "context" / file["path"]).read_bytes())[1] == wanted


def test_databases_of_four_tables_use_all_four_modalities(built):
    _, out = built
    for folder in private(out):
        provenance = json.loads((folder / "provenance.json").read_text())
        if len(provenance["names"]) >= 4:
            assert len({decision["modality"] for decision in provenance["routing"]}) == 4
