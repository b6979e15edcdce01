"""One office with people and tasks, made once; each test gets a copy of its own."""

import itertools

import pytest
from candidates_folder import write_candidates
from screens import House
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from review_app import running
from review_app.candidates import import_candidates

# The other kinds say that a run began or ended, and carry random ids.
CONTENT = {"delta", "navigation", "page_config_changed", "page_info_changed", "page_not_found"}


@pytest.fixture(scope="session")
def staffed(tmp_path_factory):
    """Everybody is signed in, there is no task."""
    return House.build(tmp_path_factory.mktemp("staffed") / "var", lambda office: None)


@pytest.fixture(scope="session")
def imported(staffed, tmp_path_factory):
    """Two tasks wait."""
    folder = tmp_path_factory.mktemp("imported")
    house = staffed.copy(folder / "var", staffed.show)
    import_candidates(house.office, write_candidates(folder / "candidates", 2))
    for task_id in ("task_1", "task_2"):
        house.lead().index(task_id)  # the copies find it loaded
    return house


@pytest.fixture
def show(monkeypatch):
    return lambda office: monkeypatch.setattr(running, "office", lambda: office)


@pytest.fixture
def fork(tmp_path, show):
    """Copy an office; the copy goes its own way."""
    numbers = itertools.count()
    made = []

    def copy(house):
        made.append(house.copy(tmp_path / f"var{next(numbers)}", show))
        return made[-1]

    yield copy
    for house in made:
        house.office.engine.dispose()


@pytest.fixture
def house(imported, fork):
    return fork(imported)


@pytest.fixture
def protos(monkeypatch):
    """Everything that the last run of a page sent to the browser: elements, navigation, titles."""
    last = []

    def run(runner, *arguments, **named):
        try:
            return original(runner, *arguments, **named)
        finally:
            last[:] = [message for message in runner.forward_msgs() if message.WhichOneof("type") in CONTENT]

    original = LocalScriptRunner.run
    monkeypatch.setattr(LocalScriptRunner, "run", run)
    return last


@pytest.fixture
def sent(protos):
    """The same as texts."""
    return lambda: [str(message) for message in protos]
