"""Read the matrices of a part from outside: npz files of numpy, and Matrix Market files.

The files are untrusted: whatever the bytes, the answer is a part or an EngineError. Nothing in them is run:
npz files are read without pickled objects, and sizes are looked at before anything is unpacked.
"""

import stat
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import EngineError, say
from engine.model.elastic.matrices import MOST
from engine.model.shapes import Part

MAX_FILE_SIZE = 64 * 2**20  # bytes, unpacked too
NAMES = {"K": "stiffness", "M": "mass", "nodes": "nodes"}  # of arrays in an npz file, and fields
Source = Any  # a path, or rows of numbers


def read_part(path: Source, **fields: Any) -> Part:
    """The part in an npz file with the arrays K, M and nodes."""
    path = Path(path)
    found = {NAMES[name]: _rows(array) for name, array in _guarded(path, _npz).items()}
    return _checked(Part(**{**found, "source": path.name, **fields}))


def part_of_files(paths: Sequence[Source], **fields: Any) -> Part:
    """The part in one npz file, or in three Matrix Market files in any order.

    Nodes are the table that is not square. The stiffness is the matrix that resists no shift.
    """
    files = [Path(path) for path in paths]
    if [one.suffix.lower() for one in files] == [".npz"]:
        return read_part(files[0], **fields)
    if len(files) != 3 or any(one.suffix.lower() != ".mtx" for one in files):
        raise EngineError(
            "A part is one npz file, or three Matrix Market files together: its stiffness, its mass and "
            "its nodes. Choose all three."
        )
    tables = {one: np.asarray(_rows(_guarded(one, _market))) for one in files}
    square = [one for one, table in tables.items() if table.shape[0] == table.shape[1]]
    if len(square) != 2:
        raise EngineError(
            "Of the three files two must be square, the stiffness and the mass, and one must have a row of "
            "two or three coordinates for each node."
        )
    (nodes,) = (one for one in files if one not in square)
    K, M = sorted(square, key=lambda one: _resists_a_shift(tables[one], len(tables[nodes])))
    return part_of(K, M, nodes, **fields)


def _resists_a_shift(A: np.ndarray, n_nodes: int) -> float:
    """How much a matrix resists that all nodes are shifted along their first coordinate, of its size."""
    shift = np.zeros(len(A))
    shift[:: max(len(A) // max(n_nodes, 1), 1)] = 1.0
    size = float(np.abs(A).max(initial=0.0)) or 1.0
    return float(np.abs(A @ shift).max(initial=0.0)) / size


def part_of(K: Source, M: Source, nodes: Source, **fields: Any) -> Part:
    """A part of a stiffness matrix, a mass matrix and node coordinates: arrays, or Matrix Market files."""
    given = {"stiffness": K, "mass": M, "nodes": nodes}
    files = [Path(one).name for one in given.values() if isinstance(one, str | Path)]
    found = {
        name: _rows(_guarded(Path(one), _market) if isinstance(one, str | Path) else one)
        for name, one in given.items()
    }
    return _checked(Part(**{**found, "source": ", ".join(files), **fields}))


def _checked(part: Part) -> Part:
    """The part, if its matrices are possible."""
    part.check()
    return part


def _rows(array: Any) -> Any:
    """An array as rows that a model keeps."""
    try:
        found = np.asarray(array.toarray() if hasattr(array, "toarray") else array)
        if found.ndim == 2 and found.dtype.kind in "iuf":
            return tuple(map(tuple, found.astype(float).tolist()))
    except (TypeError, ValueError):
        pass
    raise EngineError(
        "Matrices and node coordinates of a part must be rows of real numbers, all of the same length."
    )


def _guarded(path: Path, read: Any) -> Any:
    """What a reader finds in a file; sentences name the file."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise EngineError("It is not a file.")
        if status.st_size > MAX_FILE_SIZE:
            raise EngineError(
                "It is larger than {limit} MB; condense the part to fewer nodes.",
                limit=MAX_FILE_SIZE // 2**20,
            )
        return read(path)
    except EngineError as error:
        reason = error.sentence
    except OSError as error:
        reason = say("{why}.", why=error.strerror or say("Its name or content is not valid"))
    except (ValueError, TypeError, EOFError, KeyError, OverflowError, zipfile.BadZipFile):
        reason = say("Its content is not valid; export it again.")
    except (NotImplementedError, RuntimeError, MemoryError):
        reason = say("It is packed in a way that is not read; export it again.")
    raise EngineError("Cannot read the part '{file}'. {reason}", file=path.name, reason=reason)


def _npz(path: Path) -> dict[str, np.ndarray]:
    """The arrays K, M and nodes of an npz file."""
    if path.suffix.lower() != ".npz":
        raise EngineError(
            "Only npz files hold a whole part; give Matrix Market files as K, M and nodes."
        )
    with zipfile.ZipFile(path) as archive:
        if sum(one.file_size for one in archive.infolist()) > MAX_FILE_SIZE:
            raise EngineError(
                "Unpacked it is larger than {limit} MB; condense the part to fewer nodes.",
                limit=MAX_FILE_SIZE // 2**20,
            )
    with np.load(path, allow_pickle=False) as arrays:
        missing = [name for name in NAMES if name not in arrays.files]
        if missing:
            raise EngineError(
                "It has no array {name}; a part needs K, M and nodes.", name=missing[0]
            )
        return {name: arrays[name] for name in NAMES}


def _market(path: Path) -> Any:
    """The matrix in a Matrix Market file."""
    if path.suffix.lower() != ".mtx":
        raise EngineError("Only Matrix Market files (.mtx) hold one matrix; export it as such.")
    from scipy.io import (
        mminfo,
        mmread,
    )  # their import takes a moment, and few files are of this kind

    rows, columns, *_ = mminfo(path)
    if max(rows, columns) > MOST:
        raise EngineError(
            "It has {n} rows or columns, and {most} are the most; condense the part to fewer nodes.",
            n=max(rows, columns),
            most=MOST,
        )
    return mmread(path)
