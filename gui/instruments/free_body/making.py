"""What diagrams of a model need: compiled, assembled, with the largest force of the run."""

from typing import Any, NamedTuple

from engine.errors import EngineError
from engine.model.elements import Id, Model


class Made(NamedTuple):
    """What diagrams of a model need, or why there are none."""

    model: Model
    results: Any = None  # the run that was looked at
    bodies: Any = None  # engine.studies.free_body.FreeBodies
    start: Any = None  # the state at the start
    largest: Any = None  # force and moment by body, and whether with inertia
    not_unique: frozenset[Id] = frozenset()
    sentence: str = ""


def made_of(model: Model, results: Any = None) -> Made:
    """All that diagrams of a model need; a model that cannot run has a sentence instead."""
    from engine.compiling.system import compile_model
    from engine.kinematics.mobility import mobility
    from engine.studies.free_body import FreeBodies

    try:
        compiled = compile_model(model) if results is None else results.compiled
        bodies = FreeBodies(compiled)
        start = None if results is not None and len(results) else bodies.at_start()
        q = results.q[0] if start is None else start.one.q[0]
        unsure = mobility(compiled, q).not_unique
        if start is not None:
            start.one.tell(start.one.account._replace(not_unique=unsure))
            return Made(model, None, bodies, start, {}, unsure)
        return Made(model, results, bodies, None, bodies.largest(results.so_far()), unsure)
    except EngineError as error:
        return Made(model, results, sentence=error.sentence)
