"""The report on cases: figures that can be counted by hand, the same for the same tasks, and no figure for nothing."""

import json
from dataclasses import replace

import pytest
from builders import assigned, at, both_done, disputed, imported, in_recheck, rechecked, reviewed, sealed, task_of

from review_app.agreement import report as reports
from review_app.agreement.cases import Compared, case_of
from review_app.agreement.render import Format, files
from review_app.agreement.report import row_class
from review_app.domain.content import FieldOrigin, Origin, Verdict
from review_app.domain.events import FreshRoundCalled, LeadActionUndone, TaskRemoved, Unblinded
from review_app.judge_agreement import judge_report


def report(cases, seed=0):
    return reports.report(cases, seed, draws=60)


NUMBER = (
    '{"columns":[{"allow_percent_sign":false,"digits":2,"mode":"decimal_places","type":"number","unit":"plain"}],'
    '"order_sensitive":true}'
)


def numbered(number, history):
    return [imported(f"task_{number}"), *history[1:]]


def confirmed(history):
    for who in ("ann", "bob"):
        history = [*history, rechecked(who, task_of(history))]
    return history


@pytest.fixture
def cases():
    """Four tasks: agreed at once, repaired, disputed, removed; of the last two answers the second differs."""
    histories = [
        both_done(reviewed("ann"), reviewed("bob")),
        confirmed(in_recheck()),
        both_done(reviewed("ann", meaning=NUMBER), reviewed("bob", Verdict.REVISE, passed=False)),
        [*disputed(), TaskRemoved("lea", disputed()[-1].at, "nobody would ask this")],
    ]
    said = [
        Compared(True, 1.0, 1.0),
        Compared(True, 1.0, 1.0),
        Compared(False, 0.5, 0.75, ("V5", "S3")),
        Compared(False, 0.0, 0.0, ("V5",)),
    ]
    found = [case_of(numbered(number, history)) for number, history in enumerate(histories, start=1)]
    return [replace(case, compared=compared) for case, compared in zip(found, said, strict=True)]


def row(table, *start):
    return next(row for row in table.rows if row[: len(start)] == start)


def test_exact_agreement_is_counted_over_all_tasks_and_each_stratum(cases):
    answers = report(cases).table("answers")
    assert row(answers, "all", "all")[2:5] == (2, 4, 0.5)
    assert row(answers, "domain", "fund")[2:5] == (2, 4, 0.5)
    assert row(answers, "all", "all")[7:10] == (7, 8, 0.875)
    assert row(answers, "experts", "ann + bob")[3] == 4


def test_the_reasons_of_differences_are_counted_once_a_pair(cases):
    assert report(cases).table("differences").rows[0][:4] == ("S3", 1, 2, 0.5)
    assert report(cases).table("differences").rows[1][:4] == ("V5", 2, 2, 1.0)


def test_soft_agreement_is_a_mean_within_its_interval(cases):
    name, pairs, mean, low, high = report(cases).table("soft").rows[0]
    assert (name, pairs, mean) == ("F1 of rows", 4, 0.625)
    assert low <= mean <= high


def test_coefficients_come_with_the_pairs_that_they_rest_on(cases):
    found = report(cases)
    assert row(found.table("judgements"), "verdict", "raw agreement")[2:4] == (4, 0.25)
    pairs = [row for row in found.table("marginals").rows if row[0] == "verdict"]
    assert sorted(pairs) == [("verdict", "accept", "accept", 1), ("verdict", "accept", "revise", 3)]


def test_a_judgement_with_one_category_is_undefined_and_never_one():
    found = report([case_of(both_done(reviewed("ann"), reviewed("bob")))])
    value = row(found.table("judgements"), "verdict", "Cohen's kappa")[3]
    assert value == "undefined, raw agreement 100 %"
    assert "NaN" not in json.dumps(found.to_json())


def test_fields_set_from_the_proposal_do_not_count_as_set_alone():
    first = replace(reviewed("ann", meaning=NUMBER), rules_origins=(FieldOrigin("columns.1.digits", Origin.TAKEN),))
    found = report([case_of(both_done(first, reviewed("bob", meaning=NUMBER)))])
    assert row(found.table("judgements"), "digits", "raw agreement")[2] == 1
    assert row(found.table("judgements"), "digits, set alone", "raw agreement")[2] == 0
    assert row(found.table("judgements"), "unit, set alone", "raw agreement")[2] == 1


