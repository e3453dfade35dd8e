"""The command wear: what surfaces in contact lose in a run, dry or with a film at some temperatures.

wear FILE --temperatures 293 298 303          wear FILE --vary mu=0.3,0.2 --csv worn.csv
"""

import argparse
from typing import Any

from engine.cli.arguments import check_outputs, number, positive
from engine.cli.parameters import add_set, with_set
from engine.cli.study_commands import Console

PLA_IN_MM3 = 65e-5


def add_wear(commands: Any, console: Console) -> None:
    """Add the command to the parser."""
    worn = commands.add_parser("wear", help="run a model and tell what its contacts wear off")
    worn.add_argument("file", help="a model file, or the name of an example")
    add_set(worn)
    worn.add_argument("--contacts", nargs="+", default=(), metavar="ID", help="by default all")
    worn.add_argument(
        "--coefficient",
        type=number,
        default=PLA_IN_MM3,
        metavar="K",
        help="of wear [mm^3/(N m)]; PLA by default",
    )
    worn.add_argument(
        "--temperatures", nargs="+", type=positive, metavar="T", help="of a film [K]; dry without"
    )
    worn.add_argument(
        "--speeds", nargs="+", default=(), metavar="CHANNEL", help="instead of the sliding speed"
    )
    worn.add_argument("--lever", type=positive, metavar="R", help="of speeds in rad/s [m]")
    worn.add_argument("--with-2-pi", action="store_true", help="path times 2 pi, as once published")
    worn.add_argument("--by-friction", action="store_true", help="friction alone is the force")
    worn.add_argument(
        "--sliding",
        default="",
        metavar="S/R",
        help="a formula of t, or 'run': as it slides and rolls",
    )
    worn.add_argument("--vary", metavar="NAME=A,B", help="run for several values of a parameter")
    worn.add_argument("--csv", metavar="OUT", help="write W over time, of the last run")
    worn.set_defaults(command=lambda chosen: _wear(chosen, console))


def _wear(chosen: argparse.Namespace, console: Console) -> int:
    """Run the model, once for each value that is varied, and print what is worn."""
    from engine.editing.edits.sizing import variants
    from engine.running.simulate import run
    from engine.studies.archard import MM3, wear

    model = console.load(chosen.file)
    check_outputs(chosen)
    console.say_if_first_time()
    found, model = None, with_set(model, chosen)
    for title, one in [("", model)] if chosen.vary is None else variants(model, chosen.vary):
        with console.bar() as bar:
            results = run(one, progress=bar.show)
        found = wear(
            results,
            chosen.contacts,
            coefficient=chosen.coefficient / MM3,
            temperatures=chosen.temperatures or (None,),
            speeds=chosen.speeds,
            lever=chosen.lever,
            with_2_pi=chosen.with_2_pi,
            by_friction=chosen.by_friction,
            sliding=chosen.sliding,
        )
        if title:
            print(title)
        print(found.table())
    if chosen.csv and found is not None:
        found.write_csv(chosen.csv)
        print(f"{'Written:':<15}{chosen.csv}")
    return 0
