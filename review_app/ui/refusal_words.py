"""The Chinese of refusals, which are finished English sentences when they reach a screen."""

from review_app.ui.sentences import Sentences
from review_app.ui.words import FOLDER

CATALOGUE = FOLDER / "refusals.po"
SENTENCES = frozenset({"error", "forms", "problem", "reason"})
MEMBERS = frozenset({"part", "role", "state", "states", "type", "verdict"})
LISTS = {"states": " or ", "fields": ", "}

chinese = Sentences(CATALOGUE, SENTENCES, MEMBERS, LISTS).chinese
