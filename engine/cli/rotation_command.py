"""The command rotation: the three turns of Euler angles, R, A and B in symbols and in numbers.

rotation 3-1-3 --angles 30 40 50 --order 3 2 1          rotation FILE --body B --time T --sequence 1-2-3
"""

import argparse
import re
from pathlib import Path
from typing import Any

import numpy as np

from engine.cli.arguments import number, one_of
from engine.cli.parameters import add_set, with_set
from engine.cli.study_commands import Console
from engine.errors import EngineError
from engine.model.elements import Model
from rotations import SEQUENCES

DEFAULT = (30.0, 40.0, 50.0)
SEQUENCE_LIKE = r"[\dxyzXYZ]([-,. ]?[\dxyzXYZ])+"  # such as 3-3-1, 313 or zxz


def add_rotation(commands: Any, console: Console) -> None:
    """Add the command to the parser."""
    told = commands.add_parser(
        "rotation", help="tell R and the rate matrices A and B of Euler angles"
    )
    told.add_argument("file", help="a sequence as 3-1-3, a model file, or the name of an example")
    add_set(told)
    told.add_argument(
        "--angles", nargs=3, type=number, metavar="DEG", help="of a sequence [degrees]"
    )
    told.add_argument("--body", default="", metavar="ID", help="of a model; by default the first")
    told.add_argument("--time", type=number, default=0.0, metavar="T", help="of its run [s]")
    told.add_argument(
        "--sequence", type=one_of(SEQUENCES), metavar="S", help="of a body; by default that it has"
    )
    told.add_argument(
        "--order", nargs=3, type=int, default=(3, 2, 1), metavar="N", help="of the turns beside it"
    )
    told.add_argument("--latex", action="store_true", help="the symbols as LaTeX")
    told.set_defaults(command=lambda chosen: _tell(chosen, console))


def _tell(chosen: argparse.Namespace, console: Console) -> int:
    """Print symbols and numbers."""
    from engine.studies.turns import lines_of, turns_of
    from engine.symbols.turning import axes_of, sections, where_singular
    from engine.symbols.written.latex import latex_document
    from engine.symbols.written.plain_text import lines_of as symbols_of

    if chosen.file in SEQUENCES:
        if chosen.body or chosen.sequence or chosen.time or chosen.set:
            raise EngineError(
                "'{sequence}' is a sequence and not a model: leave --body, --sequence, --time and --set "
                "away, or name a model.",
                sequence=chosen.file,
            )
        sequence, angles = chosen.file, np.radians(chosen.angles or DEFAULT)
    else:
        if re.fullmatch(SEQUENCE_LIKE, chosen.file) and not Path(chosen.file).exists():
            axes_of(chosen.file)  # an EngineError lists those there are
        model = console.load(chosen.file)
        console.say_if_first_time()
        sequence, angles = _of_body(with_set(model, chosen), chosen)
    found = turns_of(sequence, angles, [n - 1 for n in chosen.order])
    if chosen.latex:
        print(latex_document(sections(sequence)), end="")
        return 0
    for section in sections(sequence):
        print("\n".join(symbols_of(section)))
        print()
    print("\n".join([where_singular(sequence), "", *lines_of(found)]))
    return 0


def _of_body(model: Model, chosen: argparse.Namespace) -> tuple[str, np.ndarray]:
    """The sequence and the angles of a body at a time of its run."""
    from engine.kinematics.poses import body_frames
    from engine.model.orientation import shown_sequence
    from engine.studies.free_body.diagrams import state_at
    from rotations import euler_angles

    if model.dim == 2:
        raise EngineError(
            "'{name}' is drawn in the plane, where bodies have one angle. Name a sequence, as 3-1-3.",
            name=model.name or chosen.file,
        )
    if chosen.angles:
        raise EngineError("The angles of a body follow from its run; leave --angles away.")
    compiled, state = state_at(model, chosen.time)
    turning = [id for k, id in enumerate(compiled.body_ids) if not compiled.is_particle[k]]
    body = chosen.body or next(iter(turning), "")
    if body not in turning:
        raise EngineError(
            "There is no body '{body}' that turns. Choose one of: {known}.",
            body=body,
            known=", ".join(turning) or "-",
        )
    sequence = chosen.sequence or shown_sequence(compiled.resolved, compiled.resolved[body])
    R = body_frames(compiled, state.one.q[0]).R[compiled.body_ids.index(body)]
    return sequence, euler_angles.from_matrix(sequence, R)
