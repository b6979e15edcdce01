"""Two releases side by side: what came, went and changed, and which decisions of the ledger say why."""

import json
import shutil

import pytest
from candidates_folder import GOLD, rules, write_candidates
from screens import PASSWORD, House

from evaluator.rules import parse_rules
from evaluator.tables import Table, parse_table
from review_app.accounts import NewAccount
from review_app.audit.bundle import AuditError, read_bundle
from review_app.candidates import import_candidates
from review_app.cli import main
from review_app.desk.repairs import Change
from review_app.domain.content import Evidence, Finding, FindingKind, Part, RepairCategory, Reply, Verdict
from review_app.domain.people import Role
from review_app.release import make_release
from review_app.release_diff import NO_CHAIN, WITHHELD, Dropped, release_diff

RULES = parse_rules(rules("task_1"))
NEW_GOLD = Table(("name", "size"), (("Alpha", "12.50"), ("Beta", "7.30")))
QUESTION = "Which funds are there, in millions of dollars?"


FINDING = Finding("", Part.QUESTION, FindingKind.AMBIGUOUS, "in which currency?", (Evidence("fund.csv", "row 2"),))


def review(house, task_id, logins, verdict=Verdict.ACCEPT, findings=()):
    for login in logins:
        house.lead().assign(task_id, house.ids[login])
        desk = house.expert(login)
        desk.seal(task_id, parse_table(GOLD))
        desk.submit_review(task_id, verdict, findings, RULES)


def repair(house, task_id, because, **edits):
    """A released task is looked at again, by others, and changed."""
    lead = house.lead()
    lead.reopen(task_id, because)
    review(house, task_id, ("dan", "eve"), Verdict.REVISE, (FINDING,))
    shown = lead.task(task_id)
    replies = tuple(Reply(one.id, True, "it says so") for one in shown.open_findings)
    change = Change(shown.revision.digest, RepairCategory.QUESTION_CLARIFIED, "say it", replies, **edits)
    house.expert("dan").propose_repair(task_id, change)
    lead.accept_repair(task_id, lead.task(task_id).proposed_at, "clear now")
    for login in ("dan", "eve"):
        desk = house.expert(login)
        desk.recheck(task_id, desk.view(task_id).discussion.revision.digest, True)


@pytest.fixture(scope="module")
def releases(tmp_path_factory):
    """task_1 stays, task_2 gets another question, task_3 another gold, task_4 is removed, task_5 comes in."""
    folder = tmp_path_factory.mktemp("releases")
    house = House.build(folder / "var", lambda office: None)
    for login in ("dan", "eve"):
        house.hire(NewAccount(login, login.title(), PASSWORD, (Role.EXPERT,)))
    import_candidates(house.office, write_candidates(folder / "candidates", 5))
    for number in (1, 2, 3, 4):
        review(house, f"task_{number}", ("ann", "bob"))
    older = make_release(house.office, "v1", folder / "out", public=0.5, seed=1).folder
    repair(house, "task_2", "a user asked which currency", question=QUESTION)
    repair(house, "task_3", "the last digit was wrong", gold_table=NEW_GOLD)
    house.lead().reopen("task_4", "nobody can say")
    house.lead().remove("task_4", "nobody would ask this")
    review(house, "task_5", ("ann", "bob"))
    newer = make_release(house.office, "v2", folder / "out").folder
    house.office.engine.dispose()
    return older, newer


def reasons(because):
    return [(one.kind, one.reason) for one in because]


def test_what_came_went_and_changed_is_named_with_the_ledgers_reasons(releases):
    older, newer = map(read_bundle, releases)
    found = release_diff(older, newer)
    assert (found.before, found.after, found.added, found.same) == ("v1", "v2", ("task_5",), 1)
    (dropped,) = found.dropped
    assert (dropped.task_id, dropped.note) == ("task_4", "")
    assert reasons(dropped.because) == [("TaskReopened", "nobody can say"), ("TaskRemoved", "nobody would ask this")]
    question, gold = found.replaced
    assert set(question.parts) >= {"question"}
    assert ("gold" in gold.parts) and "question" not in gold.parts
    assert (question.parts[-1:] == (WITHHELD,)) == ("task_2" in older.withheld)
    assert reasons(question.because)[0] == ("TaskReopened", "a user asked which currency")
    assert ("RepairAccepted", "clear now") in reasons(gold.because)
    assert [one.version for one in gold.because] == sorted(one.version for one in gold.because)


def test_from_a_release_to_itself_nothing_changes(releases):
    bundle = read_bundle(releases[1])
    found = release_diff(bundle, bundle)
    assert (found.added, found.dropped, found.replaced, found.same) == ((), (), (), 4)


def test_backwards_the_chains_do_not_go_on(releases):
    older, newer = map(read_bundle, releases)
    with pytest.raises(AuditError, match=r"task_2: the chain of .*v1 does not go on from that of .*v2"):
        release_diff(newer, older)


def test_a_task_whose_chain_is_missing_is_dropped_without_a_reason(releases, tmp_path):
    older, _ = releases
    newer = tmp_path / "v2"
    shutil.copytree(releases[1], newer)
    manifest = json.loads((newer / "manifest.json").read_text())
    del manifest["chain_heads"]["task_4"]
    (newer / "manifest.json").write_text(json.dumps(manifest))
    found = release_diff(read_bundle(older), read_bundle(newer))
    assert found.dropped == (Dropped("task_4", (), NO_CHAIN),)


def test_a_chain_that_does_not_read_is_named(releases, tmp_path):
    older, _ = releases
    newer = tmp_path / "v2"
    shutil.copytree(releases[1], newer)
    (newer / "ledger" / "task_2.jsonl").write_text("{}\n")
    with pytest.raises(AuditError, match="task_2: its chain does not read"):
        release_diff(read_bundle(older), read_bundle(newer))


def test_the_command_prints_the_difference(releases, capsys):
    older, newer = map(str, releases)
    assert main(["release", "diff", older, newer]) == 0
    assert [one["task_id"] for one in json.loads(capsys.readouterr().out)["replaced"]] == ["task_2", "task_3"]
    assert main(["release", "diff", older, str(releases[0].parent / "v3")]) == 2
    assert "is no manifest of a release" in capsys.readouterr().err
