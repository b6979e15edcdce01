"""A running system: web and worker on an own folder, as the Procfile starts them."""

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from chrome import Person, browser

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "var" / "screenshots"


@pytest.fixture(scope="session")
def chromium():
    with browser() as opened:
        yield opened


@dataclass
class System:
    """The system under test; `command` runs `dataspace` on it as an operator would."""

    var: Path
    port: int
    environment: dict[str, str]
    chromium: object
    passwords: dict[str, str]
    log: Path
    running: dict[str, subprocess.Popen] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def command(self, *arguments: object, stdin: str = "", fine: bool = True) -> subprocess.CompletedProcess:
        line = [sys.executable, "-m", "review_app", *map(str, arguments)]
        done = subprocess.run(line, input=stdin, capture_output=True, text=True, env=self.environment, cwd=ROOT)
        assert (done.returncode == 0) is fine, done.stdout + done.stderr
        return done

    def add(self, login: str, *roles: str) -> None:
        self.passwords[login] = secrets.token_urlsafe(12)
        named = [part for role in roles for part in ("--role", role)]
        self.command(
            "user", "add", login, "--name", f"Name of {login}", *named, "--password-stdin", stdin=self.passwords[login]
        )

    def start(self, name: str) -> None:
        """Start web (`serve`) or worker; the web answers when this returns."""
        line = [sys.executable, "-m", "review_app", name]
        with self.log.open("a") as log:
            self.running[name] = subprocess.Popen(line, env=self.environment, cwd=ROOT, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while name == "serve" and not answers(self.address):
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.2)

    def kill(self, name: str) -> None:
        """End a process as a failing machine would."""
        self.running[name].kill()
        self.running.pop(name).wait(20)
        assert name != "serve" or not answers(self.address)

    def sign_in(self, login: str) -> Person:
        return Person(self.chromium, self.address, login, self.passwords[login], SHOTS)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=2) as response:
            return response.status == 200
    except OSError:
        return False


@pytest.fixture
def system(tmp_path, chromium):
    """Web and worker on an empty database; stopped at the end."""
    port = free_port()
    SHOTS.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "DATASPACE_VAR": str(tmp_path / "var"), "PORT": str(port)}
    environment.pop("DATABASE_URL", None)
    found = System(tmp_path / "var", port, environment, chromium, {}, tmp_path / "log")
    found.command("migrate")
    for name in ("worker", "serve"):
        found.start(name)
    yield found
    for context in chromium.contexts:  # pages whose server is gone go on asking for it
        context.close()
    for process in found.running.values():
        process.terminate()
    for process in found.running.values():
        process.wait(20)
