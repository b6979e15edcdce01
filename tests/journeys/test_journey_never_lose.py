"""Nothing that an expert enters is lost: a killed server, an ended sign-in, two windows, a double click."""

import sqlite3
import time

import pytest
from candidates_folder import GOLD, write_candidates

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("never_lose")]

TASK = "task_1"
SQL = "SELECT name FROM fund"


@pytest.fixture
def ann(system, tmp_path):
    """Ann at her first task."""
    system.add("ann", "expert")
    system.command("import", write_candidates(tmp_path / "candidates", 1))
    person = system.sign_in("ann")
    person.open("my-tasks")
    person.press("next")
    return person


def box(person):
    return person.page.locator(f".st-key-writer-{TASK}-sql textarea").first


def open_sql(person):
    person.page.get_by_text("Ask the workspace in SQL").first.click()
    person.settle()


def paste(person, text):
    person.choose(f"way-{TASK}", "Paste")
    person.write(TASK, "pasted", text)
    person.click("Take this as my answer")


def end_sign_ins(system):
    with sqlite3.connect(system.var / "review.db") as connection:
        connection.execute("UPDATE sign_in SET expires_at = '2000-01-01 00:00:00.000000'")
    connection.close()


def test_what_was_entered_survives_the_server_the_sign_in_and_other_windows(system, ann):
    paste(ann, GOLD.decode())
    ann.sees("2 rows, 2 columns")
    open_sql(ann)
    box(ann).type(SQL)  # and no key after it: nothing is pressed, nothing is left
    ann.page.wait_for_timeout(1_500)

    system.kill("serve")
    ann.page.wait_for_timeout(500)
    system.start("serve")
    ann.page.reload()
    ann.settle()
    ann.sees("2 rows, 2 columns")
    open_sql(ann)
    assert box(ann).input_value() == SQL

    end_sign_ins(system)
    ann.press(f"sql-run-{TASK}")
    ann.page.goto(f"{system.address}/task?task={TASK}")
    again = ann.page
    again.fill("#login", "ann")
    again.fill("#password", system.passwords["ann"])
    again.click("button[type=submit]")
    ann.settle()
    assert f"task={TASK}" in again.url
    ann.sees("2 rows, 2 columns")

    second = ann.context.new_page()
    second.goto(f"{system.address}/task?task={TASK}")
    second.get_by_text("This task is open in another window of yours").wait_for(timeout=60_000)
    second.close()

    ann.tick(f"sure-{TASK}")
    ann.page.locator(".st-key-seal button").dblclick()
    ann.settle()
    ann.sees("How the two compare")
    assert ann.page.locator('[data-testid="stAlertContentError"]').count() == 0


def test_two_windows_that_type_the_same_text_keep_both(system, ann):
    open_sql(ann)
    first, second = ann.page, ann.context.new_page()
    second.goto(f"{system.address}/task?task={TASK}")
    second.get_by_text("This task is open in another window of yours").wait_for(timeout=60_000)
    second.get_by_text("Ask the workspace in SQL").first.click()
    there = second.locator(f".st-key-writer-{TASK}-sql textarea").first
    there.fill("SELECT 2")
    there.blur()
    second.get_by_text("saved").first.wait_for()
    box(ann).fill("SELECT 1")
    box(ann).blur()
    ann.sees("Another window of yours saved this text meanwhile.")
    ann.sees("SELECT 1")
    assert box(ann).input_value() == "SELECT 2"
    ann.press(f"writer-{TASK}-sql-mine")
    assert box(ann).input_value() == "SELECT 1"
    first.reload()
    ann.settle()
    open_sql(ann)
    assert box(ann).input_value() == "SELECT 1"


def test_what_is_typed_while_the_line_is_down_is_saved_when_it_is_back(system, ann):
    open_sql(ann)
    box(ann).fill("SELECT")
    box(ann).blur()
    ann.settle()
    system.kill("serve")
    box(ann).fill(SQL)  # nobody hears it
    ann.page.wait_for_timeout(1_500)
    system.start("serve")
    ann.page.wait_for_timeout(1_000)
    assert box(ann).input_value() == SQL
    deadline = time.monotonic() + 60
    while SQL not in drafts(system):
        assert time.monotonic() < deadline, drafts(system)
        time.sleep(0.5)


def drafts(system) -> set[str]:
    with sqlite3.connect(system.var / "review.db") as connection:
        found = {body for (body,) in connection.execute("SELECT body FROM draft")}
    connection.close()
    return found
