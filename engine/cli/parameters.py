"""Parameters on the command line: --set l_crank=0.2 --set "l_coupler=2*l_crank + 30 mm"."""

import argparse
from typing import Any

from engine.errors import EngineError
from engine.model.elements import Model
from engine.model.fields import Number


def add_set(parser: Any) -> None:
    """Add the option to a command."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="give a parameter another value; the mechanism is closed again",
    )


def with_set(model: Model, chosen: argparse.Namespace) -> Model:
    """The model with the parameters that the command line sets; as `set` of a mechanism does it."""
    values = dict(map(_pair, chosen.set))
    if not values:
        return model
    from engine.editing.edits.sizing import with_values  # it loads the kernels

    return with_values(model, **values)


def _pair(text: str) -> tuple[str, Number]:
    """The name and the value in NAME=VALUE; a formula or a number with a unit stays text."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise EngineError(
            "'--set {text}' cannot be read; write --set NAME=VALUE, as in --set l_crank=0.2.",
            text=text[:60],
        )
    try:
        return name, float(value)
    except ValueError:
        return name, value
