"""The command check: what is wrong with a model, how it can move, and what each constraint is."""

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from engine.cli.arguments import table
from engine.kinematics.checkup import Checkup, examine
from engine.model.elements import Model

if TYPE_CHECKING:
    from engine.studies.classification import Verdict
    from engine.studies.freedom import Classed

COLUMNS = ("Constraint", "Equation", "Rows", "Class", "Why")


def check(model: Model, chosen: argparse.Namespace) -> int:
    """Print the checkup of a model; returns 0 if the model can run, else 2."""
    checkup = examine(model)
    if chosen.json:
        print(json.dumps(as_data(checkup), indent=2, ensure_ascii=False))
    elif checkup.problems and not checkup.can_run:
        print("\n".join(problem.sentence for problem in checkup.problems), file=sys.stderr)
    else:
        print("\n".join(lines(checkup)))
    return 0 if checkup.can_run else 2


def lines(checkup: Checkup) -> list[str]:
    """The checkup of a model without problems as text."""
    name = checkup.model.name or "unnamed"
    found = (*checkup.problems, *checkup.warnings)
    verdict = "what is wrong is told below" if found else "nothing wrong with it"
    told = [f"{'Model:':<15}{name}, {verdict}"]
    told += [f"{what + ':':<15}{words}" for what, words in freedom(checkup).items()]
    if checkup.mobility is not None:
        told += checkup.mobility.sentences
    if listed := rows(checkup):
        told += ["", *table([COLUMNS, *listed])]
    if found:
        told += ["", *(problem.sentence for problem in found)]
    return told


def verdict(checkup: Checkup) -> "Verdict | None":
    """Whether what is given for velocities integrates; None where there is nothing of that kind."""
    late = [c for c in checkup.constraints if c.level != "position"]
    if checkup.start is None or checkup.mobility is None or not late:
        return None
    from engine.compiling.system import compile_model
    from engine.studies.classification import classify_anywhere

    compiled = compile_model(checkup.model)
    return classify_anywhere(compiled, checkup.start.q, checkup.mobility.motions)


def freedom(checkup: Checkup) -> dict[str, str]:
    """Degrees of freedom, redundancy and kind of the system, by headings."""
    found = checkup.mobility
    if found is None:
        return {"Freedom": "nothing can move: there is no moving body"}
    degrees = f"{found.dof} degree{'' if found.dof == 1 else 's'}"
    redundant = f"{found.redundant} redundant constraint{'' if found.redundant == 1 else 's'}"
    told = {"Freedom": f"{degrees}, {redundant}", "System": found.kind}
    judged = verdict(checkup)
    if judged is not None:
        holonomic = "holonomic" if judged.is_holonomic else "non-holonomic"
        told["System"] = f"{holonomic}-{found.kind.rpartition('-')[2]}"
        told["Why"] = judged.sentence
    return told


def rows(checkup: Checkup) -> list[tuple[str, ...]]:
    """The table of constraints: the class of each, and why; what cannot be assembled has no class."""
    counts = [str(len(c.multipliers)) for c in checkup.constraints]
    classes = classes_of(checkup)
    if not classes:
        return [
            (c.label, c.equation, count, c.time, c.driven_by)
            for c, count in zip(checkup.constraints, counts)
        ]
    counts += ["-"] * (len(classes) - len(counts))  # of forces that hold in one direction
    return [(c.label, c.equation, count, c.kind, c.why) for c, count in zip(classes, counts)]


def classes_of(checkup: Checkup) -> "tuple[Classed, ...]":
    """Every constraint with its class; none where the mechanism cannot be assembled."""
    if checkup.start is None or checkup.mobility is None:
        return ()
    from engine.compiling.system import compile_model
    from engine.studies.freedom import classed

    return classed(compile_model(checkup.model), checkup.start.q, checkup.mobility)


def as_data(checkup: Checkup) -> dict[str, Any]:
    """The checkup as data for other programs."""
    found, judged = checkup.mobility, verdict(checkup)
    classes = classes_of(checkup) or (None,) * len(checkup.constraints)
    return {
        "model": checkup.model.name,
        "can_run": checkup.can_run,
        "problems": [{"sentence": p.sentence, "ids": list(p.ids)} for p in checkup.problems],
        "warnings": [{"sentence": w.sentence, "ids": list(w.ids)} for w in checkup.warnings],
        "freedom": None
        if found is None
        else {
            "degrees": found.dof,
            "redundant": found.redundant,
            "holonomic": found.is_holonomic if judged is None else judged.is_holonomic,
            "why": "" if judged is None else judged.sentence,
            "scleronomic": found.is_scleronomic,
            "redundancies": list(found.sentences),
        },
        "gaps": [{"id": g.id, "size": g.size, "where": g.where} for g in checkup.gaps],
        "unkept": [
            {"id": u.id, "field": u.field, "typed": u.typed.tolist(), "runs": u.runs.tolist()}
            for u in checkup.unkept
        ],
        "constraints": [
            {
                "id": c.id,
                "equation": c.equation,
                "multipliers": list(c.multipliers),
                "level": c.level,
                "scleronomic": c.is_scleronomic,
                "driven_by": c.driven_by,
                "class": "" if told is None else told.kind,
                "why": "" if told is None else told.why,
            }
            for c, told in zip(checkup.constraints, classes)
        ],
    }
