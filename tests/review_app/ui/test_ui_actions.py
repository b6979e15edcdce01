"""What the buttons do: each calls the desk once, shows a refusal as text, and draws the page anew."""

import pytest
from screens import PASSWORD, RIGHT, WRONG, keys, problems

from evaluator.tables import Table
from review_app import accounts
from review_app.domain.blindness import Step
from review_app.domain.content import FindingKind, Part, Verdict
from review_app.domain.people import Role
from review_app.domain.task import Phase, State

TASK = "task_1"
CSV = b"name,size\nAlpha,12.50\nBeta,7.25\n"


@pytest.fixture
def seated(house):
    house.seat("ann", "bob")
    return house


@pytest.fixture
def disputed(house):
    house.dispute()
    return house


def submit(at, form, label):
    """Press the button of a form; what the form is about is part of its key."""
    return press(at, f"FormSubmitter:{form}", label)


def press(at, start, end=""):
    """Press the button whose key begins and ends so."""
    (button,) = [one for one in at.button if one.key and one.key.startswith(start) and one.key.endswith(end)]
    return button.click().run()


def cite(at, key):
    """Cite a row of a file by hand."""
    at.selectbox(key=f"{key}-path").set_value("fund.csv")
    at.text_input(key=f"{key}-where").set_value("row 2")
    submit(at, f"{key}-cite", "Add the citation")


def draft(house):
    return house.expert("ann").drafts(TASK)["answer"].body.encode()


def draft_of(house, part):
    return house.expert("ann").drafts(TASK)[part].body


def state(house):
    return house.lead().task(TASK).state


# --- the expert ------------------------------------------------------------------------------------------------


def test_next_task_gives_a_seat_and_opens_the_task(house):
    at = house.screen("ann").button(key="next").click().run()
    assert problems(at) == []
    assert at.query_params["task"] == TASK
    assert house.expert("ann").view(TASK).step is Step.SOLVE


def test_without_a_task_that_fits_the_page_says_no_more_than_that(house):
    for login in ("bob", "cho"):
        for task in ("task_1", "task_2"):
            house.seat(login, task=task)
    at = house.screen("ann").button(key="next").click().run()
    assert problems(at) == []
    assert at.info[0].value == "No task fits your domains and languages now. Look again later."


def test_a_task_is_opened_from_the_list(seated):
    at = seated.screen("ann").button(key=f"open-{TASK}").click().run()
    assert at.query_params["task"] == TASK


def test_an_uploaded_table_is_looked_at_then_taken_and_sealed(seated):
    at = seated.screen("ann", "task", TASK)
    at.file_uploader(key=f"upload-{TASK}").set_value(("answer.csv", CSV, "text/csv")).run()
    assert problems(at) == []
    assert "answer" not in seated.expert("ann").drafts(TASK)
    press(at, "take-upload")
    assert draft(seated) == CSV
    assert at.button(key="seal").disabled
    at.checkbox(key=f"sure-{TASK}").check().run()
    at.button(key="seal").click().run()
    assert seated.expert("ann").my_answer(TASK) == RIGHT
    assert f"verdict-{TASK}" in keys(at)


def test_the_uploaded_file_is_sealed_with_the_answer_as_it_came_and_how_it_was_read(seated):
    data = "name,size\n净资产,null\n,2\n".encode("gb18030")
    at = seated.screen("ann", "task", TASK)
    at.file_uploader(key=f"upload-{TASK}").set_value(("answer.csv", data, "text/csv")).run()
    assert "name :gray[text, 1 empty] · size :gray[number, 1 with the word null]" in said(at.caption)
    press(at, "take-upload")
    at.checkbox(key=f"sure-{TASK}").check().run()
    at.button(key="seal").click().run()
    sealed = seated.expert("ann").view(TASK).answer
    assert (seated.office.blobs.read(sealed.source), sealed.read_as) == (data, "gb18030")


def test_a_pasted_table_is_a_draft_with_its_notes(seated):
    at = seated.screen("ann", "task", TASK)
    at.segmented_control(key=f"way-{TASK}").set_value("Paste").run()
    seated.types("ann", "pasted", "name\tsize\nAlpha\t=1+1\n")
    at.run()
    assert any("Some cells look like formulas; they are kept as text." in box.value for box in at.caption)
    press(at, "take-paste")
    assert draft(seated) == b"name,size\nAlpha,=1+1\n"


