"""The metadata of a release, read by the validator of those who defined it, and its citation file."""

import hashlib
import json

import mlcroissant
import pytest
import yaml
from candidates_folder import GOLD, rules, write_candidates
from screens import House

from evaluator.rules import parse_rules
from evaluator.tables import parse_table
from review_app.candidates import import_candidates
from review_app.croissant import citation, croissant
from review_app.domain.content import Verdict
from review_app.release import make_release

QUESTION = 'Which "funds" 基金 are there?'


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("croissant")
    house = House.build(folder / "var", lambda office: None)
    import_candidates(house.office, write_candidates(folder / "candidates", 2, question=QUESTION))
    for number in (1, 2):
        for login in ("ann", "bob"):
            house.lead().assign(f"task_{number}", house.ids[login])
            desk = house.expert(login)
            desk.seal(f"task_{number}", parse_table(GOLD))
            desk.submit_review(f"task_{number}", Verdict.ACCEPT, (), parse_rules(rules(f"task_{number}")))
    made = make_release(house.office, "v1", folder / "out", public=0.5, seed=1).folder
    house.office.engine.dispose()
    return made


def test_the_validator_finds_no_error_and_reads_the_tasks(released):
    dataset = mlcroissant.Dataset(jsonld=released / "croissant.json")
    assert not dataset.metadata.ctx.issues.errors
    records = list(dataset.records("tasks"))
    assert [record["tasks/task_id"] for record in records] == [b"task_1", b"task_2"]
    assert {record["tasks/question"].decode() for record in records} == {QUESTION}


def test_every_file_that_it_names_is_there_with_its_digest(released):
    said = json.loads((released / "croissant.json").read_text(encoding="utf-8"))
    files = {one["contentUrl"]: one["sha256"] for one in said["distribution"] if one["@type"] == "cr:FileObject"}
    assert {"agreement.json", "commitments.json", "statistics.json"} <= set(files)
    assert {name: hashlib.sha256((released / name).read_bytes()).hexdigest() for name in files} == files
    sets = [one["includes"] for one in said["distribution"] if one["@type"] == "cr:FileSet"]
    assert all(any(released.glob(pattern)) for pattern in sets)
    assert "input/*/task.json" in sets


def test_metadata_and_citation_are_among_the_files_of_the_manifest(released):
    files = json.loads((released / "manifest.json").read_text())["files"]
    assert {"croissant.json", "CITATION.cff"} <= set(files)


def test_an_empty_folder_has_no_records(tmp_path):
    assert croissant(tmp_path, "v0")["recordSet"] == croissant(tmp_path, "v0")["distribution"] == []


@pytest.mark.parametrize("name", ["v1", "a: b # c", 'say "hi"\n基金'])
def test_a_citation_is_yaml_whatever_the_name(name):
    said = yaml.safe_load(citation(name))
    assert set(said) >= {"cff-version", "message", "title", "authors"}  # what version 1.2.0 asks for
    assert (said["version"], said["type"]) == (name, "dataset")