def test_the_steps_say_where_tasks_were_settled(cases):
    steps = {row[0]: row[1] for row in report(cases).table("steps").rows}
    assert steps == {"at once": 1, "settlement": 0, "repair": 1, "another round": 0, "removed": 1, "open": 1}
    assert report(cases).table("repairs").rows == (("question_clarified", 1),)
    assert report(cases).table("removed").rows == (("nobody would ask this", 1),)


def test_what_was_said_after_both_reviews_changes_no_blind_figure():
    before = case_of(in_recheck())
    after = case_of(confirmed(in_recheck()))
    blind = ("answers", "differences", "soft", "judgements", "marginals")
    assert [report([before]).table(name) for name in blind] == [report([after]).table(name) for name in blind]


def test_a_task_whose_first_round_is_not_done_is_no_case():
    assert case_of([imported(), assigned("ann", 1), sealed("ann"), reviewed("ann")]) is None
    assert case_of([]) is None


def test_nothing_to_count_gives_tables_without_figures_and_no_error():
    for form in Format:
        for text in files(report([]), form).values():
            assert "nan" not in text.lower().replace("finance", "")


def test_the_same_cases_and_seed_give_the_same_files(cases):
    for form in Format:
        assert files(report(cases, 7), form) == files(report(list(reversed(cases)), 7), form)


def test_a_reason_that_looks_like_a_formula_or_a_tag_is_text():
    history = [*disputed(), TaskRemoved("lea", disputed()[-1].at, "=1+1 <script>|")]
    found = report([case_of(history)])
    assert "'=1+1 <script>|" in files(found, Format.CSV)["agreement-removed.csv"]
    assert "<script>" not in files(found, Format.HTML)["agreement.html"]
    assert "=1+1 &lt;script>\\|" in files(found, Format.MD)["agreement.md"]


@pytest.mark.parametrize(
    ("rows", "name"), [(0, "1"), (1, "1"), (10, "2 to 10"), (1_000, "101 to 1,000"), (1_001, "over 1,000")]
)
def test_a_gold_falls_into_a_class_by_its_rows(rows, name):
    assert row_class(rows) == name


def test_a_case_keeps_who_was_unblinded_and_how_often_somebody_objected():
    history = in_recheck()
    history.append(rechecked("ann", task_of(history), confirm=False))
    case = case_of(history)
    assert (case.objections, case.settled_by, case.unblinded) == (1, "open", False)


def test_a_round_that_a_lead_unblinded_is_in_no_table_of_blind_work(cases):
    history = both_done(reviewed("ann"), reviewed("bob"))
    history.insert(4, Unblinded("lea", at(2), "a leak"))
    case = case_of(numbered(1, history))
    assert case.unblinded
    made = report([case, *cases[1:]])
    for name in ("answers", "drift"):
        assert made.table(name).rows == report(cases[1:]).table(name).rows
    assert row(made.table("process"), "first rounds unblinded, left out above")[1:3] == (4, 1)


def test_a_later_round_that_was_unblinded_leaves_the_first_one_blind():
    history = [*disputed(), FreshRoundCalled("lea", at(8), "start over")]
    history.append(Unblinded("lea", at(9), "a leak"))
    case = case_of([*history[:-1], assigned("cho", 1, 9), history[-1]])
    assert (case.rounds, case.unblinded) == (2, False)


@pytest.mark.parametrize("action", ["repair", "round", "removal"])
def test_what_a_lead_took_back_counts_for_nothing(action):
    before = disputed() if action != "repair" else in_recheck()[:-1]
    done = {
        "repair": in_recheck()[-1],
        "round": FreshRoundCalled("lea", at(10), "start over"),
        "removal": TaskRemoved("lea", at(10), "nobody would ask this"),
    }[action]
    undone = [*before, done, LeadActionUndone("lea", at(12), len(before) + 1, "too early")]
    assert case_of(undone) == case_of(before)


def test_a_models_judgements_are_set_against_the_experts_verdicts(cases):
    judged = {"task_1": "pass", "task_2": "pass", "task_3": "reject", "task_4": "human", "task_9": "pass"}
    found = judge_report(judged, cases)
    assert (found["judged"], found["reviewed_too"]) == (5, 4)
    assert {"model": "human", "experts": "faulty", "tasks": 1} in found["table"]
    assert (found["passed_and_sound"]["count"], found["passed_and_sound"]["total"]) == (1, 2)
    assert found["raw_agreement"] == pytest.approx(2 / 3)


def test_a_model_that_judged_nothing_that_was_reviewed_has_no_figures(cases):
    found = judge_report({"task_9": "pass"}, cases)
    assert (found["passed_and_sound"]["value"], found["cohen_kappa"]) == (None, None)