def test_what_cannot_be_read_as_a_table_is_refused_and_the_draft_stays(seated):
    at = seated.screen("ann", "task", TASK)
    at.file_uploader(key=f"upload-{TASK}").set_value(("answer.csv", CSV, "text/csv")).run()
    press(at, "take-upload")
    at.segmented_control(key=f"way-{TASK}").set_value("Paste").run()
    seated.types("ann", "pasted", 'a,b\n"unclosed')
    at.run()
    assert not at.exception
    assert len(at.error) == 1
    assert draft(seated) == CSV


def test_a_table_is_typed_into_the_grid_cell_by_cell(seated):
    at = seated.screen("ann", "task", TASK)
    choose(at, "Grid")
    at.text_input(key=f"names-{TASK}").set_value("name, size")
    submit(at, f"columns-{TASK}", "Start a grid with these columns")
    for name in ("007", "=1+1", ""):
        add_row(at, name)
    assert draft(seated) == b"name,size\n007,1\n=1+1,1\n,1\n"


def test_a_grid_whose_columns_have_one_name_is_refused_or_drawn_but_never_breaks(seated):
    at = seated.screen("ann", "task", TASK)
    at.segmented_control(key=f"way-{TASK}").set_value("Grid").run()
    at.text_input(key=f"names-{TASK}").set_value("a, a, a (2), ")
    submit(at, f"columns-{TASK}", "Start a grid with these columns")
    assert not at.exception


@pytest.fixture
def grid(seated):
    """Ann's page with a grid of one row, which is her draft."""
    at = seated.screen("ann", "task", TASK)
    at.segmented_control(key=f"way-{TASK}").set_value("Grid").run()
    at.text_input(key=f"names-{TASK}").set_value("name, size")
    submit(at, f"columns-{TASK}", "Start a grid with these columns")
    add_row(at, "typed")
    assert b"typed" in draft(seated)
    return at


def add_row(at, name):
    """Type into a new row of the grid, which keeps what was typed before."""
    (key,) = (key for key in keys(at) if key.startswith(f"grid-{TASK}-"))
    before = at.session_state[key]["added_rows"] if key in at.session_state else []
    edit = {"edited_rows": {}, "deleted_rows": [], "added_rows": [*before, {"name": name, "size": "1"}]}
    at.session_state[key] = edit
    at.run()
    assert not at.exception


def choose(at, way):
    at.segmented_control(key=f"way-{TASK}").set_value(way).run()


def test_a_grid_that_was_left_keeps_what_was_typed(seated, grid):
    for way in ("Upload", "Grid", "Paste", "Grid"):
        choose(grid, way)
        assert draft(seated) == b"name,size\ntyped,1\n"
    add_row(grid, "more")
    assert draft(seated) == b"name,size\ntyped,1\nmore,1\n"


def test_a_grid_goes_on_from_what_was_uploaded_meanwhile(seated, grid):
    choose(grid, "Upload")
    grid.file_uploader(key=f"upload-{TASK}").set_value(("answer.csv", CSV, "text/csv")).run()
    press(grid, "take-upload")
    choose(grid, "Grid")
    assert draft(seated) == CSV
    add_row(grid, "more")
    assert draft(seated) == CSV + b"more,1\n"


def test_an_older_windows_grid_does_not_overwrite_the_draft(seated, grid):
    seated.expert("ann").save_draft(TASK, "answer", CSV.decode(), 1)
    add_row(grid, "late")
    assert draft(seated) == CSV
    assert "The draft was changed elsewhere; the grid shows it now." in [box.value for box in grid.warning]
    add_row(grid, "more")
    assert draft(seated) == CSV + b"more,1\n"


def pasted(seated):
    """Ann has pasted a table and looks at it, when another window of hers saves."""
    at = seated.screen("ann", "task", TASK)
    choose(at, "Paste")
    seated.types("ann", "pasted", "name,size\nlate,1\n")
    at.run()
    seated.expert("ann").save_draft(TASK, "answer", CSV.decode(), 0)
    press(at, "take-paste")
    assert draft(seated) == CSV
    assert "Another window of yours saved the answer meanwhile. This is what you entered here:" in said(at.warning)
    return at


def test_an_older_windows_paste_does_not_overwrite_the_draft(seated):
    at = pasted(seated)
    at.button(key=f"answer-mine-{TASK}").click().run()
    assert (problems(at), draft(seated)) == ([], b"name,size\nlate,1\n")


