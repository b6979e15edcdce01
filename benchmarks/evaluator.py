"""Speed of the evaluator as ratios to reading the same files with `csv.reader`, measured in the same run.

    python benchmarks/evaluator.py [--repeat 5]

The inputs are made by `../shared/vectors/bench_inputs.py`; without it the benchmark says so and exits with 2.
Each figure is the median of the repetitions, each in a fresh process so that peaks of memory are its own.
"""

import argparse
import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

INPUTS = Path(__file__).parents[1].parent / "shared" / "vectors" / "bench_inputs.py"
# name, arguments of the generator, worker processes, goal
CASES = (
    ("suite of 410 tasks, one process", ("suite", "--variant", "mixed"), 1, "at most 6x"),
    ("eight such suites, one process", ("suites", "8"), 1, ""),
    ("eight such suites, two processes", ("suites", "8"), 2, "close to half of one process"),
    (
        "one failing table, 100,000 x 6 numbers",
        (
            "cell",
            "--rows",
            "100000",
            "--cols",
            "6",
            "--profile",
            "num",
            "--order",
            "unordered",
            "--variant",
            "fail_end",
        ),
        1,
        "at most 12x",
    ),
    ("64 x 10,000 identical text columns", ("identical",), 1, "under 1 s, 300 MB"),
)


def main() -> int:
    """Print a Markdown table of medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(Path(arguments.one[0]), int(arguments.one[1]))))
        return 0
    if not INPUTS.exists():
        print(f"benchmark: {INPUTS} is absent, so there are no inputs", file=sys.stderr)
        return 2
    print(f"Load at the start {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, Python {sys.version.split()[0]}.\n")
    print("| input | read, s | score, s | ratio | peak MB | goal |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, made_by, workers, goal) in enumerate(CASES):
            root = Path(folder) / str(number)
            make(root, made_by)
            print(line(name, [fresh(root, workers) for _ in range(arguments.repeat)], goal), flush=True)
    return 0


def make(root: Path, arguments: tuple[str, ...]) -> None:
    """Write the inputs of one case below `root`."""
    if arguments == ("identical",):
        identical(root)
        return
    if arguments[0] == "suites":
        several(root, int(arguments[1]))
        return
    subprocess.run([sys.executable, INPUTS, arguments[0], root, *arguments[1:]], check=True, stdout=subprocess.DEVNULL)


def several(root: Path, count: int) -> None:
    """The suite `count` times over, under task ids of its own each time."""
    make(root, ("suite", "--variant", "mixed"))
    for config in sorted((root / "configs").glob("*.json")):
        number = int(config.stem.removeprefix("task_"))
        for turn in range(1, count):
            copied = f"task_{number + 1000 * turn}"
            (root / "configs" / f"{copied}.json").write_text(
                config.read_text().replace(f'"{config.stem}"', f'"{copied}"')
            )
            for part in ("gold", "predictions"):
                if (root / part / config.stem).is_dir():
                    shutil.copytree(root / part / config.stem, root / part / copied)


def identical(root: Path, columns: int = 64, rows: int = 10_000) -> None:
    """A gold of equal text columns, and its copy as the prediction."""
    lines = [",".join([f"value {row}"] * columns) for row in range(rows)]
    text = "\n".join([",".join(f"c{place}" for place in range(columns)), *lines]) + "\n"
    for path in (root / "gold/task_1/gold.csv", root / "predictions/task_1/prediction.csv"):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    spec = [{"gold_index": place, "gold_name": f"c{place}", "type": "text"} for place in range(columns)]
    config = {"schema_version": "1.0", "task_id": "task_1", "order_sensitive": False, "columns": spec}
    (root / "configs").mkdir()
    (root / "configs/task_1.json").write_text(json.dumps(config))


def fresh(root: Path, workers: int) -> dict[str, float]:
    """Measure in a process of its own."""
    # -P: or this file would be found in the place of the package of its name
    command = [sys.executable, "-P", __file__, "--one", str(root), str(workers)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure(root: Path, workers: int) -> dict[str, float]:
    """Seconds to read all tables with csv.reader, seconds to score them, and the peak of memory."""
    import resource

    from evaluator.suite import score_suite

    started = time.perf_counter()
    for path in (*sorted(root.glob("gold/*/gold.csv")), *sorted(root.glob("predictions/*/prediction.csv"))):
        with path.open(encoding="utf-8-sig", newline="") as stream:
            for _ in csv.reader(stream, strict=True):
                pass
    read = time.perf_counter() - started
    started = time.perf_counter()
    score_suite(root / "predictions", root / "gold", root / "configs", workers=workers)
    score = time.perf_counter() - started
    return {"read": read, "score": score, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def line(name: str, runs: list[dict[str, float]], goal: str) -> str:
    """One line of the table."""
    read, score, peak = (statistics.median(run[key] for run in runs) for key in ("read", "score", "peak"))
    ratio = statistics.median(run["score"] / run["read"] for run in runs)
    return f"| {name} | {read:.3f} | {score:.3f} | {ratio:.1f} | {peak:.0f} | {goal} |"


if __name__ == "__main__":
    sys.exit(main())
