"""The command microscope: one step of a method opened up, by stages or by Newton's iterations."""

import argparse
from typing import Any

from engine.cli.arguments import check_outputs, number, one_of, table
from engine.cli.parameters import add_set, with_set
from engine.cli.study_commands import Console
from engine.errors import say
from engine.model.methods import METHOD_NAMES, STABILISATION_NAMES


def add_microscope(commands: Any, console: Console) -> None:
    """Add the command to the parser."""
    told = commands.add_parser("microscope", help="open one step: stages, residuals, its matrix")
    told.add_argument("file", help="a model file, or the name of an example")
    add_set(told)
    told.add_argument("--time", type=number, default=0.0, metavar="T", help="of the step [s]")
    told.add_argument("--step", type=number, metavar="S", help="its length [s]")
    told.add_argument("--method", type=one_of(METHOD_NAMES), metavar="M")
    told.add_argument("--stabilisation", type=one_of(STABILISATION_NAMES), metavar="W")
    told.add_argument("--residuals", action="store_true", help="of every equation in every stage")
    told.add_argument("--csv", metavar="OUT", help="write residuals and unknowns as text")

    def command(chosen: argparse.Namespace) -> int:
        from engine.studies.microscope import open_step

        model = with_set(console.load(chosen.file), chosen)
        check_outputs(chosen)
        console.say_if_first_time()
        opened = open_step(
            model,
            time=chosen.time,
            method=chosen.method or "",
            step=chosen.step,
            stabilisation=chosen.stabilisation or "",
        )
        print("\n".join(_lines(opened)))
        if chosen.residuals:
            print("\n".join(["", *_residuals(opened)]))
        if chosen.csv:
            opened.write_csv(chosen.csv)
            print(f"{'Written:':<15}{chosen.csv}")
        return 0

    told.set_defaults(command=command)


def _lines(opened: Any) -> list[str]:
    """What was opened, stage by stage, and the order of elimination."""
    stages = table([opened.heads, *(opened.row(stage) for stage in opened.stages)])
    return [opened.sentence, "", *stages, "", opened.elimination]


def _residuals(opened: Any) -> list[str]:
    """What is left of every equation in every stage."""
    heads = (say("Equation"), say("unit"), *(opened.kind(stage) for stage in opened.stages))
    rows = [
        (one.label, one.unit, *(f"{stage.residual[k]:.3g}" for stage in opened.stages))
        for k, one in enumerate(opened.equations)
    ]
    return list(table([heads, *rows]))
