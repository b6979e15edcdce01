"""The gate: no live sign-in, no page, socket, upload or file; and who somebody is comes from the cookie alone."""

import json

import pytest
from screens import PASSWORD
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from review_app.accounts import hash_token
from review_app.desk import admin as everybody
from review_app.web.gate import COOKIE, HEADERS, token_hash_of

PAGE = {"accept": "text/html"}
CLOSED = ["/", "/task", "/whoami", "/files/task_1/all.zip", "/media/any.csv", "/_stcore/metrics", "/nowhere"]
OPEN = ["/sign-in", "/healthz", "/readyz", "/_stcore/health"]


@pytest.mark.parametrize("path", CLOSED)
def test_a_stranger_gets_nothing(client, path):
    assert client().get(path).status_code == 401


@pytest.mark.parametrize("path", [path for path in CLOSED if path != "/_stcore/metrics"])
def test_a_strangers_browser_is_sent_to_the_sign_in_page(client, path):
    answer = client().get(path, headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/sign-in?next={path}")


def test_after_the_sign_in_the_same_task_is_open(client):
    location = client().get("/task?task=task_1", headers=PAGE).headers["location"]
    assert 'value="/task?task=task_1"' in client().get(location).text


@pytest.mark.parametrize("path", OPEN)
def test_the_way_in_and_health_are_open(client, path):
    assert client().get(path).status_code == 200


@pytest.mark.parametrize("path", ["/sign-in/", "/healthz/../task", "/_stcore/health/../metrics", "//healthz/x"])
def test_a_path_that_only_begins_like_an_open_one_is_closed(client, path):
    assert client().get(path).status_code in (401, 404)


@pytest.mark.parametrize("token", ["", "x", "0" * 64])
def test_a_cookie_that_names_no_sign_in_opens_nothing(client, token):
    assert client(token).get("/whoami").status_code == 401


def test_the_stored_name_of_a_token_is_no_cookie(client, house):
    assert client(hash_token(house.tokens["ann"])).get("/whoami").status_code == 401


def test_an_upload_needs_a_sign_in(client, person):
    path = "/_stcore/upload_file/one/two"
    assert client().put(path, content=b"x").status_code == 401
    assert client().delete(path).status_code == 401
    assert person("ann").put(path, content=b"x").status_code == 200


def refused(client, **more):
    with (
        pytest.raises((WebSocketDisconnect, WebSocketDenialResponse)),
        client.websocket_connect("/_stcore/stream", **more),
    ):
        pass
    return True


def test_a_strangers_websocket_is_closed(client):
    assert refused(client())
    assert refused(client(), headers={"x-review-sign-in": "0" * 64, "x-review-account": "x"})


def test_a_websocket_knows_who_opened_it(person, house):
    with person("ann").websocket_connect("/_stcore/stream", headers={"X-Review-Account": "lea"}) as socket:
        assert json.loads(socket.receive_text()) == identity(house, "ann")


def identity(house, login):
    return {"x-review-sign-in": hash_token(house.tokens[login]), "x-review-account": house.ids[login]}


@pytest.mark.parametrize("name", ["x-review-account", "X-Review-Account", "X-REVIEW-SIGN-IN", "x-review-other"])
def test_identity_headers_of_a_client_are_dropped(person, house, name):
    assert person("ann").get("/whoami", headers={name: house.ids["lea"]}).json() == identity(house, "ann")


def test_identity_headers_do_not_reach_open_paths_either(client, house):
    assert client().get("/sign-in", headers=identity(house, "lea")).status_code == 200
    assert client().get("/whoami", headers=identity(house, "lea")).status_code == 401


def test_the_gate_closes_with_the_sign_in(person, house):
    ann = person("ann")
    everybody.sign_out(house.office, house.viewer("ann"))
    assert ann.get("/whoami").status_code == 401
    assert refused(ann)


def test_the_gate_closes_when_the_account_is_disabled(person, house):
    house.admin().set_active("ann", active=False)
    assert person("ann").get("/whoami").status_code == 401


def test_metrics_are_closed_to_everybody(person):
    for login in ("ann", "lea", "ada"):
        assert person(login).get("/_stcore/metrics", headers=PAGE).status_code == 401


@pytest.mark.parametrize("login", [None, "ann"])
@pytest.mark.parametrize("path", [*CLOSED, *OPEN])
def test_security_headers_are_on_every_answer(client, house, path, login):
    answer = client(house.tokens.get(login)).get(path, headers=PAGE)
    for name, value in HEADERS.items():
        assert answer.headers[name] in (value, "sandbox"), name


def test_the_policy_loads_nothing_from_elsewhere_and_runs_no_inline_script():
    policy = dict(part.split(" ", 1) for part in HEADERS["Content-Security-Policy"].split("; "))
    assert "http" not in HEADERS["Content-Security-Policy"]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "data:"} & set(policy["script-src"].split())
    assert policy["default-src"] == policy["frame-ancestors"] == policy["form-action"] == "'self'"


@pytest.mark.parametrize("cookie", ["", "a", "a=b; ;;", "dataspace_review", 'dataspace_review="', "\x7f=1", "=;,"])
def test_a_broken_cookie_header_is_a_strangers(cookie):
    scope = {"type": "http", "headers": [(b"cookie", cookie.encode("latin-1"))]}
    assert token_hash_of(scope) in ("", hash_token(""), hash_token('"'))


def test_the_cookie_is_found_among_others(client, house):
    header = f"_streamlit_xsrf=2|1; {COOKIE}={house.tokens['ann']}; other=1"
    assert client().get("/whoami", headers={"cookie": header}).status_code == 200


def test_passwords_are_in_no_header_or_page(sign_in):
    _, answer = sign_in(password=PASSWORD + "!")
    assert PASSWORD not in answer.text + str(answer.headers)
