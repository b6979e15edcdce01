"""More processes, same bytes."""

import json

import pytest

from pipeline.build import BuildParams, build
from pipeline.errors import BuildError
from pipeline.output import OutputFolder


def contents(out):
    return {
        str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file() and ".artifacts" not in p.parts
    }


def fill(corpus):
    corpus.database("other")
    for db in ("shop", "other", "absent"):
        corpus.ask("SELECT name FROM city", db)
        corpus.ask("SELECT name FROM city ORDER BY people LIMIT 1", db)
    corpus.line("{")
    corpus.ask("SELECT code FROM shop", id="q0")
    corpus.ask("SELECT code FROM shop", "other", id="q1")


def test_one_process_and_two_write_the_same_bytes(corpus, tmp_path):
    fill(corpus)
    one = build(corpus.root, tmp_path / "one", BuildParams())
    two = build(corpus.root, tmp_path / "two", BuildParams(), workers=2)
    assert one == two and one.total == 9
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert one.rejections["duplicate id"] == 2, "an id may be used again with another database, by another worker"


def test_a_build_goes_on_with_another_number_of_processes(corpus, tmp_path):
    fill(corpus)
    first = build(corpus.root, tmp_path / "out", BuildParams(), workers=2)
    again = build(corpus.root, tmp_path / "out", BuildParams())
    assert again.up_to_date >= first.candidates and again.rejected == first.rejected


def test_progress_counts_to_the_end_whoever_is_first(corpus, tmp_path):
    fill(corpus)
    said = []
    build(corpus.root, tmp_path / "out", BuildParams(), lambda *at: said.append(at), workers=2)
    assert [at[:2] for at in said] == [(n, 9) for n in range(1, 10)]
    assert {at[2].partition(":")[0] for at in said} == {f"task_{n}" for n in range(1, 10)}


def test_an_entry_that_kills_its_worker_ends_the_build_with_a_remedy(corpus, tmp_path, monkeypatch):
    corpus.ask("SELECT name FROM city")
    monkeypatch.setenv("PYTHONHOME", str(tmp_path / "nowhere"))  # no new interpreter can start
    with pytest.raises(BuildError, match="fewer workers"):
        build(corpus.root, tmp_path / "out", BuildParams(), workers=2)
    monkeypatch.undo()
    with OutputFolder.locked(tmp_path / "out"):
        pass
    assert build(corpus.root, tmp_path / "out", BuildParams()).candidates == 1
    assert json.loads((tmp_path / "out/manifest.json").read_text())["counts"]["total"] == 1
