"""Accounts, passwords and sign-ins: who gets in, for how long, and what is stored of it."""

import hashlib
import sys
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from review_app import accounts
from review_app.accounts import LOCK, MAX_FAILURES, AccountError, NewAccount
from review_app.domain.errors import NotAllowed, SignedOut
from review_app.domain.people import Role

ON_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
PASSWORD = "correct horse battery"
ANN = NewAccount("ann", "Ann Archer", PASSWORD, (Role.EXPERT,), ("fund",), ("en",))


@pytest.fixture
def book(office):
    """The functions of accounts, each in a transaction of its own."""

    class Book:
        def __getattr__(self, name):
            def call(*arguments):
                with office.write() as session:
                    return getattr(accounts, name)(session, *arguments)

            return call

        def sign_in(self, login, password, now, hours):
            """As the desk does it: the password is looked at before the writing begins."""
            with office.read() as session:
                right = accounts.matches(session, login, password)
            with office.write() as session:
                return accounts.sign_in(session, login, right, now, hours)

    return Book()


def everything(office):
    """All that is stored about people, as text."""
    with office.engine.connect() as connection:
        return str([connection.execute(sa.text(f"SELECT * FROM {name}")).all() for name in ("account", "sign_in")])


# --- making accounts --------------------------------------------------------------------------------------------------


def test_an_account_is_as_it_was_made(book, clock):
    made = book.add(ANN, clock())
    assert (made.login, made.name, made.locale) == ("ann", "Ann Archer", "en")
    person = made.person
    assert (person.roles, person.domains, person.languages, person.active) == ({Role.EXPERT}, {"fund"}, {"en"}, True)
    assert book.everyone() == [made]


REFUSED = {
    "short password": ({"password": "x" * 11}, "has 11 characters; it needs 12 or more"),
    "no password": ({"password": ""}, "has 0 characters"),
    "no login": ({"login": ""}, "login"),
    "one letter": ({"login": "a"}, "2 to 80 letters"),
    "long login": ({"login": "a" * 81}, "2 to 80 letters"),
    "blank in login": ({"login": "ann archer"}, "2 to 80 letters"),
    "dash first": ({"login": "-ann"}, "letter or digit first"),
    "path as login": ({"login": "../ann"}, "2 to 80 letters"),
    "line end in login": ({"login": "ann\n"}, "2 to 80 letters"),
    "other letters in login": ({"login": "安安"}, "2 to 80 letters"),
    "no role": ({"roles": ()}, "name at least one role"),
    "lead and expert": ({"roles": (Role.EXPERT, Role.LEAD)}, "give the person one of the two roles"),
    "comma in domain": ({"domains": ("fund,stock",)}, "may not be empty or hold a comma"),
    "blank domain": ({"domains": (" ",)}, "may not be empty or hold a comma"),
    "blank language": ({"languages": ("",)}, "may not be empty or hold a comma"),
    "too many domains": ({"domains": tuple(f"domain{number}" for number in range(60))}, "together .* 400 characters"),
    "too many languages": ({"languages": tuple("abcdefghijklmnopqrstuvwxyz")}, "together .* 40 characters"),
    "no name": ({"name": " "}, "the name must have 1 to 120 characters"),
    "long name": ({"name": "x" * 121}, "the name must have 1 to 120 characters"),
    "NUL in name": ({"name": "a\0b"}, "NUL"),
    "NUL in domain": ({"domains": ("a\0b",)}, "NUL"),
    "unknown locale": ({"locale": "fr"}, "none of en, zh"),
}


@ON_SQLITE
@pytest.mark.parametrize("case", REFUSED)
def test_an_account_that_cannot_be_is_refused_in_words(book, office, clock, case):
    changes, message = REFUSED[case]
    with pytest.raises(AccountError, match=message):
        book.add(replace(ANN, **changes), clock())
    assert everything(office) == "[[], []]"


@ON_SQLITE
@pytest.mark.parametrize("login", ["ab", "ann.archer@example.org", "7of9", "a" * 80, "A_b-c.d"])
def test_usual_logins_are_taken(book, clock, login):
    assert book.add(replace(ANN, login=login), clock()).login == login.lower()


def test_a_login_is_taken_once_whatever_its_case(book, clock):
    book.add(ANN, clock())
    with pytest.raises(AccountError, match="'ANN' is taken; choose another"):
        book.add(replace(ANN, login="ANN"), clock())


@ON_SQLITE
def test_twelve_characters_and_long_passwords_will_do(book, clock):
    for number, password in enumerate(("x" * 12, "密" * 12, "y" * 300, " " * 12)):
        book.add(replace(ANN, login=f"ann{number}", password=password), clock())
        assert book.sign_in(f"ann{number}", password, clock(), 1)


# --- signing in -------------------------------------------------------------------------------------------------------


def test_a_token_opens_the_account_and_only_its_hash_is_stored(book, office, clock):
    made = book.add(ANN, clock())
    token = book.sign_in(" ANN ", PASSWORD, clock(), 1)
    stored = everything(office)
    assert token not in stored
    assert PASSWORD not in stored
    assert hashlib.sha256(token.encode()).hexdigest() in stored
    assert book.signed_in(accounts.hash_token(token), clock()) == made


def test_two_sign_ins_give_two_tokens_and_end_apart(book, clock):
    book.add(ANN, clock())
    first, second = (accounts.hash_token(book.sign_in("ann", PASSWORD, clock(), 1)) for _ in range(2))
    book.sign_out(first, clock())
    with pytest.raises(SignedOut, match=r"sign in again\. Your drafts are kept"):
        book.signed_in(first, clock())
    assert book.signed_in(second, clock()).login == "ann"


