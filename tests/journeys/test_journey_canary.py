"""Blindness in a real browser: marks in what ann must not know yet occur in nothing that reaches her."""

import hashlib
import json
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from candidates_folder import rules, write_candidates
from streamlit.runtime.memory_media_file_storage import _calculate_file_id

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("canary")]

TASK, OTHER_TASK = "task_1", "task_2"
GOLD = "name,qzgoldcolumnzq\nAlpha,12.50\nqzgoldcellzq,7.25\n"
SQL = "SELECT name, size FROM fund /* qzsqlzq */ ORDER BY size DESC"
ANSWER = "name,size\nAlpha,12.50\nqzbobanswerzq,7.25\n"
QUESTION = (
    "Which? ![x](http://example.org/x.png) <b>b</b> :material_home: :material/home: :streamlit: :smile: $x$ a -> b"
)
OPENED_BY_SEAL = {"qzgoldcolumnzq", "qzgoldcellzq", "qzsqlzq"}
OPENED_BY_BOTH = {"qzbobanswerzq", "qzbobfindingzq", "qzboblocatorzq", "qzrulesnamezq"}
NEVER = {
    "qzprovenancezq",
    "qzinstancezq",
    "qzsourcetablezq",
    "qzsampledzq",
    "qzbobnamezq",
    "qzbobloginzq",
    "qzbobdraftzq",
    "qzbobuploadzq",
}


