"""People: accounts, passwords, sign-ins. Accounts are disabled, never deleted; the ledger knows only random ids."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from pwdlib import PasswordHash
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from db.tables import Account, SignIn
from review_app.domain.errors import NotAllowed, ReviewError, SignedOut
from review_app.domain.people import Person, Role

LOCALES = ("en", "zh")
MIN_PASSWORD = 12
MAX_NAME, MAX_DOMAINS, MAX_LANGUAGES = 120, 400, 40  # as wide as the account's columns
MAX_FAILURES = 8
LOCK = timedelta(minutes=15)
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{1,79}")
_hasher = PasswordHash.recommended()
# Compared against when a login is unknown, so that the answer takes as long as for a known one.
_NOBODY = _hasher.hash(secrets.token_hex(16))


class AccountError(ReviewError):
    """An account could not be made or changed; the message says why."""


@dataclass(frozen=True)
class Profile:
    """An account as screens show it."""

    id: str
    login: str
    name: str
    person: Person
    locale: str


def person_of(account: Account) -> Person:
    """Return the account as the rules see it."""
    return Person(
        id=account.id,
        roles=frozenset(Role(role) for role in account.roles.split(",") if role),
        domains=frozenset(filter(None, account.domains.split(","))),
        languages=frozenset(filter(None, account.languages.split(","))),
        active=account.active,
    )


def profile_of(account: Account) -> Profile:
    """Return the account without its password."""
    return Profile(account.id, account.login, account.name, person_of(account), account.locale)


@dataclass(frozen=True)
class NewAccount:
    """What an account is made from. Domains may hold "*" for all."""

    login: str
    name: str
    password: str
    roles: tuple[Role, ...]
    domains: tuple[str, ...] = ("*",)
    languages: tuple[str, ...] = ("en", "zh")
    locale: str = "en"


def add(session: Session, new: NewAccount, now: datetime) -> Profile:
    """Make an account.

    Raises:
        AccountError: the login is taken or malformed, the password too short, a role, domain or language unusable.
    """
    _check(session, new)
    account = Account(
        id=secrets.token_hex(8),
        login=new.login.lower(),
        name=new.name,
        password=_hasher.hash(new.password),
        roles=",".join(sorted(role.value for role in new.roles)),
        domains=",".join(sorted(set(new.domains))),
        languages=",".join(sorted(set(new.languages))),
        locale=new.locale,
        created_at=now,
    )
    session.add(account)
    try:
        session.flush()
    except IntegrityError as error:
        raise AccountError(f"the login {new.login!r} was taken at the same moment; choose another") from error
    return profile_of(account)


def _check(session: Session, new: NewAccount) -> None:
    if not _LOGIN.fullmatch(new.login):
        raise AccountError(f"the login {new.login!r} must be 2 to 80 letters, digits or . _ @ -, letter or digit first")
    if _by_login(session, new.login) is not None:
        raise AccountError(f"the login {new.login!r} is taken; choose another")
    _check_password(new.password)
    if not new.roles:
        raise AccountError("name at least one role: expert, lead, admin or builder")
    if Role.EXPERT in new.roles and {Role.LEAD, Role.BUILDER} & set(new.roles):
        raise AccountError("a lead or builder sees golds, an expert must not: give the person one of the two roles")
    _check_words(new)
    if new.locale not in LOCALES:
        raise AccountError(f"the locale {new.locale!r} is none of {', '.join(LOCALES)}")


def _check_words(new: NewAccount) -> None:
    if not new.name.strip() or len(new.name) > MAX_NAME:
        raise AccountError(f"the name must have 1 to {MAX_NAME} characters")
    if any("," in word or not word.strip() for word in (*new.domains, *new.languages)):
        raise AccountError("a domain or language may not be empty or hold a comma")
    for words, length in ((new.domains, MAX_DOMAINS), (new.languages, MAX_LANGUAGES)):
        if len(",".join(words)) > length:
            raise AccountError(f"{len(words)} domains or languages are together over {length} characters; give fewer")
    if "\0" in "".join((new.name, *new.domains, *new.languages)):
        raise AccountError("a name, domain or language may not hold a NUL character")


def _check_password(password: str) -> None:
    if len(password) < MIN_PASSWORD:
        raise AccountError(f"the password has {len(password)} characters; it needs {MIN_PASSWORD} or more")


def everyone(session: Session) -> list[Profile]:
    """Return all accounts, by login."""
    return [profile_of(account) for account in session.exec(select(Account).order_by(Account.login)).all()]


def set_active(session: Session, login: str, active: bool, now: datetime) -> Profile:
    """Enable or disable an account; disabling ends its sign-ins at once.

    Raises:
        AccountError: no such login.
    """
    account = _named(session, login)
    account.active = active
    session.add(account)
    if not active:
        _end_sign_ins(session, account.id, now)
    return profile_of(account)


def set_password(session: Session, login: str, password: str, now: datetime) -> None:
    """Give an account a new password; its sign-ins end and its lock is lifted.

    Raises:
        AccountError: no such login, or the password is too short.
    """
    account = _named(session, login)
    _check_password(password)
    account.password, account.failed, account.locked_until = _hasher.hash(password), 0, None
    session.add(account)
    _end_sign_ins(session, account.id, now)


def _named(session: Session, login: str) -> Account:
    account = _by_login(session, login)
    if account is None:
        raise AccountError(f"there is no account {login!r}; see `dataspace user list`")
    return account


def _end_sign_ins(session: Session, account_id: str, now: datetime) -> None:
    for row in session.exec(select(SignIn).where(SignIn.account_id == account_id)).all():
        row.ended_at = row.ended_at or now
        session.add(row)


def _by_login(session: Session, login: str) -> Account | None:
    if not _LOGIN.fullmatch(login):  # what nobody can be called is not asked of the database, which may choke on it
        return None
    return session.exec(select(Account).where(Account.login == login.lower())).first()


def set_locale(session: Session, account_id: str, locale: str) -> None:
    """Remember the language of the person's screens.

    Raises:
        AccountError: unknown locale.
    """
    if locale not in LOCALES:
        raise AccountError(f"the locale {locale!r} is none of {', '.join(LOCALES)}")
    account = session.get(Account, account_id)
    if account is not None:
        account.locale = locale
        session.add(account)


def matches(session: Session, login: str, password: str) -> bool:
    """Whether the password is that of the login. Takes as long for a login that nobody has."""
    account = _by_login(session, login.strip())
    return _hasher.verify(password, account.password if account else _NOBODY) and account is not None


def sign_in(session: Session, login: str, right: bool, now: datetime, hours: float) -> str | None:
    """Return a fresh token if the password was right (see `matches`), None otherwise. Only its hash is stored.

    Repeated failures lock the account for a quarter of an hour, whatever the password.
    """
    account = _by_login(session, login.strip())
    if account is None or (account.locked_until is not None and account.locked_until > now):
        return None
    if not right or not account.active:
        account.failed += 1
        if account.failed >= MAX_FAILURES:
            account.failed, account.locked_until = 0, now + LOCK
        session.add(account)
        return None
    account.failed, account.locked_until = 0, None
    token = secrets.token_urlsafe(32)
    session.add(account)
    session.add(
        SignIn(
            token_hash=hash_token(token),
            account_id=account.id,
            created_at=now,
            expires_at=now + timedelta(hours=hours),
        )
    )
    return token


def hash_token(token: str) -> str:
    """Return the name under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def sign_out(session: Session, token_hash: str, now: datetime) -> None:
    """End one sign-in; nothing happens if it is over already."""
    row = session.get(SignIn, token_hash)
    if row is not None and row.ended_at is None:
        row.ended_at = now
        session.add(row)


