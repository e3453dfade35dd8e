"""The study commands of the command line: order, converge and compare.

order FILE --method rk4          converge FILE --channels '*.angle'          compare FILE --methods rk4 heun
"""

import argparse
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from engine.cli.arguments import check_outputs, count, number, one_of, positive
from engine.cli.parameters import add_set, with_set
from engine.model.elements import Model
from engine.model.methods import COORDINATE_NAMES, METHOD_NAMES, STABILISATION_NAMES

COMMANDS = ("order", "converge", "compare")
METHODS_HELP = f"the integrator: {', '.join(METHOD_NAMES)}"
COORDINATES_HELP = f"in which motion is solved: {', '.join(COORDINATE_NAMES)}"
STABILISATIONS_HELP = f"what keeps joints closed: {', '.join(STABILISATION_NAMES)}"


class Console(NamedTuple):
    """What the command line provides to a command."""

    load: Callable[[str], Model]
    bar: Callable[[], AbstractContextManager[Any]]  # has show(fraction)
    say_if_first_time: Callable[[], None]


def add_commands(commands: Any, console: Console) -> None:
    """Add the three commands to the parser."""
    seen = _command(commands, "order", "measure the order of a method on a model", console, _order)
    seen.add_argument(
        "--steps", type=count, default=4, metavar="N", help="runs, each with half the step"
    )
    seen.add_argument("--channels", nargs="+", metavar="PATTERN", help="instead of the whole state")
    _one_way(seen)

    judged = _command(commands, "converge", "is the step short enough?", console, _converge)
    judged.add_argument("--channels", nargs="+", metavar="PATTERN", required=True, help="which")
    judged.add_argument("--steps", type=positive, nargs="+", metavar="S", help="the very steps [s]")
    judged.add_argument(
        "--halvings", type=count, default=2, metavar="N", help="or halve it N times"
    )
    judged.add_argument("--at", type=number, metavar="S", help="time of comparison [s]")
    judged.add_argument(
        "--limit", type=number, default=5.0, metavar="P", help="largest change [%%]"
    )
    judged.add_argument("--picture", metavar="OUT", help="draw the channels with error bands (SVG)")
    _one_way(judged)

    beside = _command(commands, "compare", "run several methods side by side", console, _compare)
    beside.add_argument(
        "--methods", nargs="+", type=one_of(METHOD_NAMES), metavar="M", help="by default all"
    )
    beside.add_argument(
        "--stabilisations", nargs="+", type=one_of(STABILISATION_NAMES), metavar="W"
    )
    beside.add_argument("--steps", type=positive, nargs="+", metavar="S", help="of fixed steps [s]")
    beside.add_argument(
        "--tolerances", type=positive, nargs="+", metavar="E", help="of adaptive steps"
    )
    beside.add_argument("--channels", nargs="+", metavar="PATTERN", help="instead of positions")
    beside.add_argument("--repeats", type=count, default=3, metavar="N", help="for the best time")
    beside.add_argument("--picture", metavar="OUT", help="draw error against work (SVG)")


def _command(commands: Any, name: str, help: str, console: Console, work: Any) -> Any:
    """A command with the options that all of them have."""
    parser = commands.add_parser(name, help=help)
    parser.add_argument("file", help="a model file, or the name of an example")
    add_set(parser)
    parser.add_argument("--t-end", type=number, metavar="S", help="the run goes from 0 to here [s]")
    parser.add_argument("--output-step", type=number, metavar="S", help="time between frames [s]")
    parser.add_argument("--csv", metavar="OUT", help="write the table with all digits")
    parser.set_defaults(command=lambda chosen: _checked(work, chosen, console))
    return parser


def _checked(work: Any, chosen: argparse.Namespace, console: Console) -> int:
    """Do the work; a file that cannot be written is reported before it, not after."""
    if getattr(chosen, "picture", None):
        from engine.studies.pictures import check_name  # it loads the kernels

        check_name(chosen.picture)
    check_outputs(chosen)
    return int(work(chosen, console))


def _one_way(parser: Any) -> None:
    """Options of a study of one method."""
    parser.add_argument("--method", type=one_of(METHOD_NAMES), metavar="M", help=METHODS_HELP)
    parser.add_argument(
        "--stabilisation", type=one_of(STABILISATION_NAMES), metavar="W", help=STABILISATIONS_HELP
    )
    parser.add_argument("--step", type=number, metavar="S", help="the longest step [s]")


def _settings(chosen: argparse.Namespace) -> dict[str, Any]:
    """The settings that are given on the command line."""
    names = ("t_end", "output_step", "method", "stabilisation", "step")
    given = {name: getattr(chosen, name, None) for name in names}
    return {name: value for name, value in given.items() if value is not None}


def _order(chosen: argparse.Namespace, console: Console) -> int:
    """Print the observed orders."""
    from engine.studies import order

    model = console.load(chosen.file)
    console.say_if_first_time()
    model = with_set(model, chosen)
    with console.bar() as bar:
        found = order(
            model, chosen.channels, steps=chosen.steps, progress=bar.show, **_settings(chosen)
        )
    return _show(found, chosen)


def _converge(chosen: argparse.Namespace, console: Console) -> int:
    """Print how the channels converge, and draw their bands."""
    from engine.studies import converge

    model = console.load(chosen.file)
    console.say_if_first_time()
    model = with_set(model, chosen)
    steps = chosen.steps or chosen.halvings + 1
    judged = {"steps": steps, "at": chosen.at, "limit": chosen.limit}
    with console.bar() as bar:
        found = converge(model, chosen.channels, progress=bar.show, **judged, **_settings(chosen))
    return _show(found, chosen)


def _compare(chosen: argparse.Namespace, console: Console) -> int:
    """Print methods side by side, and draw error against work."""
    from engine.studies import compare

    model = console.load(chosen.file)
    console.say_if_first_time()
    model = with_set(model, chosen)
    names = ("methods", "stabilisations", "steps", "tolerances", "channels", "repeats")
    asked = {name: getattr(chosen, name) for name in names}
    with console.bar() as bar:
        found = compare(model, progress=bar.show, **asked, **_settings_without_step(chosen))
    return _show(found, chosen)


def _settings_without_step(chosen: argparse.Namespace) -> dict[str, Any]:
    """The settings that all runs of a comparison share."""
    return {k: v for k, v in _settings(chosen).items() if k in ("t_end", "output_step")}


def _show(found: Any, chosen: argparse.Namespace) -> int:
    """Print the table and write the files asked for."""
    from engine.studies.pictures import write_picture

    print(found.table())
    if chosen.csv:
        found.write_csv(chosen.csv)
        print(f"{'Written:':<15}{chosen.csv}")
    if getattr(chosen, "picture", None):
        write_picture(chosen.picture, found.picture())
        print(f"{'Written:':<15}{chosen.picture}")
    return 0
