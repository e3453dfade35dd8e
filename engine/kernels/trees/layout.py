"""The packed tables of a tree of bodies: what kernels read and write in joint coordinates.

The state is y = (beta, eta, z, work): coordinates of the joints of the tree, their speeds, then states of
force laws and works as ever. A joint carries a body: it slides along axes of a marker on the predecessor,
then it turns about the point O of the body. All vectors have world axes; wrenches and accelerations are
about O. Bodies stand in the order of the tree, predecessors first and depth first; number n is the ground.

A body has two sets of axes: those of its joint, in which its constants are given here, and those of the
model, R_body = R R_own^T. In the plane they are the same.
"""

from typing import NamedTuple

import numpy as np

from engine.kernels.layout import USE

# --- how a body turns behind its slides, as seen from the marker on the predecessor
RIGID = 0  # not at all
HINGE = 1  # about z
CROSS = 2  # about x, then about y of the body
BALL = 3  # by a quaternion; speeds are those about the axes of the body
SCREW = 4  # about z, and slides along it in proportion

LINK = np.dtype(
    [
        ("parent", "u8"),  # its predecessor; n: the ground
        ("body", "i8"),  # its number in the model
        ("q_at", "u8"),  # its coordinates start here in beta ...
        ("v_at", "u8"),  # ... and their speeds here in eta
        ("n_v", "i8"),  # its free axes: slides, then turns
        ("n_slides", "i8"),
        ("slides", "i8"),  # 1, 2 and 4: along x, y and z of the marker; in the plane along x, y
        ("turn", "i8"),  # RIGID ... SCREW
        ("is_branch", "i8"),  # 1: its predecessor is not the body before it
        ("is_met", "i8"),  # 1: a branch or a force acts on it
        ("is_alone", "i8"),  # 1: a free body that carries nothing
        ("is_particle", "i8"),  # 1: it never turns, and takes no moment; with HINGE its rod does
        ("lead", "f8"),  # of a screw: slide over angle                             [m]
        ("mass", "f8"),
        # in the plane: joint and its x axis on the predecessor, mass centre from O, inertia about O
        ("px", "f8"),
        ("py", "f8"),
        ("ax", "f8"),
        ("ay", "f8"),
        ("cx", "f8"),
        ("cy", "f8"),
        ("J", "f8"),
        ("phi", "f8"),  # of a particle; else of what does not turn, from the predecessor [rad]
    ]
)

PLANE = np.dtype(
    [
        ("w", "f8"),
        ("rx", "f8"),  # the arm from O of the predecessor to O
        ("ry", "f8"),
        ("c1", "f8"),  # the acceleration of O for eta_dot = 0
        ("c2", "f8"),
        ("sx", "f8"),  # axis and velocity of slides
        ("sy", "f8"),
        ("ux", "f8"),
        ("uy", "f8"),
        ("J", "f8"),  # inertia and wrench from branches and forces, then ...
        ("hx", "f8"),
        ("hy", "f8"),
        ("mxx", "f8"),
        ("mxy", "f8"),
        ("myy", "f8"),
        ("pm", "f8"),
        ("p1", "f8"),
        ("p2", "f8"),
        ("d", "3f8"),  # ... of each axis, turn first: 1/d, u and U
        ("u", "3f8"),
        ("um", "3f8"),
        ("u1", "3f8"),
        ("u2", "3f8"),
        ("al", "f8"),  # acceleration of O
        ("a1", "f8"),
        ("a2", "f8"),
        ("x", "f8"),  # place and velocity of O
        ("y", "f8"),
        ("vx", "f8"),
        ("vy", "f8"),
        ("fm", "f8"),  # a wrench on its way to the ground
        ("f1", "f8"),
        ("f2", "f8"),
    ]
)

# --- columns of the constants of a body in space: arm and axes of the marker on the predecessor, inertia
# about the mass centre, mass centre from O, inverse inertia, axes of the body in those of its joint
ARM_AT, AXES_AT, INERTIA_AT, CENTER_AT, INVERSE_AT, OWN_AT, N_CONSTANTS = 0, 3, 12, 18, 21, 27, 36

# --- columns of the memory of a body in space
R_AT, W_AT, ARM, C_TURN, C_SLIDE = (
    0,
    9,
    12,
    15,
    18,
)  # axes, angular velocity, arm, products of speeds
T_AT, H_AT, M_AT = 21, 27, 36  # articulated inertia [T H; H^T M]
P_MOMENT, P_FORCE = 42, 45  # the wrench that holds it for zero acceleration
ALPHA, A_AT = 48, 51  # acceleration
X_AT, V_AT, SLIDING = 54, 57, 60  # place and velocity of O, velocity of slides
F_MOMENT, F_FORCE = 63, 66  # a wrench on its way to the ground
N_SPACE = 72