def signed_in(session: Session, token_hash: str, now: datetime) -> Profile:
    """Return who is behind a live sign-in.

    Raises:
        SignedOut: the sign-in is unknown, over or expired, or the account is disabled.
    """
    found = session.exec(
        select(Account)
        .join(SignIn, col(SignIn.account_id) == Account.id)
        .where(SignIn.token_hash == token_hash, col(SignIn.ended_at).is_(None), SignIn.expires_at > now)
    ).first()
    if found is None or not found.active:
        raise SignedOut("your sign-in has ended; sign in again. Your drafts are kept")
    return profile_of(found)


def sign_in_ends(session: Session, token_hash: str) -> datetime:
    """Return when a sign-in expires, if nobody signs out before.

    Raises:
        SignedOut: there is no such sign-in.
    """
    found = session.get(SignIn, token_hash)
    if found is None:
        raise SignedOut("your sign-in has ended; sign in again. Your drafts are kept")
    return found.expires_at


def by_id(session: Session, account_id: str) -> Profile:
    """Return one account.

    Raises:
        NotAllowed: no such account.
    """
    account = session.get(Account, account_id)
    if account is None:
        raise NotAllowed("there is no such account")
    return profile_of(account)


def lock(session: Session, account_id: str) -> None:
    """Make other transactions that lock the same account wait until this one ends."""
    session.exec(select(Account.id).where(Account.id == account_id).with_for_update()).one()


def names(session: Session) -> dict[str, str]:
    """Return account id -> name, for leads' screens."""
    return dict(session.exec(select(Account.id, Account.name)).all())
