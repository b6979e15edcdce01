"""What the commands share: the office of the settings, how results are printed, and the failure that ends with one."""

import json
from typing import Any

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
