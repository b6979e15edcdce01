"""Speed of the expert's workbench, as ratios to reading a CSV file with `csv.reader` in the same run.

    python -P benchmarks/app.py [--repeat 5]

The inputs are made here, from a fixed seed: a workspace of 20 files and about 75 MB (CSV, JSON, SQLite, Markdown, and
a PDF of 25 pages), a table of a million rows, and two answers of 13,000 rows. Each figure is the median of the
repetitions; a first call, where it differs from the later ones, has a line of its own.
"""

import argparse
import csv
import itertools
import json
import os
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from evaluator.diff import explain
from evaluator.infer import infer_from_table
from evaluator.tables import Table
from review_app.workspace import finding, index, loading, pdf
from review_app.workspace.index import Condition, Filter, Index
from review_app.workspace.loading import Source
from review_app.workspace.query import run_query

SEED = 20260301
PAGES = 25
ANSWER_ROWS = 13_000
BIG_ROWS = 1_000_000
CSV_FILES, CSV_ROWS = 12, 97_000
JSON_FILES, JSON_ROWS = 3, 30_000
SQLITE_FILES, SQLITE_ROWS = 3, 120_000
NAMES = ("Alpha", "Beta", "基金甲", "基金乙", "Gamma & Co", "Delta, Ltd")
HEADER = ("code", "day", "amount", "name", "n")
KINDS = {".csv": "csv", ".json": "json", ".sqlite": "sqlite", ".md": "markdown", ".pdf": "pdf"}
SUM = "SELECT name, sum(amount) AS total, count(DISTINCT code) AS codes FROM big GROUP BY name ORDER BY total DESC"


def main() -> int:
    """Print a Markdown table of medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    print(f"Load at the start {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, Python {sys.version.split()[0]}.")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_workspace(root / "workspace")
        make_big(root / "big" / "big.csv")
        reference = median(repeat, lambda: read(root / "big" / "big.csv"))
        print(f"Reference: `csv.reader` over a million rows, {reference:.2f} s.\n")
        print("| what | s | ratio | goal |\n|---|---|---|---|")
        for measure in (workspace, million, pdf_pages, answers):
            for what, seconds, goal in measure(root, repeat):
                print(f"| {what} | {seconds:.3f} | {seconds / reference:.2f} | {goal} |", flush=True)
    return 0


Line = tuple[str, float, str]


def workspace(root: Path, repeat: int) -> list[Line]:
    """Opening 20 files: loaded at the first time, found loaded later; then a page, a search."""
    found = sources(root / "workspace")
    megabytes = sum(source.path.stat().st_size for source in found) / 1e6
    cache = root / "cache"

    def load() -> None:
        shutil.rmtree(cache, ignore_errors=True)
        loading.build(cache, found)

    first = median(min(repeat, 3), load)
    opened = loading.build(cache, found)
    later = median(repeat, lambda: first_page(loading.build(cache, found)))
    words = (f"nowhere {number}" for number in itertools.count())  # the same words would be found remembered
    search = median(repeat, lambda: finding.search(opened, next(words)))
    what = f"{len(found)} files, {megabytes:.0f} MB"
    return [
        (f"{what}: loaded, once for all people", first, ""),
        (f"{what}: opened, first page of a table", later, "under 2 s"),
        (f"{what}: searched, no hit", search, ""),
    ]


def first_page(opened: Index) -> None:
    index.rows(opened, opened.tables[0])


def million(root: Path, repeat: int) -> list[Line]:
    """A table of a million rows: SQL in its child process, and pages of the viewer."""
    opened = loading.build(root / "cache", sources(root / "big"))
    (table,) = opened.tables
    ordered = median(repeat, lambda: index.rows(opened, table, 500_000, sort="amount", descending=True))
    wanted = (Filter("name", Condition.CONTAINS, "基金"), Filter("amount", Condition.GREATER, "9000"))
    filtered = median(repeat, lambda: index.rows(opened, table, filters=wanted))
    return [
        (
            "1,000,000 rows: SQL, grouped, with the start of its process",
            median(repeat, lambda: ask(opened)),
            "under 1 s",
        ),
        ("1,000,000 rows: a page from the middle, sorted by amount", ordered, ""),
        ("1,000,000 rows: a page under two filters", filtered, ""),
    ]


def ask(opened: Index) -> None:
    assert run_query(opened, SUM).total == len(NAMES)


def pdf_pages(root: Path, repeat: int) -> list[Line]:
    """The pages of one document as pictures, after the first."""
    path = root / "workspace" / "report.pdf"
    started = time.perf_counter()
    pdf.page_image(path, 1)
    first = time.perf_counter() - started
    later = [timed(lambda number=number: pdf.page_image(path, number)) for number in range(2, PAGES + 1)]
    return [
        (f"PDF of {PAGES} pages: the first page, with the start of its process", first, ""),
        (f"PDF of {PAGES} pages: each later page", statistics.median(later), "under 0.1 s"),
    ]


def answers(root: Path, repeat: int) -> list[Line]:
    """The evaluator's diff of two long answers that differ in one cell of a hundred."""
    chance = random.Random(SEED)
    rows = [(f"{row:06d}", f"{chance.random() * 1e4:.2f}", chance.choice(NAMES)) for row in range(ANSWER_ROWS)]
    other = [(code, "0.00" if row % 100 == 0 else amount, name) for row, (code, amount, name) in enumerate(rows)]
    gold, answer = Table(("code", "amount", "name"), tuple(rows)), Table(("code", "amount", "name"), tuple(other))
    rules = infer_from_table(gold, "task_1").rules
    return [
        (
            f"diff of two answers of {ANSWER_ROWS:,} rows",
            median(repeat, lambda: explain(gold, answer, rules)),
            "under 1 s",
        )
    ]


