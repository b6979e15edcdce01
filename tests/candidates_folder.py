"""A small candidates folder in the written format, without the builder."""

import hashlib
import json
import sqlite3
from pathlib import Path

GOLD = b"name,size\nAlpha,12.50\nBeta,7.25\n"
SQL = "SELECT name, size FROM fund ORDER BY size DESC"
QUESTION = "Which funds are there, and how large is each, in millions?"


def write_candidates(out: Path, count: int = 1, **changes: object) -> Path:
    """Write `count` candidates task_1 ...; `changes` apply to each: question, gold, domain, language, sibling.

    `files` adds files to the workspace: path -> (modality, bytes).
    """
    out.mkdir(parents=True, exist_ok=True)
    shared = out / ".sampled.sqlite"
    if not shared.exists():
        with sqlite3.connect(shared) as connection:
            connection.execute("CREATE TABLE fund (name TEXT PRIMARY KEY, size REAL)")
            connection.executemany("INSERT INTO fund VALUES (?, ?)", [("Alpha", 12.5), ("Beta", 7.25)])
    entries = [_write(out, f"task_{number}", shared.read_bytes(), changes) for number in range(1, count + 1)]
    manifest = {"format": "dataspace-candidates", "format_version": 1, "tasks": entries}
    (out / "manifest.json").write_text(json.dumps(manifest))
    return out


def _write(out: Path, task_id: str, sampled: bytes, changes: dict) -> dict:
    task = {
        "task_id": task_id,
        "question": changes.get("question", QUESTION),
        "language": changes.get("language", "en"),
        "domain": changes.get("domain", "fund"),
    }
    more: dict[str, tuple[str, bytes]] = changes.get("files", {})
    files = {
        "task.json": json.dumps(task, ensure_ascii=False).encode(),
        "context/fund.csv": b"name,size\nAlpha,12.5\nBeta,7.25\n",
        "context/notes.md": b"# Notes\n\nSizes are in millions. ![x](http://example.org/x.png)\n",
        "private/gold.csv": changes.get("gold", GOLD),
        "private/gold.sql": changes.get("sql", SQL).encode() + b"\n",
        "private/rules.json": json.dumps(rules(task_id)).encode(),
        "private/sampled.sqlite": sampled,
        "private/provenance.json": json.dumps(
            {
                "sibling": changes.get("sibling", f"sibling of {task_id}"),
                "workspace": [
                    {"path": "fund.csv", "modality": "csv", "tables": ["fund"]},
                    {"path": "notes.md", "modality": "markdown", "tables": []},
                    *({"path": path, "modality": modality, "tables": []} for path, (modality, _) in more.items()),
                ],
            }
        ).encode(),
        **{f"context/{path}": data for path, (_, data) in more.items()},
    }
    for path, data in files.items():
        target = out / task_id / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    digests = {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
    return {"task_id": task_id, "instance": f"test:{task_id}", "files": digests}


def rules(task_id: str, digits: int = 2) -> dict:
    return {
        "schema_version": "1.0",
        "task_id": task_id,
        "order_sensitive": True,
        "columns": [
            {"gold_index": 0, "gold_name": "name", "type": "text"},
            {
                "gold_index": 1,
                "gold_name": "size",
                "type": "number",
                "comparison": {"mode": "decimal_places", "digits": digits},
                "unit": "plain",
                "allow_percent_sign": False,
            },
        ],
    }
