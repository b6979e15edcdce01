"""The sentences with which our code refuses, read from the code itself, with {} for each value."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

Scope = ast.Module | ast.FunctionDef

ROOT = Path(__file__).parents[1]
# Whatever a page can show. Not here: what only a command says (release, audit, candidates), and the screens' words.
MODULES = (
    *sorted((ROOT / "review_app" / "domain").glob("*.py")),
    *sorted((ROOT / "review_app" / "desk").glob("*.py")),
    *sorted((ROOT / "review_app" / "workspace").glob("*.py")),
    *(
        ROOT / "review_app" / f"{name}.py"
        for name in ["accounts", "comparing", "drafts", "leases", "requests", "rules_draft", "store", "worker"]
    ),
    ROOT / "review_app" / "ui" / "answer.py",
    *(ROOT / "evaluator" / f"{name}.py" for name in ["cells", "compare", "dates", "numbers", "rules", "tables"]),
    ROOT / "pipeline" / "checks" / "gold.py",
    ROOT / "pipeline" / "checks" / "hints.py",
    ROOT / "pipeline" / "stages" / "execute.py",
    ROOT / "db" / "blobs.py",
)
# Made on the way and caught before a page: impossible histories, lost races, what a JSON pointer does not find.
NEVER_SHOWN = {"CorruptHistory", "LedgerConflict", "LookupError", "TypeError", "TimeoutError"}
# Errors whose names do not end so.
ERRORS = {
    "AtLimit",
    "CellFault",
    "ConflictOfInterest",
    "Incomplete",
    "IndexFailed",
    "NotAllowed",
    "NotAssigned",
    "NothingFits",
    "NotJson",
    "NotPossible",
    "Rejected",
    "SignedOut",
    "StaleDraft",
    "StorageFailed",
    "Unfit",
    "UnknownTask",
}
# A ValueError of the evaluator becomes another error on the way; those of the workspace's child processes are shown.
VALUE_ERRORS = ROOT / "review_app" / "workspace"
# Functions that return a refusal instead of raising it.
RETURNING = {
    "seat_objection",
    "_unfinished",
    "misfit",
    "_problem",
    "_failure",
    "_cell_problem",
    "text_problem",
    "build_and_import",
    "import_",
    "release",
}
# Constants that are shown as they are.
CONSTANTS = {"PROBLEM", "TOO_MUCH", "FORMS"}
# What a raise passes on, and is itself found where it is made.
PASSED_ON = {
    "self._unreadable[cells[row]]",
    "objection",
    "facts.problem",
    "str(error)",
    "answer['error']",
    "error.message",
    "problem.message",
}


def sentences() -> dict[str, str]:
    """Return every sentence with where it stands."""
    found: dict[str, str] = {}
    for path in MODULES:
        for line, sentence in of_module(path):
            found.setdefault(sentence, f"{path.relative_to(ROOT)}:{line}")
    return found


def of_module(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the sentences of one module.

    Raises:
        AssertionError: an error is made of something that is no text here, and not known to be passed on.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node, scope in scopes(tree):
        for value in said(node, scope, path):
            yield from ((node.lineno, text) for text in texts_of(value, scope, tree))
        if isinstance(node, ast.Call) and is_error(node, path) and node.args:
            known = any(passed_on(argument) or texts_of(argument, scope, tree) for argument in node.args)
            assert known, f"{path}:{node.lineno}: what does {ast.unparse(node)} say?"


def said(node: ast.AST, scope: Scope, path: Path) -> Iterator[ast.expr]:
    """Yield the expressions by which a node says something to a person."""
    if isinstance(node, ast.Call) and is_error(node, path):
        named_rejected = ast.unparse(node.func) == "Rejected"  # stage, reason, message, evidence
        yield from node.args[2:3] if named_rejected else node.args
    elif isinstance(node, ast.Return) and node.value and isinstance(scope, ast.FunctionDef) and scope.name in RETURNING:
        yield node.value
    elif isinstance(node, ast.Assign):
        name = ast.unparse(node.targets[0])
        if name == "problem" or (isinstance(scope, ast.Module) and name in CONSTANTS):
            yield node.value
    elif isinstance(node, ast.Dict):
        yield from (
            value for key, value in zip(node.keys, node.values, strict=True) if key and ast.unparse(key) == "'error'"
        )


def passed_on(argument: ast.expr) -> bool:
    """Whether an error hands on a sentence that is found where it is made."""
    made = isinstance(argument, ast.Call) and ast.unparse(argument.func) in RETURNING
    return made or ast.unparse(argument) in PASSED_ON


def scopes(tree: ast.Module) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield every node with the function around it."""
    waiting: list[tuple[ast.AST, Scope]] = [(tree, tree)]
    while waiting:
        node, scope = waiting.pop()
        yield node, scope
        inner = node if isinstance(node, ast.FunctionDef) else scope
        waiting += [(child, inner) for child in ast.iter_child_nodes(node)]


