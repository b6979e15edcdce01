"""Who may do what: roles, and what a person is fit for."""

from dataclasses import dataclass
from enum import StrEnum

ANY_DOMAIN = "*"


class Role(StrEnum):
    """What an account may do; an account may carry several."""

    EXPERT = "expert"
    LEAD = "lead"
    ADMIN = "admin"
    BUILDER = "builder"


@dataclass(frozen=True)
class Person:
    """An account as the rules see it: a random id, never a name. `domains` may hold ANY_DOMAIN."""

    id: str
    roles: frozenset[Role]
    domains: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    active: bool = True

    def has(self, role: Role) -> bool:
        """Whether the account is active and carries the role."""
        return self.active and role in self.roles

    def fits(self, domain: str, language: str) -> bool:
        """Whether the person may solve tasks of this domain in this language."""
        return language in self.languages and (ANY_DOMAIN in self.domains or domain in self.domains)