def test_of_two_windows_answers_the_other_can_be_kept(seated):
    at = pasted(seated)
    at.button(key=f"answer-theirs-{TASK}").click().run()
    assert draft(seated) == CSV
    assert not [text for text in said(at.warning) if "Another window" in text]


def said(boxes):
    return [box.value for box in boxes]


def test_what_is_sealed_is_what_was_on_the_screen(seated):
    at = seated.screen("ann", "task", TASK)
    at.file_uploader(key=f"upload-{TASK}").set_value(("answer.csv", CSV, "text/csv")).run()
    press(at, "take-upload")
    at.checkbox(key=f"sure-{TASK}").check().run()
    seated.expert("ann").save_draft(TASK, "answer", "name,size\nlate,1\n", 1)
    at.button(key="seal").click().run()
    assert len(problems(at)) == 1
    assert seated.expert("ann").view(TASK).step is Step.SOLVE
    at.button(key="seal").click().run()
    assert seated.expert("ann").my_answer(TASK).rows == (("late", "1"),)


def test_the_seat_is_kept_longer_or_given_back_with_a_reason(seated):
    at = seated.screen("ann", "task", TASK)
    at.button(key="extend").click().run()
    assert problems(at) == []
    at.button(key="give-back").click().run()
    assert len(problems(at)) == 1
    seated.types("ann", "return-reason", "no time")
    at.button(key="give-back").click().run()
    assert at.title[0].value == "My tasks"
    assert seated.expert("ann").my_tasks() == []


def test_a_finding_is_kept_as_a_draft_taken_away_and_submitted(seated):
    seated.expert("ann").seal(TASK, WRONG)
    at = seated.screen("ann", "task", TASK)
    for text in ("in which currency?", "", "one too many"):
        seated.types("ann", f"finding-{TASK}", text)
        cite(at, f"finding-{TASK}")
        press(at, f"finding-{TASK}-add")
        assert len(problems(at)) == (text == "")
    at.button(key=f"drop-{TASK}-1").click().run()
    assert at.button(key="submit-review").disabled
    at.radio(key=f"verdict-{TASK}").set_value(Verdict.REVISE).run()
    at.button(key="submit-review").click().run()
    (found,) = seated.expert("ann").view(TASK).review.findings
    assert (found.text, found.part, found.kind) == ("in which currency?", Part.QUESTION, FindingKind.AMBIGUOUS)
    assert (found.evidence[0].path, found.evidence[0].locator) == ("fund.csv", "row 2")
    assert "Your review is submitted." in at.success[0].value


def test_a_verdict_without_what_it_needs_is_refused_and_what_was_entered_stays(seated):
    seated.expert("ann").seal(TASK, WRONG)
    at = seated.screen("ann", "task", TASK)
    at.radio(key=f"verdict-{TASK}").set_value(Verdict.REJECT).run()
    at.button(key="submit-review").click().run()
    assert len(problems(at)) == 1
    assert at.radio(key=f"verdict-{TASK}").value is Verdict.REJECT
    assert seated.expert("ann").view(TASK).step is Step.VERIFY


def test_changed_rules_change_the_comparison_at_once_and_go_into_the_review(seated):
    seated.expert("ann").seal(TASK, Table(("name", "size"), (("Alpha", "12.52"), ("Beta", "7.25"))))
    seated.write_rules("ann")
    at = seated.screen("ann", "task", TASK)
    assert "Different under these rules." in [box.value for box in at.error]
    at.number_input(key=f"rules-{TASK}-1-digits").set_value(1).run()
    assert "Equal under these rules." in [box.value for box in at.success]
    at.radio(key=f"verdict-{TASK}").set_value(Verdict.ACCEPT).run()
    at.button(key="submit-review").click().run()
    assert '"digits":1' in seated.expert("ann").view(TASK).review.rules.replace(" ", "")


def test_two_presses_on_submit_store_one_review(seated):
    seated.expert("ann").seal(TASK, RIGHT)
    seated.write_rules("ann")
    windows = [seated.screen("ann", "task", TASK) for _ in range(2)]
    for at in windows:
        at.radio(key=f"verdict-{TASK}").set_value(Verdict.ACCEPT).run()
    windows[0].button(key="submit-review").click().run()
    windows[1].button(key="submit-review").click().run()
    assert not windows[1].exception
    assert seated.expert("ann").view(TASK).step is Step.WAIT


