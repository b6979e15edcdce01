"""How long a sample of a large database takes, and how much memory.

    python -P benchmarks/sampling.py [--rows 100000 1000000 10000000]

A database of two tables: trades, so many rows, and 1,000 funds that they refer to. A sample for a gold with a join and
three conditions keeps what the gold sees, near-misses of every condition, children, parents and distractors, and is
written as a database of its own. Each size is measured in a fresh process, beside a reference in the same: one scan of
the trades that adds up two columns.
"""

import argparse
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from pipeline.database import describe
from pipeline.stages.keep import Portion, keep_rows
from pipeline.stages.sample import copy_tables

MEBIBYTE = 1 << 20
FUNDS = 1_000
SQL = (
    "SELECT fund.name, sum(trade.amount) FROM trade JOIN fund ON trade.fund_id = fund.id "
    "WHERE trade.kind = 'buy' AND trade.amount > 9995 AND fund.city = 'Basel' "
    "GROUP BY fund.name ORDER BY 2 DESC"
)
SCHEMA = """
CREATE TABLE fund (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE trade (id INTEGER PRIMARY KEY, fund_id INTEGER NOT NULL REFERENCES fund (id), day TEXT NOT NULL,
  kind TEXT NOT NULL, amount INTEGER NOT NULL, note TEXT);
"""
FILL_FUNDS = f"""
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {FUNDS})
INSERT INTO fund SELECT i, 'Fund ' || i, CASE i % 20 WHEN 0 THEN 'Basel' WHEN 1 THEN 'Bern' ELSE 'Zug' END FROM n
"""
# numbers that look drawn: products modulo primes, well below 64 bits
FILL_TRADES = f"""
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
INSERT INTO trade SELECT i, i * 7919 % {FUNDS} + 1, date('2020-01-01', (i * 31 % 2000) || ' days'),
  CASE i * 104729 % 3 WHEN 0 THEN 'buy' WHEN 1 THEN 'sell' ELSE 'hold' END, i * 48271 % 99991 % 10007,
  CASE i % 10 WHEN 0 THEN NULL ELSE 'note ' || i END FROM n
"""
SCAN = "SELECT sum(amount), sum(length(note)) FROM trade"


def make(path: Path, rows: int) -> None:
    """Write the database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(SCHEMA)
        connection.execute("BEGIN")
        connection.execute(FILL_FUNDS)
        connection.execute(FILL_TRADES, (rows,))
        connection.execute("COMMIT")


def measure(path: Path, folder: Path) -> str:
    """Return scan and sample in seconds, the rows of the sample, and the peak memory of the largest process, in MiB."""
    database = describe(path, "trades", 1 << 62)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(SCAN).fetchone()  # the file is in memory then, for both
        begun = time.perf_counter()
        connection.execute(SCAN).fetchone()
        scanned = time.perf_counter() - begun
    portion = Portion(witnesses=None, noise_rows=200, whole_rows=200, seed=1, seconds=3600, misses=100)
    begun = time.perf_counter()
    kept = keep_rows(database, ("fund", "trade"), SQL, portion, folder / "scratch")
    copy_tables(database, folder / "sample", ("fund", "trade"), kept)
    sampled = time.perf_counter() - begun
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) // 1024
    of_each = ", ".join(f"{count:,}" for count, _ in kept.counts.values())
    return f"{scanned:.2f} | {sampled:.2f} | {sampled / scanned:.1f} | {of_each} | {peak}"


def main() -> None:
    """Print a line of a table for each size."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000, 10_000_000])
    arguments.add_argument("--measure", type=Path, nargs=2, help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.measure:
        print(measure(*asked.measure))
        return
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    print("| rows | file, MiB | scan, s | sample, s | ratio | rows kept (funds, trades) | peak MiB |")
    print("|---|---|---|---|---|---|---|")
    for rows in asked.rows:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "source.sqlite")
            make(path, rows)
            command = [sys.executable, "-P", __file__, "--measure", str(path), folder]
            line = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
            print(f"| {rows:,} | {path.stat().st_size // MEBIBYTE:,} | {line} |", flush=True)


if __name__ == "__main__":
    main()
