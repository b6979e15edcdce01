"""What a build took is measured, and is in no file that must be the same twice."""

import json

import pytest

from pipeline.build import BuildParams, build
from pipeline.stopwatch import Stopwatch


def test_a_part_inside_another_stops_the_clock_of_the_outer_one():
    ticks = iter([0.0, 1.0, 5.0, 7.0, 100.0, 101.0])
    watch = Stopwatch(lambda: next(ticks))
    with watch.part("gold"), watch.part("workspace"):
        pass
    with watch.part("gold"):
        pass
    assert watch.seconds == {"gold": 1.0 + 2.0 + 1.0, "workspace": 4.0}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_build_notes_seconds_by_part_and_peak_memory(corpus, tmp_path, workers):
    corpus.ask("SELECT name FROM city")
    build(corpus.root, tmp_path / "out", BuildParams(), workers=workers)
    figures = json.loads((tmp_path / "out/.artifacts/run.json").read_text())
    assert {"all", "database", "gold", "lints", "sample and workspace"} <= set(figures["seconds"])
    assert min(figures["peak_memory_mib"].values()) > 1
