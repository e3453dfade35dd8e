"""Fills a closed surface with tetrahedra by fTetWild, in a process and a folder of its own.

The library leaves files in the folder it works in, and a surface that it cannot fill may end its process:
`python -m engine.editing.filling surface.npz cells.npz` does the work, `fill_by_ftetwild` asks for it.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from engine.errors import EngineError
from engine.processes import command, search_path

PATIENCE = 600  # s


def fill_by_ftetwild(
    vertices: np.ndarray, faces: np.ndarray, edge: float
) -> tuple[np.ndarray, np.ndarray]:
    """Corners and tetrahedra (c, 4) inside a surface, with edges of about this length."""
    if not (find_spec("pytetwild") and find_spec("pyvista")):
        raise EngineError(
            "Filling a solid with tetrahedra needs the packages pytetwild and pyvista, which are not "
            "installed. Install them with: pip install kardan[solid]. Matrices of another program (npz) "
            "need nothing."
        )
    share = edge / float(np.linalg.norm(np.ptp(vertices, axis=0)))
    with TemporaryDirectory() as folder:
        surface, cells = (str(Path(folder) / name) for name in ("surface.npz", "cells.npz"))
        np.savez(surface, vertices=vertices, faces=faces, share=share)
        path = os.pathsep.join([search_path(), *filter(None, sys.path)])
        try:
            ended = subprocess.run(
                [*command(__name__), surface, cells],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": path},
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise EngineError(
                "Filling the solid took longer than {n} minutes; choose longer edges.",
                n=PATIENCE // 60,
            ) from None
        if ended.returncode or not Path(cells).exists():
            raise EngineError(
                "The solid could not be filled with tetrahedra; close its surface, or choose other edges."
            )
        with np.load(cells, allow_pickle=False) as found:
            return found["corners"], found["cells"]


def main(surface: str, cells: str) -> None:
    """Fill the surface in a file, and write corners and tetrahedra into another."""
    from pytetwild import tetrahedralize

    with np.load(surface, allow_pickle=False) as given:
        corners, found = tetrahedralize(
            given["vertices"].astype(float),
            given["faces"].astype(np.int32),
            edge_length_fac=float(given["share"]),
            quiet=True,
        )[:2]
    np.savez(cells, corners=np.asarray(corners, float), cells=np.asarray(found, np.int64))


if __name__ == "__main__":
    main(*sys.argv[1:])
