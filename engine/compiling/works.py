"""Who gives energy to a mechanism or takes it away, see engine.kernels.acting.powers.

Springs without damping store all they take, and joints that are not driven do no work.
"""

from collections.abc import Sequence

import numpy as np

from engine.kernels.layout import (
    ACCELERATION,
    BENDING_WORK,
    CURVE,
    EXPRESSION,
    INTERACTION_WORK,
    LAW_WORK,
    LOAD_WORK,
    MESHING_WORK,
    ROW_WORK,
    STOP,
    WORK,
)
from engine.model.elements import Id


def pack_works(
    laws: np.ndarray,
    law_ids: Sequence[Id],
    load_ids: Sequence[Id],
    interaction_ids: Sequence[Id],
    meshings: np.ndarray,
    rows: np.ndarray,
    driven: np.ndarray,  # rows that move something
    row_ids: Sequence[Id],
    damped: Sequence[Id | None] = (),
    one_sided: Sequence[int] = (),  # rows that are met
) -> tuple[np.ndarray, tuple[Id, ...]]:
    """Everything that does work, and the element of each work: all parts of an element add to one.

    `damped` are the flexible bodies, None for one without damping.
    """
    moved = np.isin(np.arange(len(rows)), driven) | (rows["level"] == ACCELERATION)
    found = [
        *((LAW_WORK, k, id) for k, id in enumerate(law_ids) if _does_work(laws[k])),
        *((LOAD_WORK, k, id) for k, id in enumerate(load_ids)),
        *((INTERACTION_WORK, k, id) for k, id in enumerate(interaction_ids)),
        *(
            (MESHING_WORK, k, row_ids[mesh["row"]])
            for k, mesh in enumerate(meshings)
            if mesh["slope"]
        ),
        *((BENDING_WORK, k, id) for k, id in enumerate(damped) if id is not None),
        *((ROW_WORK, k, row_ids[k]) for k in map(int, np.flatnonzero(moved))),
        *((ROW_WORK, k, row_ids[k]) for k in one_sided),  # what impacts take
    ]
    ids = tuple(dict.fromkeys(id for _, _, id in found))
    works = [(kind, which, ids.index(id)) for kind, which, id in found]
    return np.array(works, dtype=WORK), ids


def _does_work(law: np.void) -> bool:
    """Whether a law does anything but store energy."""
    if law["kind"] == EXPRESSION:
        return True
    damping = law["param"][3] if law["kind"] == STOP else law["param"][1]
    return bool(damping != 0.0 or (law["kind"] == CURVE and law["f2"] >= 0))
