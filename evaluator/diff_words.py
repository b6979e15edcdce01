"""What is said to people about each class of disagreeing cells."""

from __future__ import annotations

_SAID = {
    "T1 other": "the prediction cannot be read as {type}",
    "V1 null in prediction": "the prediction is empty where gold has a value",
    "V1 null in gold": "the prediction has a value where gold is empty",
    "V2 null and zero": "one side is empty, the other is 0",
    "V3 null word": "one side is empty, the other is a word for null, which counts as text here",
    "V4 case only": "only upper and lower case differ",
    "V4 width only": "only full-width and half-width (compatibility) forms differ",
    "V4 invisible characters": "only invisible characters differ",
    "V4 white space": "only white space inside the text differs",
    "V4 case and white space": "only case and white space differ",
    "V4 punctuation": "only punctuation, symbols or spacing differ",
    "V4 number formatting": "the same number is written differently, and the column is text",
    "V4 date formatting": "the same date is written differently, and the column is text",
    "V4 prefix or suffix": "one text is a part of the other",
    "V4 other": "the texts differ",
    "V5 rounding boundary": "the numbers are equal but for noise, on two sides of a rounding boundary",
    "V5 rounded to fewer digits": "the prediction was rounded to fewer digits than the rule compares",
    "V5 truncated": "the prediction was cut off instead of rounded",
    "V5 half to even": "the prediction was rounded half to even instead of half up",
    "V5 one grid step": "the numbers are one step of the compared precision apart",
    "V5 float noise": "the numbers differ by less than one in a million",
    "V5 sign": "the prediction has the other sign",
    "V5 constant factor": "the prediction is gold times {shift}",
    "V5 constant offset": "the prediction is gold plus {shift}",
    "V5 other": "the numbers differ",
    "V6 time zone missing": "one side has a time zone, the other has none",
    "V6 time zone missing, other time": "one side has a time zone, the other has none and shows another time",
    "V6 month start and end": "one side is the first day of the month, the other the last",
    "V6 day and month swapped": "day and month are exchanged",
    "V6 one day": "the prediction is one day off",
    "V6 time part lost": "one side lost the time of day",
    "V6 shifted by hours": "the prediction is {hours} off, as a change of time zone does",
    "V6 constant shift": "the prediction is {shift} seconds off",
    "V6 other": "the dates or times differ",
    "V7 flipped": "true and false are exchanged",
}


def said(code: str, detail: str, *, type_name: str, shift: str) -> str:
    """Return a class of disagreeing cells in words.

    Args:
        code, detail: the class, such as V5 and "scale x100".
        type_name: the column's type.
        shift: what all cells share (a factor, an amount, seconds), empty if nothing.
    """
    if code == "T1" and detail != "other":
        return f"the prediction cannot be read as {type_name}: {detail}"
    if detail.startswith("scale "):
        factor = detail.removeprefix("scale ")
        return f"the prediction is {factor[1:]} times too {'large' if factor[0] == 'x' else 'small'}"
    template = _SAID.get(f"{code} {detail}", detail)
    if detail == "shifted by hours" and not shift:
        template = "the prediction is off by hours, as a change of time zone does"
    return template.format(type=type_name, shift=shift, hours=_hours(shift) if shift else "")


def _hours(seconds: str) -> str:
    return f"{float(seconds) / 3600:+g} hours"
