"""The first start: demo corpus, candidates, accounts. Safe to run again: what is there stays."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from pipeline.build import BuildParams, build
from pipeline.demo import write_demo_corpus
from review_app import accounts
from review_app.accounts import NewAccount
from review_app.candidates import import_candidates
from review_app.desk.office import Office
from review_app.domain.people import Role

DEMO = "demo"
PEOPLE = (
    ("ann", "Ann Archer", (Role.EXPERT,), "en"),
    ("bob", "Bob Brook", (Role.EXPERT,), "en"),
    ("chen", "陈静", (Role.EXPERT,), "zh"),
    ("dai", "戴明", (Role.EXPERT,), "zh"),
    ("lea", "Lea Lind", (Role.LEAD,), "en"),
    ("mo", "Mo Meier", (Role.LEAD, Role.ADMIN), "en"),
)


@dataclass(frozen=True)
class DemoAccount:
    """A login with its password, shown once."""

    login: str
    name: str
    roles: str
    password: str


def prepare(office: Office, say: Callable[[str], None]) -> list[DemoAccount]:
    """Make whatever of the demo is missing; return the accounts that were made now."""
    _tasks(office, say)
    made = []
    for login, name, roles, locale in PEOPLE:
        password = secrets.token_urlsafe(9)
        with office.write() as session:
            if any(profile.login == login for profile in accounts.everyone(session)):
                continue
            accounts.add(session, NewAccount(login, name, password, roles, locale=locale), office.clock())
        made.append(DemoAccount(login, name, ", ".join(roles), password))
    return made


def _tasks(office: Office, say: Callable[[str], None]) -> None:
    corpus = office.settings.corpora / DEMO
    candidates = office.settings.candidates / DEMO
    if not corpus.exists():
        say("writing the demo corpus")
        write_demo_corpus(corpus)
    if not (candidates / "manifest.json").exists():
        say("building candidates from it")
        build(corpus, candidates, BuildParams())
    report = import_candidates(office, candidates)
    if report.imported:
        say(f"imported {len(report.imported)} candidates")