def test_a_message_is_sent_once_and_an_empty_one_is_refused(disputed):
    at = disputed.screen("ann", "task", TASK)
    press(at, f"send-{TASK}-all")
    assert len(problems(at)) == 1
    disputed.types("ann", "message-all", "euros, see row 2")
    press(at, f"send-{TASK}-all")
    assert problems(at) == []
    assert [talk.event.text for talk in disputed.lead().task(TASK).contributions] == ["euros, see row 2"]


def test_an_answer_in_a_thread_belongs_to_its_finding(disputed):
    (finding,) = disputed.lead().task(TASK).open_findings
    at = disputed.screen("ann", "task", TASK)
    disputed.types("ann", f"message-{finding.id}", "@B in euros")
    press(at, f"send-{TASK}-{finding.id}")
    assert problems(at) == []
    (entry,) = disputed.lead().task(TASK).contributions
    assert (entry.event.text, entry.event.about) == ("@B in euros", finding.id)
    assert any("1 new" in element.value for element in disputed.screen("bob").markdown)


def test_what_was_said_about_a_finding_of_an_earlier_round_is_still_read(disputed):
    (finding,) = disputed.lead().task(TASK).open_findings
    disputed.expert("ann").post_message(TASK, "meant are euros", about=finding.id)
    disputed.lead().fresh_round(TASK, "both were told")
    at = disputed.screen("lea", "review", TASK)
    assert any("meant are euros" in box.value for box in at.markdown)


def test_an_expert_proposes_a_repair_and_withdraws_it(disputed):
    (finding,) = disputed.lead().task(TASK).open_findings
    at = disputed.screen("bob", "task", TASK)
    press(at, f"repair-{TASK}-")
    assert len(problems(at)) == 1
    mark = disputed.lead().task(TASK).revision.digest[:8]
    disputed.types("bob", f"repair-question-{mark}", "Which funds, in euros?")
    disputed.types("bob", f"reply-{finding.id}", "now it says so")
    disputed.types("bob", f"repair-reason-{mark}", "say the currency")
    press(at, f"repair-{TASK}-")
    assert problems(at) == []
    assert disputed.lead().task(TASK).proposal.after.question == "Which funds, in euros?"
    disputed.types("bob", "withdraw-reason", "better not")
    press(at, f"withdraw-{TASK}-")
    assert disputed.lead().task(TASK).proposal is None


def test_an_expert_accepts_a_leads_repair_and_both_confirm(disputed):
    disputed.lead().propose_repair(TASK, disputed.change(question="Which funds, in euros?"))
    at = disputed.screen("ann", "task", TASK)
    disputed.types("ann", "accept-reason", "clear now")
    press(at, f"accept-{TASK}-")
    assert state(disputed) is State.IN_RECHECK
    for login in ("ann", "bob"):
        press(disputed.screen(login, "task", TASK), f"confirm-{TASK}")
    assert state(disputed) is State.APPROVED


def test_an_objection_says_what_is_still_wrong(disputed):
    disputed.propose()
    disputed.accept()
    at = disputed.screen("ann", "task", TASK)
    form = f"object-{TASK}-{disputed.digest()[:8]}"
    press(at, f"{form}-add")
    assert len(problems(at)) == 1
    disputed.types("ann", form, "which year?")
    press(at, f"{form}-add")
    assert "The finding cites nothing yet. Cite the place in the workspace that proves it." in problems(at)
    cite(at, form)
    press(at, f"{form}-add")
    assert state(disputed) is State.DISPUTED


def test_what_was_handed_in_leaves_the_shelf_and_the_text(seated):
    seated.expert("ann").seal(TASK, WRONG)
    at = seated.screen("ann", "task", TASK)
    seated.types("ann", f"finding-{TASK}", "in which currency?")
    cite(at, f"finding-{TASK}")
    assert draft_of(seated, "citations") == '[["fund.csv", "row 2"]]'
    press(at, f"finding-{TASK}-add")
    assert (draft_of(seated, "citations"), draft_of(seated, f"finding-{TASK}")) == ("[]", "")


