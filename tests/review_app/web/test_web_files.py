"""Workspace files by task and role; gold and what else is private has no address."""

import io
import zipfile

import pytest

from review_app.domain.content import Verdict

CONTEXT = ["task_1/context/fund.csv", "task_1/context/notes.md"]
PRIVATE = [
    "private/gold.csv",
    "private/gold.sql",
    "private/rules.json",
    "private/provenance.json",
    "private/sampled.sqlite",
    "context/gold.csv",
    "context/../private/gold.csv",
    "context/..%2Fprivate%2Fgold.csv",
    "context/%2e%2e/private/gold.csv",
    "context//etc/passwd",
    "context/%2Fetc%2Fpasswd",
    "context/../../../../../etc/passwd",
    "context/fund.csv%00.md",
    "context/fund.csv/",
    "context/",
    "context/FUND.CSV",
    "gold.csv",
    "task.json",
]


@pytest.fixture
def seated(house):
    house.seat("ann", "bob")
    return house


def test_who_holds_a_seat_gets_the_file(seated, person):
    answer = person("ann").get("/files/task_1/context/fund.csv")
    assert (answer.status_code, answer.content[:9]) == (200, b"name,size")


def test_an_expert_without_a_seat_learns_no_more_than_of_a_missing_task(seated, person):
    cho = person("cho")
    for rest in ("context/fund.csv", "all.zip"):
        there, missing = (cho.get(f"/files/{task}/{rest}") for task in ("task_1", "task_99"))
        assert there.status_code == missing.status_code == 404
        assert there.text.replace("task_1", "task_99") == missing.text
        assert dict(there.headers) | {"content-length": ""} == dict(missing.headers) | {"content-length": ""}


def test_a_seat_given_back_closes_the_files(seated, person):
    seated.expert("ann").return_seat("task_1", "no time")
    assert person("ann").get("/files/task_1/context/fund.csv").status_code == 404
    assert person("bob").get("/files/task_1/context/fund.csv").status_code == 200


def test_a_lead_gets_every_tasks_files(house, person):
    for task in ("task_1", "task_2"):
        assert person("lea").get(f"/files/{task}/context/fund.csv").status_code == 200
    assert person("lea").get("/files/task_99/context/fund.csv").status_code == 404


@pytest.mark.parametrize("login", ["ada", "bea"])
def test_admins_and_builders_get_no_files(house, person, login):
    for task in ("task_1", "task_99"):
        assert person(login).get(f"/files/{task}/all.zip").status_code == 404


@pytest.mark.parametrize("login", ["ann", "lea"])
@pytest.mark.parametrize("path", PRIVATE)
def test_what_is_private_has_no_address(seated, person, login, path):
    answer = person(login).get(f"/files/task_1/{path}")
    assert answer.status_code == 404
    assert b"12.5" not in answer.content


def test_the_gold_has_no_address_after_everybody_saw_it_either(seated, person):
    seated.review("ann")
    seated.review("bob", Verdict.REVISE)
    for login in ("ann", "lea"):
        assert person(login).get("/files/task_1/private/gold.csv").status_code == 404


@pytest.mark.parametrize("path", [*CONTEXT, "task_1/all.zip"])
def test_files_are_shut_in_and_never_kept(seated, person, path):
    headers = person("ann").get(f"/files/{path}").headers
    assert headers["content-security-policy"] == "sandbox"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "private, no-store"
    assert headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize("login", ["ann", "lea"])
def test_the_zip_holds_the_workspace_and_nothing_else(seated, person, login):
    answer = person(login).get("/files/task_1/all.zip")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.namelist() == CONTEXT
    assert archive.read(CONTEXT[0]) == b"name,size\nAlpha,12.5\nBeta,7.25\n"
    assert b"SELECT" not in answer.content


def test_ranges_of_a_file_are_served(seated, person):
    answer = person("ann").get("/files/task_1/context/fund.csv", headers={"range": "bytes=5-8"})
    assert (answer.status_code, answer.content) == (206, b"size")


@pytest.mark.parametrize("number", ["0", "-1", "x", "", "٣", "9" * 5000])
@pytest.mark.parametrize("part", ["page", "captions"])
def test_a_part_that_a_file_has_not_is_not_found(seated, person, part, number):
    answer = person("ann").get(f"/files/task_1/context/fund.csv?{part}={number}")
    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "private, no-store"


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_files_are_only_read(seated, person, method):
    assert getattr(person("ann"), method)("/files/task_1/context/fund.csv").status_code == 405


def test_readiness_says_when_the_database_is_gone(house, client):
    assert client().get("/readyz").status_code == 200
    house.office.engine.dispose()
    (house.folder / "review.db").unlink()
    house.folder.rename(house.folder.with_name("gone"))
    answer = client().get("/readyz")
    assert (answer.status_code, answer.text) == (503, "the database does not answer")
    assert client().get("/healthz").status_code == 200
