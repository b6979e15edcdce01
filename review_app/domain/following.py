"""What a person has not read of a discussion yet, and whether the task waits for them."""

import re
from collections.abc import Sequence

from review_app.domain.blindness import LEAD, Contribution, Step, View
from review_app.domain.events import MessagePosted

_NAMED = re.compile(r"(?<![\w.@])@(?:([A-Z])|(lead))(?![A-Za-z0-9_])", re.IGNORECASE)


def named_in(text: str) -> frozenset[str]:
    """Return whom a message names: reviewers by letter ("@A", "@b"), leads by "@lead". An address names nobody."""
    return frozenset(letter.upper() if letter else LEAD for letter, _ in _NAMED.findall(text))


def unread(contributions: Sequence[Contribution], read: int) -> int:
    """Return how many contributions of others came after the version that was read last."""
    return sum(not entry.mine and entry.version > read for entry in contributions)


def asked(contributions: Sequence[Contribution], name: str) -> bool:
    """Say whether somebody named the person ("A", "B", "Lead") after their own last contribution.

    A question waits until it is answered, whether it was read or not; one to the leads is answered by any lead.
    """
    spoke = max((entry.version for entry in contributions if _by(entry, name)), default=0)
    return any(
        entry.version > spoke and isinstance(entry.event, MessagePosted) and name in named_in(entry.event.text)
        for entry in contributions
        if not _by(entry, name)
    )


def _by(entry: Contribution, name: str) -> bool:
    return entry.author == LEAD if name == LEAD else entry.mine


def my_turn(view: View) -> bool:
    """Say whether the expert has to act: solve, check, recheck, answer, or say a first word in a dispute."""
    if view.step in (Step.SOLVE, Step.VERIFY):
        return True
    talk = view.discussion
    if talk is None or view.step not in (Step.DISCUSS, Step.RECHECK):
        return False
    if asked(talk.contributions, talk.me):
        return True
    if view.step is Step.RECHECK:
        return not talk.rechecked
    if talk.proposal is not None:
        return talk.proposal_by_lead
    return not any(entry.mine for entry in talk.contributions)
