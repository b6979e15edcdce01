"""Every page for its role, in both languages, at every step of a task."""

import pytest
from screens import WRONG, House, keys, problems

from review_app import accounts
from review_app.domain.content import Verdict


def queued(house: House):
    pass


def seated(house: House):
    house.seat("ann", "bob")


def drafted(house: House):
    seated(house)
    house.expert("ann").save_draft("task_1", "answer", "name,size\nAlpha,1\n", 0)


def sealed(house: House):
    seated(house)
    house.expert("ann").seal("task_1", WRONG)


def waiting(house: House):
    seated(house)
    house.review("ann", Verdict.REVISE, WRONG)


def disputed(house: House):
    house.dispute()
    house.lead().post_message("task_1", "please look again")


def proposed(house: House):
    house.dispute()
    house.propose()


def proposed_by_lead(house: House):
    house.dispute()
    house.lead().propose_repair("task_1", house.change(question="Which funds are there, in dollars?"))


def in_recheck(house: House):
    proposed(house)
    house.accept()


def confirmed_once(house: House):
    in_recheck(house)
    house.expert("ann").recheck("task_1", house.digest(), confirm=True)


def approved(house: House):
    house.seat("ann", "bob")
    house.review("ann")
    house.review("bob")


def removed(house: House):
    house.dispute()
    house.lead().remove("task_1", "nobody would ask this")


def unblinded(house: House):
    waiting(house)
    house.lead().unblind("task_1", "emergency")


WORKSPACE = {"file-task_1"}
SEND = {"send-task_1-all"}
REPAIR = {
    "repair-category-task_1",
    "repair-rules-on-task_1",
}
REASON = "writer-task_1-{}-reason"
SITUATIONS = [
    ("ann", "", queued, {"next"}),
    ("ann", "", seated, {"next", "open-task_1"}),
    ("ann", "", waiting, {"next", "open-task_1"}),
    ("ann", "", approved, {"next", "open-task_1"}),
    ("ann", "my-numbers", approved, set()),
    ("ann", "task", seated, WORKSPACE | {"way-task_1", "upload-task_1", "extend", "give-back"}),
    ("ann", "task", drafted, WORKSPACE | {"sure-task_1", "seal"}),
    (
        "ann",
        "task",
        sealed,
        WORKSPACE | {"verdict-task_1", "submit-review", "rules-task_1-order", "finding-task_1-add"},
    ),
    ("ann", "task", waiting, WORKSPACE),
    ("ann", "task", disputed, WORKSPACE | SEND | REPAIR),
    ("ann", "task", proposed, WORKSPACE | SEND),
    ("bob", "task", proposed, WORKSPACE | SEND | {REASON.format("withdraw")}),
    ("ann", "task", proposed_by_lead, WORKSPACE | SEND | {REASON.format("accept")}),
    ("ann", "task", in_recheck, WORKSPACE | SEND),
    ("ann", "task", confirmed_once, WORKSPACE | SEND),
    ("ann", "task", approved, WORKSPACE),
    ("ann", "task", removed, WORKSPACE),
    ("lea", "", queued, {"state", "domain", "language", "expert", "order", "search"}),
    ("lea", "review", queued, WORKSPACE | {"assign-who", "assign", REASON.format("remove")}),
    (
        "lea",
        "review",
        sealed,
        WORKSPACE | {"sql-run-task_1", "vacate-who", REASON.format("vacate"), REASON.format("unblind")},
    ),
    ("lea", "review", disputed, WORKSPACE | SEND | REPAIR | {REASON.format("settle"), REASON.format("fresh")}),
    ("lea", "review", proposed, WORKSPACE | SEND | {REASON.format("accept"), REASON.format("decline")}),
    ("lea", "review", proposed_by_lead, WORKSPACE | SEND | {REASON.format("decline")}),
    ("lea", "review", in_recheck, WORKSPACE | SEND | {REASON.format("fresh"), REASON.format("undo")}),
    ("lea", "review", approved, WORKSPACE | {REASON.format("reopen"), REASON.format("remove")}),
    ("lea", "review", removed, WORKSPACE | {REASON.format("reopen"), REASON.format("undo")}),
    ("lea", "review", unblinded, WORKSPACE),
    ("lea", "agreement", queued, set()),
    ("lea", "agreement", disputed, {"agreement-html"}),
    ("lea", "work", queued, {"build-name", "import-name", "release-name"}),
    ("ada", "", queued, {"new-login", "new-name", "new-password", "new-roles", "active-login"}),
    ("bea", "", queued, set()),
]


def speak(house, login, locale):
    with house.office.write() as session:
        accounts.set_locale(session, house.ids[login], locale)


@pytest.mark.parametrize(
    ("login", "page", "situation", "expected"),
    SITUATIONS,
    ids=[f"{login}-{page or 'first'}-{situation.__name__}" for login, page, situation, _ in SITUATIONS],
)
def test_a_page_is_drawn_in_both_languages_with_its_widgets(house, login, page, situation, expected):
    situation(house)
    texts = {}
    for locale in ("en", "zh"):
        speak(house, login, locale)
        at = house.screen(login, page, "task_1" if page in ("task", "review") else "")
        assert problems(at) == []
        assert {*expected, "locale"} - keys(at) == set()
        texts[locale] = words(at)
    assert texts["en"] != texts["zh"]


def words(at):
    return [element.value for element in (*at.title, *at.subheader, *at.caption, *at.info, *at.markdown)]


@pytest.mark.parametrize(("login", "page"), [("ann", "task"), ("lea", "review")])
def test_a_tasks_page_without_a_task_says_where_to_open_one(house, login, page):
    at = house.screen(login, page)
    assert problems(at) == []
    assert "Open a task from" in at.info[0].value


@pytest.mark.parametrize(("login", "page"), [("ann", "task"), ("lea", "review")])
@pytest.mark.parametrize("task", ["task_99", "../../etc", "<script>", "![](http://x)"])
def test_a_tasks_page_with_another_task_says_that_there_is_none(house, login, page, task):
    at = house.screen(login, page, task)
    assert not at.exception
    assert len(at.error) == 1


def test_the_language_is_changed_with_one_button(house):
    at = house.screen("ann")
    assert at.title[0].value == "My tasks"
    at.button(key="locale").click().run()
    assert at.title[0].value == "我的任务"
    at.button(key="locale").click().run()
    assert at.title[0].value == "My tasks"


def test_the_sidebar_says_who_is_signed_in_and_as_what(house):
    assert house.screen("lea").sidebar.caption[0].value == "Lea · lead"
