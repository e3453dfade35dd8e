"""Compiled kernels: plain loops over packed arrays, no Python objects.

Two kinds. A `kernel` is compiled by itself and takes just the arrays it works on. An `inlined` kernel
takes the whole System and Workspace, hands their arrays on, and becomes part of its caller: passing
these large tuples through real calls would cost more than the work.
"""

from pathlib import Path

import rotations
from rotations.jit import cache_folder, kernel_decorator

_engine = Path(__file__).parent.parent
_sources = (Path(rotations.__file__).parent, _engine / "kernels", _engine / "integrators")
kernel = kernel_decorator(*_sources)
inlined = kernel_decorator(*_sources, inlined=True)

FIRST_TIME = "The solver is compiled for this machine, once; this takes about a minute."


def are_compiled() -> bool:
    """Whether the machine code of a whole run is already on the disk."""
    folder = cache_folder(*_sources)
    return folder is not None and any(folder.rglob("runge_kutta.advance-*.nbi"))