@ON_SQLITE
def test_a_sign_in_ends_with_its_hours(book, clock):
    book.add(ANN, clock())
    name = accounts.hash_token(book.sign_in("ann", PASSWORD, clock(), 2))
    clock.forward(hours=2, microseconds=-1)
    assert book.signed_in(name, clock()).login == "ann"
    clock.forward(microseconds=1)
    with pytest.raises(SignedOut):
        book.signed_in(name, clock())


def test_signing_out_twice_or_of_nothing_is_harmless(book, clock):
    book.add(ANN, clock())
    name = accounts.hash_token(book.sign_in("ann", PASSWORD, clock(), 1))
    for token_hash in (name, name, "unknown"):
        book.sign_out(token_hash, clock())


@ON_SQLITE
@pytest.mark.parametrize("token_hash", ["", "0" * 64, "' OR 1=1 --"])
def test_an_unknown_token_opens_nothing(book, clock, token_hash):
    book.add(ANN, clock())
    with pytest.raises(SignedOut):
        book.signed_in(token_hash, clock())


def test_the_token_itself_is_no_key_to_the_database(book, clock):
    """Whoever reads the stored hash cannot sign in with it, and the token is not looked up unhashed."""
    book.add(ANN, clock())
    token = book.sign_in("ann", PASSWORD, clock(), 1)
    with pytest.raises(SignedOut):
        book.signed_in(token, clock())


@ON_SQLITE
@pytest.mark.parametrize("password", ["", "wrong horse battery", PASSWORD + " ", PASSWORD.upper(), "a\0b"])
def test_a_wrong_password_opens_nothing(book, clock, password):
    book.add(ANN, clock())
    assert book.sign_in("ann", password, clock(), 1) is None


@pytest.mark.parametrize("login", ["", "bob", "ann' --", "an\0n", "\ud800", "x" * 10_000])
def test_an_unknown_login_is_told_like_a_wrong_password(book, office, clock, login):
    book.add(ANN, clock())
    before = everything(office)
    assert book.sign_in(login, PASSWORD, clock(), 1) is None
    assert everything(office) == before


def verified(call):
    """The cost parameters of the hashes that a call verifies a password against, in order."""
    seen = []

    def look(frame, event, _):
        if event == "call" and frame.f_code.co_qualname == "Argon2Hasher.verify":
            seen.append(frame.f_locals["hash"].split("$")[1:4])

    sys.setprofile(look)
    try:
        call()
    finally:
        sys.setprofile(None)
    return seen


@ON_SQLITE
def test_an_unknown_login_takes_the_same_path_as_a_known_one(book, clock):
    """Each answer costs one verification of one price, or its time would tell who has an account."""
    book.add(ANN, clock())
    cost = verified(lambda: book.sign_in("ann", "wrong horse battery", clock(), 1))
    assert len(cost) == 1
    for login in ("bob", "an\0n"):
        assert verified(lambda login=login: book.sign_in(login, "wrong horse battery", clock(), 1)) == cost
    book.set_active("ann", False, clock())
    assert verified(lambda: book.sign_in("ann", PASSWORD, clock(), 1)) == cost


# --- the lock ---------------------------------------------------------------------------------------------------------


def fail(book, clock, times):
    for _ in range(times):
        assert book.sign_in("ann", "wrong horse battery", clock(), 1) is None


@ON_SQLITE
def test_failures_lock_the_account_for_a_while_even_for_the_right_password(book, clock):
    """Sign-ins that are open stay so, or anybody could throw an expert out by guessing at the login."""
    book.add(ANN, clock())
    name = accounts.hash_token(book.sign_in("ann", PASSWORD, clock(), 1))
    fail(book, clock, MAX_FAILURES)
    clock.forward(seconds=LOCK.total_seconds() - 1)
    assert book.sign_in("ann", PASSWORD, clock(), 1) is None
    assert book.signed_in(name, clock()).login == "ann"
    clock.forward(seconds=1)
    assert book.sign_in("ann", PASSWORD, clock(), 1)


@ON_SQLITE
def test_one_failure_less_does_not_lock_and_a_success_starts_the_count_anew(book, clock):
    book.add(ANN, clock())
    for failures in (MAX_FAILURES - 1, 1):
        fail(book, clock, failures)
        assert book.sign_in("ann", PASSWORD, clock(), 1)


# --- disabling --------------------------------------------------------------------------------------------------------


def test_disabling_ends_all_sign_ins_at_once_and_for_good(book, clock):
    book.add(ANN, clock())
    names = [accounts.hash_token(book.sign_in("ann", PASSWORD, clock(), 1)) for _ in range(2)]
    assert book.set_active("Ann", False, clock()).person.active is False
    assert book.sign_in("ann", PASSWORD, clock(), 1) is None
    book.set_active("ann", True, clock())
    for name in names:
        with pytest.raises(SignedOut):
            book.signed_in(name, clock())
    assert book.sign_in("ann", PASSWORD, clock() + timedelta(1), 1)


@ON_SQLITE
def test_who_is_not_there_is_named(book, clock):
    with pytest.raises(AccountError, match="no account 'bob'; see `dataspace user list`"):
        book.set_active("bob", False, clock())
    with pytest.raises(NotAllowed, match="no such account"):
        book.by_id("bob")


@ON_SQLITE
def test_the_language_of_the_screens_is_remembered(book, clock):
    made = book.add(ANN, clock())
    book.set_locale(made.id, "zh")
    assert book.by_id(made.id).locale == "zh"
    with pytest.raises(AccountError, match="none of en, zh"):
        book.set_locale(made.id, "fr")
