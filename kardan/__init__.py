"""Kardan for notebooks and scripts: describe a mechanism, run it, read its results, judge them.

    import kardan

    pendulum = kardan.Mechanism("pendulum")
    rod = pendulum.rod((0, 0), (1, 0), mass=1)
    pendulum.revolute("ground", rod, at=(0, 0))
    results = pendulum.run(t_end=5)
    results["rod_1.angle"]

    model = kardan.load("model.json")        or "robot.urdf", or kardan.example_paths()["four_bar"]
    kardan.problems(model)                   what is wrong with it, in sentences
    kardan.run(model, method="rk4")
    kardan.with_values(model, l_crank=0.2)   other parameters, the mechanism closed again
    kardan.many(model, {"angle": angles})    a run for each value
    kardan.order(model, method="rk4")        accuracy: order, converge, compare
    kardan.wear(results)                     what contacts wear off
    kardan.free_bodies(results, 0.5)         forces and moments on every body at a time
    kardan.script(model)                     the program that builds it, as text

The names in `__all__` are loaded when they are first used, so that `import kardan` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import engine
from assets import example_paths
from engine import __version__

if TYPE_CHECKING:
    from engine.compiling.checks import problems
    from engine.editing.builder import Mechanism
    from engine.editing.builder.script import script
    from engine.editing.edits.sizing import with_values
    from engine.editing.robots.opening import load
    from engine.errors import EngineError
    from engine.files.model_files import save
    from engine.integrators.ode import solve
    from engine.model.elements import Model
    from engine.model.fields import Polyline
    from engine.results.export import write_csv, write_npz
    from engine.results.results import Results
    from engine.running.ensembles import many
    from engine.running.simulate import prepare, run
    from engine.studies import compare, converge, order, wear
    from engine.studies.free_body import free_bodies

# The package of the engine that defines each public name.
_HOMES = {
    "EngineError": "errors",
    "Mechanism": "editing.builder",
    "Model": "model.elements",
    "Polyline": "model.fields",
    "Results": "results.results",
    "compare": "studies",
    "converge": "studies",
    "free_bodies": "studies.free_body",
    "load": "editing.robots.opening",
    "many": "running.ensembles",
    "order": "studies",
    "prepare": "running.simulate",
    "problems": "compiling.checks",
    "run": "running.simulate",
    "script": "editing.builder.script",
    "save": "files.model_files",
    "solve": "integrators.ode",
    "wear": "studies",
    "with_values": "editing.edits.sizing",
    "write_csv": "results.export",
    "write_npz": "results.export",
}

__all__ = [
    "EngineError",
    "Mechanism",
    "Model",
    "Polyline",
    "Results",
    "__version__",
    "compare",
    "converge",
    "example_paths",
    "free_bodies",
    "load",
    "many",
    "order",
    "prepare",
    "problems",
    "run",
    "save",
    "script",
    "solve",
    "wear",
    "with_values",
    "write_csv",
    "write_npz",
]


def __getattr__(name: str) -> Any:
    """A public name, from the module that defines it."""
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{engine.__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
