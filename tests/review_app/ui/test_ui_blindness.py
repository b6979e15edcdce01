"""Blindness on whole screens: all that a page sends to ann's browser is the same, whatever bob did or the gold is."""

import hashlib
import json
from dataclasses import replace

import pytest
from candidates_folder import SQL, rules, write_candidates
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from screens import FINDING, RIGHT, RULES, WRONG

from evaluator.tables import Table
from review_app.candidates import import_candidates
from review_app.domain.content import FindingKind, Part, Verdict

cells = st.text(st.characters(codec="utf-8", exclude_categories=("C",)), max_size=6)
tables = st.just(RIGHT) | st.lists(st.tuples(cells, cells), max_size=4).map(lambda rows: Table(("a", "b"), tuple(rows)))
findings = st.builds(
    lambda part, kind, text: replace(FINDING, part=part, kind=kind, text=text or "x"),
    st.sampled_from(Part),
    st.sampled_from(FindingKind),
    cells,
)
given_rules = st.builds(
    lambda order, digits: replace(
        RULES, order_sensitive=order, columns=(RULES.columns[0], replace(RULES.columns[1], digits=digits))
    ),
    st.booleans(),
    st.integers(0, 9),
)
NOTHING, RETURNED, VACATED = ("nothing",), ("returned",), ("vacated",)
drafted = st.tuples(st.just("drafted"), st.sampled_from(["answer", "findings", "other"]), cells)
sealed = st.tuples(st.just("sealed"), tables)
reviewed = st.tuples(
    st.just("reviewed"), tables, st.sampled_from(Verdict), st.lists(findings, min_size=1, max_size=3), given_rules
)
unfinished = st.sampled_from([NOTHING, RETURNED, VACATED]) | drafted | sealed
anything = unfinished | reviewed


def bob_does(house, kind, *what):
    """One of the things that can happen in the other seat."""
    bob = house.expert("bob")
    if kind == "drafted":
        bob.save_draft("task_1", *what, 0)
    if kind in ("sealed", "vacated"):
        bob.seal("task_1", what[0] if what else RIGHT)
    if kind == "reviewed":
        table, verdict, found, chosen = what
        bob.seal("task_1", table)
        bob.submit_review("task_1", verdict, tuple(found), chosen)
    if kind == "vacated":
        house.lead().vacate("task_1", house.ids["bob"], "gone")
    if kind == "returned":
        bob.return_seat("task_1", "no time")
        house.lead().assign("task_1", house.ids["cho"])


def solves(house):
    house.expert("ann").save_draft("task_1", "answer", "name,size\nAlpha,1\n", 0)


def verifies(house):
    solves(house)
    house.expert("ann").seal("task_1", WRONG)
    house.expert("ann").save_draft("task_1", "findings", "[]", 0)


def waits(house):
    solves(house)
    house.review("ann", Verdict.REVISE, WRONG)


@pytest.fixture
def seated(imported, fork):
    """Both experts hold their seats."""
    house = fork(imported)
    house.seat("ann", "bob")
    return house


@pytest.fixture
def shown(fork, sent):
    """Everything that ann's pages send, after her doings and bob's in either order."""

    def show(start, ann_does, other=NOTHING, *, bob_first=False):
        house = fork(start)
        doings = [lambda: ann_does(house), lambda: bob_does(house, *other)]
        for do in reversed(doings) if bob_first else doings:
            do()
        return pages(house, sent)

    return show


def pages(house, sent):
    found = []
    for page, task in (("", ""), ("task", "task_1"), ("task", "task_2")):
        at = house.screen("ann", page, task)
        assert not at.exception
        found.append([*sent(), sorted(at.query_params.items())])
    return found


several = settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
ACCEPTED = ("reviewed", RIGHT, Verdict.ACCEPT, (), RULES)
REJECTED = ("reviewed", WRONG, Verdict.REJECT, (FINDING,), RULES)


@several
@example(other=ACCEPTED, bob_first=True)
@example(other=REJECTED, bob_first=False)
@example(other=RETURNED, bob_first=True)
@given(other=anything, bob_first=st.booleans())
def test_while_ann_solves_her_screens_are_the_same_whatever_bob_did(seated, shown, other, bob_first):
    assert shown(seated, solves, other, bob_first=bob_first) == shown(seated, solves)


@several
@example(other=ACCEPTED, bob_first=True)
@example(other=REJECTED, bob_first=False)
@example(other=VACATED, bob_first=True)
@given(other=anything, bob_first=st.booleans())
def test_while_ann_verifies_her_screens_are_the_same_whatever_bob_did(seated, shown, other, bob_first):
    assert shown(seated, verifies, other, bob_first=bob_first) == shown(seated, verifies)


@several
@example(other=("sealed", RIGHT), bob_first=True)
@example(other=RETURNED, bob_first=False)
@given(other=unfinished, bob_first=st.booleans())
def test_while_ann_waits_her_screens_are_the_same_whatever_bob_did(seated, shown, other, bob_first):
    assert shown(seated, waits, other, bob_first=bob_first) == shown(seated, waits)


def test_when_both_are_done_the_screens_do_differ(seated, shown):
    both = [shown(seated, waits, other) for other in (ACCEPTED, REJECTED)]
    assert both[0] != both[1] != shown(seated, waits)


OTHER = {
    "private/gold.csv": b"other,names\nx,1\ny,2\nz,3\n",
    "private/gold.sql": SQL.replace("DESC", "ASC").encode(),
    "private/rules.json": json.dumps({**rules("task_1", 5), "order_sensitive": False}).encode(),
    "private/sampled.sqlite": b"another database",
}


@pytest.mark.parametrize("changed", [*OTHER, "private/provenance.json"])
def test_before_her_seal_anns_screens_do_not_depend_on_what_is_private(staffed, fork, sent, tmp_path, changed):
    folders = [write_candidates(tmp_path / name) for name in ("one", "two")]
    change(folders[1], changed)
    found = []
    for folder in folders:
        house = fork(staffed)
        assert import_candidates(house.office, folder).refused == {}
        house.seat("ann", "bob")
        solves(house)
        found.append(pages(house, sent))
    assert found[0] == found[1]


def change(folder, path):
    """Write something else into a private file of task_1."""
    file, manifest = folder / "task_1" / path, folder / "manifest.json"
    file.write_bytes(OTHER.get(path) or file.read_bytes().replace(b'["fund"]', b'["secret_table"]'))
    said = json.loads(manifest.read_text())
    said["tasks"][0]["files"][path] = hashlib.sha256(file.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(said))


def test_after_her_seal_they_do(staffed, fork, sent, tmp_path):
    folders = [write_candidates(tmp_path / name) for name in ("one", "two")]
    change(folders[1], "private/gold.sql")
    found = []
    for folder in folders:
        house = fork(staffed)
        import_candidates(house.office, folder)
        house.seat("ann", "bob")
        verifies(house)
        found.append(pages(house, sent))
    assert found[0] != found[1]
