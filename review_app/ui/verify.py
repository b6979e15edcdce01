"""After the seal: the gold, the diff of the own answer with it, and the review: verdict, findings, rules."""

import json
from dataclasses import asdict
from functools import partial

import streamlit as st

from evaluator.tables import Table
from review_app import rules_draft
from review_app.comparing import rules_from
from review_app.desk import verifying
from review_app.domain.blindness import View
from review_app.domain.content import Evidence, Finding, FindingKind, Part, Verdict
from review_app.drafts import Receipt
from review_app.rules_draft import RulesDraft
from review_app.ui import derivation, diff_view, examples, rules_entry
from review_app.ui.bench import expert_bench
from review_app.ui.diff_words import Two
from review_app.ui.findings import add_finding, finding_lines
from review_app.ui.frames import plain_table
from review_app.ui.page import Page, act, refusals
from review_app.ui.rules_form import rules_lines

FINDINGS, VERDICT = "findings", "verdict"
NO_DRAFT = Receipt("", 0, None)


def render(page: Page, view: View) -> None:
    """Draw gold, diff and review form."""
    assert view.revealed is not None
    gold = page.expert.gold(view.task_id)
    answer_tab, gold_tab, sql_tab = st.tabs(
        [page.t("Your answer"), page.t("Gold"), page.t("Gold SQL")], key=f"tables-{view.task_id}"
    )
    with gold_tab:
        plain_table(gold.header, gold.rows)
    with answer_tab:
        answer = page.expert.my_answer(view.task_id)
        plain_table(answer.header, answer.rows)
        derivation.draw(page, page.expert.derivation(view.task_id))
    with sql_tab:
        st.code(page.expert.gold_sql(view.task_id), language="sql", wrap_lines=True)
    st.subheader(page.t("How the two compare"))
    place = st.container()
    st.subheader(page.t("Rules"))
    st.caption(page.t("How an answer is compared with the gold. Set each field as you think right."))
    draft = rules_entry.draw(page, view.task_id, gold)
    examples.draw(page, view.task_id, gold, draft)
    with place, refusals(page):
        _compared(page, view, (gold, answer), draft)
    _review(page, view, draft)


def _compared(page: Page, view: View, both: tuple[Table, Table], draft: RulesDraft) -> None:
    """Draw the own answer against the gold under the rules so far; what is not set is compared as it is written."""
    gold, answer = both
    rules = rules_draft.finished(draft, view.task_id, gold.header)
    finished = rules is not None
    if rules is None:
        rules = verifying.rules_so_far(gold, draft, view.task_id)
        st.caption(page.t("Your rules are not complete. Until they are, what they leave open is compared as text."))
    two = Two(gold, answer, rules, page.t("the gold"), page.t("your answer"))
    diff = page.expert.diff(view.task_id, rules)
    diff_view.draw(page, diff, two, f"diff-{view.task_id}", finished=finished)


def _review(page: Page, view: View, draft_rules: RulesDraft) -> None:
    st.subheader(page.t("Findings"))
    draft = page.expert.drafts(view.task_id).get(FINDINGS, NO_DRAFT)
    findings = _read(draft.body)
    _kept(page, view.task_id, findings, draft)
    add_finding(
        expert_bench(page, view),
        f"finding-{view.task_id}",
        lambda fresh: _save(page, view.task_id, (*findings, fresh), draft),
    )
    st.subheader(page.t("Your verdict on the gold"))
    verdicts = list(Verdict)
    kept = page.expert.drafts(view.task_id).get(VERDICT, NO_DRAFT)
    verdict = st.radio(
        page.t("Verdict"),
        verdicts,
        index=verdicts.index(Verdict(kept.body)) if kept.body else None,
        format_func=page.word,
        captions=[
            page.t("Question and gold are right as they are."),
            page.t("Worth keeping after a repair; say what is wrong in a finding."),
            page.t("Not worth keeping; say why in a finding."),
        ],
        key=f"verdict-{view.task_id}",
        horizontal=True,
        on_change=partial(_keep_verdict, page, view.task_id, kept.version),
    )
    label = page.t("Submit the review")
    if st.button(label, key="submit-review", type="primary", disabled=verdict is None, shortcut="Alt+Enter"):
        assert verdict is not None
        act(page, partial(verifying.hand_in, page.expert, view.task_id, verdict, findings, draft_rules))


def _keep_verdict(page: Page, task_id: str, read_version: int) -> None:
    with refusals(page):
        page.expert.save_draft(task_id, VERDICT, str(st.session_state[f"verdict-{task_id}"]), read_version)


def _kept(page: Page, task_id: str, findings: tuple[Finding, ...], draft: Receipt) -> None:
    if not findings:
        st.caption(page.t("No finding yet. If your answer differs by your own mistake, add one of kind “own error”."))
        return
    st.caption(page.t("Draft saved {time}", time=page.clock(draft.at)))
    for place, finding in enumerate(findings):
        with st.container(border=True):
            finding_lines(page, (finding,))
            if st.button(page.t("Take away"), key=f"drop-{task_id}-{place}", icon=":material/delete:"):
                act(page, partial(_save, page, task_id, findings[:place] + findings[place + 1 :], draft))


def _save(page: Page, task_id: str, findings: tuple[Finding, ...], draft: Receipt) -> None:
    body = json.dumps([asdict(finding) for finding in findings], ensure_ascii=False)
    page.expert.save_draft(task_id, FINDINGS, body, draft.version)


def _read(body: str) -> tuple[Finding, ...]:
    found = []
    for values in json.loads(body or "[]"):
        evidence = tuple(Evidence(**one) for one in values["evidence"])
        found.append(Finding("", Part(values["part"]), FindingKind(values["kind"]), values["text"], evidence))
    return tuple(found)


def own_review(page: Page, view: View) -> None:
    """Draw the own submitted review."""
    assert view.review is not None and view.answer is not None
    st.markdown(f"**{page.t('Your verdict on the gold')}:** {page.word(view.review.verdict)}")
    finding_lines(page, view.review.findings)
    if view.review.rules:
        with st.expander(page.t("Your rules")):
            rules_lines(page, rules_from(view.review.rules))
    answer = page.expert.my_answer(view.task_id)
    st.markdown(f"**{page.t('Your answer')}**")
    plain_table(answer.header, answer.rows)
    derivation.draw(page, page.expert.derivation(view.task_id))
