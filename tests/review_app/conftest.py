"""An office on each database, with people who are signed in."""

from datetime import UTC, datetime, timedelta

import pytest
from candidates_folder import write_candidates

from db.blobs import Blobs
from review_app import accounts
from review_app.accounts import NewAccount
from review_app.candidates import import_candidates
from review_app.desk import AdminDesk, ExpertDesk, LeadDesk, Office, Viewer
from review_app.domain.people import Role
from review_app.settings import Settings


class Clock:
    """A clock that a test moves."""

    def __init__(self):
        self.now = datetime(2026, 3, 1, 9, tzinfo=UTC)

    def __call__(self):
        return self.now

    def forward(self, **by):
        self.now += timedelta(**by)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def office(engine, tmp_path, clock):
    settings = Settings(var=tmp_path / "var", sign_in_hours=10_000)
    return Office(engine, Blobs(settings.blobs), settings, clock)


class Staff:
    """Everybody's desk, by login. Accounts are made and signed in at the first use."""

    ROLES = {"lea": (Role.LEAD,), "mo": (Role.LEAD, Role.ADMIN)}

    def __init__(self, office):
        self.office = office
        self.viewers: dict[str, Viewer] = {}
        self.ids: dict[str, str] = {}

    def hire(self, login, **changes):
        password = "correct horse battery"
        roles = self.ROLES.get(login, (Role.EXPERT,))
        with self.office.write() as session:
            made = accounts.add(
                session, NewAccount(login, login.title(), password, roles, **changes), self.office.clock()
            )
        with self.office.write() as session:
            token = accounts.sign_in(session, login, True, self.office.clock(), 10_000)
        self.ids[login] = made.id
        self.viewers[login] = Viewer(accounts.hash_token(token))
        return self.viewers[login]

    def viewer(self, login):
        return self.viewers.get(login) or self.hire(login)

    def expert(self, login):
        return ExpertDesk(self.office, self.viewer(login))

    def lead(self, login="lea"):
        return LeadDesk(self.office, self.viewer(login))

    def admin(self, login="mo"):
        return AdminDesk(self.office, self.viewer(login))

    def id(self, login):
        self.viewer(login)
        return self.ids[login]


@pytest.fixture
def staff(office):
    return Staff(office)


@pytest.fixture
def filled(office, tmp_path):
    """Import so many candidates; returns the folder."""

    def fill(count=1, **changes):
        folder = write_candidates(tmp_path / "candidates", count, **changes)
        import_candidates(office, folder)
        return folder

    return fill
