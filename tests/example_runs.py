"""Runs of the gallery's examples, each made once, and what tests ask of them."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from assets.make_examples import FOLDER
from engine.files.model_files import load
from engine.model.elements import Model, put
from engine.model.shapes import MassProperties, body_mass_properties
from engine.results.results import Results
from engine.running.simulate import run

STOPPED = {"gimbal_lock": "gimbal lock"}  # examples that stop on purpose, and why


@cache
def ran(name: str) -> Results:
    """The example run to its end."""
    results = run(model_of_file(name))
    assert results.ending.reason == STOPPED.get(name, "done"), results.ending.sentence
    return results


def model_of_file(name: str) -> Model:
    """The example as its file has it."""
    return load(FOLDER / f"{name}.json")


def changed(name: str, **values: Any) -> Model:
    """The example with other values of its parameters."""
    model = model_of_file(name)
    for id, value in values.items():
        model = put(model, replace(model[id], value=value))
    return model


def letters(results: Results, *names: str) -> list[float]:
    """The values of parameters, in numbers."""
    return [float(results.compiled.resolved[name].value) for name in names]


def weighed(results: Results, body: str) -> MassProperties:
    """Mass, centre and inertia of a body, in numbers."""
    return body_mass_properties(results.compiled.resolved[body])


def place(results: Results, point: str) -> np.ndarray:
    """The path (n, 3) of a body, mass centre or marker in space."""
    return np.column_stack([results[f"{point}{axis}"] for axis in "xyz"])
