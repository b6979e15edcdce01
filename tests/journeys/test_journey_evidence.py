"""Evidence by hand and mouse: words of a page, a value, a moment and an own finding that leads back to each."""

import json

import pdfs
import pytest
from candidates_folder import write_candidates
from movies import mp4

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("evidence")]

TASK = "task_1"
WORDS = "net assets were 12 million"
CAPTION = "净资产为 <1200> 万元"
CUES = """async (video) => {
  const track = video.querySelector("track");
  while (track.readyState < 2) await new Promise((next) => setTimeout(next, 50));
  return [...track.track.cues].map((cue) => cue.getCueAsHTML().textContent);
}"""


def look_at(person, path):
    person.page.locator(f".st-key-file-{TASK} input").first.click()
    person.page.get_by_role("option", name=path).first.click()
    person.settle()


def cite(person, name, citations):
    """Press a button of a component of ours, and wait for the citation."""
    person.page.get_by_role("button", name=name, exact=True).first.click()
    person.sees(f"Citations ({citations})")
    person.settle()


def select(person, words):
    """Drag the mouse over a line of a page."""
    box = person.page.locator("div.words span", has_text=words).bounding_box()
    middle = box["y"] + box["height"] / 2
    person.page.mouse.move(box["x"] + 1, middle)
    person.page.mouse.down()
    person.page.mouse.move(box["x"] + box["width"] + 20, middle, steps=6)
    person.page.mouse.up()


def test_what_is_seen_is_cited_and_found_again(system, tmp_path):
    catalogue = {"funds": [{"size": number} for number in range(30)]}
    files = {
        "report.pdf": ("pdf", pdfs.pdf([["cover"], [WORDS, "in the year 2023"]])),
        "catalogue.json": ("json", json.dumps(catalogue).encode()),
        "talk.mp4": ("video", mp4({"chi": [(1000, 2000, CAPTION)]})),
    }
    system.command("import", write_candidates(tmp_path / "candidates", 1, files=files))
    system.add("ann", "expert")
    ann = system.sign_in("ann")
    page, answered = ann.page, []
    page.on("response", lambda response: answered.append(response.url))
    ann.press("next")

    look_at(ann, "report.pdf")
    page.get_by_label("Page of 2").fill("2")
    page.get_by_label("Page of 2").press("Enter")
    page.locator("div.words span", has_text=WORDS).wait_for()
    select(ann, WORDS)
    cite(ann, "Cite the words", 1)
    look_at(ann, "catalogue.json")
    page.get_by_text("Tree", exact=True).first.click()
    page.get_by_role("button", name="Open /funds", exact=True).click()
    page.locator(".tree summary").nth(3).hover()
    cite(ann, "Cite /funds/3", 2)
    look_at(ann, "talk.mp4")
    page.locator("video").evaluate("video => { video.currentTime = 1.5 }")
    ann.sees("00:00:01.5")
    assert page.locator("video").evaluate(CUES) == [CAPTION]
    cite(ann, "Cite this moment", 3)

    ann.upload(f"upload-{TASK}", "answer.csv", b"name,size\nAlpha,1\n")
    page.locator("[data-testid=stDataFrame]").last.hover()
    page.get_by_label("Fullscreen").last.wait_for(state="visible")
    assert not page.get_by_label("Download as CSV").last.is_visible()  # its formulas would run in a spreadsheet
    ann.click("Take this as my answer")
    ann.tick(f"sure-{TASK}")
    ann.press("seal")
    ann.fill(f"finding-{TASK}-text", "the report says otherwise")
    ann.press(f"finding-{TASK}-add")
    page.get_by_role("link", name='report.pdf · page 2, "net assets').click()
    ann.settle()
    ann.sees("Cited words")
    assert page.locator("div.words .found").all_inner_texts() == [WORDS]
    page.get_by_role("link", name="talk.mp4").click()
    ann.sees("00:00:01.5")
    assert page.locator("video").evaluate("video => video.currentTime") == 1.5
    ann.shoot("evidence")
    assert {url.split("/")[2] for url in answered if url.startswith("http")} <= {f"127.0.0.1:{system.port}"}
