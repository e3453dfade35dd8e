"""The hand-written recursion of chain.c, compiled on this machine when it is needed."""

import ctypes
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.chains import STEP, G, L, M

SOURCE = Path(__file__).parent / "chain.c"
FLAGS = ("-O3", "-march=native", "-ffast-math", "-fPIC")
NO_COMPILER = "There is no C compiler (cc) here, so the hand-written recursion was left out."

Doubles = np.ctypeslib.ndpointer(dtype=np.float64, flags="C_CONTIGUOUS")


class Recursion:
    """RK4 steps of the chain by the recursion."""

    def __init__(self, library: Path) -> None:
        self._rk4 = ctypes.CDLL(str(library)).chain_rk4
        numbers = (ctypes.c_double,) * 4
        self._rk4.argtypes = (ctypes.c_int, *numbers, ctypes.c_long, Doubles, Doubles)
        self._rk4.restype = None

    def angles(self, n: int, n_steps: int) -> np.ndarray:
        """The angles of the rods after n steps from rest."""
        y, work = np.zeros(2 * n), np.zeros(17 * n)
        self._rk4(n, L, M, G, STEP, n_steps, y, work)
        return y[:n]


@contextmanager
def recursion() -> Iterator[Recursion | None]:
    """The compiled recursion, or None without a C compiler.

    Compiled and linked apart: some compilers, told -ffast-math while linking, make the whole process flush
    denormal numbers to zero, including our own code.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        yield None
        return
    with TemporaryDirectory(prefix="kardan-bench-") as folder:
        made, library = Path(folder) / "chain.o", Path(folder) / "chain.so"
        for command in (
            [compiler, *FLAGS, "-c", str(SOURCE), "-o", str(made)],
            [compiler, "-shared", str(made), "-o", str(library), "-lm"],
        ):
            subprocess.run(command, check=True, capture_output=True, timeout=120)
        yield Recursion(library)
