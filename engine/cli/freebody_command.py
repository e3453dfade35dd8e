"""The command freebody: every force and moment on the bodies of a model at a time, as table and picture.

freebody FILE --body B --time T --svg out.svg          freebody FILE --inertia --scale square_root
"""

import argparse
from typing import Any

from engine.cli.arguments import check_outputs, number, one_of
from engine.cli.parameters import add_set, with_set
from engine.cli.study_commands import Console

SCALES = ("linear", "square_root")


def add_freebody(commands: Any, console: Console) -> None:
    """Add the command to the parser."""
    cut = commands.add_parser("freebody", help="tell all forces and moments on a body at a time")
    cut.add_argument("file", help="a model file, or the name of an example")
    add_set(cut)
    cut.add_argument("--body", default="", metavar="ID", help="by default all, pulled apart")
    cut.add_argument("--time", type=number, default=0.0, metavar="T", help="[s]; 0 by default")
    cut.add_argument("--svg", metavar="OUT", help="draw the diagram")
    cut.add_argument("--csv", metavar="OUT", help="write the table with all digits")
    cut.add_argument("--inertia", action="store_true", help="draw inertia forces (d'Alembert)")
    cut.add_argument(
        "--scale",
        type=one_of(SCALES),
        default=SCALES[0],
        metavar="S",
        help=f"of arrows: {' or '.join(SCALES)}",
    )
    cut.set_defaults(command=lambda chosen: _cut(chosen, console))


def _cut(chosen: argparse.Namespace, console: Console) -> int:
    """Print the table and write the files asked for."""
    from engine.studies.free_body import free_bodies
    from engine.studies.pictures import check_name, write_picture

    if chosen.svg:
        check_name(chosen.svg)
    model = console.load(chosen.file)
    check_outputs(chosen)
    console.say_if_first_time()
    found = free_bodies(with_set(model, chosen), chosen.time)
    print(found.table(chosen.body))
    if chosen.csv:
        found.write_csv(chosen.csv, chosen.body)
        print(f"{'Written:':<15}{chosen.csv}")
    if chosen.svg:
        drawn = found.picture(chosen.body, inertia=chosen.inertia, scale=chosen.scale)
        write_picture(chosen.svg, drawn)
        print(f"{'Written:':<15}{chosen.svg}")
    return 0
