"""Compiled kernels: plain loops over packed arrays, no Python objects.

Three kinds. A `kernel` is compiled by itself and takes just the arrays it works on. An `inlined` kernel
takes the whole System and Workspace, passes on their arrays, and becomes part of its caller: passing
these large tuples through real calls would cost more than the work. A `merged` kernel is compiled by itself
and becomes part of its caller as machine code: handing over arrays costs nothing then.
"""

from pathlib import Path

import numpy as np

import rotations
from rotations.jit import kernel_decorator

_engine = Path(__file__).parent.parent
SOURCES = (Path(rotations.__file__).parent, _engine / "kernels", _engine / "integrators")
kernel = kernel_decorator(*SOURCES)
inlined = kernel_decorator(*SOURCES, inlined=True)
merged = kernel_decorator(*SOURCES, merged=True)

# Around an index that is never negative: numba then leaves out the code that counts from the end.
nat = np.uint64
