"""The command coordinates: a planar mechanism by four kinds of coordinates, side by side."""

import argparse
from collections.abc import Iterator
from typing import Any

from engine.cli.arguments import number, table
from engine.cli.parameters import add_set, with_set
from engine.cli.study_commands import Console
from engine.errors import say


def add_coordinates(commands: Any, console: Console) -> None:
    """Add the command to the parser."""
    told = commands.add_parser(
        "coordinates", help="absolute, relative, natural and independent coordinates side by side"
    )
    told.add_argument("file", help="a model file, or the name of an example")
    add_set(told)
    told.add_argument("--t-end", type=number, default=2.0, metavar="S", help="of the motion [s]")
    told.add_argument(
        "--free", nargs="+", default=(), metavar="JOINT", help="whose coordinates are independent"
    )
    told.add_argument("--equations", action="store_true", help="also the equations of each")
    told.add_argument("--csv", metavar="OUT", help="write every coordinate over time")

    def command(chosen: argparse.Namespace) -> int:
        from engine.studies.coordinates import compare_coordinates

        console.say_if_first_time()
        model = with_set(console.load(chosen.file), chosen)
        found = compare_coordinates(model, t_end=chosen.t_end, free=chosen.free)
        print("\n".join(_lines(found, chosen.equations)))
        if chosen.csv:
            found.write_csv(chosen.csv)
            print(f"{'Written:':<15}{chosen.csv}")
        return 0

    told.set_defaults(command=command)


def _lines(found: Any, with_equations: bool) -> Iterator[str]:
    """Counts and differences, the coordinates of each, and its equations if they are asked for."""
    yield found.sentence
    yield from found.notes
    yield ""
    heads = (say("Coordinates"), "n", "m", "n - m", say("apart"))
    rows = [
        (one.title, *_counts(one), f"{one.differs:.1e}")
        for one in found.descriptions
        if not one.sentence
    ]
    yield from table([heads, *rows])
    for one in found.descriptions:
        yield ""
        if one.sentence or one.remark:
            yield f"{one.title}: {one.sentence or one.remark}"
        if one.sentence:
            continue
        yield say("{title}: {idea}", title=one.title, idea=one.idea)
        yield from table([(f"  {c.symbol}", c.words) for c in one.coordinates])
        if with_equations:
            yield from _equations(one.sections)


def _counts(one: Any) -> tuple[str, str, str]:
    n, m = one.counts
    return str(n), str(m), str(n - m)


def _equations(sections: Any) -> Iterator[str]:
    """The statements of a description as plain text; what its coordinates mean is told before."""
    from engine.symbols.written.plain_text import lines_of

    for section in sections[1:]:
        yield ""
        yield from lines_of(section)
