"""The sign-in page: who gets a cookie, what the cookie is like, and where one lands."""

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from screens import PASSWORD

from review_app.accounts import MAX_FAILURES
from review_app.web.gate import COOKIE
from review_app.web.routes import _local
from review_app.web.words import WORDS

HOST = "http://review.test"


def test_the_right_password_opens_the_pages(sign_in):
    browser, answer = sign_in()
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert browser.get("/whoami").status_code == 200


def test_the_cookie_is_for_the_server_only(sign_in):
    _, answer = sign_in()
    flags = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/", f"max-age={10_000 * 3600}"} <= flags
    assert "secure" not in flags


def test_behind_https_the_cookie_is_for_https_only(house, client, monkeypatch):
    monkeypatch.setattr(type(house.office.settings), "secure_cookie", True, raising=False)
    object.__setattr__(house.office, "settings", house.office.settings.model_copy(update={"secure_cookie": True}))
    answer = client().post("/sign-in", data={"login": "ann", "password": PASSWORD})
    assert "; secure" in answer.headers["set-cookie"].lower()


def test_each_sign_in_has_a_token_of_its_own(sign_in, house):
    tokens = {sign_in()[0].cookies[COOKIE] for _ in range(2)} | {house.tokens["ann"]}
    assert len(tokens) == 3


@pytest.mark.parametrize(("login", "password"), [("ann", "wrong"), ("nobody", PASSWORD), ("", ""), ("ann", "")])
def test_a_wrong_login_and_a_wrong_password_look_alike(sign_in, login, password):
    browser, answer = sign_in(login, password)
    assert answer.status_code == 401
    assert COOKIE not in browser.cookies
    assert WORDS["en"]["failed"] in answer.text
    assert answer.text.replace(f'value="{login}"', "") == sign_in("ann", "no")[1].text.replace('value="ann"', "")


def test_a_missing_field_is_a_failed_sign_in(client):
    assert client().post("/sign-in", data={}).status_code == 401


def test_a_disabled_account_gets_no_cookie(sign_in, house):
    house.admin().set_active("ann", active=False)
    assert sign_in()[1].status_code == 401


def test_after_many_failures_the_right_password_waits_too(sign_in):
    for _ in range(MAX_FAILURES):
        sign_in(password="wrong")
    assert sign_in()[1].status_code == 401
    assert sign_in("bob")[1].status_code == 303


@pytest.mark.parametrize(
    "origin", ["https://evil.test", "http://review.test.evil.test", "null", "http://review.test:81"]
)
def test_another_sites_form_cannot_sign_somebody_in(sign_in, origin):
    browser, answer = sign_in(headers={"origin": origin})
    assert answer.status_code == 403
    assert COOKIE not in browser.cookies


def test_our_own_page_may(sign_in):
    assert sign_in(headers={"origin": HOST})[1].status_code == 303


@pytest.mark.parametrize("path", ["/task?task=task_1", "/", "/review?task=task_2"])
def test_one_lands_where_one_wanted_to_go(sign_in, path):
    assert sign_in(next=path)[1].headers["location"] == path


ELSEWHERE = [
    "//evil.test",
    "/\\evil.test",
    "https://evil.test",
    "javascript:alert(1)",
    "",
    "evil.test",
    "\\\\evil.test",
]
SNEAKY = [
    "/\t/evil.test",
    "/\n/evil.test",
    "\t//evil.test",
    "/%09/evil.test",
    "/%5cevil.test",
    " //evil.test",
    "/\r\nx: y",
]


@pytest.mark.parametrize("path", [*ELSEWHERE, *SNEAKY])
def test_one_never_lands_on_another_host(sign_in, path):
    answer = sign_in(next=path)[1]
    assert urlsplit(urljoin(HOST, seen_by_browser(answer.headers["location"]))).netloc == "review.test"
    assert "x" not in answer.headers


@given(st.text(alphabet="/\\\t\n\r .:@evilhttps%0925cC?#", max_size=12))
def test_no_wanted_path_leaves_the_host(path):
    from starlette.responses import RedirectResponse

    location = RedirectResponse(_local(path), 303).headers["location"]
    assert urlsplit(urljoin(HOST, seen_by_browser(location))).netloc == "review.test"


def seen_by_browser(location):
    """As the URL standard reads an address: no tabs and newlines, backslashes are slashes."""
    return location.strip("\x00\t\n\r ").translate({9: None, 10: None, 13: None}).replace("\\", "/")


def test_after_a_mistyped_password_one_still_lands_where_one_wanted(sign_in):
    assert 'value="/task?task=task_1"' in sign_in(password="wrong", next="/task?task=task_1")[1].text


def test_the_other_language_still_knows_where_one_wanted_to_go(client):
    page = client().get("/sign-in", params={"next": "/task?task=task_1&x=y"}).text
    assert 'href="/sign-in?lang=zh&amp;next=%2Ftask%3Ftask%3Dtask_1%26x%3Dy"' in page


def test_the_form_keeps_only_wanted_paths_of_ours(client):
    assert "evil" not in client().get("/sign-in?next=https://evil.test").text


def test_what_was_typed_comes_back_as_text(sign_in):
    text = sign_in('"><script>alert(1)</script>{{title}}{{next}}')[1].text
    assert "<script" not in text
    assert "&lt;script" in text


def test_what_was_typed_is_no_template(sign_in):
    assert "{{failure}}" in sign_in("{{failure}}")[1].text


@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "zh-CN,zh;q=0.9", "zh"),
        ("", "fr,zh;q=0.5", "zh"),
        ("?lang=zh", "en", "zh"),
        ("?lang=xx", "", "en"),
    ],
)
def test_the_page_speaks_both_languages(client, query, accepted, language):
    answer = client().get(f"/sign-in{query}", headers={"accept-language": accepted})
    assert WORDS[language]["lead"] in answer.text
    assert f'lang="{language}"' in answer.text


def test_every_word_of_the_page_has_a_translation():
    assert WORDS["en"].keys() == WORDS["zh"].keys()


def test_no_word_is_left_to_fill_in(client):
    assert "{{" not in client().get("/sign-in").text


def test_sign_out_ends_the_sign_in_and_takes_the_cookie_away(sign_in):
    browser, _ = sign_in()
    token = browser.cookies[COOKIE]
    answer = browser.post("/sign-out")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    assert COOKIE not in browser.cookies
    browser.cookies.set(COOKIE, token)
    assert browser.get("/whoami").status_code == 401


def test_sign_out_leaves_other_sign_ins_alone(sign_in, person):
    sign_in()[0].post("/sign-out")
    assert person("ann").get("/whoami").status_code == 200


def test_no_other_page_can_sign_a_person_out(sign_in):
    browser = sign_in()[0]
    assert browser.get("/sign-out").status_code == 405
    assert browser.post("/sign-out", headers={"origin": "https://evil.example"}).status_code == 403
