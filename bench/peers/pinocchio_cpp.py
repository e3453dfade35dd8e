"""Pinocchio from C++: programs compiled here where its headers and those of Eigen are found."""

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.chains import J_ALONG, STEP, G, J, L, M
from bench.recursion import Doubles

SOURCE = Path(__file__).parent / "chain.cpp"
FLAGS = (
    *("-O3", "-march=native", "-DNDEBUG", "-std=c++17", "-fPIC", "-shared"),
    *("-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"),
)
NOT_HERE = (
    "Pinocchio from C++ was left out: there is no compiler (c++) here, or no headers of Pinocchio or Eigen "
    "(pip brings those of Pinocchio; pkg-config or CPLUS_INCLUDE_PATH says where Eigen is)."
)
Take = Callable[[int], np.ndarray]


@contextmanager
def pinocchio_in_cpp() -> Iterator[Callable[[int], Take] | None]:
    """Of a chain of N rods what takes steps and gives its angles; None where it cannot be compiled."""
    with TemporaryDirectory() as folder:
        library = compiled(SOURCE, Path(folder) / "chain.so")
        if library is None:
            yield None
            return
        numbers = (ctypes.c_double,) * 5
        library.chain_new.argtypes = (ctypes.c_int, *numbers)
        library.chain_new.restype = ctypes.c_void_p
        library.chain_rk4.argtypes = (ctypes.c_void_p, ctypes.c_double, ctypes.c_long, Doubles)
        library.chain_free.argtypes = (ctypes.c_void_p,)
        chains: list[int] = []

        def prepare(n: int) -> Take:
            chains.append(library.chain_new(n, L, M, G, J_ALONG, J))
            angles = np.zeros(n)

            def take(count: int, chain: int = chains[-1]) -> np.ndarray:
                library.chain_rk4(chain, STEP, count, angles)
                return np.cumsum(angles)

            return take

        yield prepare
        for chain in chains:
            library.chain_free(chain)


def compiled(source: Path, target: Path) -> ctypes.CDLL | None:
    """A program as a library; None where something is missing."""
    compiler, found = shutil.which("c++") or shutil.which("g++"), find_spec("cmeel")
    if compiler is None or found is None or found.origin is None:
        return None
    place = Path(found.origin).parents[1] / "cmeel.prefix"
    include, lib = place / "include", place / "lib"
    headers = [f"-I{include}", f"-I{include / 'eigen3'}", *_eigen()]
    places = [*headers, f"-L{lib}", f"-Wl,-rpath,{lib}"]
    command = [compiler, *FLAGS, *places, str(source), "-o", str(target), "-lpinocchio_default"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        return None
    return ctypes.CDLL(str(target))


def _eigen() -> list[str]:
    """Where the system has Eigen, as it tells compilers."""
    asked = shutil.which("pkg-config") or shutil.which("pkgconf")
    if asked is None:
        return []
    told = subprocess.run(
        [asked, "--cflags", "eigen3"], capture_output=True, text=True, check=False
    )
    return told.stdout.split()
