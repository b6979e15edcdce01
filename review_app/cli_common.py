"""What the commands share: the office of the settings, how results are printed, and the failure that ends with one."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from review_app import doctor
from review_app.desk.office import Office
from review_app.settings import settings


class Failed(Exception):
    """The work was done, and its result is bad: exit 1."""


def open_office() -> Office:
    """Return the office of the settings.

    Raises:
        Failed: its database is not there or not up to date; the message says what to run.
    """
    check = doctor.database(settings())
    if not check.fine:
        raise Failed(f"the database cannot be used ({check.found}); {check.remedy}")
    return Office.at(settings())


def show(value: Any) -> None:
    """Print a result as JSON."""
    print(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True))


@contextmanager
def bar(verb: str) -> Iterator[Callable[[int, int, str], None]]:
    """Draw progress on stderr: call what is given with how many are done, of how many, and which one is at work."""
    columns = (
        TextColumn(verb),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[at]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        drawn = progress.add_task(verb, total=None, at="")
        yield lambda done, total, name: progress.update(drawn, completed=done, total=total, at=name)