# --- columns of an axis in space: direction S, U = I S, 1/d with d = S.U, u = tau - S.p
S_AT, U_MOMENT, U_FORCE, INV_D, U_LEFT, N_AXIS = 0, 3, 6, 9, 10, 12

CUT = np.dtype(  # what one body has of one row of a cut joint
    [
        ("link", "u8"),  # the body in the order of the tree
        ("v_at", "i8"),  # its velocities in the model
        ("D", "i8"),  # the row of D
    ]
)
CUT_ROW = np.dtype(
    [
        ("row", "i8"),  # its number in the model
        ("start", "i8"),  # its parts start here in `parts` ...
        ("stop", "i8"),
        ("path", "i8"),  # the bodies from its parts to the ground start here in `path` ...
        ("path_stop", "i8"),  # ... leaves first, and end before
        ("first", "i8"),  # the rows of its joint: from here ...
        ("last", "i8"),  # ... to before here
    ]
)

HELD = np.dtype(  # a joint of the tree whose multipliers are found, leaves first
    [
        ("row", "i8"),  # its first row in the model ...
        ("n_rows", "i8"),  # ... and how many there are
        ("body", "i8"),  # the body that it carries ...
        ("D", "i8"),  # ... and the first row of D of it
        ("parent", "i8"),  # its predecessor; below zero: the ground
        ("parent_D", "i8"),
    ]
)


class Tree(NamedTuple):
    """A model as a tree: constants, and the scratch memory of one run."""

    n_q: int  # coordinates of joints
    n_v: int  # their speeds
    is_acted: int  # 1: there are forces, cut joints or switches, so that bodies must be placed
    links: np.ndarray  # (n,) LINK
    constants: np.ndarray  # (n, N_CONSTANTS)      in space
    gravity: np.ndarray  # (3,)
    absolute: (
        np.ndarray
    )  # (n,) int64             the table of the same model in absolute coordinates
    uses: np.ndarray  # (n,) USE                   of rows of cut joints; of all if some are held
    shared: np.ndarray  # (n,)                     rows of D to which several of them add
    rows: np.ndarray  # (n_cut,) CUT_ROW
    parts: np.ndarray  # (n,) CUT
    path: np.ndarray  # (n,)                       bodies
    plane: np.ndarray  # (n + 1,) PLANE
    angle: np.ndarray  # (3, n + 1)                phi, cos, sin in the plane
    space: np.ndarray  # (n + 1, N_SPACE)
    axes: np.ndarray  # (n_v, N_AXIS)
    Y: np.ndarray  # (n_y,)                        the state in absolute coordinates, and its rates
    Y_dot: np.ndarray  # (n_y,)
    G: np.ndarray  # (n_cut, n_v)                  wrenches of the cut rows, on each axis
    L: np.ndarray  # (n_cut, n_cut)                G diag(1/d) G^T
    F: np.ndarray  # (n_cut, n_cut)                its factors, unit lower triangular and diagonal
    b: np.ndarray  # (n_cut,)                      error of the rows
    x: np.ndarray  # (n_cut,)
    lam: np.ndarray  # (n_cut,)
    change: np.ndarray  # (n_v,)                   of beta or eta, by a projection
    held: np.ndarray  # (n,) HELD                  where a force follows from what joints carry
    left: np.ndarray  # (n_absolute_v,)            what the joints of bodies must still give them
    K: (
        np.ndarray
    )  # (7, 6)                        D W D^T of one joint with its factors, and one row of D W


def _prototype() -> Tree:
    """An empty tree, from which the compiler infers the types."""
    floats, table, ints = np.zeros(0), np.zeros((0, 0)), np.zeros(0, dtype=np.int64)
    records = {"links": LINK, "uses": USE, "rows": CUT_ROW, "parts": CUT, "plane": PLANE}
    records["held"] = HELD
    special = {
        **{name: np.zeros(0, dtype=dtype) for name, dtype in records.items()},
        **dict.fromkeys(("n_q", "n_v", "is_acted"), 0),
        **dict.fromkeys(("absolute", "shared", "path"), ints),
        **dict.fromkeys(("constants", "angle", "space", "axes", "G", "L", "F", "K"), table),
    }
    return Tree(**{name: special.get(name, floats) for name in Tree._fields})  # type: ignore[arg-type]


PROTOTYPE = _prototype()
