"""`provenance.json`: where a candidate comes from, and what was checked. Private: it tells the gold."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from pipeline.content import Instance
from pipeline.judge import Judged
from pipeline.names import sibling_key
from pipeline.sql.features import features
from pipeline.sql.tree import parse
from pipeline.stages.knowledge import KNOWLEDGE
from pipeline.stages.route import Modality
from pipeline.workspace import Description, WorkspaceFile, places


def provenance(
    instance: Instance,
    judged: Judged,
    description: Description,
    has_knowledge: bool,
    lints: Sequence[Mapping[str, str]],
    translation: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """Return the provenance of a candidate. `workspace` lists every file of `context/`, knowledge included.

    `translation` is there only for what was translated: the old question, SQL and database, and all maps.
    """
    shape = features(parse(judged.sql))
    files = list(description.workspace)
    if has_knowledge:
        files.append(WorkspaceFile(KNOWLEDGE, Modality.MARKDOWN, ()))
    return {
        "instance": instance.to_json(),
        "sibling": sibling_key(instance.pair, instance.db, instance.sql),
        "workspace": [file.to_json() for file in files],
        "routing": [decision.to_json() for decision in description.routing],
        "evidence_files": evidence_files(judged.tables, files),
        "sampling": {**judged.sampling.to_json(), **({"rows": description.rows} if description.rows else {})},
        "checks": {
            "result_equal_on_sample": judged.sampling.method != "shrink",  # else the instance would have been rejected
            "foreign_keys_as_in_source": True,  # else the workspace would not have been made
            "cells_read_back": description.cells,
            "texts_unquoted": judged.texts_unquoted,
            "determined": asdict(judged.determined),
            "rules": list(judged.inferred.reasons),
            "liveness": [part.to_json() for part in judged.liveness],
            "lints": [dict(one) for one in lints],
        },
        "features": {**asdict(shape), "stratum": shape.stratum},
        "names": places(files),
        **({"translation": translation} if translation is not None else {}),
    }


def evidence_files(tables: Sequence[str], files: Sequence[WorkspaceFile]) -> list[str]:
    """Return the files that hold the tables that the gold reads, sorted."""
    return sorted({file.path for file in files if set(tables) & set(file.tables)})
