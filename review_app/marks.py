"""How far a person has read the discussion of a task. Outside the ledger: nobody else is shown it."""

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from db.tables import ReadMark


def all_of(session: Session, account_id: str) -> dict[str, int]:
    """Return the last version that the person has seen, by task."""
    rows = session.exec(select(ReadMark).where(ReadMark.account_id == account_id)).all()
    return {row.task_id: row.version for row in rows}


def save(session: Session, task_id: str, account_id: str, version: int) -> None:
    """Remember that the person has seen everything up to this version. A mark never goes back."""
    row = session.get(ReadMark, (task_id, account_id))
    if row is None:
        try:
            with session.begin_nested():
                session.add(ReadMark(task_id=task_id, account_id=account_id, version=version))
        except IntegrityError:  # another window of the same person was faster; what it saw is as new
            return
    elif row.version < version:
        row.version = version
        session.add(row)
