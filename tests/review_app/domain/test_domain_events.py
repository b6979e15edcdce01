import json
from datetime import UTC, datetime

import pytest
from builders import disputed, finding, in_recheck, proposed, rechecked, reviewed, task_of
from hypothesis import given
from hypothesis import strategies as st

from review_app.domain import events
from review_app.domain.errors import CorruptHistory
from review_app.domain.folding import apply

times = st.datetimes(min_value=datetime(2000, 1, 1), timezones=st.just(UTC))
st.register_type_strategy(datetime, times)


@given(st.one_of([st.from_type(kind) for kind in events.KINDS.values()]))
def test_every_event_comes_back_from_its_payload(event):
    payload = json.loads(json.dumps(events.to_payload(event)))
    assert events.from_payload(type(event).__name__, event.actor, event.at, payload) == event


def test_a_review_of_an_older_ledger_has_no_origins_of_its_rules():
    review = reviewed("ann")
    payload = events.to_payload(review)
    del payload["rules_origins"]
    assert events.from_payload("ReviewSubmitted", "ann", review.at, payload) == review
    assert review.rules_origins == ()


@pytest.mark.parametrize("payload", [{}, {"text": 3, "evidence": []}, {"text": "a", "evidence": [], "more": 1}])
def test_a_payload_that_does_not_fit_is_named(payload):
    with pytest.raises(CorruptHistory, match="MessagePosted"):
        events.from_payload("MessagePosted", "ann", datetime.now(UTC), payload)


def test_an_answer_that_was_sealed_before_its_sql_was_kept_still_reads():
    old = {"answer": "f" * 64, "rows": 1, "columns": 2, "active_seconds": 60}
    event = events.from_payload("AnswerSealed", "ann", datetime.now(UTC), old)
    assert event.derivation == ""


def test_an_unknown_kind_is_named():
    with pytest.raises(CorruptHistory, match="Nonsense"):
        events.from_payload("Nonsense", "ann", datetime.now(UTC), {})


def test_a_revision_is_named_by_its_content():
    task = task_of(disputed())
    after = proposed("ann", task).after
    assert after.digest != task.revision.digest
    assert proposed("bob", task).after.digest == after.digest


def test_findings_stay_when_a_repair_answers_them():
    task = task_of(in_recheck())
    task = apply(task, rechecked("bob", task, confirm=False))
    assert finding("bob-1") in task.findings
    assert [one.id for one in task.open_findings] == ["bob-again-0"]
