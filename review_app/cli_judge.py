"""The command that lets a model judge questions: `dataspace judge`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pipeline.llm import Model, ModelSettings, Transcripts
from pipeline.meaning import judge_meanings
from pipeline.translate.by_model import ModelTranslator

TRANSCRIPTS = "transcripts"


def translator_of(model: Path | None, out: Path) -> ModelTranslator | None:
    """Return the model of a settings file as a translator, None for no file; its calls are kept beside `out`."""
    if model is None:
        return None
    kept = Transcripts(out.with_name(f"{out.name}.{TRANSCRIPTS}"))
    return ModelTranslator(Model(ModelSettings.read(model), kept))


def judge(
    candidates: Annotated[Path, typer.Argument(help="A folder that `dataspace build` wrote.")],
    model: Annotated[Path, typer.Option(help="TOML file: endpoint, model, and limits.")],
    transcripts: Annotated[
        Path | None, typer.Option(help="Folder of kept calls; beside the candidates if none.")
    ] = None,
    replay: Annotated[bool, typer.Option(help="Ask no model; take every answer from the transcripts.")] = False,
) -> None:
    """Let a model judge if questions ask what their SQL computes. Example: dataspace judge built --model model.toml

    It is asked twice a candidate. The judgements are written beside the candidates; they remove nothing.
    """
    kept = Transcripts(transcripts or candidates.with_name(f"{candidates.name}.{TRANSCRIPTS}"))
    report = judge_meanings(candidates, Model(ModelSettings.read(model), kept, replay=replay))
    print(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
