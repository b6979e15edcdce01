"""Cross-language transformation: question, database and SQL of an instance move together, and back again.

Nothing is invented here. Words come from glossaries, from a parallel corpus, or from a `Translator`; what none of
them knows stays as it is and is reported.
"""
