"""A model that is asked: retries, nonsense, budget, replay; and what two passes decide of a candidate."""

import json

import pytest
from candidates_folder import write_candidates
from scripted_model import scripted

from pipeline.errors import PipelineError
from pipeline.llm import BudgetSpent, Model, ModelError, ModelSettings, Prompt, Transcripts
from pipeline.meaning import JUDGEMENTS, Decision, judge_meanings
from pipeline.translate.by_model import ModelTranslator
from pipeline.translate.model import Direction, Kind
from pipeline.translate.words import Unknown

SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
ASKED = Prompt("Say a word.", "now", SCHEMA)


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("TEST_KEY", "not a secret")


@pytest.fixture
def model(tmp_path):
    def make(played, **changes):
        settings = ModelSettings(played.address, "small", key_variable="TEST_KEY", concurrency=2, **changes)
        return Model(settings, Transcripts(tmp_path / "kept"))

    return make


def verdict(word):
    return json.dumps({"verdict": word, "point": 0, "reason": "so it is", "wording": ""})


def test_an_answer_is_kept_and_never_asked_for_again(model):
    with scripted(lambda request, number: (200, '{"word": "yes"}')) as played:
        first, again = model(played).ask(ASKED), model(played).ask(ASKED)
    assert (first.value, first.kept, first.tokens) == ({"word": "yes"}, False, 100)
    assert (again.value, again.kept) == ({"word": "yes"}, True)
    assert len(played.asked) == 1
    assert played.asked[0]["response_format"]["json_schema"]["schema"] == SCHEMA


def test_another_try_of_the_same_question_is_another_call(model):
    with scripted(lambda request, number: (200, json.dumps({"word": str(number)}))) as played:
        words = [model(played).ask(Prompt("s", "u", SCHEMA, number)).value["word"] for number in (1, 2, 1)]
    assert words == ["1", "2", "1"]


@pytest.mark.parametrize(
    "first", [(429, "slow down"), (500, "broken"), (200, "no JSON"), (200, '{"other": 1}'), (200, "")]
)
def test_a_failure_and_nonsense_are_asked_again(model, first):
    with scripted(lambda request, number: first if number == 1 else (200, '{"word": "yes"}')) as played:
        assert model(played).ask(ASKED).value == {"word": "yes"}
    assert len(played.asked) == 2


def test_a_model_that_goes_on_failing_is_given_up_in_words(model):
    with (
        scripted(lambda request, number: (200, "nonsense")) as played,
        pytest.raises(ModelError, match="no answer in 3 attempts"),
    ):
        model(played, attempts=3).ask(ASKED)
    assert len(played.asked) == 3


def test_a_refusal_is_said_at_once(model):
    with (
        scripted(lambda request, number: (401, "no such key")) as played,
        pytest.raises(ModelError, match="no such key"),
    ):
        model(played).ask(ASKED)
    assert len(played.asked) == 1


def test_a_run_stops_at_its_budget(model):
    with scripted(lambda request, number: (200, '{"word": "yes"}')) as played:
        asked = model(played, budget_tokens=150)
        for number in (1, 2):
            asked.ask(Prompt("s", "u", SCHEMA, number))
        with pytest.raises(BudgetSpent, match="200 tokens are used"):
            asked.ask(Prompt("s", "u", SCHEMA, 3))


def test_a_replay_asks_nobody(model, tmp_path):
    with scripted(lambda request, number: (200, '{"word": "yes"}')) as played:
        model(played).ask(ASKED)
        settings = ModelSettings(played.address, "small", key_variable="NO_SUCH_KEY")
        replayed = Model(settings, Transcripts(tmp_path / "kept"), replay=True)
        assert replayed.ask(ASKED).value == {"word": "yes"}
        with pytest.raises(ModelError, match="no transcript"):
            replayed.ask(Prompt("s", "other", SCHEMA))
    assert len(played.asked) == 1


def test_no_key_is_said_before_anything_is_sent(tmp_path):
    settings = ModelSettings("http://127.0.0.1:9/v1", "small", key_variable="NO_SUCH_KEY")
    with pytest.raises(ModelError, match="NO_SUCH_KEY holds no key"):
        Model(settings, Transcripts(tmp_path)).ask(ASKED)


def test_a_damaged_transcript_is_asked_anew(model, tmp_path):
    with scripted(lambda request, number: (200, '{"word": "yes"}')) as played:
        model(played).ask(ASKED)
        (kept,) = (tmp_path / "kept").iterdir()
        kept.write_text('{"answer"')
        assert not model(played).ask(ASKED).kept