# --- inputs ------------------------------------------------------------------------------------------------------


def sources(folder: Path) -> list[Source]:
    return [Source(path.name, KINDS[path.suffix], path) for path in sorted(folder.iterdir())]


def make_big(path: Path) -> None:
    write_csv(path, BIG_ROWS, random.Random(SEED))


def make_workspace(folder: Path) -> None:
    chance = random.Random(SEED)
    for number in range(CSV_FILES):
        write_csv(folder / f"trades_{number}.csv", CSV_ROWS, chance)
    for number in range(JSON_FILES):
        people = [dict(zip(HEADER, line(row, chance), strict=True)) for row in range(JSON_ROWS)]
        (folder / f"people_{number}.json").write_text(json.dumps(people, ensure_ascii=False), encoding="utf-8")
    for number in range(SQLITE_FILES):
        with sqlite3.connect(folder / f"books_{number}.sqlite") as connection:
            connection.execute(f"CREATE TABLE book_{number} (code TEXT, day TEXT, amount REAL, name TEXT, n INTEGER)")
            rows = (line(row, chance) for row in range(SQLITE_ROWS))
            connection.executemany(f"INSERT INTO book_{number} VALUES (?, ?, ?, ?, ?)", rows)
        connection.close()
    text = "\n\n".join(f"## Section {number}\n\nWhat 基金 {number} is about." for number in range(500))
    (folder / "notes.md").write_text(text, encoding="utf-8")
    (folder / "report.pdf").write_bytes(report(PAGES))


def write_csv(path: Path, rows: int, chance: random.Random) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(HEADER)
        writer.writerows(line(row, chance) for row in range(rows))


def line(row: int, chance: random.Random) -> tuple[str, str, float, str, int]:
    day = f"2024-{row % 12 + 1:02d}-{row % 28 + 1:02d}"
    return f"{row % 10_000:06d}", day, round(chance.random() * 1e4, 2), chance.choice(NAMES), row


def report(pages: int) -> bytes:
    """A PDF of text pages, written by hand: no library of ours writes one."""
    lines = "".join(
        f"1 0 0 1 60 {780 - 14 * row} Tm (Line {row} of the report: fund, size, 12.50) Tj\n" for row in range(50)
    )
    content = f"BT /F1 10 Tf\n{lines}ET".encode()
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{5 + number} 0 R" for number in range(pages))
    objects.append(f"<< /Type /Pages /Count {pages} /Kids [{kids}] >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    resources = b"<< /Font << /F1 3 0 R >> >>"
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources %s >>" % resources
    objects += [page] * pages
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


# --- clocks ------------------------------------------------------------------------------------------------------


def read(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as stream:
        for _ in csv.reader(stream):
            pass


def timed(do: Callable[[], object]) -> float:
    started = time.perf_counter()
    do()
    return time.perf_counter() - started


def median(repeat: int, do: Callable[[], object]) -> float:
    return statistics.median(timed(do) for _ in range(repeat))


if __name__ == "__main__":
    sys.exit(main())
