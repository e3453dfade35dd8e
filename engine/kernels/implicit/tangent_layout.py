"""The tables of implicit methods: the pattern of the tangents, their factors, and scratch memory."""

from typing import NamedTuple

import numpy as np

KKT_NODE = np.dtype(  # a body or a joint, in the order of engine.compiling.elimination
    [
        ("size", "i8"),  # its velocities or rows
        ("first", "i8"),  # its first place in the vector of unknowns
        ("diagonal", "i8"),  # where its diagonal block starts in lu
        ("below", "i8"),  # its couplings start here ...
        ("below_stop", "i8"),  # ... and end before
        ("update", "i8"),  # its updates start here, one for each pair of couplings
        ("is_joint", "i8"),
    ]
)

KKT_COUPLING = np.dtype(  # a node that is eliminated later
    [
        ("size", "i8"),
        ("first", "i8"),  # its first place in the vector of unknowns
        ("lower", "i8"),  # where the block (later, this) starts in lu
        ("upper", "i8"),  # where the block (this, later) starts
    ]
)


BLOCK = np.dtype(  # of K and C: how the forces on one body change with the motion of another
    [
        ("i", "i8"),  # the carrier of its rows ...
        ("j", "i8"),  # ... and that of its columns
        ("n_i", "i8"),  # their velocities
        ("n_j", "i8"),
        ("at", "i8"),  # where it starts in K and C, row after row
        ("lu", "i8"),  # where it starts in lu; -1: of a follower, see `onto`
    ]
)


class Elimination(NamedTuple):
    """The pattern of the tangents and of their factorisation together with D."""

    nodes: np.ndarray  # (n_bodies + n_joints,) KKT_NODE
    couplings: np.ndarray  # (n_couplings,) KKT_COUPLING
    updates: np.ndarray  # (n_updates,) blocks of lu that change when a node is eliminated
    n_lu: int  # numbers in lu
    blocks: (
        np.ndarray
    )  # (n_blocks + 1,) BLOCK: first the diagonal, last the ground's, which is never read
    onto: (
        np.ndarray
    )  # (n_blocks,) the block of bodies that one of a follower adds to, else -1; or empty
    of_term: np.ndarray  # (n_terms, 4) the blocks ii, ij, ji, jj
    of_law: np.ndarray  # (n_laws, 4) the blocks of the bodies of its term with those of the other
    of_pair: np.ndarray  # (n_pairs, 4) those of the bodies of two arguments of a formula
    of_interaction: np.ndarray  # (n_interactions, 4) the blocks ii, ij, ji, jj of its bodies
    D_at: np.ndarray  # (n_D, 3) of each row of D: its place in lu, that of D^T, the step there
    body_at: np.ndarray  # (n_bodies,) first place of each body among the unknowns
    row_at: np.ndarray  # (n_rows,) place of each multiplier


class Tangents(NamedTuple):
    """Scratch memory of implicit methods."""

    K: np.ndarray  # (flat)                   -df/d(delta) + d(D^T lam)/d(delta), block after block
    C: np.ndarray  # the same                 -df/dv
    H: np.ndarray  # (2 n_d, 2 n_d) how the columns of one term change
    columns: np.ndarray  # (most arguments, 2 n_d) those of the arguments of one formula
    scratch: np.ndarray  # (4, 2 + 2 n_d)
    G: (
        np.ndarray
    )  # (as ws.D)                how accelerations of rows change, see kernels.tangents,
    G_pose: np.ndarray  # (as ws.D)           the same, with the pose alone
    rubbed: np.ndarray  # (as ws.D)           -df/dlam of friction in joints; empty if there is none
    GE: np.ndarray  # (as ws.E)               G, G_pose and rubbed of followers, for their bodies
    GE_pose: np.ndarray  # (as ws.E)
    rubbed_E: np.ndarray  # (as ws.E)         empty if there is no friction in joints
    factors: np.ndarray  # (N_FACTORS,)        what was factorised, see below
    lu: np.ndarray  # (n_lu,)                 factors of [ A  D^T ; D  -e ]
    scale: np.ndarray  # (n_v + n_rows,)      what each pivot is compared with
    dropped: np.ndarray  # (n_v + n_rows,)    1: dependent, its unknown is zero
    ordered: (
        np.ndarray
    )  # (n_v + n_rows,)    right-hand side and solution in the order of elimination
    temporary: np.ndarray  # (largest node,)
    b: np.ndarray  # (n_v,)                   right-hand side: forces ...
    c: np.ndarray  # (n_rows,)                ... and rows
    b_left: np.ndarray  # (n_v,) residual of a solution
    c_left: np.ndarray  # (n_rows,)
    x: np.ndarray  # (n_v,)                   solution: displacement or velocity ...
    y: np.ndarray  # (n_rows,)                ... and multipliers
    delta: np.ndarray  # (n_v,)               a displacement
    q: np.ndarray  # (n_q,)                   a pose to start from
    slope: np.ndarray  # (flat)               how one interaction changes with what it sees
    work: np.ndarray  # (3, ...)              changes of one interaction
    by_z: (
        np.ndarray
    )  # (3, n_z, 2 n_d)       f_z, g_d and g_v of every state, see tangents_of_interactions
    Y: np.ndarray  # (n_z, most n_z)          (s - g_z)^-1 of each interaction
    r_z: np.ndarray  # (n_z,)                 residuals of the rates of states
    dz: np.ndarray  # (n_z,)                  their correction
    z_rate: np.ndarray  # (n_z,)              their rates where a step began


# --- what was factorised: [ M + C1 C + C2 K   D^T ; ROW D + G   -E ], and three weights in G and G_pose
C1, C2, E, ROW = 0, 1, 2, 3
BY = 4
BY_POSE = 7
BY_STATE = 10  # s: how the rate of a state changes with it in a step
N_FACTORS = 11


def _prototypes() -> tuple[Elimination, Tangents]:
    """Empty tables, from which the compiler infers their types."""
    floats, ints = np.zeros(0), np.zeros(0, dtype=np.int64)
    flat, square = np.zeros((0, 0), dtype=np.int64), np.zeros((0, 0))
    order = Elimination(
        nodes=np.zeros(0, dtype=KKT_NODE),
        couplings=np.zeros(0, dtype=KKT_COUPLING),
        updates=ints,
        n_lu=0,
        blocks=np.zeros(0, dtype=BLOCK),
        onto=ints,
        of_term=flat,
        of_law=flat,
        of_pair=flat,
        of_interaction=flat,
        D_at=flat,
        body_at=ints,
        row_at=ints,
    )
    special = {
        **dict.fromkeys(("H", "columns", "scratch", "G", "G_pose", "rubbed", "work", "Y"), square),
        "by_z": np.zeros((0, 0, 0)),
        "dropped": ints,
    }
    return order, Tangents(**{name: special.get(name, floats) for name in Tangents._fields})


TANGENT_PROTOTYPES = _prototypes()
