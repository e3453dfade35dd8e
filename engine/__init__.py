"""The engine of Kardan: describe a mechanism, run it, read its results.

    from engine import Mechanism

    pendulum = Mechanism("pendulum")
    rod = pendulum.rod((0, 0), (1, 0), mass=1)
    pendulum.revolute("ground", rod, at=(0, 0))
    run = pendulum.run(t_end=5)
    run["rod_1.angle"]

The names below are loaded when they are first used, so that `import engine` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.compiling.checks import problems
    from engine.editing.builder import Mechanism
    from engine.errors import EngineError
    from engine.files.model_files import load, save
    from engine.model.elements import Model
    from engine.results.export import write_csv, write_npz
    from engine.results.results import Results
    from engine.running.simulate import run

_HOME = {
    "EngineError": "errors",
    "Mechanism": "editing.builder",
    "Model": "model.elements",
    "Results": "results.results",
    "load": "files.model_files",
    "problems": "compiling.checks",
    "run": "running.simulate",
    "save": "files.model_files",
    "write_csv": "results.export",
    "write_npz": "results.export",
}

__all__ = [
    "EngineError",
    "Mechanism",
    "Model",
    "Results",
    "load",
    "problems",
    "run",
    "save",
    "write_csv",
    "write_npz",
]


def __getattr__(name: str) -> Any:
    """A public name, from the module where it lives."""
    if name not in _HOME:
        raise AttributeError(f"module 'engine' has no attribute '{name}'")
    return getattr(import_module(f"engine.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