def is_error(call: ast.Call, path: Path) -> bool:
    """Whether the call makes an error that a page may show."""
    name = ast.unparse(call.func).rpartition(".")[2]
    if name in NEVER_SHOWN:
        return False
    if name == "ValueError":
        return path.parent == VALUE_ERRORS
    return name in ERRORS or name.endswith("Error")


def texts_of(node: ast.expr, scope: ast.AST, tree: ast.Module) -> list[str]:
    """Return the texts that an expression may give, with {} for each value; none if it gives no text of its own."""
    if isinstance(node, ast.Constant):
        return [escaped(node.value)] if isinstance(node.value, str) and node.value else []
    if isinstance(node, ast.JoinedStr):
        return [one_field("".join(part_of(part) for part in node.values))]
    if isinstance(node, ast.IfExp):
        return texts_of(node.body, scope, tree) + texts_of(node.orelse, scope, tree)
    if isinstance(node, ast.BinOp):
        return [one_field(a + b) for a in texts_of(node.left, scope, tree) for b in texts_of(node.right, scope, tree)]
    if isinstance(node, ast.Subscript):  # a sentence that is cut
        return texts_of(node.value, scope, tree)
    if isinstance(node, ast.BoolOp):
        return [text for value in node.values for text in texts_of(value, scope, tree)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return [one_field(re.sub(r"\{\w*[^}]*\}", "{}", raw)) for raw in raw_texts(node.func.value, tree)]
    if isinstance(node, ast.Name):
        values = [value for place in (scope, tree) for value in assigned(node.id, place)]
        return [text for value in values for text in texts_of(value, scope, tree)]
    return []


def raw_texts(node: ast.expr, tree: ast.Module) -> list[str]:
    """Return the constant that is formatted, from this module or from the one that it is imported from."""
    name = ast.unparse(node)
    trees = [tree, *(ast.parse(path.read_text(encoding="utf-8")) for path in MODULES if path.name == "blindness.py")]
    values = [value for one in trees for value in assigned(name, one)]
    return [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]


def assigned(name: str, scope: ast.AST) -> list[ast.expr]:
    """Return what a name is set to in a scope."""
    return [
        node.value
        for node in ast.walk(scope)
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name]
    ]


def part_of(part: ast.expr) -> str:
    """Return a part of an f-string, {} for a value."""
    return escaped(part.value) if isinstance(part, ast.Constant) else "{}"


def escaped(text: str) -> str:
    """Return a text as it stands in a template."""
    return text.replace("{", "{{").replace("}", "}}")


def one_field(template: str) -> str:
    """Return the template with neighbouring values as one: nothing tells where one ends and the other begins."""
    return re.sub(r"(?:\{\})+", "{}", template)


def unnamed(template: str) -> str:
    """Return a template of the catalogue with its named values as {}.

    >>> unnamed("page {page} of {{a}}")
    'page {} of {{a}}'
    """
    return re.sub(r"(?<!\{)\{\w+\}(?!\})", "{}", template)