def test_a_link_of_a_citation_opens_its_file_once(disputed):
    at = disputed.screen("ann", "task", TASK)
    at.query_params["cite"], at.query_params["at"] = "notes.md", "line 3"
    at.run()
    assert at.selectbox(key=f"file-{TASK}").value == "notes.md"
    assert set(at.query_params) == {"task"}
    at.selectbox(key=f"file-{TASK}").set_value("fund.csv").run()
    assert at.selectbox(key=f"file-{TASK}").value == "fund.csv"


def test_a_message_takes_chosen_citations_along(disputed):
    at = disputed.screen("ann", "task", TASK)
    disputed.types("ann", "citations", '[["fund.csv", "row 2"], ["notes.md", "line 3"]]')
    at.run()
    (pills,) = [one for one in at.get("button_group") if one.key.endswith("-all-" + one.key[-8:])]
    pills.set_value(["notes.md · line 3"])
    disputed.types("ann", "message-all", "see there")
    press(at, f"send-{TASK}-all")
    assert problems(at) == []
    (said,) = [entry.event for entry in disputed.expert("bob").view(TASK).discussion.contributions]
    assert [one.path for one in said.evidence] == ["notes.md"]
    assert draft_of(disputed, "citations") == '[["fund.csv", "row 2"]]'


def test_after_closing_an_expert_reads_how_it_ended_and_what_became_of_the_own_finding(disputed):
    disputed.propose()
    disputed.accept()
    for login in ("ann", "bob"):
        press(disputed.screen(login, "task", TASK), f"confirm-{TASK}")
    shown = " ".join(element.value for element in disputed.screen("bob", "task", TASK).markdown)
    assert "A repair was accepted and both reviewers confirmed it" in shown
    captions = [element.value for element in disputed.screen("bob", "task", TASK).caption]
    assert any(text.startswith("→ fixed") for text in captions)


def test_own_numbers_compare_with_nobody(disputed):
    at = disputed.screen("bob", "my-numbers")
    assert {metric.label: metric.value for metric in at.metric} == {
        "Answers sealed": "1",
        "Tasks closed": "0",
        "Hours at work": "0.0",
        "Findings fixed": "0 / 0",
    }


# --- the lead --------------------------------------------------------------------------------------------------


def test_the_list_is_narrowed_by_state_and_search(seated):
    at = seated.screen("lea")
    assert at.selectbox(key="open-name").options == ["task_1", "task_2"]
    at.selectbox(key="state").set_value("in_review").run()
    assert at.selectbox(key="open-name").options == ["task_1"]
    at.selectbox(key="state").set_value("").run()
    at.text_input(key="search").set_value("task_2").run()
    assert at.selectbox(key="open-name").options == ["task_2"]
    at.text_input(key="search").set_value("100%_'\"").run()
    assert problems(at) == []


def test_what_the_list_is_narrowed_to_stands_in_the_address_and_is_read_from_it(disputed):
    at = disputed.screen("lea")
    at.selectbox(key="state").set_value("disputed").run()
    at.selectbox(key="kind").set_value("verdict").run()
    at.selectbox(key="order").set_value("oldest").run()
    address = {name: values for name, values in at.query_params.items() if name != "task"}
    assert address == {"state": "disputed", "kind": "verdict", "order": "oldest"}
    again = disputed.screen("lea", "tasks", **address, expert="nobody", language="<b>")
    assert [again.selectbox(key=key).value for key in ("state", "kind", "order", "expert", "language")] == [
        "disputed", "verdict", "oldest", "", "",
    ]  # fmt: skip
    assert again.selectbox(key="open-name").options == ["task_1"]
    again.selectbox(key="state").set_value("").run()
    assert "kind" not in again.query_params


def test_a_task_is_opened_from_the_leads_list(seated):
    at = seated.screen("lea")
    at.selectbox(key="open-name").set_value("task_2")
    submit(at, "open", "Open")
    assert at.query_params["task"] == "task_2"


def test_a_lead_assigns_and_frees_a_seat(house):
    at = house.screen("lea", "review", TASK)
    at.selectbox(key="assign-who").set_value("Cho (cho)").run()
    at.button(key="assign").click().run()
    assert [(seat.name, seat.phase) for seat in house.lead().task(TASK).seats] == [("Cho", Phase.SOLVING)]
    at.button(key=f"vacate-{TASK}-").click().run()
    assert len(problems(at)) == 1
    house.types("lea", "vacate-reason", "ill")
    at.button(key=f"vacate-{TASK}-").click().run()
    assert house.lead().task(TASK).seats == ()


