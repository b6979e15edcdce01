"""What the evaluator's diff says, in the person's language: made from its kinds and values, not from its sentences."""

from dataclasses import dataclass

from evaluator.diff_model import CellDifference, Diff, Difference
from evaluator.rules import ColumnRule, Rules
from evaluator.tables import Table
from review_app import precision
from review_app.ui.page import Page
from review_app.ui.plain import short

LONGEST_NAME = 40


@dataclass(frozen=True)
class Two:
    """The two tables of a diff, the rules between them, and what they are called on the page (in its language)."""

    gold: Table
    answer: Table
    rules: Rules
    gold_name: str
    answer_name: str

    def column(self, place: int) -> str:
        """Return a gold column for people: number and header."""
        return named(place, self.gold.header[place])


def named(place: int, header: str) -> str:
    """Return a column (from 0) for people; headers that are a whole SQL expression are cut."""
    return f"{place + 1} “{short(header, LONGEST_NAME)}”" if header else str(place + 1)


# Differences of form: a person who meant the same wrote it in another way.
FORMATTING = frozenset(
    {
        "number formatting",
        "date formatting",
        "white space",
        "invisible characters",
        "width only",
        "rounding boundary",
        "percent sign not allowed",
        "full-width percent sign",
        "parentheses for minus",
        "currency",
        "grouping",
        "minus sign",
        "unit text",
        "date not in ISO form",
        "day or month first",
        "full-width characters",
        "truth word",
    }
)
# Columns taken for each other are drawn as a table, so A1 has no sentence.
SENTENCES = {
    "F": "{answer} is no table with commas.",
    "S1": "Columns too many in {answer}: {names}.",
    "S2": "Columns of {gold} that {answer} lacks: {names}.",
    "S3": "Rows of {gold} that {answer} lacks: {count}.",
    "S4": "Rows of {answer} that {gold} has not: {count}.",
    "T2": "{count} columns of {gold} compete for too few columns of {answer} that read as they should.",
    "O1": "The rows are the same, in another order. Out of place: {count}.",
    "A2": "Every column holds the values of {gold}, but {count} rows combine them differently: "
    "the columns were joined or sorted apart from each other.",
    "A3": "The columns can be matched in {count} ways or more; one is shown.",
    "A4": "Equal only because headers do not count: some columns of {answer} are headed like others of {gold}.",
}
BECAUSE = {
    "duplicate of another column": "It repeats another column.",
    "row number": "It numbers the rows.",
    "first row taken as header": "The first row stands where the header belongs.",
    "duplicates removed": "Each different row is there only once.",
    "cut off": "It ends early.",
    "header repeated": "They repeat the header.",
    "total row": "It is a total.",
    "duplicated rows": "They repeat rows, as a join over several matches does.",
    "reversed": "The order is reversed.",
}
CELLS = {
    "T1": "{answer} cannot be read as the rule asks.",
    "V1 null in prediction": "{answer} is empty where {gold} has a value.",
    "V1 null in gold": "{answer} has a value where {gold} is empty.",
    "V2 null and zero": "One side is empty, the other is 0.",
    "V3 null word": "One side is empty, the other is a word for null, which is text here.",
    "V4 case only": "Only capitals and small letters differ.",
    "V4 width only": "Only full-width and half-width forms differ.",
    "V4 invisible characters": "Only invisible characters differ.",
    "V4 white space": "Only blanks inside the text differ.",
    "V4 case and white space": "Only capitals and blanks differ.",
    "V4 punctuation": "Only punctuation, symbols or blanks differ.",
    "V4 number formatting": "The same number, written differently; the column is compared as text.",
    "V4 date formatting": "The same date, written differently; the column is compared as text.",
    "V4 prefix or suffix": "One text is a part of the other.",
    "V4 other": "The texts differ.",
    "V5 rounding boundary": "Equal but for noise, on two sides of a rounding boundary.",
    "V5 rounded to fewer digits": "{answer} was rounded to fewer digits than the rule compares.",
    "V5 truncated": "{answer} was cut off instead of rounded.",
    "V5 half to even": "{answer} was rounded half to even instead of half up.",
    "V5 one grid step": "One step of the compared precision apart.",
    "V5 float noise": "They differ by less than one in a million.",
    "V5 sign": "{answer} has the other sign.",
    "V5 constant factor": "{answer} is {gold} times {shift}.",
    "V5 constant offset": "{answer} is {gold} plus {shift}.",
    "V5 scale x": "{answer} is {shift} times too large.",
    "V5 scale /": "{answer} is {shift} times too small.",
    "V5 other": "The numbers differ.",
    "V6 time zone missing": "One side has a time zone, the other has none.",
    "V6 time zone missing, other time": "One side has a time zone, the other has none and shows another time.",
    "V6 month start and end": "One side is the first day of the month, the other the last.",
    "V6 day and month swapped": "Day and month are exchanged.",
    "V6 one day": "One day apart.",
    "V6 time part lost": "One side lost the time of day.",
    "V6 shifted by hours": "Hours apart, as a change of time zone does.",
    "V6 constant shift": "All apart by the same time.",
    "V6 other": "The dates or times differ.",
    "V7 flipped": "True and false are exchanged.",
}
CAUSES = {
    "percent sign not allowed": "It has a % sign, which the rule does not allow.",
    "full-width percent sign": "It has a full-width % sign.",
    "parentheses for minus": "It has parentheses for a minus.",
    "currency": "It names a currency.",
    "grouping": "Its digits are grouped in a way that is not read.",
    "minus sign": "Its minus is another character.",
    "unit text": "It carries a unit.",
    "not a whole number": "It is no whole number.",
    "date not in ISO form": "The date is not in ISO form.",
    "day or month first": "Day or month stands first.",
    "time of day": "It has a time of day.",
    "full-width characters": "It has full-width characters.",
    "truth word": "It is another word for true or false.",
    "null word": "It is another word for null.",
}


