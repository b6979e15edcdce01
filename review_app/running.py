"""The office of this process, opened once."""

from functools import cache

from review_app.desk.office import Office
from review_app.settings import settings


@cache
def office() -> Office:
    """Return the office that the environment describes."""
    return Office.at(settings())
