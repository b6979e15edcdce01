"""Documents beside the answer: each place in a page, text, tree or video can be cited, and a link opens it."""

import json
import sqlite3

import pdfs
import pytest
from candidates_folder import write_candidates
from movies import mp4
from screens import problems

from review_app.candidates import import_candidates
from review_app.domain.citations import Lines, PdfPage, Pointer, read
from review_app.ui.viewers.schema import FONT_POINTS, diagram
from review_app.workspace.schema import Declared, Schema, schema_of

TASK = "task_1"
GUIDE = "# Guide\n\nfirst\n\n## Units\n\nin millions\n\n```\n# no heading\n```\n\n## 附录\n\n<b>x</b> ![y](http://example.org)\n"
SCRIPT = """
CREATE TABLE manager (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE fund (code TEXT PRIMARY KEY, boss INTEGER REFERENCES manager (id));
CREATE TABLE "a""b\\ {|<x>" (c TEXT);
"""


@pytest.fixture(scope="session")
def documents(staffed, tmp_path_factory):
    """A task with one file of each kind."""
    folder = tmp_path_factory.mktemp("documents")
    with sqlite3.connect(folder / "db") as connection:
        connection.executescript(SCRIPT)
    connection.close()
    catalogue = {"meta": {"note": "x"}, "funds": [{"size": number} for number in range(250)]}
    files = {
        "guide.md": ("markdown", GUIDE.encode()),
        "report.pdf": ("pdf", pdfs.pdf([["cover"], ["net assets were 12"]])),
        "catalogue.json": ("json", json.dumps(catalogue).encode()),
        "market.sqlite": ("sqlite", (folder / "db").read_bytes()),
        "talk.mp4": ("video", mp4({"eng": [(0, 900, "hello")]})),
    }
    house = staffed.copy(folder / "var", staffed.show)
    import_candidates(house.office, write_candidates(folder / "candidates", 1, files=files))
    house.seat("ann")
    return house


@pytest.fixture
def house(documents, fork):
    return fork(documents)


def opened(house, path, where="", login="ann", page="task"):
    """The task's page as a citation's link opens it."""
    at = house.screen(login, page, TASK)
    at.query_params["cite"], at.query_params["at"] = path, where
    at.run()
    assert problems(at) == []
    return at


def the(widgets, start):
    """The widget whose key begins so."""
    return next(one for one in widgets if one.key and one.key.startswith(start))


def cited(house):
    return [(path, read(where)) for path, where in json.loads(house.expert("ann").drafts(TASK)["citations"].body)]


def test_a_section_of_a_document_is_shown_and_cited_by_its_lines(house):
    at = opened(house, "guide.md")
    section = the(at.selectbox, "section-")
    assert [option.strip() for option in section.options] == ["whole document", "Guide", "Units", "附录"]
    section.select_index(2).run()
    (shown,) = [one.value for one in at.markdown if "in millions\n" in one.value]
    assert shown == "## Units\n\nin millions\n\n```\n# no heading\n```"
    the(at.button, f"cite-{TASK}-section-").click().run()
    assert cited(house) == [("guide.md", Lines(5, 11))]


def test_a_link_to_lines_shows_them_as_written(house):
    at = opened(house, "guide.md", "lines 5-7")
    assert "▸     5  ## Units" in at.code[0].value
    assert "▸     8" not in at.code[0].value


def test_a_link_to_a_page_opens_it_with_the_words_marked(house):
    at = opened(house, "report.pdf", 'page 2, "assets were"')
    assert the(at.number_input, "pdf-").value == 2
    assert any("assets were" in one.value for one in at.caption)
    the(at.button, f"cite-{TASK}-pdf-").click().run()
    assert cited(house) == [("report.pdf", PdfPage(2))]


def test_a_search_in_a_pdf_turns_to_the_page(house):
    at = opened(house, "report.pdf")
    the(at.text_input, "pdf-find-").set_value("NET assets").run()
    the(at.button, "pdf-hit-").click().run()
    assert the(at.number_input, "pdf-").value == 2


def test_a_link_to_a_value_opens_the_tree_there(house):
    at = opened(house, "catalogue.json", 'value "/funds/7"')
    assert the(at.text_input, "pointer-").value == "/funds/7"
    the(at.button, f"cite-{TASK}-pointer-").click().run()
    assert cited(house) == [("catalogue.json", Pointer("/funds/7"))]
    the(at.button, "pointer-up-").click().run()
    assert the(at.number_input, "pointer-page-").max == 3
    assert problems(at) == []


def test_a_place_that_is_not_in_the_document_is_said_to_be_none(house):
    at = opened(house, "catalogue.json", 'value "/funds/999"')
    assert "There is nothing at this place." in [one.value for one in at.warning]


def test_a_video_is_opened_at_its_moment_for_experts_and_leads(house, sent):
    opened(house, "talk.mp4", "00:01:03.2")
    assert any("63.2" in text and "talk.mp4?captions=0" in text for text in sent())
    opened(house, "talk.mp4", "00:01:03.2", "lea", "review")
    assert any("talk.mp4#t=63.2" in text and "talk.mp4?captions=0" in text for text in sent())


def test_a_schema_is_drawn_with_its_keys_and_any_name(house, tmp_path):
    at = opened(house, "market.sqlite")
    (drawn,) = at.get("graphviz_chart")
    assert '"fund" -> "manager" [label="boss"]' in drawn.proto.spec
    path = tmp_path / "db"
    with sqlite3.connect(path) as connection:
        connection.executescript(SCRIPT)
    connection.close()
    assert diagram(schema_of(path)) == drawn.proto.spec
    assert '"a\\"b\\\\ {|<x>" [width=' in drawn.proto.spec


def test_a_box_of_the_diagram_is_as_wide_as_its_chinese_names():
    table = Declared("基金", ("管理费率_百分比", "a"), ())
    width = float(diagram(Schema((table,), ())).partition('"基金" [width=')[2].partition(",")[0])
    assert width * 72 >= 7 * FONT_POINTS
