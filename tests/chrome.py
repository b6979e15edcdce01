"""Drive the pages as a person would, in a real Chromium."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright
from prepare import chromium

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
QUIET = '[data-testid="stApp"][data-test-script-state="notRunning"][data-test-connection-state="CONNECTED"]'


@contextmanager
def browser() -> Iterator[Browser]:
    """A running Chromium."""
    with sync_playwright() as playwright:
        found = chromium()
        opened = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield opened
        opened.close()


class Person:
    """Somebody at a browser of their own."""

    def __init__(self, opened: Browser, address: str, login: str, password: str, shots: Path | None = None) -> None:
        self.address, self.login, self.shots = address, login, shots
        self.context = opened.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.goto(f"{address}/sign-in")
        self.page.fill("#login", login)
        self.page.fill("#password", password)
        self.page.click("button[type=submit]")
        self.settle()

    def settle(self) -> None:
        """Wait until the script has run and nothing is under way."""
        self.page.wait_for_selector(QUIET)
        self.page.wait_for_timeout(250)
        self.page.wait_for_selector(QUIET)

    def open(self, path: str) -> None:
        """Go to an address."""
        self.page.goto(f"{self.address}/{path}")
        self.settle()

    def press(self, key: str) -> None:
        """Press the button with a widget key."""
        self.page.locator(f".st-key-{key} button").first.click()
        self.settle()

    def click(self, name: str) -> None:
        """Press the button with a visible name."""
        self.page.get_by_role("button", name=name, exact=True).first.click()
        self.settle()

    def fill(self, key: str, text: str) -> None:
        """Type into the field with a widget key."""
        field = self.page.locator(f".st-key-{key}").locator("textarea, input").first
        field.fill(text)
        field.blur()
        self.settle()

    def write(self, task_id: str, part: str, text: str) -> None:
        """Type into the text that saves itself as this part, or as the one part that begins so."""
        field = self.page.locator(f"[class*='st-key-writer-{task_id}-{part}'] textarea").first
        field.fill(text)
        field.blur()
        self.settle()

    def tick(self, key: str) -> None:
        """Tick the box with a widget key."""
        self.page.locator(f".st-key-{key} label").first.click()
        self.settle()

    def choose(self, key: str, name: str) -> None:
        """Choose one of the radio or segmented buttons with a widget key."""
        self.page.locator(f".st-key-{key}").get_by_text(name, exact=True).first.click()
        self.settle()

    def pick(self, key: str, name: str) -> None:
        """Pick from the list with a widget key."""
        self.page.locator(f".st-key-{key} input").first.click()
        self.page.get_by_role("option", name=name, exact=True).first.click()
        self.settle()

    def take_rules(self, task_id: str, done: str = "The rules are complete.") -> None:
        """Ask for the tool's proposal of every rule, and take it; the page then says that it is done."""
        self.press(f"rules-show-{task_id}-order")
        self.press(f"rules-take-{task_id}-order")
        number = 0
        while self.page.locator(f".st-key-rules-show-{task_id}-{number}").count():
            self.press(f"rules-show-{task_id}-{number}")
            self.press(f"rules-{task_id}-{number}-take")
            number += 1
        self.sees(done)

    def upload(self, key: str, name: str, data: bytes) -> None:
        """Upload a file."""
        field = self.page.locator(f".st-key-{key} input[type=file]").first
        field.set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
        self.page.wait_for_timeout(500)
        self.settle()

    def sees(self, text: str) -> None:
        """Fail unless the text is on the page."""
        expect(self.page.get_by_text(text).first).to_be_visible(timeout=20_000)

    def text(self) -> str:
        """All visible text."""
        return self.page.locator("body").inner_text()

    def shoot(self, name: str) -> None:
        """Take a picture of the page, for people to look at."""
        self.page.screenshot(path=self.shots / f"{name}.png", full_page=True)
