"""The command coordinates: a planar mechanism by four kinds of coordinates, side by side."""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from engine.cli.arguments import check_outputs, number, table
from engine.cli.parameters import add_set, with_set
from engine.cli.study_commands import Console
from engine.errors import EngineError, say
from engine.model.elements import Model


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

        model = with_set(console.load(chosen.file), chosen)
        check_outputs(chosen)
        _check_joints(model, chosen.free)
        console.say_if_first_time()
        parts = _Parts(chosen.equations)
        with console.bar() as bar:
            found = compare_coordinates(
                model,
                t_end=chosen.t_end,
                free=chosen.free,
                so_far=parts.tell,
                progress=bar.show,
            )
        print("\n".join(_motions(found)))
        if chosen.csv:
            found.write_csv(chosen.csv)
            print(f"{'Written:':<15}{chosen.csv}")
        return 0

    told.set_defaults(command=command)


def _check_joints(model: Model, free: Sequence[str]) -> None:
    """Raise EngineError for a joint that is not there."""
    known = [joint.id for joint in model.of("joint")]
    for id in free:
        if id not in known:
            raise EngineError(
                "There is no joint '{id}'. Choose one of: {known}.",
                id=id,
                known=", ".join(known) or "-",
            )


class _Parts:
    """Prints the descriptions as soon as they are known, before their motions are."""

    def __init__(self, with_equations: bool) -> None:
        self.with_equations, self.is_told = with_equations, False

    def tell(self, found: Any) -> None:
        """Print them once."""
        if not self.is_told:
            print("\n".join(_descriptions(found, self.with_equations)), flush=True)
        self.is_told = True


def _descriptions(found: Any, with_equations: bool) -> Iterator[str]:
    """The coordinates of each, and its equations if they are asked for."""
    for one in found.descriptions:
        if one.sentence:
            yield f"{one.title}: {one.sentence}"
        else:
            yield say("{title}: {idea}", title=one.title, idea=one.idea)
            yield from table([(f"  {c.symbol}", c.words) for c in one.coordinates])
            if with_equations:
                yield from _equations(one.sections)
        yield ""


def _motions(found: Any) -> Iterator[str]:
    """Counts, how far the motions are apart, and what there is to say."""
    heads = (say("Coordinates"), "n", "m", "n - m", say("apart"))
    rows = [
        (one.title, *_counts(one), "-" if one.apart is None else f"{one.differs:.1e}")
        for one in found.descriptions
        if not one.sentence
    ]
    yield from table([heads, *rows])
    yield ""
    yield found.sentence
    yield from found.notes
    yield from (f"{one.title}: {one.remark}" for one in found.descriptions if one.remark)


def _counts(one: Any) -> tuple[str, str, str]:
    n, m = one.counts
    return str(n), str(m), str(n - m)


def _equations(sections: Any) -> Iterator[str]:
    """The statements of a description as plain text; what its coordinates mean is told before."""
    from engine.symbols.written.plain_text import lines_of

    for section in sections[1:]:
        yield ""
        yield from lines_of(section)