def sentence(page: Page, two: Two, diff: Diff, found: Difference) -> str:
    """Return what one difference says, ready for Markdown."""
    if found.column is not None and found.code[0] in "TV" and found.code != "T2":
        said = page.t(
            "Column {column}, cells that differ: {count}.", column=two.column(found.column), count=found.count
        )
        cell = next((one for one in diff.cells if _is_of(one, found)), None)
        return " ".join((said, why(page, two, f"{found.code} {found.detail}", cell), *_proof(page, diff, found)))
    template = SENTENCES.get(found.code) or SENTENCES["F"]
    names = _names(two, diff, found)
    said = page.t(template, gold=two.gold_name, answer=two.answer_name, count=f"{found.count:,}", names=names)
    because = [page.t(BECAUSE[found.detail])] if found.detail in BECAUSE else []
    return " ".join((begun(said), *because, *_proof(page, diff, found)))


def _is_of(cell: CellDifference, found: Difference) -> bool:
    return cell.gold_column == found.column and cell.kind == f"{found.code} {found.detail}"


def _names(two: Two, diff: Diff, found: Difference) -> str:
    if found.code == "S2":
        return ", ".join(two.column(i) for i, j in enumerate(diff.mapping) if j is None) or str(found.count)
    if found.code == "S1" and any(j is not None for j in diff.mapping):
        extra = [j for j in range(len(two.answer.header)) if j not in diff.mapping]
        return ", ".join(named(j, two.answer.header[j]) for j in extra)
    return str(found.count)


def _proof(page: Page, diff: Diff, found: Difference) -> list[str]:
    if not found.exact or found.code in ("A2", "A3", "A4", "T2"):
        return []
    if found.code[0] in "TV" and sum(one.code[0] in "TV" for one in diff.differences) > 1:
        return [page.t("With all of these mended the two are equal.")]
    return [
        page.t(
            "But for the order the rows are then the same."
            if found.code[0] == "S"
            else "With that mended the two are equal."
        )
    ]


def why(page: Page, two: Two, kind: str, cell: CellDifference | None) -> str:
    """Return what a class of disagreeing cells has in common; a cell of it gives the amounts."""
    code, _, detail = kind.partition(" ")
    if code == "T1" and detail in CAUSES:
        return page.t(CAUSES[detail])
    shift = ""
    if detail.startswith("scale "):
        kind, shift = f"V5 scale {detail[6]}", detail[7:]
    elif cell is not None and detail.startswith("constant "):
        shift = _shift(detail, cell, two.rules.columns[cell.gold_column])
    template = CELLS.get(kind) or CELLS[{"V4": "V4 other", "V5": "V5 other", "V6": "V6 other"}.get(code, "T1")]
    return begun(page.t(template, gold=two.gold_name, answer=two.answer_name, shift=shift))


def begun(sentence: str) -> str:
    """Return a sentence that begins with a name of a table with a capital letter."""
    return sentence[:1].upper() + sentence[1:]


def _shift(detail: str, cell: CellDifference, rule: ColumnRule) -> str:
    if detail == "constant factor":
        return precision.factor(cell.gold, cell.prediction, rule) or "?"
    return precision.delta(cell.gold, cell.prediction, rule) or "?"


def is_formatting(found: Difference) -> bool:
    """Whether a difference of cells is one of form only."""
    return found.detail in FORMATTING
