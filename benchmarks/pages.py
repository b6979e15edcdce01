"""Speed of a page change with many people at once, over real websockets, as a ratio to an empty page of the framework.

    python -P benchmarks/pages.py [--people 20] [--changes 12] [--think 2.0]

Starts the web process on a folder of its own with the demo's tasks, signs everybody in, and lets each go back and
forth between their list and an open task. A change is counted from the request to the end of the script's run. The
reference is one person at an empty Streamlit page under the same server settings, measured before. Loopback only.
"""

import argparse
import asyncio
import os
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).parents[1]
EMPTY = "import streamlit as st\nst.title('empty')\n"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class _Stay(urllib.request.HTTPRedirectHandler):
    """Keeps the answer that carries the cookie."""

    def redirect_request(self, *_: object) -> None:
        return None


def sign_in(port: int, login: str, password: str) -> str:
    data = urllib.parse.urlencode({"login": login, "password": password, "next": "/"}).encode()
    try:
        urllib.request.build_opener(_Stay()).open(f"http://127.0.0.1:{port}/sign-in", data)
    except urllib.error.HTTPError as answer:
        return str(answer.headers["set-cookie"]).split(";", 1)[0]
    raise RuntimeError(f"{login} could not sign in")


class Visitor:
    """One open page: asks for a run of the script, and reads until it has ended."""

    def __init__(self, port: int, cookie: str) -> None:
        self.address = f"ws://127.0.0.1:{port}/_stcore/stream"
        self.heard = 0  # bytes
        self.headers = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"} if cookie else {}

    async def __aenter__(self) -> "Visitor":
        self.socket = await websockets.connect(
            self.address, additional_headers=self.headers, subprotocols=["streamlit"], max_size=None
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.socket.close()

    async def change(self, page: str, query: str = "") -> float:
        """Open a page; return the seconds until its script has run."""
        asked = BackMsg()
        asked.rerun_script.query_string = query
        asked.rerun_script.page_name = page
        began = time.perf_counter()
        await self.socket.send(asked.SerializeToString())
        while True:
            said = ForwardMsg()
            said.ParseFromString(await self.socket.recv())
            self.heard += said.ByteSize()
            # a page that leads to another one runs the script a second time
            ended = said.WhichOneof("type") == "script_finished"
            if ended and said.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return time.perf_counter() - began


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1)
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("the server did not answer within a minute")


async def empty_page(port: int, changes: int) -> list[float]:
    async with Visitor(port, "") as visitor:
        await visitor.change("")
        return [await visitor.change("") for _ in range(changes)]


async def person(port: int, cookie: str, task: str, changes: int, think: float, place: int) -> list[float]:
    async with Visitor(port, cookie) as visitor:
        await visitor.change("my-tasks")
        await visitor.change("task", f"task={task}")
        await asyncio.sleep(think * place / 20)  # not all at the same moment
        took = []
        for number in range(changes):
            page, query = ("task", f"task={task}") if number % 2 else ("my-tasks", "")
            took.append(await visitor.change(page, query))
            await asyncio.sleep(think)
        return took


async def people(port: int, seats: list[tuple[str, str]], changes: int, think: float) -> list[float]:
    runs = [person(port, cookie, task, changes, think, place) for place, (cookie, task) in enumerate(seats)]
    return [one for took in await asyncio.gather(*runs) for one in took]


def seat_everybody(folder: Path, count: int) -> list[tuple[str, str, str]]:
    """Make the demo's tasks and so many experts with a task each: (login, password, task)."""
    from review_app import accounts
    from review_app import demo as first_start
    from review_app.accounts import NewAccount
    from review_app.desk import ExpertDesk, Office, Viewer
    from review_app.domain.people import Role
    from review_app.settings import Settings

    office = Office.at(Settings(var=folder))
    first_start.prepare(office, lambda text: None)
    made = []
    for number in range(count):
        login, password = f"expert{number}", secrets.token_urlsafe(12)
        with office.write() as session:
            accounts.add(session, NewAccount(login, login, password, (Role.EXPERT,)), office.clock())
        with office.write() as session:
            token = accounts.sign_in(session, login, True, office.clock(), 12)
        desk = ExpertDesk(office, Viewer(accounts.hash_token(token or "")))
        made.append((login, password, desk.next_task()))
    office.engine.dispose()
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--changes", type=int, default=12)
    parser.add_argument("--think", type=float, default=2.0)
    asked = parser.parse_args()
    print(f"Load at the start {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, Python {sys.version.split()[0]}.")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY)
        port = free_port()
        command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
        settings = ["--server.headless", "true", "--runner.postScriptGC", "false", "--server.address", "127.0.0.1"]
        with subprocess.Popen([*command, *settings], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as empty:
            wait_for(port)
            reference = statistics.median(asyncio.run(empty_page(port, 30)))
            empty.terminate()
        environment = {**os.environ, "DATASPACE_VAR": f"{folder}/var", "PORT": str(free_port())}
        environment.pop("DATABASE_URL", None)
        subprocess.run([sys.executable, "-m", "review_app", "migrate"], env=environment, cwd=ROOT, check=True)
        experts = seat_everybody(Path(folder) / "var", asked.people)
        serve = [sys.executable, "-m", "review_app", "serve"]
        port = int(environment["PORT"])
        with subprocess.Popen(
            serve, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as web:
            try:
                wait_for(port)
                seats = [(sign_in(port, login, password), task) for login, password, task in experts]
                took = sorted(asyncio.run(people(port, seats, asked.changes, asked.think)))
            finally:
                web.terminate()
    print(f"Reference: an empty page for one person, {1000 * reference:.1f} ms.\n")
    print("| what | p50, ms | p95, ms | p95 ratio | goal |\n|---|---|---|---|---|")
    p50, p95 = took[len(took) // 2], took[int(len(took) * 0.95)]
    name = f"page change, {asked.people} people, {asked.think:g} s of thinking"
    print(f"| {name} | {1000 * p50:.0f} | {1000 * p95:.0f} | {p95 / reference:.1f} | p95 under 400 ms |")


if __name__ == "__main__":
    main()
