"""Who gets which page, also by its address; and what happens when a sign-in ends while a page is open."""

import inspect

import pytest
from screens import RIGHT, keys
from sqlmodel import Session, func, select
from streamlit.testing.v1 import AppTest

from db.tables import Claim, Draft, LedgerEntry
from review_app.accounts import NewAccount
from review_app.desk import AdminDesk, ExpertDesk, LeadDesk
from review_app.desk import admin as everybody
from review_app.domain.errors import NotAllowed, SignedOut
from review_app.domain.people import Role
from review_app.ui.frame import HIDDEN, SCREENS
from review_app.ui.page import Page

ROLES = {name: role for name, _, _, role, _ in SCREENS}
TITLES = {name: title for name, title, *_ in SCREENS}
WITH = {Role.EXPERT: "ann", Role.LEAD: "lea", Role.ADMIN: "ada", Role.BUILDER: "bea"}
WITHOUT = [(name, login) for name, role in ROLES.items() for other, login in WITH.items() if other is not role]


@pytest.fixture
def seated(house):
    house.seat("ann", "bob")
    return house


@pytest.mark.parametrize("name", ROLES)
def test_a_page_is_there_for_its_role(seated, sent, name):
    at = seated.screen(WITH[ROLES[name]], name, "task_1" if name in HIDDEN else "")
    assert not at.exception
    assert f'page_name: "{TITLES[name]}"' in "".join(sent())


@pytest.mark.parametrize(("name", "login"), WITHOUT)
def test_a_page_reached_by_its_address_is_not_there_for_others(seated, sent, name, login):
    task = "task_1" if name in HIDDEN else ""
    found = []
    for address in (name, ""):
        assert not seated.screen(login, address, task).exception
        found.append(sent())
    assert found[0] == found[1]
    assert f'page_name: "{TITLES[name]}"' not in "".join(sent())


@pytest.mark.parametrize("name", ["", *ROLES, "start", "nothing"])
def test_a_stranger_gets_no_page(seated, sent, name):
    at = seated.screen("nobody", name, "task_1")
    assert keys(at) == set()
    (refusal,) = at.error
    assert refusal.value.startswith("your sign\\-in has ended\\; sign in again\\. Your drafts are kept")
    assert "task_1" not in "".join(sent())


@pytest.mark.parametrize("login", ["ann", "lea"])
def test_a_file_beside_the_script_is_no_page(seated, login):
    at = seated.screen(login)
    with pytest.raises(ValueError, match="navigation page"):
        at.switch_page("ui/work.py")


def test_an_expert_opens_no_task_of_others(seated):
    at = seated.screen("cho", "task", "task_1")
    assert keys(at) == {"locale"}
    missing = seated.screen("cho", "task", "task_99")
    assert at.error[0].value.replace("1", "99") == missing.error[0].value


OPEN_TO = {ExpertDesk: "ann", LeadDesk: "lea", AdminDesk: "ada"}
METHODS = [
    (desk, name)
    for desk in OPEN_TO
    for name, _ in inspect.getmembers(desk, inspect.isfunction)
    if not name.startswith("_")
]


def call(house, desk, name, login):
    """Call a desk's method with arguments of the right number: texts, for want of anything better."""
    method = getattr(desk(house.office, house.viewer(login)), name)
    needed = [one for one in inspect.signature(method).parameters.values() if one.default is one.empty]
    return method(*[ARGUMENTS.get(one.name, "task_1") for one in needed])


ARGUMENTS = {
    "answer": RIGHT,
    "new": NewAccount("eve", "Eve", "long enough a word", (Role.ADMIN,)),
    "active": False,
    "read_version": 0,
    "version": 1,
    "findings": (),
    "rules": None,
    "replies": (),
    "states": (),
}


@pytest.mark.parametrize(("desk", "name"), METHODS, ids=[f"{desk.__name__}.{name}" for desk, name in METHODS])
def test_a_desk_refuses_who_lacks_the_role_and_stores_nothing(seated, desk, name):
    before = stored(seated)
    for login in {"ann", "lea", "ada", "bea"} - {OPEN_TO[desk]}:
        with pytest.raises(NotAllowed):
            call(seated, desk, name, login)
    everybody.sign_out(seated.office, seated.viewer(OPEN_TO[desk]))
    with pytest.raises(SignedOut):
        call(seated, desk, name, OPEN_TO[desk])
    assert stored(seated) == before


def stored(house):
    """How much there is of what a button can store."""
    with Session(house.office.engine) as session:
        return [session.exec(select(func.count()).select_from(table)).one() for table in (LedgerEntry, Draft, Claim)]


def ends_sign_in(house, login):
    everybody.sign_out(house.office, house.viewer(login))


def disables(house, login):
    house.admin().set_active(login, active=False)


@pytest.mark.parametrize("ended", [ends_sign_in, disables])
@pytest.mark.parametrize(
    ("login", "page", "button"),
    [
        ("ann", "task", "extend"),
        ("ann", "my-tasks", "next"),
        ("lea", "review", "assign"),
        ("ann", "my-tasks", "locale"),
    ],
)
def test_after_the_sign_in_ended_the_next_press_is_refused_and_stores_nothing(house, login, page, button, ended):
    house.seat("ann")
    at = house.screen(login, page, "task_1" if page in HIDDEN else "")
    before = stored(house)
    ended(house, login)
    at.button(key=button).click().run()
    assert not at.exception
    assert "sign\\-in has ended" in at.error[0].value
    assert stored(house) == before
    assert keys(at) == set()


def test_a_form_sent_after_the_sign_in_ended_is_refused_and_stores_nothing(seated):
    at = seated.screen("ann", "task", "task_1")
    at.segmented_control(key="way-task_1").set_value("Grid").run()
    at.text_input(key="names-task_1").set_value("name, size")
    before = stored(seated)
    ends_sign_in(seated, "ann")
    at.button(key="FormSubmitter:columns-task_1-Start a grid with these columns").click().run()
    assert "sign\\-in has ended" in at.error[0].value
    assert stored(seated) == before


def test_the_part_of_a_page_that_runs_by_itself_says_that_the_sign_in_ended(house):
    def part(page):
        from review_app.ui import work

        work._requests(page)

    page = Page(house.office, house.viewer("lea"), everybody.me(house.office, house.viewer("lea")), {})
    ends_sign_in(house, "lea")
    at = AppTest.from_function(part, args=(page,)).run()
    assert not at.exception
    assert "sign\\-in has ended" in at.error[0].value