@pytest.mark.parametrize("text", ["", "endpoint = 1\nsurprise = 2\n", "not toml"])
def test_settings_that_are_none_are_refused(tmp_path, text):
    (tmp_path / "model.toml").write_text(text)
    with pytest.raises(ModelError, match="endpoint and model are needed"):
        ModelSettings.read(tmp_path / "model.toml")


def decided(model, tmp_path, answer, count=3, **changes):
    folder = write_candidates(tmp_path / "candidates", count)
    for number in range(1, count + 1):
        path = folder / f"task_{number}" / "private" / "provenance.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "instance": {"evidence": "size is in millions"}}))
        task = folder / f"task_{number}" / "task.json"
        task.write_text(task.read_text().replace("Which funds", f"{number}. Which funds"))
    with scripted(answer) as played:
        return judge_meanings(folder, model(played, **changes)), played, folder


def test_two_passes_that_agree_decide_and_two_that_differ_are_left_to_a_person(model, tmp_path):
    def answer(request, number):
        first = request["messages"][1]["content"].startswith("The question comes first.")
        return 200, verdict("pass" if first else "reject")

    report, played, _ = decided(model, tmp_path, answer, count=2)
    assert [one.decision for one in report.judged] == [Decision.HUMAN] * 2
    assert len(played.asked) == 4


def test_judgements_stand_beside_the_candidates_and_rates_in_the_report(model, tmp_path):
    def answer(request, number):
        return 200, verdict("repair" if "2. Which" in request["messages"][1]["content"] else "pass")

    report, _, folder = decided(model, tmp_path, answer)
    assert {name: count for name, count in report.counts().items() if count} == {"pass": 2, "repair": 1}
    assert report.to_json()["rates"]["repair"] == 1 / 3
    lines = [json.loads(line) for line in (folder / JUDGEMENTS).read_text().splitlines()]
    assert [one["task_id"] for one in lines] == ["task_1", "task_2", "task_3"]
    assert [one["decision"] for one in lines] == ["pass", "repair", "pass"]


def test_the_model_reads_question_sql_and_definitions_and_never_the_rows_of_the_gold(model, tmp_path):
    report, played, _ = decided(model, tmp_path, lambda request, number: (200, verdict("pass")), count=1)
    assert report.counts()["pass"] == 1
    for request in played.asked:
        said = request["messages"][1]["content"]
        assert "Which funds are there" in said
        assert "SELECT name, size FROM fund" in said
        assert "size is in millions" in said
        assert "12.50" not in said


def test_a_model_that_fails_leaves_the_candidate_to_a_person_and_the_others_go_on(model, tmp_path):
    def answer(request, number):
        return (200, "nonsense") if number <= 2 else (200, verdict("pass"))

    report, _, _ = decided(model, tmp_path, answer, count=1, attempts=1)
    assert report.judged[0].decision is Decision.HUMAN
    assert "no answer" in report.judged[0].problem


def test_a_spent_budget_leaves_the_rest_unjudged_and_the_next_run_goes_on(model, tmp_path):
    report, played, folder = decided(model, tmp_path, lambda request, number: (200, verdict("pass")), budget_tokens=150)
    assert report.counts()["not judged"] >= 1
    with scripted(lambda request, number: (200, verdict("pass"))) as again:
        whole = judge_meanings(folder, model(again))
    assert whole.counts()["pass"] == 3
    assert len(played.asked) + len(again.asked) == 6  # nothing was asked twice


def test_a_folder_without_candidates_is_refused(model, tmp_path):
    with (
        scripted(lambda request, number: (200, "")) as played,
        pytest.raises(PipelineError, match="holds no candidates"),
    ):
        judge_meanings(tmp_path, model(played))


def test_a_translating_model_is_asked_by_numbers_and_what_it_leaves_out_stays(model):
    def answer(request, number):
        given = {"translations": [{"number": 2, "text": "规模"}, {"number": 9, "text": "?"}]}
        return 200, json.dumps(given, ensure_ascii=False)

    asked = [Unknown(next(iter(Kind)), "fund", word) for word in ("name", "size")]
    with scripted(answer) as played:
        found = ModelTranslator(model(played)).words(Direction.EN_ZH, asked)
    assert found == {asked[1]: "规模"}


def test_a_translating_model_that_fails_translates_nothing(model):
    with scripted(lambda request, number: (200, "nonsense")) as played:
        translator = ModelTranslator(model(played, attempts=1))
        assert translator.question(Direction.ZH_EN, "哪些基金？", {"基金": "fund"}) is None
        assert translator.words(Direction.ZH_EN, [Unknown(next(iter(Kind)), "fund", "基金")]) == {}
