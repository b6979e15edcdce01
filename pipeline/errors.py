"""The errors of the builder: a small tree, each message names the thing, the place and the remedy."""


class PipelineError(Exception):
    """Base of every error that the builder raises on purpose."""


class SourceError(PipelineError):
    """The source as a whole cannot be read; nothing is built from it."""


class BuildError(PipelineError):
    """The output folder cannot be used; nothing is built into it."""


class CheckError(PipelineError):
    """A gold, a database or a workspace file does not pass a check asked for by a person."""
