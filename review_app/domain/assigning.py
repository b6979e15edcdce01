"""Which task an expert is offered next. Depends on which seats are taken, never on what was entered in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from review_app.domain.people import Person, Role


@dataclass(frozen=True)
class Offer:
    """A task with a seat that can be taken: free, or held under a lease that has run out.

    `taken` counts the seats that stay held; `number` is the task's N in `task_N`.
    """

    task_id: str
    number: int
    domain: str
    language: str
    taken: int


def ranked(offers: Iterable[Offer], expert: Person, people: Sequence[Person]) -> list[Offer]:
    """Return the offers that fit the expert, best first.

    Half-done pairs come first, so that tasks get finished. Then tasks that few other experts could take, so that
    a rare language or domain does not wait while its only reader solves what anybody could. Then by number.
    """
    fitting = [offer for offer in offers if expert.fits(offer.domain, offer.language)]
    return sorted(fitting, key=lambda offer: (-offer.taken, _able(offer, people), offer.number))


def _able(offer: Offer, people: Sequence[Person]) -> int:
    return sum(person.has(Role.EXPERT) and person.fits(offer.domain, offer.language) for person in people)
