"""Why an action was refused. A screen shows str(error) and nothing else."""


class ReviewError(Exception):
    """Base of every refused action; the message says what is wrong and what to do now."""


class NotAllowed(ReviewError):
    """The person's role does not carry this action."""


class SignedOut(NotAllowed):
    """The session behind the page has ended; nothing was stored."""


class NotAssigned(ReviewError):
    """The actor holds no open seat on the task."""


class NotPossible(ReviewError):
    """The task is not in a state, or the seat not in a phase, in which this may happen."""


class AtLimit(NotPossible):
    """The person holds as many unfinished tasks as allowed."""


class ConflictOfInterest(ReviewError):
    """The person may not do this, because of what they did or saw before."""


class Incomplete(ReviewError):
    """Something that the rules ask for is missing: a reason, a finding, an answer to a finding."""


class Unfit(ReviewError):
    """What was handed in does not hold: an answer, rules, a repair."""


class NothingFits(ReviewError):
    """No task fits the person now. Says no more than that, whoever holds what."""


class StaleDraft(ReviewError):
    """Another window stored a newer draft; both texts are kept."""


class StorageFailed(ReviewError):
    """The disk or database refused a write; nothing of it was kept half."""


class UnknownTask(ReviewError):
    """No task of that id, or none that this person may see."""


class CorruptHistory(Exception):
    """A stored history that the rules call impossible. Never caught by a screen: somebody must look."""
