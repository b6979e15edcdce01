"""What describes a release to machines: Croissant metadata (MLCommons, version 1.0) and a citation file (CFF 1.2.0)."""

import hashlib
import json
from pathlib import Path
from typing import Any

DESCRIPTION = (
    "Tasks for data agents: one question and one workspace of files each, answered by one complete table, with golds "
    "that two experts reviewed blind, the rules of comparison, and the ledger of every decision."
)
CITE_AS = "Cite the release by its name and the SHA-256 of its manifest.json."
# What a version 1.0 document has to begin with, word for word; it gives short names their meaning.
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
# name, what it is, media type, files
SETS = (
    ("task-files", "id, question, language and domain of each task", "application/json", "input/*/task.json"),
    ("golds", "the public golds", "text/csv", "output/*/gold.csv"),
    ("rules", "how an answer to each public task is compared", "application/json", "evaluation/configs/*.json"),
    ("gold-sql", "the SQL that gives each public gold", "application/sql", "audit/*/gold.sql"),
    ("sampled-databases", "what that SQL runs on", "application/vnd.sqlite3", "audit/*/sampled.sqlite"),
    ("chains", "every decision about each task, hash-chained", "application/jsonl", "ledger/*.jsonl"),
    ("workspace-csv", "tables of the workspaces", "text/csv", "input/*/context/**/*.csv"),
    ("workspace-json", "JSON files of the workspaces", "application/json", "input/*/context/**/*.json"),
    ("workspace-sqlite", "databases of the workspaces", "application/vnd.sqlite3", "input/*/context/**/*.sqlite"),
    ("workspace-markdown", "documents of the workspaces", "text/markdown", "input/*/context/**/*.md"),
    ("workspace-pdf", "documents of the workspaces", "application/pdf", "input/*/context/**/*.pdf"),
    ("workspace-video", "videos of the workspaces", "video/mp4", "input/*/context/**/*.mp4"),
)
FIELDS = {
    "task_id": "the task's id",
    "question": "what is asked",
    "language": "en or zh",
    "domain": "what the question is about",
}


def croissant(root: Path, name: str) -> dict[str, Any]:
    """Return the metadata of the release that lies in a folder: its files, and its tasks as records.

    The same folder gives the same document. Sets of which the folder has no file are left out; files at the top are
    listed with their digests, but for those that are written later and name this one.
    """
    sets = [_file_set(*one) for one in SETS if next(root.glob(one[3]), None) is not None]
    tops = [_file_object(path) for path in sorted(root.glob("*.json"))]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": name,
        "description": DESCRIPTION,
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "citeAs": CITE_AS,
        "distribution": [*tops, *sets],
        "recordSet": [_tasks()] if any(one["@id"] == "task-files" for one in sets) else [],
    }


def citation(name: str) -> str:
    """Return the release's CITATION.cff. JSON's strings are YAML's too, whatever the name holds."""
    lines = {
        "cff-version": "1.2.0",
        "type": "dataset",
        "title": f"Tasks for data agents, release {name}",
        "version": name,
        "message": CITE_AS,
        "abstract": DESCRIPTION,
    }
    text = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in lines.items())
    return f"{text}authors:\n  - name: {json.dumps(f'The makers and reviewers of {name}', ensure_ascii=False)}\n"


def _file_set(name: str, what: str, media: str, files: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": name,
        "name": name,
        "description": what,
        "encodingFormat": media,
        "includes": files,
    }


def _file_object(path: Path) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path.name,
        "name": path.name,
        "contentUrl": path.name,
        "encodingFormat": "application/json",
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }


def _tasks() -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": "tasks",
        "name": "tasks",
        "description": "one record a task",
        "key": {"@id": "tasks/task_id"},
        "field": [_field(name, what) for name, what in FIELDS.items()],
    }


def _field(name: str, what: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"tasks/{name}",
        "name": name,
        "description": what,
        "dataType": "sc:Text",
        "source": {"fileSet": {"@id": "task-files"}, "extract": {"jsonPath": f"$.{name}"}},
    }
