"""A workspace of a long table, by keyboard: found, opened, asked in SQL with completed names, taken as the answer."""

import csv
import hashlib
import io
import json

import pytest
from candidates_folder import write_candidates

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("workspace")]

TASK = "task_1"
ROWS = 60_000
LAST = "the very last name"
ENDLESS = "SELECT count(*) FROM range(100000000000) a, range(1000000) b"


def long_table():
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["代码", "名称", "amount"])
    writer.writerows((f"{row:06d}", LAST if row == ROWS - 1 else f"name {row}", row) for row in range(ROWS))
    return out.getvalue().encode()


def candidates(folder):
    """One candidate with a long table beside its other files."""
    out = write_candidates(folder, 1)
    home = out / TASK
    (home / "context" / "交易.csv").write_bytes(long_table())
    provenance = json.loads((home / "private" / "provenance.json").read_text())
    provenance["workspace"].append({"path": "交易.csv", "modality": "csv", "tables": ["交易"]})
    (home / "private" / "provenance.json").write_text(json.dumps(provenance))
    manifest = json.loads((out / "manifest.json").read_text())
    files = [path for path in home.rglob("*") if path.is_file()]
    digests = {str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    manifest["tasks"][0]["files"] = digests
    (out / "manifest.json").write_text(json.dumps(manifest))
    return out


@pytest.fixture
def ann(system, tmp_path):
    """Ann at her first task; `received` counts what the page's socket brought."""
    system.add("ann", "expert")
    system.command("import", candidates(tmp_path / "candidates"))
    person = system.sign_in("ann")
    person.received = []
    person.page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda frame: person.received.append(len(frame)))
    )
    person.open("my-tasks")
    person.press("next")
    return person


def box(person):
    return person.page.locator(f".st-key-writer-{TASK}-sql textarea").first


def run(person, sql):
    box(person).fill(sql)
    box(person).press("Control+Enter")


def open_file(person, text):
    person.fill(f"search-files-{TASK}", text)
    person.page.locator(f".st-key-hit-{TASK}-0 button").click()
    person.settle()


def test_a_long_table_is_found_asked_and_taken_as_the_answer(system, ann):
    open_file(ann, LAST)
    ann.sees("60,000 rows")
    assert ann.page.locator("[class*=st-key-page-] input").first.input_value() == "300"
    ann.sees(f"Cite row {ROWS + 1}")
    ann.shoot("workspace-table")
    assert sum(ann.received) < len(long_table()) / 2

    ann.page.get_by_text("Ask the workspace in SQL").first.click()
    box(ann).fill("SELECT ")
    box(ann).press_sequentially("名", delay=30)
    ann.page.get_by_role("option").filter(has_text="名称").first.wait_for()
    box(ann).press("Tab")
    box(ann).press_sequentially(" FROM 交", delay=30)
    box(ann).press("Tab")
    assert box(ann).input_value() == 'SELECT "名称" FROM "交易"'

    run(ann, ENDLESS)
    ann.press(f"sql-cancel-{TASK}")
    ann.sees("The query was cancelled.")

    run(ann, 'SELECT t."名称", t.amount FROM "交易" t WHERE t.amount >= 59998 ORDER BY t.amount')
    ann.sees("2 rows in")
    ann.shoot("workspace-sql")

    run(ann, 'SELECT t."名称", t.amount FROM "交易" t, range(2) ORDER BY t.amount LIMIT 100000')
    ann.sees("100,000 rows in")
    before = sum(ann.received)
    ann.press(f"sql-use-{TASK}")
    ann.sees("The SQL that gave this table")
    ann.sees("100,000 rows")
    assert sum(ann.received) - before < 500_000  # the rows stay on the server
    ann.tick(f"sure-{TASK}")
    ann.press("seal")
    ann.sees("How the two compare")
    ann.sees("The SQL that gave this table")
