"""The cases of the agreement statistics, out of the office's ledger."""

from review_app import store
from review_app.agreement.cases import Case
from review_app.agreement_cases import cases_of
from review_app.desk.office import Office


def cases(office: Office) -> list[Case]:
    """Return the case of every task whose first round is done, by task."""
    with office.read() as session:
        histories = store.histories(session)
    return cases_of(histories, office)
