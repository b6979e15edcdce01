"""A demo corpus of our own: four domains in two languages, made by seeded code without any download."""

from pipeline.demo.corpus import write_bad_corpus, write_demo_corpus

__all__ = ["write_bad_corpus", "write_demo_corpus"]