@pytest.mark.parametrize(
    ("key", "after"), [("remove", State.REMOVED), ("fresh", State.QUEUED), ("settle", State.IN_RECHECK)]
)
def test_a_lead_decides_with_a_reason_only(disputed, key, after):
    (finding,) = disputed.lead().task(TASK).open_findings
    at = disputed.screen("lea", "review", TASK)
    disputed.types("lea", f"settle-{finding.id}", "the expert conceded")
    press(at, f"{key}-{TASK}-")
    assert len(problems(at)) == 1
    assert state(disputed) is State.DISPUTED
    disputed.types("lea", f"{key}-reason", "as discussed")
    press(at, f"{key}-{TASK}-")
    assert problems(at) == []
    assert state(disputed) is after


def test_a_lead_replaces_a_reviewer(disputed):
    at = disputed.screen("lea", "review", TASK)
    at.selectbox(key="replace-old").set_value("A · Ann")
    at.selectbox(key="replace-new").set_value("Cho (cho)")
    at.button(key=f"replace-{TASK}-").click().run()
    assert len(problems(at)) == 1
    disputed.types("lea", "replace-reason", "ill")
    at.button(key=f"replace-{TASK}-").click().run()
    assert problems(at) == []
    assert disputed.expert("cho").view(TASK).step is Step.DISCUSS


def test_a_lead_takes_the_own_last_action_back(disputed):
    disputed.lead().remove(TASK, "slip")
    at = disputed.screen("lea", "review", TASK)
    disputed.types("lea", "undo-reason", "a slip")
    press(at, f"undo-{TASK}-")
    assert state(disputed) is State.DISPUTED


def test_a_lead_accepts_or_declines_an_experts_repair(disputed):
    for key, after in (("decline", State.DISPUTED), ("accept", State.IN_RECHECK)):
        disputed.propose()
        at = disputed.screen("lea", "review", TASK)
        disputed.types("lea", f"{key}-reason", "as discussed")
        press(at, f"{key}-{TASK}-")
        assert state(disputed) is after


def test_a_lead_asks_for_a_release_and_sees_the_request(house):
    at = house.screen("lea", "work")
    submit(at, "release", "Make the release")
    assert len(problems(at)) == 1
    at.text_input(key="release-name").set_value("v1")
    submit(at, "release", "Make the release")
    assert problems(at) == []
    assert [(request.work, request.about) for request in house.lead().requests()] == [("release", "v1")]


# --- the admin -------------------------------------------------------------------------------------------------


def test_an_admin_makes_an_account_that_can_sign_in(house):
    at = house.screen("ada")
    submit(at, "add-user", "Make the account")
    assert len(problems(at)) == 1
    for key, text in (("login", "eve"), ("name", "Eve"), ("password", PASSWORD)):
        at.text_input(key=f"new-{key}").set_value(text)
    at.multiselect(key="new-roles").set_value([Role.EXPERT])
    submit(at, "add-user", "Make the account")
    assert problems(at) == []
    with house.office.write() as session:
        assert accounts.matches(session, "eve", PASSWORD)


def test_an_admin_disables_an_account_but_not_the_own_one(house):
    at = house.screen("ada")
    for login, label, refused in (
        ("ada", "Disable", 1),
        ("ann", "Disable", 0),
        ("bob", "Disable", 0),
        ("bob", "Enable", 0),
    ):
        at.selectbox(key="active-login").set_value(login)
        submit(at, "active", label)
        assert len(problems(at)) == refused
    active = {user.login for user in house.admin().users() if user.person.active}
    assert active == {"ada", "bob", "cho", "lea", "bea"}


def test_a_tasks_ledger_shows_its_entries_and_only_chosen_kinds(disputed):
    at = disputed.screen("lea", "ledger", TASK)
    shown = [box.value for box in at.markdown if box.value.startswith("**")]
    assert shown[0].startswith("**1 · TaskImported** · builder")
    assert any("Withheld until the review is over" in box.value for box in at.caption)
    at.pills(key=f"kinds-{TASK}").set_value(["ReviewSubmitted"]).run()
    kinds = {box.value.split("**")[1].split(" · ")[1] for box in at.markdown if box.value.startswith("**")}
    assert (kinds, problems(at)) == ({"ReviewSubmitted"}, [])
