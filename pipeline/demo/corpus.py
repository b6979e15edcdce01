"""The demo corpus and its deliberately bad sibling, written from the domains."""

from pathlib import Path
from random import Random

from pipeline.demo.fund import FUND
from pipeline.demo.health import HEALTH
from pipeline.demo.macro import MACRO
from pipeline.demo.model import Domain, Glossary, Language, Question, Rows
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
