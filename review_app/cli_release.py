"""The commands that freeze approved tasks, and compare two releases."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from review_app import release
from review_app.audit.bundle import read_bundle
from review_app.cli_common import bar, open_office, show
from review_app.domain.task import State
from review_app.release_diff import release_diff
from review_app.release_files import tasks_in
from review_app.release_plan import plan

MAKE = "make"


class MakeUnlessTold(TyperGroup):
    """`dataspace release v1` makes a release: what is no command of the group is for `make`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `make` before whatever names no command."""
        told = not args or args[0] in self.commands or args[0] == "--help"
        return super().parse_args(ctx, args if told else [MAKE, *args])


release_app = typer.Typer(
    cls=MakeUnlessTold,
    no_args_is_help=True,
    help="Freeze all approved tasks (dataspace release v1 --out releases), or compare two releases.",
)


@release_app.command(MAKE)
def release_command(
    name: str,
    out: Annotated[Path, typer.Option(help="Folder in which the release's own folder appears.")],
    public: Annotated[float, typer.Option(help="Share of the golds that is public.", min=0.0, max=1.0)] = 1.0,
    seed: Annotated[int, typer.Option(help="Draws the public golds.")] = 0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would go in, what blocks the rest.")
    ] = False,
) -> None:
    """Freeze all approved tasks in a folder. Example: dataspace release v1 --out releases

    With --public below 1 the withheld golds go into NAME.private; the release carries commitments to them.
    """
    if dry_run:
        with open_office().read() as session:
            show(plan(tasks_in(session, tuple(State))).to_json())
        return
    with bar("releasing") as progress:
        made = release.make_release(open_office(), name, out, progress=progress, public=public, seed=seed)
    show({"folder": str(made.folder), "manifest_sha256": made.manifest, "tasks": list(made.tasks)})


@release_app.command("diff")
def diff_command(
    before: Annotated[Path, typer.Argument(help="The folder of the older release.")],
    after: Annotated[Path, typer.Argument(help="The folder of the newer release.")],
) -> None:
    """Say which tasks were added, dropped and replaced, and why. Example: dataspace release diff out/v1 out/v2

    Reads the two folders alone; the reasons are those of the ledger's chains in the newer one.
    """
    show(release_diff(read_bundle(before), read_bundle(after)).to_json())
