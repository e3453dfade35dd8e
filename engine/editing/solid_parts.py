"""A part that bends from the surface of a solid: tetrahedra, their matrices, condensed onto a few nodes.

The surface is filled with tetrahedra by fTetWild (MPL), which takes dirty surfaces too. It comes with the
extra `solid`; without it a sentence says how to get it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiling.elastic.tetrahedra import (
    CORNERS,
    Solid,
    boundary,
    condensed,
    flat_cells,
    quadratic_mesh,
    spread_nodes,
)
from engine.editing.filling import fill_by_ftetwild
from engine.errors import EngineError
from engine.files.meshes import read_mesh
from engine.model.shapes import Part

KEPT = 90  # nodes: their matrices are kept in the model, and 100 are the most
MOST_CELLS = 12_000  # tetrahedra: more take minutes and gigabytes
COARSEST = 1.0 / 12.0  # edge of a tetrahedron, of the longest side of the part
REACH = 1.2  # a marker is moved by nodes within so many of their distances

Fill = Callable[[np.ndarray, np.ndarray, float], tuple[np.ndarray, np.ndarray]]


def solid_part(
    path: str | Path,
    material: Solid,
    scale: float = 1.0,
    edge: float | None = None,
    fill: Fill = fill_by_ftetwild,
    **fields: Any,
) -> Part:
    """The part that bends inside the surface of an STL or OBJ file."""
    check_material(material)
    mesh = read_mesh(path, scale)
    vertices, faces = np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces, np.int64)
    size = float(np.ptp(vertices, axis=0).max())
    corners, cells = fill(vertices, faces, COARSEST * size if edge is None else edge)
    if len(cells):
        cells = cells[~flat_cells(corners, cells)]
    if not len(cells):
        raise EngineError(
            "'{file}' encloses no volume that tetrahedra could fill; close its surface.",
            file=Path(path).name,
        )
    if len(cells) > MOST_CELLS:
        raise EngineError(
            "The solid takes {n} tetrahedra, and {most} are the most; choose longer edges.",
            n=len(cells),
            most=MOST_CELLS,
        )
    used, again = np.unique(cells, return_inverse=True)
    filled = quadratic_mesh(corners[used], again.reshape(cells.shape), material)
    kept = spread_nodes(filled.nodes, KEPT)
    K, M = condensed(filled, kept)
    nodes = filled.nodes[kept]
    outer = boundary(filled.nodes, filled.cells[:, :CORNERS])
    of_skin, shown = np.unique(outer, return_inverse=True)
    return Part(
        nodes=rows(nodes),
        stiffness=rows(K),
        mass=rows(M),
        skin=rows(filled.nodes[of_skin]),
        faces=tuple((int(a), int(b), int(c)) for a, b, c in shown.reshape(-1, 3).tolist()),
        source=Path(path).name,
        patch=REACH * _apart(nodes),
        **fields,
    )


def check_material(material: Solid) -> None:
    """Raise EngineError unless a material resists every strain and weighs something."""
    if not (material.youngs_modulus > 0.0 and np.isfinite(material.youngs_modulus)):
        raise EngineError("Young's modulus of a solid must be above zero.")
    if not 0.0 <= material.poisson_ratio < 0.5:
        raise EngineError("Poisson's ratio of a solid must be at least zero and below 0.5.")
    if not (material.density > 0.0 and np.isfinite(material.density)):
        raise EngineError("The density of a solid must be above zero.")


def rows(table: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """An array as rows that a model keeps."""
    return tuple(map(tuple, table.tolist()))


def _apart(nodes: np.ndarray) -> float:
    """The distance to the third nearest node, where it is largest: a patch so large holds three nodes."""
    far = np.linalg.norm(nodes[:, None] - nodes, axis=2)
    return float(np.sort(far, axis=1)[:, min(3, len(nodes) - 1)].max())
