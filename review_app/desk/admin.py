"""The admin's desk, and what everybody may do about themselves: accounts and sign-ins."""

from review_app import accounts
from review_app.accounts import NewAccount, Profile
from review_app.desk.office import Office, Viewer
from review_app.domain.errors import NotAllowed
from review_app.domain.people import Role


class AdminDesk:
    """One admin's desk."""

    def __init__(self, office: Office, viewer: Viewer) -> None:
        self.office = office
        self.viewer = viewer

    def users(self) -> list[Profile]:
        """Return all accounts, by login."""
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.ADMIN)
            return accounts.everyone(session)

    def add_user(self, new: NewAccount) -> Profile:
        """Make an account."""
        with self.office.write() as session:
            self.office.who(session, self.viewer, Role.ADMIN)
            return accounts.add(session, new, self.office.clock())

    def set_active(self, login: str, active: bool) -> None:
        """Enable or disable an account; nobody disables the own one."""
        with self.office.write() as session:
            me = self.office.who(session, self.viewer, Role.ADMIN)
            if not active and login.lower() == me.login:
                raise NotAllowed("you cannot disable your own account; ask another admin")
            accounts.set_active(session, login, active, self.office.clock())


def me(office: Office, viewer: Viewer) -> Profile:
    """Return who is signed in.

    Raises:
        SignedOut: nobody is.
    """
    with office.read() as session:
        return office.who(session, viewer)


def set_locale(office: Office, viewer: Viewer, locale: str) -> None:
    """Remember the language of the own screens."""
    with office.write() as session:
        accounts.set_locale(session, office.who(session, viewer).id, locale)


def sign_in(office: Office, login: str, password: str) -> str | None:
    """Return a fresh token, None for a wrong login, password or a locked account."""
    # Hashing takes a tenth of a second on purpose; it must not hold up everybody's writes.
    with office.read() as session:
        right = accounts.matches(session, login, password)
    with office.write() as session:
        return accounts.sign_in(session, login, right, office.clock(), office.settings.sign_in_hours)


def sign_out(office: Office, viewer: Viewer) -> None:
    """End the sign-in."""
    with office.write() as session:
        accounts.sign_out(session, viewer.sign_in, office.clock())
