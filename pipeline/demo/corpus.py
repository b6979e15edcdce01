"""The demo corpus and its deliberately bad sibling, written from the domains."""

from pathlib import Path
from random import Random

from pipeline.demo.bad import BAD, BROKEN, HOSTILE, HOSTILE_ROWS, HOSTILE_TABLES, Bad
from pipeline.demo.fund import FUND
from pipeline.demo.glossary import Glossary
from pipeline.demo.health import HEALTH
from pipeline.demo.macro import MACRO
from pipeline.demo.model import Domain, Language, Question, Rows
from pipeline.demo.stock import STOCK
from pipeline.demo.writing import whole_folder, write_database, write_descriptions, write_lines

DOMAINS = (FUND, STOCK, MACRO, HEALTH)

SOURCE = """\
# Demo corpus

Four domains (fund, stock, macroeconomy, healthcare), each as an English and a Chinese database of the same rows, with
twelve questions a database. Everything is invented by seeded code of this project (`pipeline/demo`, seed {seed}): no
person, company, fund, patient or figure is real, and nothing was downloaded or copied. Names of provinces and cities
are real; what is said about them is not.

- `id` = `demo-DATABASE-NN`; the two language versions of a question share `pair`. `sql` in both is one query with
  translated names and values.
- `database_description/DATABASE/TABLE.csv` describes the columns, in the form that BIRD uses.
- Licence: MIT, Copyright (c) 2026 The DataSpace Review maintainers.
"""


BAD_SOURCE = """\
# Bad demo corpus

Questions that a builder must refuse, or survive, on the invented databases of the demo corpus. `expected_reason` names
the reason of refusal; null marks a question that can be answered although its table has a hostile name.

- Licence: MIT, Copyright (c) 2026 The DataSpace Review maintainers.
"""


def write_demo_corpus(out: Path, seed: int = 7) -> None:
    """Write the demo corpus as the folder `out`: questions, eight databases, their descriptions, its source.

    The folder appears whole or not at all, and the same seed gives the same bytes on the same version of
    Python and SQLite (a SQLite file names the version that wrote it).

    Raises:
        FileExistsError: `out` exists and is not an empty folder.
    """
    with whole_folder(out) as folder:
        lines = [line for domain in DOMAINS for line in _write_domain(folder, domain, seed)]
        write_lines(folder / "questions.jsonl", lines)
        (folder / "SOURCE.md").write_text(SOURCE.format(seed=seed), encoding="utf-8")


def _write_domain(folder: Path, domain: Domain, seed: int) -> list[dict[str, object]]:
    rows = draw(domain, seed)
    glossary = Glossary.of(domain.tables, rows)
    for language in Language:
        name = domain.database(language)
        write_database(folder / "db" / f"{name}.sqlite", domain.tables, rows, language)
        write_descriptions(folder / "database_description" / name, domain.tables, language)
    return [
        _line(domain, glossary, number, question, language)
        for language in Language
        for number, question in enumerate(domain.questions, 1)
    ]


def draw(domain: Domain, seed: int) -> Rows:
    """Return the rows of `domain` for `seed`; what another domain draws does not change them."""
    return domain.rows(Random(f"{seed}-{domain.prefix}"))  # noqa: S311 (a seeded demo, no secret)


def _line(domain: Domain, glossary: Glossary, number: int, question: Question, language: Language) -> dict[str, object]:
    database = domain.database(language)
    line: dict[str, object] = {
        "id": f"demo-{database}-{number:02d}",
        "db": database,
        "question": question.ask.says(language),
        "language": language.value,
        "sql": glossary.sql(question.sql, language),
        "domain": domain.name,
        "pair": f"demo-{domain.prefix}-{number:02d}",
        "tags": [tag.value for tag in question.tags],
    }
    if question.evidence:
        line["evidence"] = question.evidence.says(language)
    return line


def write_bad_corpus(out: Path, seed: int = 7) -> None:
    """Write a corpus of questions that must not become tasks as the folder `out`, for tests and for learning.

    Each line names in `expected_reason` why the builder should refuse it (null: a hostile but answerable
    question, which must do no harm). One database is no SQLite file, one line names a database outside the
    folder, one query never ends.

    Raises:
        FileExistsError: `out` exists and is not an empty folder.
    """
    with whole_folder(out) as folder:
        lines = [_bad_line(number, bad, seed) for number, bad in enumerate(BAD, 1)]
        for domain, language in dict.fromkeys((bad.domain, bad.language) for bad in BAD):
            path = folder / "db" / f"{domain.database(language)}.sqlite"
            write_database(path, domain.tables, draw(domain, seed), language)
        write_database(folder / "db" / f"{HOSTILE}.sqlite", HOSTILE_TABLES, HOSTILE_ROWS, Language.EN)
        (folder / "db" / f"{BROKEN}.sqlite").write_bytes(b"This file is no database.\n")
        write_lines(folder / "questions.jsonl", lines)
        (folder / "SOURCE.md").write_text(BAD_SOURCE, encoding="utf-8")


def _bad_line(number: int, bad: Bad, seed: int) -> dict[str, object]:
    glossary = Glossary.of(bad.domain.tables, draw(bad.domain, seed))
    return {
        "id": f"bad-{number:02d}",
        "db": bad.db or bad.domain.database(bad.language),
        "question": bad.ask,
        "language": bad.language.value,
        "sql": glossary.sql(bad.sql, bad.language),
        "domain": bad.domain.name,
        "expected_reason": bad.reason.value if bad.reason else None,
    }
