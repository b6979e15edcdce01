"""Unfinished work: private, changeable, never in the ledger. Each write is answered with a receipt."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from db.tables import Draft
from review_app.domain.errors import StaleDraft


@dataclass(frozen=True)
class Receipt:
    """What is stored of one part: its text, its version (0: nothing yet) and when it was saved."""

    body: str
    version: int
    at: datetime | None


def load(session: Session, task_id: str, round_number: int, account_id: str) -> dict[str, Receipt]:
    """Return the person's drafts on the task in this round, by part."""
    rows = session.exec(
        select(Draft).where(Draft.task_id == task_id, Draft.round == round_number, Draft.account_id == account_id)
    ).all()
    return {row.part: Receipt(row.body, row.version, row.at) for row in rows}


def save(
    session: Session, key: tuple[str, int, str], part: str, body: str, *, read_version: int, now: datetime
) -> Receipt:
    """Store one part. `key` is (task, round, account); `read_version` is the version the writer started from.

    Raises:
        StaleDraft: another window stored a newer version meanwhile; that one stays.
    """
    task_id, round_number, account_id = key
    row = session.get(Draft, (task_id, round_number, account_id, part))
    if row is not None and row.body == body:
        return Receipt(row.body, row.version, row.at)
    if (row.version if row else 0) != read_version:
        raise StaleDraft("another window saved a newer draft of this part; reload to see it, then enter yours again")
    if row is None:
        row = Draft(task_id=task_id, round=round_number, account_id=account_id, part=part, version=0, body="", at=now)
    row.body, row.version, row.at = body, row.version + 1, now
    session.add(row)
    try:
        session.flush()
    except IntegrityError as error:
        raise StaleDraft("another window saved this part at the same moment; reload and enter yours again") from error
    return Receipt(row.body, row.version, row.at)
