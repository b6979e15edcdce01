"""Ask a language model, through any endpoint that speaks OpenAI's Chat Completions, for an answer of a given shape.

Every call is kept as a transcript under the digest of what was asked. A second run asks nothing that was answered
before, and with the transcripts alone a run is replayed without any model.
"""

import hashlib
import json
import os
import threading
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jsonschema
import openai

from pipeline.artifacts import canonical_json, write_atomically
from pipeline.errors import PipelineError


class ModelError(PipelineError):
    """The model gave no usable answer; the message says why and what to do."""


class BudgetSpent(ModelError):
    """So many tokens were to be used at most; nothing more is asked. What was answered is kept."""


@dataclass(frozen=True)
class ModelSettings:
    """Which model is asked, and how. The key is read from the environment variable `key_variable`, never stored.

    `budget_tokens` is for one run, prompt and answer together; `seconds` is for one call; `attempts` counts the first.
    """

    endpoint: str
    model: str
    key_variable: str = "OPENAI_API_KEY"
    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = 1_000
    seconds: float = 60.0
    attempts: int = 4
    concurrency: int = 4
    budget_tokens: int = 2_000_000

    @classmethod
    def read(cls, path: Path) -> "ModelSettings":
        """Return the settings in a TOML file.

        Raises:
            ModelError: it cannot be read, or a field is unknown or missing.
        """
        try:
            return cls(**tomllib.loads(path.read_text(encoding="utf-8")))
        except (OSError, tomllib.TOMLDecodeError, TypeError) as error:
            raise ModelError(f"{path}: no settings of a model ({error}); endpoint and model are needed") from error


@dataclass(frozen=True)
class Prompt:
    """What is asked: the task, the case, the JSON schema of the answer. `try_number` tells equal questions apart."""

    system: str
    user: str
    schema: Mapping[str, Any]
    try_number: int = 1


@dataclass(frozen=True)
class Reply:
    """A model's answer, which the schema allows, and what it cost; `kept` if it came from a transcript."""

    value: dict[str, Any]
    tokens: int
    kept: bool


class Transcripts:
    """Answers by the digest of what was asked, one file each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, digest: str) -> dict[str, Any] | None:
        """Return what was kept, None for nothing; a damaged file counts as nothing."""
        try:
            kept: dict[str, Any] = json.loads((self.folder / f"{digest}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return kept

    def keep(self, digest: str, asked: Mapping[str, Any], answer: Mapping[str, Any], tokens: int) -> None:
        """Keep a call, whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        data = canonical_json({"asked": asked, "answer": answer, "tokens": tokens})
        write_atomically(self.folder / f"{digest}.json", data)


class Model:
    """A model behind an endpoint, with its transcripts. Safe to be asked by several threads."""

    def __init__(self, settings: ModelSettings, transcripts: Transcripts, *, replay: bool = False) -> None:
        self.settings = settings
        self.transcripts = transcripts
        self.replay = replay
        self._spent = 0
        self._lock = threading.Lock()
        self._client: openai.OpenAI | None = None

    @property
    def spent(self) -> int:
        """Tokens that this run has used."""
        return self._spent

    def ask(self, prompt: Prompt) -> Reply:
        """Return an answer that the prompt's schema allows.

        Raises:
            BudgetSpent: the run's tokens are used up.
            ModelError: a replay has no transcript; or the model failed or answered nonsense at every attempt.
        """
        asked = self._asked(prompt)
        digest = hashlib.sha256(canonical_json(asked)).hexdigest()
        kept = self.transcripts.read(digest)
        if kept is not None and _fits(kept.get("answer"), prompt.schema):
            return Reply(kept["answer"], int(kept["tokens"]), True)
        if self.replay:
            raise ModelError(f"there is no transcript of this call ({digest[:12]}); run once without replay")
        value, tokens = self._call(asked, prompt.schema)
        self.transcripts.keep(digest, asked, value, tokens)
        return Reply(value, tokens, False)

    def _asked(self, prompt: Prompt) -> dict[str, Any]:
        """What decides the answer: not the endpoint's address, nor limits of time and money."""
        names = ("model", "temperature", "seed", "max_tokens")
        return {
            **{name: getattr(self.settings, name) for name in names},
            **asdict(prompt),
            "schema": dict(prompt.schema),
        }

    def _call(self, asked: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
        problem = ""
        used = 0
        for _ in range(self.settings.attempts):
            self._check_budget()
            try:
                said, tokens = self._once(asked, schema)
            except openai.APIStatusError as error:
                if error.status_code not in (408, 409, 429) and error.status_code < 500:
                    raise ModelError(f"the model refused: {error.message}; check endpoint, model and key") from error
                problem = f"status {error.status_code}"
                continue
            except openai.OpenAIError as error:
                problem = type(error).__name__
                continue
            used += tokens
            with self._lock:
                self._spent += tokens
            value = _read(said)
            if _fits(value, schema):
                assert isinstance(value, dict)
                return value, used
            problem = "an answer of another shape"
        raise ModelError(f"the model gave no answer in {self.settings.attempts} attempts ({problem}); try again later")

    def _check_budget(self) -> None:
        if self._spent >= self.settings.budget_tokens:
            raise BudgetSpent(f"{self._spent:,} tokens are used; raise budget_tokens to go on where this run ended")

    def _once(self, asked: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[str, int]:
        done = self._connected().chat.completions.create(
            model=asked["model"],
            temperature=asked["temperature"],
            seed=asked["seed"],
            max_tokens=asked["max_tokens"],
            messages=[{"role": "system", "content": asked["system"]}, {"role": "user", "content": asked["user"]}],
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": dict(schema)},
            },
        )
        tokens = done.usage.total_tokens if done.usage else 0
        return done.choices[0].message.content or "" if done.choices else "", tokens

    def _connected(self) -> openai.OpenAI:
        with self._lock:
            if self._client is None:
                key = os.environ.get(self.settings.key_variable)
                if not key:
                    raise ModelError(f"the environment variable {self.settings.key_variable} holds no key; set it")
                # the client waits between its own attempts and honours Retry-After
                self._client = openai.OpenAI(
                    api_key=key, base_url=self.settings.endpoint, timeout=self.settings.seconds, max_retries=2
                )
            return self._client


def _read(said: str) -> object:
    try:
        return json.loads(said)
    except ValueError:
        return None


def _fits(value: object, schema: Mapping[str, Any]) -> bool:
    return isinstance(value, dict) and jsonschema.Draft202012Validator(dict(schema)).is_valid(value)
