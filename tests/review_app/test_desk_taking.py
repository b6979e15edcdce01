"""Taking the next task: fit, order, leases, and eight experts at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from candidates_folder import write_candidates

from review_app.candidates import import_candidates
from review_app.desk import Office
from review_app.domain.errors import NothingFits, NotPossible, ReviewError
from review_app.settings import Settings


@pytest.fixture
def many(office):
    """The same office, where an expert may hold any number of tasks."""
    wide = Settings(var=office.settings.var, max_open_seats=10_000)
    return Office(office.engine, office.blobs, wide, office.clock)


def test_half_done_pairs_come_first(staff, filled):
    filled(3)
    staff.expert("ann").next_task()
    second = staff.expert("ann").next_task()
    staff.expert("ann").return_seat("task_1", "no")
    assert staff.expert("bob").next_task() == second


def test_domain_and_language_must_fit(staff, filled):
    filled(2, domain="stock", language="zh")
    staff.hire("bob", domains=("fund",))
    staff.hire("cho", languages=("en",))
    staff.hire("dan", domains=("stock",), languages=("zh",))
    for login in ("bob", "cho"):
        with pytest.raises(NothingFits):
            staff.expert(login).next_task()
    assert staff.expert("dan").next_task() == "task_1"


def test_a_sibling_is_not_given_to_who_had_the_other(staff, filled):
    filled(2, sibling="the same question")
    staff.expert("ann").next_task()
    with pytest.raises(NothingFits):
        staff.expert("ann").next_task()
    assert staff.expert("bob").next_task() == "task_1"


def test_an_expert_holds_only_so_many_tasks(staff, filled):
    filled(5)
    ann = staff.expert("ann")
    for _ in range(3):
        ann.next_task()
    with pytest.raises(NotPossible, match="3 unfinished"):
        ann.next_task()


def test_a_lease_that_ran_out_frees_the_seat_for_the_next(staff, filled, clock):
    filled()
    for login in ("ann", "bob"):
        staff.expert(login).next_task()
    with pytest.raises(NothingFits):
        staff.expert("cho").next_task()
    clock.forward(hours=25)
    assert staff.expert("cho").next_task() == "task_1"


def test_an_extended_lease_holds(staff, filled, clock):
    filled()
    for login in ("ann", "bob"):
        staff.expert(login).next_task()
    clock.forward(hours=20)
    for login in ("ann", "bob"):
        staff.expert(login).extend_lease("task_1")
    clock.forward(hours=20)
    with pytest.raises(NothingFits):
        staff.expert("cho").next_task()


def test_an_expert_whose_lease_ran_out_may_still_seal_while_nobody_took_the_seat(staff, filled, clock):
    from evaluator.tables import Table

    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    clock.forward(hours=99)
    ann.seal(task_id, Table(("a",), (("1",),)))
    assert ann.view(task_id).answer is not None


def test_the_empty_page_says_nothing_about_others(staff, filled):
    filled()
    for login in ("ann", "bob"):
        staff.expert(login).next_task()
    with pytest.raises(NothingFits) as refused:
        staff.expert("cho").next_task()
    assert str(refused.value) == "no task fits your domains and languages now; look again later"


def test_a_lead_assigns_and_frees_a_seat(staff, filled):
    filled()
    staff.lead().assign("task_1", staff.id("ann"))
    assert staff.expert("ann").my_tasks()[0].task_id == "task_1"
    staff.lead().vacate("task_1", staff.id("ann"), "ill")
    assert staff.expert("ann").my_tasks() == []


def test_eight_experts_at_once_get_each_seat_once(many, staff, tmp_path):
    """500 tasks, 1,000 seats: none is given twice, and nobody gets a task twice."""
    import_candidates(many, write_candidates(tmp_path / "many", 500))
    staff.office = many
    desks = [staff.expert(f"expert{number}") for number in range(8)]

    def drain(desk):
        taken = []
        while True:
            try:
                taken.append(desk.next_task())
            except NothingFits:
                return taken

    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(drain, desks))
    assert all(len(set(tasks)) == len(tasks) for tasks in taken)
    given = [task for tasks in taken for task in tasks]
    assert {given.count(f"task_{number}") for number in range(1, 501)} == {2}


def test_two_leads_at_once_do_not_give_one_person_two_siblings(staff, filled):
    filled(2, sibling="the same question")
    ann, leads = staff.id("ann"), (staff.lead("lea"), staff.lead("mo"))

    def assign(number):
        try:
            leads[number].assign(f"task_{number + 1}", ann)
        except ReviewError:
            return 0
        return 1

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(assign, (0, 1))) == 1