@dataclass
class Recorder:
    """Everything that reaches a browser: frames of websockets both ways, bodies of answers, what the page holds."""

    person: object
    heard: list[tuple[str, bytes]] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)

    def __post_init__(self):
        self.person.page.on("websocket", self._listen)
        self.person.page.on("requestfinished", self._read)
        self.person.page.on("requestfailed", self._failed)

    def _listen(self, socket):
        for event in ("framereceived", "framesent"):
            socket.on(event, lambda data, event=event: self._keep(event, data))

    def _failed(self, request):
        if request.failure != "csp":  # what the security policy stopped was not asked for
            self.asked.add(urlsplit(request.url).netloc)

    def _read(self, request):
        self.asked.add(urlsplit(request.url).netloc)
        answer = request.response()
        self._keep(request.url, json.dumps(answer.all_headers()))
        if answer.ok and "/static/" not in request.url:  # Streamlit's own program, the same for everybody
            self._keep(request.url, answer.body())

    def _keep(self, where, data):
        self.heard.append((where, data if isinstance(data, bytes) else data.encode()))

    def fetch(self, path):
        """Ask for an address with the person's cookie; returns the status."""
        answer = self.person.context.request.get(f"{self.person.address}{path}", max_redirects=0)
        self._keep(path, answer.body())
        return answer.status

    def marks(self, wanted):
        """Which of the wanted texts reached the browser, and where."""
        self._keep("the page", self.person.page.content())
        return {(mark, where) for mark in wanted for where, data in self.heard if mark.encode() in data}

    def seen(self, wanted):
        return {mark for mark, _ in self.marks(wanted)}


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def candidates(tmp_path):
    """Two candidates with marks in everything private."""
    with_marks = rules(TASK)
    with_marks["columns"][1]["gold_name"] = "qzrulesnamezq"
    folder = tmp_path / "candidates"
    write_candidates(folder, 2, question=QUESTION, gold=GOLD.encode(), sql=SQL, sibling="qzprovenancezq")
    manifest = json.loads((folder / "manifest.json").read_text())
    for entry in manifest["tasks"]:
        home = folder / entry["task_id"]
        (home / "private" / "rules.json").write_text(json.dumps({**with_marks, "task_id": entry["task_id"]}))
        provenance = json.loads((home / "private" / "provenance.json").read_text())
        provenance["workspace"][0]["tables"] = ["qzsourcetablezq"]
        provenance["sibling"] += entry["task_id"]
        (home / "private" / "provenance.json").write_text(json.dumps(provenance))
        with sqlite3.connect(home / "private" / "sampled.sqlite") as connection:
            connection.execute("INSERT INTO fund VALUES ('qzsampledzq', 1)")
        entry["instance"] += "qzinstancezq"
        entry["files"] = {path: hashlib.sha256((home / path).read_bytes()).hexdigest() for path in entry["files"]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


@pytest.fixture
def people(system, candidates):
    """Ann and bob at the same task; bob's name and login are marks."""
    system.command("import", candidates)
    system.add("ann", "expert")
    password = "correct horse battery"
    system.passwords["qzbobloginzq"] = password
    name = ("user", "add", "qzbobloginzq", "--name", "qzbobnamezq", "--role", "expert", "--password-stdin")
    system.command(*name, stdin=password)
    ann, bob = system.sign_in("ann"), system.sign_in("qzbobloginzq")
    recorder = Recorder(ann)
    for person in (ann, bob):
        person.open("")
        person.press("next")
        assert f"task={TASK}" in person.page.url
    return ann, bob, recorder


def secret_names(var: Path, candidates: Path):
    """Digests of what is private, and bob's id: they would tell that there is something, or be a key to it."""
    with sqlite3.connect(var / "review.db") as connection:
        (bob,) = connection.execute("SELECT id FROM account WHERE login = 'qzbobloginzq'").fetchone()
    files = (candidates / TASK / "private").iterdir()
    return {bob, *(hashlib.sha256(file.read_bytes()).hexdigest() for file in files)}


def solve(person, name, table):
    person.upload(f"upload-{TASK}", name, table.encode())
    person.click("Take this as my answer")
    person.sees("Draft saved")
    person.tick(f"sure-{TASK}")
    person.press("seal")
    person.sees("How the two compare")


def submit(person, verdict):
    if verdict == "accept":
        person.take_rules(TASK)
    person.choose(f"verdict-{TASK}", verdict)
    person.press("submit-review")


def bob_does_everything(bob):
    bob.choose(f"way-{TASK}", "Paste")
    bob.write(TASK, "pasted", "name,size\nqzbobdraftzq,1\n")
    bob.click("Take this as my answer")
    bob.sees("Draft saved")
    bob.choose(f"way-{TASK}", "Upload")
    solve(bob, "qzbobuploadzq.csv", ANSWER)
    bob.fill(f"finding-{TASK}-text", "qzbobfindingzq")
    bob.click("Cite by hand")
    bob.pick(f"finding-{TASK}-path", "fund.csv")
    bob.fill(f"finding-{TASK}-where", "qzboblocatorzq")
    bob.click("Add the citation")
    bob.click("Add the finding")
    bob.sees("qzbobfindingzq")
    submit(bob, "revise")
    bob.sees("Your review is submitted.")


def ann_looks_everywhere(ann, recorder):
    """All pages and previews that she has, and addresses that she has not."""
    ann.open("")
    for path in (f"task?task={OTHER_TASK}", f"review?task={TASK}", "tasks", "work", "users", f"task?task={TASK}"):
        ann.open(path)
    assert QUESTION in ann.text().replace("\u2060", "")
    ann.pick(f"file-{TASK}", "notes.md · markdown · 63 B")
    ann.sees("Sizes are in millions.")
    for name in ("Paste", "Grid", "Upload"):
        ann.choose(f"way-{TASK}", name)
    for rest in ("all.zip", "context/fund.csv", "context/notes.md"):
        assert recorder.fetch(f"/files/{TASK}/{rest}") == 200
        assert recorder.fetch(f"/files/{OTHER_TASK}/{rest}") == 404
    for name in ("gold.csv", "gold.sql", "rules.json", "provenance.json", "sampled.sqlite"):
        for place in ("private/", "context/", "context/../private/", "context/..%2fprivate%2f", ""):
            recorder.fetch(f"/files/{TASK}/{place}{name}")  # a 404, or the empty page that Streamlit has for any path
    for path in ("metrics", "host-config", "health", "script-health-check", "stream", "agent", "message"):
        recorder.fetch(f"/_stcore/{path}")
    for address in guesses():
        assert recorder.fetch(address) == 404, address


def guesses():
    """Addresses under which Streamlit would serve what somebody else's page showed, computed from a guessed content."""
    for content in (GOLD, SQL, ANSWER):
        for name in (None, "gold.csv", "answer.csv", "prediction.csv"):
            for kind, ending in (("text/csv", "csv"), ("text/plain", "txt"), ("application/octet-stream", "bin")):
                yield f"/media/{_calculate_file_id(content.encode(), kind, name)}.{ending}"


def test_what_ann_must_not_know_reaches_her_browser_only_in_its_time(system, people, candidates):
    ann, bob, recorder = people
    never = NEVER | secret_names(system.var, candidates) | {sha256(ANSWER)}

    bob_does_everything(bob)
    ann_looks_everywhere(ann, recorder)
    assert recorder.marks(OPENED_BY_SEAL | OPENED_BY_BOTH | never) == set()
    assert recorder.asked == {urlsplit(system.address).netloc}
    assert len([1 for where, _ in recorder.heard if where == "framereceived"]) > 20

    solve(ann, "answer.csv", ANSWER.replace("qzbobanswerzq", "Beta"))
    assert recorder.seen(OPENED_BY_SEAL) == OPENED_BY_SEAL
    ann_looks_everywhere_after_the_seal(ann, recorder)
    assert recorder.marks(OPENED_BY_BOTH - {"qzrulesnamezq"} | never) == set()

    submit(ann, "accept")
    ann.sees("The two reviews")
    assert recorder.seen(OPENED_BY_BOTH) == OPENED_BY_BOTH
    assert recorder.marks(never) == set()


def ann_looks_everywhere_after_the_seal(ann, recorder):
    ann.open("")
    ann.open(f"task?task={TASK}")
    ann.page.get_by_role("tab", name="Gold SQL").click()
    ann.settle()
    for address in guesses():
        assert recorder.fetch(address) == 404, address
