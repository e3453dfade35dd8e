"""The command freedom: how a model can move, by name, and what each joint takes away."""

import argparse
from collections.abc import Iterator
from typing import Any

from engine.cli.arguments import table
from engine.cli.parameters import add_set, with_set
from engine.cli.study_commands import Console
from engine.errors import say
from engine.model.elements import Model


def add_freedom(commands: Any, console: Console) -> None:
    """Add the command to the parser."""
    told = commands.add_parser("freedom", help="name every way to move, and what each joint takes")
    told.add_argument("file", help="a model file, or the name of an example")
    add_set(told)
    told.add_argument("--without-drives", action="store_true", help="as if motors were taken out")

    def command(chosen: argparse.Namespace) -> int:
        console.say_if_first_time()
        print(
            "\n".join(lines_of(with_set(console.load(chosen.file), chosen), chosen.without_drives))
        )
        return 0

    told.set_defaults(command=command)


def lines_of(model: Model, without_drives: bool) -> Iterator[str]:
    """What the command prints."""
    from engine.studies.freedom import freedom_of

    found = freedom_of(model, without_drives=without_drives)
    yield found.sentence
    if found.motions:
        yield ""
        yield from table(
            [("Free motion", "moves most"), *((m.label, m.mover) for m in found.motions)]
        )
    if found.constraints:
        yield ""
        heads = ("Constraint", "Equation", "Class", "Why")
        yield from table([heads, *(tuple(c[1:]) for c in found.constraints)])
    if found.left:
        yield ""
        rows = [(m.label, str(m.dof), str(m.redundant)) for m in found.left]
        yield from table([(say("Without"), say("degrees"), say("redundant")), *rows])
    if found.circuit:
        yield ""
        yield found.why
