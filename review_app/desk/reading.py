"""What an expert may read of their tasks: everything comes from `view_for`."""

from datetime import datetime
from pathlib import Path

from sqlmodel import Session

from evaluator.diff import Diff
from evaluator.rules import Rules
from evaluator.tables import Table
from review_app import comparing, leases, store
from review_app.accounts import Profile
from review_app.desk.changes import GoldChange, gold_change, shown_in
from review_app.desk.office import Office, Viewer
from review_app.desk.workspace import index_of
from review_app.domain.blindness import NOT_MINE, Revealed, View, view_for
from review_app.domain.content import Revision
from review_app.domain.errors import UnknownTask
from review_app.domain.people import Role
from review_app.domain.task import Task
from review_app.workspace.index import Index


class Reading:
    """The reading half of an expert's desk."""

    def __init__(self, office: Office, viewer: Viewer) -> None:
        self.office = office
        self.viewer = viewer

    def view(self, task_id: str) -> View:
        """Return all that the expert may know of the task.

        Raises:
            UnknownTask: it is not on the expert's desk.
        """
        with self.office.read() as session:
            return self._view(session, task_id)[0]

    def _view(self, session: Session, task_id: str) -> tuple[View, Task, Profile]:
        profile = self.office.who(session, self.viewer, Role.EXPERT)
        try:
            task = store.load(session, task_id)
        except UnknownTask:
            task = None
        if task is None:
            raise UnknownTask(NOT_MINE.format(task_id=task_id))
        return view_for(task, profile.id), task, profile

    def lease_until(self, task_id: str) -> datetime | None:
        """Return when the expert's lease ends."""
        with self.office.read() as session:
            profile = self.office.who(session, self.viewer, Role.EXPERT)
            return leases.lease_until(session, task_id, profile.id)

    def file(self, task_id: str, path: str) -> Path:
        """Return where a workspace file lies.

        Raises:
            UnknownTask: no such file in a task on the expert's desk.
        """
        files = {file.path: file.sha256 for file in self.view(task_id).files}
        if path not in files:
            raise UnknownTask(f"there is no file {path!r} in {task_id}")
        return self.office.blobs.path(files[path])

    def index(self, task_id: str) -> Index:
        """Return the task's workspace as loaded tables and texts.

        Raises:
            UnknownTask: the task is not on the expert's desk.
            IndexFailed: it could not be loaded.
        """
        return index_of(self.office, self.view(task_id).files)

    def my_answer(self, task_id: str) -> Table:
        """Return the own sealed answer.

        Raises:
            UnknownTask: nothing is sealed yet.
        """
        answer = self.view(task_id).answer
        if answer is None:
            raise UnknownTask("you have not sealed an answer")
        return self.office.table(answer.answer)

    def derivation(self, task_id: str, letter: str = "") -> str:
        """Return the SQL that was sealed with the own answer, or with that of a letter, where the view shows it.

        Empty if the answer came of no SQL, or is not there to be seen.
        """
        view = self.view(task_id)
        reviews = view.discussion.reviews if view.discussion else ()
        sealed = {reviewed.letter: reviewed.answer for reviewed in reviews}.get(letter) if letter else view.answer
        return self.office.text(sealed.derivation) if sealed and sealed.derivation else ""

    def answer(self, task_id: str, letter: str) -> Table:
        """Return a reviewer's sealed answer by letter, once both reviews are in.

        Raises:
            UnknownTask: the view does not show it.
        """
        discussion = self.view(task_id).discussion
        for reviewed in discussion.reviews if discussion else ():
            if reviewed.letter == letter:
                return self.office.table(reviewed.answer.answer)
        raise UnknownTask("there is no such answer to see")

    def gold(self, task_id: str) -> Table:
        """Return the gold, once the own answer is sealed.

        Raises:
            UnknownTask: it is not revealed yet.
        """
        return self.office.table(self._revealed(task_id).gold)

    def gold_sql(self, task_id: str) -> str:
        """Return the gold's SQL, once the own answer is sealed."""
        return self.office.text(self._revealed(task_id).gold_sql)

    def _revealed(self, task_id: str) -> Revealed:
        revealed = self.view(task_id).revealed
        if revealed is None:
            raise UnknownTask("the gold is shown after you have sealed your answer")
        return revealed

    def diff(self, task_id: str, rules: Rules) -> Diff | None:
        """Return the own answer against the gold under rules, None where the gold does not read under them."""
        return comparing.difference(self.gold(task_id), self.my_answer(task_id), rules)

    def gold_change(self, task_id: str, before: Revision, after: Revision) -> GoldChange | None:
        """Return how the gold differs between two revisions that the discussion shows, None if it does not."""
        talk = self.view(task_id).discussion
        allowed = shown_in(talk.contributions, talk.reviewed, talk.revision) if talk else frozenset()
        return gold_change(self.office, allowed, before, after)
