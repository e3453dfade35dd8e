"""The packed tables that kernels read and write, with their meaning and units.

A table is a numpy record array: one record per body, term, row ... The state is y = (q, v, z, work):
coordinates, velocities, states of force laws, and the work that elements have done since the start. A body
knows where its numbers start, `q_at` and `v_at`, and how many they are: `n_q` is 3 in the plane
(x, y, phi) and 7 in space (r, and four places for the orientation), `n_v` is 3 in the plane
(r_dot, phi_dot) and 6 in space (r_dot, w). `n_d` is the number of velocities of a rigid body, the width
of D. engine.kernels.state gives the same offsets to code that works with whole arrays.

A marker does not sit on a body itself but on a *carrier*. A rigid body is its own carrier. On a flexible
body every marker has a carrier of its own, a follower: a massless frame that moves with the body and with
its modes (see engine.kernels.flexible.followers). Carriers are numbered bodies first, then followers; the
ground is carrier number n_carriers: it has a frame like any other, never moves, and owns no columns of D.
The velocities of followers stand behind those of bodies in vectors over all carriers,
n_u = n_v + n_d n_followers.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.kernels.functions import EMPTY_FUNCTIONS, Functions

# --- kinds of terms: scalar coordinates g(q) between two markers i and j (POINT: one row per axis)
POINT = 0  # P_j - P_i, world axes
ALONG = 1  # a_i . (P_j - P_i)
ANGLE = 2  # from x_i to x_j about z_i
DISTANCE = 3  # |P_j - P_i|
DOT = 4  # a_i . b_j                                          (space)
KNIFE = 5  # velocity of P_j along b_j, seen from body i         (velocity level)
DISC_HEIGHT = 6  # height of a leaning disc over a plane          (space)
DISC_SLIP = 7  # velocity of its contact point along a_i          (space, velocity level)
DIRECTION = 8  # of P_j - P_i, as an angle from x_i about z_i; no turns are counted in the plane

# --- part of a term in its row
ONLY, FIRST, LATER = 0, 1, 2

# --- what an argument of a formula is: a coordinate, or its rate
OF_VALUE, OF_RATE = 0, 1

# --- levels at which a row starts to hold
POSITION, VELOCITY, ACCELERATION = 0, 1, 2

# --- kinds of force laws on a coordinate x:  N(x, x_dot, t), generalised force -N dx/dq
LINEAR = 0  # N = preload + k (x - x0) + c x_dot, both ways or one-sided
STOP = 1  # N pushes back beyond low or high
CURVE = 2  # LINEAR + s(x - x0) + d(x_dot) by functions
EXPRESSION = 3  # N = -F(t, distance, rate, angle, speed)

MOST_NAMES = 24  # of a formula
N_ARGS = 1 + MOST_NAMES  # of a function: t and its other variables

NOWHERE = -1  # a place that there is not
FREE = 1e9  # no branch: a law that is not held on one follows its coordinate

# --- what does work, see engine.kernels.acting.powers
LAW_WORK = 0  # a law: all but what it stores
WHOLE_LAW_WORK = 1  # a law whose stored energy is not in V
LOAD_WORK = 2
INTERACTION_WORK = 3
ROW_WORK = 4  # a driven row
MESHING_WORK = 5  # the radial force of teeth
BENDING_WORK = 6  # the damping of a flexible body

# --- kinds of loads
FORCE, TORQUE = 0, 1

# --- along whose axes a law of markers is given something: those of marker i, of marker j, or of the world
OF_I, OF_J, OF_WORLD = 0.0, 1.0, 2.0


def _record(**fields: str) -> np.dtype:
    """A record type from 'f8', 'i8' or shapes such as '3f8'."""
    return np.dtype(list(fields.items()))


class Rigid(NamedTuple):
    """How many coordinates and velocities a rigid body has."""

    n_q: int
    n_v: int


RIGID = {2: Rigid(3, 3), 3: Rigid(7, 6)}  # by dimension

BODY = _record(
    q_at="i8",  # its coordinates start here in q ...
    v_at="i8",  # ... and its velocities here in v, f and a
    n_q="i8",  # how many they are
    n_v="i8",
    start="i8",  # its rows of D start here ...
    stop="i8",  # ... and end before
    orientation="i8",  # -1 quaternion, 0..11 Euler sequence
    inv_mass="f8",  # 1/m                                                             [1/kg]
    inv_J="(3,3)f8",  # the inverse of J; zero for a particle
    J="(3,3)f8",  # about the mass centre, body axes; plane: J[0, 0]                  [kg m^2]
)

TERM = _record(
    kind="i8",
    i="i8",  # the two carriers; the last number is the ground
    j="i8",
    P_i="3f8",  # marker origins from the mass centres, body axes                      [m]
    P_j="3f8",
    a="3f8",  # two directions on body i, body axes
    a2="3f8",
    b="3f8",  # one direction on body j, body axes
    param="f8",  # angle offset [rad] or radius [m]
    drawn="f8",  # its value in the drawing, from which turns are counted
)

USE = _record(  # a row is a weighted sum of terms: one use for each
    term="i8",
    row="i8",  # the (first) row it adds to
    weight="f8",
    part="i8",  # ONLY term of its row, the FIRST of several, or a LATER one; OF_RATE in a formula
    D_i="i8",  # its (first) row in D, for body i and j
    D_j="i8",
)

ROW = _record(
    level="i8",  # POSITION, VELOCITY, ACCELERATION
    constant="f8",  # its target
    period="f8",  # what a turn of a DIRECTION in the plane adds: Phi is modulo this; 0: none
)

DRIVEN = _record(row="i8", function="i8")  # a row whose target is a function of time

FORMULA = _record(  # a row that is typed, see engine.kernels.formulas
    row="i8",
    function="i8",
    start="i8",  # its arguments start here ...
    stop="i8",  # ... and end before
    pairs="i8",  # pairs of its arguments start here in the pattern of tangents
)

NODE = _record(  # one joint or motion, in elimination order
    size="i8",  # its rows
    first="i8",  # its first row
    diagonal="i8",  # where its diagonal block starts in S
    below="i8",  # its couplings start here ...
    below_stop="i8",  # ... and end before
    update="i8",  # its updates start here
    alike="i8",  # 1: all nodes it is coupled to have as many rows as itself
)

COUPLING = _record(  # a block of S beside the diagonal: rows of the node, columns of a later one
    size="i8",  # rows of the later node
    first="i8",  # first row of the later node
    offset="i8",  # where the block starts in S
)

PRODUCT = _record(  # what one body adds to one block of S:  D_earlier W D_later^T
    body="i8",
    earlier="i8",  # first rows of both nodes in D; equal in a diagonal block
    later="i8",
    size="i8",  # rows of the earlier node
    width="i8",  # rows of the later one
    offset="i8",  # where the block starts in S
    is_first="i8",  # 1: it is the first to write there
    shift="f8",  # +-1: both begin with the rows of a point, +-[1 ...], and shift the body by no others
)

FLEXIBLE = _record(  # a body with modes: see engine.kernels.flexible
    body="i8",
    n_f="i8",  # its modes
    n_v="i8",  # all its velocities: n_d + n_f
    at="i8",  # its numbers start here in `shapes`
    now="i8",  # what depends on its state starts here in ws.elastic
)

FOLLOWER = _record(  # the frame of a marker on a flexible body
    flexible="i8",  # the number of its body among the flexible ones
    body="i8",
    carrier="i8",  # its own number
    P="3f8",  # its origin from the mass centre, undeformed, body axes                   [m]
    at="i8",  # its numbers start here in `shapes`: Phi, Psi, G
    now="i8",  # what depends on the state starts here in ws.elastic: L, bias, force
    start="i8",  # its rows of D start here ...
    stop="i8",  # ... and end before
    rows="i8",  # its first row of D carried to its body starts here in ws.E
)

CARRIED = _record(  # what a flexible body adds to one block of S:  E_earlier W E_later^T
    n_v="i8",
    earlier="i8",  # where the first rows of both nodes start in ws.E
    later="i8",
    size="i8",  # rows of the earlier node
    width="i8",  # rows of the later one
    offset="i8",  # where the block starts in S
    is_first="i8",  # 1: it is the first to write there
)

LAW = _record(  # a force along one coordinate
    kind="i8",  # LINEAR, STOP, CURVE or EXPRESSION
    term="i8",  # the coordinate
    other="i8",  # second coordinate of an EXPRESSION (distance or angle)
    param="5f8",  # k, c, x0, preload, side | low, high, k, c, depth
    f1="i8",  # functions of a CURVE, or that of an EXPRESSION; -1: none
    f2="i8",
)

LOAD = _record(  # a given force or torque on one body
    kind="i8",  # FORCE or TORQUE
    body="i8",
    P="3f8",  # point of attack from the mass centre, body axes                        [m]
    in_body_axes="i8",  # 1: components turn with the body
    function="3i8",  # components as functions of time; -1: zero
)

INTERACTION = _record(  # a force and a torque between two markers by their relative state
    law="i8",  # the address of its compiled law
    i="i8",  # the two bodies; n_bodies is the ground
    j="i8",
    P_i="3f8",  # marker origins from the mass centres, body axes                      [m]
    P_j="3f8",
    axes_i="(3,3)f8",  # marker axes as columns, body axes
    axes_j="(3,3)f8",
    param="32f8",  # numbers of the law
    term="i8",  # the coordinate whose value it sees; -1: none
    function="4i8",  # what it is given; -1: zero
    n_given="i8",  # how many of them are functions of time alone
    points_at="i8",  # its outline starts here in `outlines` ...
    n_points="i8",  # ... and the number of its points
    z_at="i8",  # its states start here in z ...
    n_z="i8",  # ... and their number
    rubbing="i8",  # its number among the rubbings, if a joint's reaction makes it; -1: none
    rests="i8",  # its states from this one on die out where its shapes are apart
    middle="3f8",  # a point along the axes of marker j, which is far ...                  [m]
    reach="f8",  # ... beyond this distance from marker i (0: never) ...                   [m]
    box="(2,3)f8",  # ... or outside this box along its axes: low, high                    [m]
)

MESHING = _record(  # two toothed wheels, or a wheel and a rack: see engine.kernels.acting.teeth
    row="i8",  # the row whose multiplier is the tooth force
    i="i8",  # the bodies of the wheel and of the other wheel or rack; n_bodies is the ground
    j="i8",
    P_i="3f8",  # centres, or a point of the rack, from the mass centres, body axes      [m]
    P_j="3f8",
    axis="3f8",  # of wheel i, body axes
    way="3f8",  # of a rack on body j, body axes; zero for a wheel
    radius_i="f8",  # pitch radii, with the signs of their angles about the axis         [m]
    radius_j="f8",
    slope="f8",  # the tangent of the pressure angle
)

RUBBING = _record(  # friction from the reaction of a joint: see acting.joint_friction
    interaction="i8",  # what it does to the bodies
    row="i8",  # the first row of its joint ...
    n_rows="i8",  # ... and how many there are
    D_i="i8",  # its first rows of D, of the bodies of the interaction; -1: the ground has none
    D_j="i8",
)

GATE = _record(  # a row that holds on one side only: see engine.kernels.acting.gates
    row="i8",  # the row, and its rows of D
    D_i="i8",
    D_j="i8",
    term="i8",  # its coordinate, which stays between ...
    low="f8",
    high="f8",  # ... these
    side="i8",  # 1: closed at high, -1: at low, 0: open
    stick="i8",  # the row that holds while it sticks, and its rows of D; -1: it does not rub
    stick_D_i="i8",
    stick_D_j="i8",
    along="i8",  # the coordinate along which it slides
    slides="i8",  # 1, -1: this way; 0: it sticks
    mu_s="f8",  # coefficient of friction while it sticks
    slack="f8",  # what is beyond its bound by less than this is not yet        [m, rad]
)

STATE = _record(  # a number of z
    initial="f8",
    size="f8",  # below which it counts as zero
)

WORK = _record(  # something that gives energy to the mechanism or takes it away
    kind="i8",  # LAW_WORK ...
    which="i8",  # its number among the laws, loads, interactions or rows
    to="i8",  # the work that it adds to: several may be of one element
)

SWITCH = _record(  # something that changes its law, or triggers an event, at certain times
    law="i8",  # a law with several branches, or -1
    contact="i8",  # an interaction with several branches, or -1
    gate="i8",  # a row that holds on one side only, or -1
    term="i8",  # else the coordinate that crosses a value
    of_rate="i8",  # 1: its rate does
    value="f8",
)

PLANAR_FRAME = _record(x="f8", y="f8", phi="f8", c="f8", s="f8", ux="f8", uy="f8", w="f8")

SPATIAL_FRAME = _record(
    r="3f8",  # mass centre                                                            [m]
    R="(3,3)f8",  # body axes -> world axes
    u="3f8",  # velocity of the mass centre, world axes                                [m/s]
    w="3f8",  # angular velocity, world axes                                           [rad/s]
)


class System(NamedTuple):
    """Everything the kernels need about a model, and nothing else. SI units."""

    dim: int
    n_bodies: int
    bodies: np.ndarray  # (n_bodies,) BODY
    carriers: np.ndarray  # (n_carriers,) BODY: bodies, then followers
    flexibles: np.ndarray  # (n_flexibles,) FLEXIBLE
    followers: np.ndarray  # (n_followers,) FOLLOWER
    carried: np.ndarray  # (n_carried,) CARRIED, of which S is made besides products
    shapes: np.ndarray  # (flat) modes of flexible bodies, and their integrals
    weight: np.ndarray  # (n_u,)  m g, the constant part of f                 [N]
    terms: np.ndarray  # (n_terms,) TERM
    uses: np.ndarray  # (n_uses,) USE
    shared: np.ndarray  # (n_shared,) rows of D to which several terms add
    rows: np.ndarray  # (n_rows,) ROW, in elimination order
    n_late: int  # rows that start at velocity or acceleration level
    driven: np.ndarray  # (n_driven,) DRIVEN
    formulas: np.ndarray  # (n_formulas,) FORMULA
    arguments: np.ndarray  # (n_arguments,) USE, of the formulas
    nodes: np.ndarray  # (n_nodes,) NODE
    couplings: np.ndarray  # (n_couplings,) COUPLING
    updates: np.ndarray  # (n_updates,) blocks of S that change when a node is eliminated
    row_of: np.ndarray  # (n_D,) the constraint row of each row of D; D is sorted by bodies
    products: np.ndarray  # (n_products,) PRODUCT, of which S is made
    blank: np.ndarray  # (n_blank,) places of S that are zero before elimination
    laws: np.ndarray  # (n_laws,) LAW
    loads: np.ndarray  # (n_loads,) LOAD
    interactions: np.ndarray  # (n_interactions,) INTERACTION
    meshings: np.ndarray  # (n_meshings,) MESHING
    rubbings: np.ndarray  # (n_rubbings,) RUBBING
    gates: np.ndarray  # (n_gates,) GATE
    states: np.ndarray  # (n_z,) STATE
    works: np.ndarray  # (n_works,) WORK
    switches: np.ndarray  # (n_switches,) SWITCH
    n_contacts: int  # interactions among them
    outlines: np.ndarray  # (flat) x, y of the corners of shapes that touch       [m]
    extents: np.ndarray  # (n_carriers,) how far what is placed reaches from mass centres  [m]
    skin: np.ndarray  # (1,) by which lists of what is near are wider; empty: there are none  [m]
    functions: Functions


class Workspace(NamedTuple):
    """Scratch memory of one run; kernels write here, and into their output arguments."""

    planar: np.ndarray  # (n_carriers + 1,) PLANAR_FRAME
    spatial: np.ndarray  # (n_carriers + 1,) SPATIAL_FRAME
    angle: np.ndarray  # (n_terms,)           last accepted angle of each term that counts turns
    Phi: np.ndarray  # (n_rows,)              zero for rows that start at velocity level
    nu: np.ndarray  # (n_rows,)               D v = nu
    gamma: np.ndarray  # (n_rows,)            D a = gamma
    D: np.ndarray  # (n_D + largest, n_d)     nonzero rows, body by body; the last are the ground's
    S: np.ndarray  # (flat)                   blocks of D W D^T, overwritten by elimination
    U: np.ndarray  # (flat)                   S = U^T Delta U
    F: np.ndarray  # (flat)                   Delta^-1 and the diagonal blocks of U^T
    scale: np.ndarray  # (n_rows,)            diagonal of S before elimination
    dropped: np.ndarray  # (n_rows,)          1: dependent on earlier rows, its multiplier is zero
    b: np.ndarray  # (n_rows,)                right-hand side, overwritten by the solver
    lam: np.ndarray  # (n_rows,)              multipliers
    x: np.ndarray  # (n_rows,)                correction of multipliers
    E: np.ndarray  # (flat)                   rows of D of followers, carried to their bodies: D L
    WE: np.ndarray  # (flat)                  the same rows times W
    elastic: np.ndarray  # (flat)             inertia of flexible bodies and L of followers, now
    speeds: np.ndarray  # (n_u,)              velocities of all carriers; empty without followers
    push: np.ndarray  # (n_u,)                scratch memory: a force on one carrier
    f: np.ndarray  # (n_u,)                   applied forces; those on followers carried to bodies
    a: np.ndarray  # (n_v,)                   accelerations
    zero: np.ndarray  # (n_v,)                no force
    dv: np.ndarray  # (n_v,)                  a small displacement, given like a velocity
    q_dot: np.ndarray  # (n_q,)               rates of the coordinates
    z_dot: np.ndarray  # (n_z,)               rates of the states of force laws
    held: np.ndarray  # (n_laws,)             the branch a law is held on within a step, or FREE
    touching: np.ndarray  # (n_interactions,) likewise of each interaction
    exerted: np.ndarray  # (n_laws, 3)        x, x_dot and N of each law; (0, 3) if none does work
    given: np.ndarray  # (n_interactions,)    power of each interaction                  [W]
    listed: np.ndarray  # (1 + n_interactions,) 1 + how many are near, and which; 0: not known
    near: np.ndarray  # (n_interactions,)     1: it is near, and so in this list
    standing: np.ndarray  # (n_carriers, 4, 3) where bodies were when the list was made: r, R
    power: np.ndarray  # (n_work,)            rates of works                             [W]
    pressed: np.ndarray  # (3 n,)             tooth forces and friction of joints in f, misfits
    seen: np.ndarray  # (Z + most n_z,)       what an interaction sees, and ...
    wrench: np.ndarray  # (Z_DOT + most n_z + N_TOLD,) ... what it gives: see acting.interactions
    row: np.ndarray  # (2 + 2 n_d,)           one coordinate: g, g_ww, D_i, D_j
    args: np.ndarray  # (N_ARGS,)             arguments of a function
    rates: np.ndarray  # (N_ARGS,)            their direction
    jet: np.ndarray  # (3,)                   a function of time and two derivatives
    stack: np.ndarray  # (STACK_SIZE,)        for the function machine
    options: np.ndarray  # (N_OPTIONS,)        how the run is done, see below
    since: np.ndarray  # (N_SINCE + lengths,) what is monitored between two frames, see below


# --- options: how constraints are kept
TWO_ALPHA, BETA_SQUARED = 0, 1  # Baumgarte:  D a = gamma - 2 alpha (D v - nu) - beta^2 Phi
COMPLIANCE = 2  # penalty 1/alpha_p:  S + compliance 1
PROXIMAL_STEPS = 3  # 0: direct elimination; else the largest number of proximal iterations
PROJECTED = 4  # 1: close the joints after every step
TOLERANCE, OPEN_GAP = 5, 6  # [m, rad] tolerance; a residual at which the run stops
LOCK_LIMIT, STEP = 7, 8  # stop when Euler angles come nearer to gimbal lock within a step [s]
MODES_STAY = 9  # 1: a projection moves bodies rather than their fast modes
N_OPTIONS = 10

# --- since the last frame
GAP, LOCK, LOCK_BODY = 0, 1, 2  # largest |Phi|, smallest singularity measure, the body that had it
SPIN = 3  # how fast the fastest body turns, in space                              [rad/s]
JAMMED_AT = 4  # 1 + which tooth force or friction has no solution at the last state; 0: none
HASTE = 5  # one over the longest step in which no body passes another unseen          [1/s]
N_SINCE = 6
LENGTHS = N_SINCE  # in space from here on: |p| of each body before it is normalised


def _prototypes() -> tuple[System, Workspace]:
    """An empty system and workspace, from which the compiler infers their types."""
    floats, ints = np.zeros(0), np.zeros(0, dtype=np.int64)
    records = {
        "bodies": BODY,
        "carriers": BODY,
        "flexibles": FLEXIBLE,
        "followers": FOLLOWER,
        "carried": CARRIED,
        "terms": TERM,
        "uses": USE,
        "rows": ROW,
        "driven": DRIVEN,
        "formulas": FORMULA,
        "arguments": USE,
        "nodes": NODE,
        "couplings": COUPLING,
        "products": PRODUCT,
        "laws": LAW,
        "loads": LOAD,
        "interactions": INTERACTION,
        "meshings": MESHING,
        "rubbings": RUBBING,
        "gates": GATE,
        "states": STATE,
        "works": WORK,
        "switches": SWITCH,
        "planar": PLANAR_FRAME,
        "spatial": SPATIAL_FRAME,
    }
    special: dict[str, Any] = {
        **{name: np.zeros(0, dtype=dtype) for name, dtype in records.items()},
        **dict.fromkeys(("dim", "n_bodies", "n_late", "n_contacts"), 0),
        **dict.fromkeys(
            ("shared", "updates", "row_of", "blank", "dropped", "listed", "near"), ints
        ),
        **dict.fromkeys(("D", "exerted"), np.zeros((0, 0))),
        "standing": np.zeros((0, 0, 0)),
        "functions": EMPTY_FUNCTIONS,
    }
    return (
        System(**{name: special.get(name, floats) for name in System._fields}),
        Workspace(**{name: special.get(name, floats) for name in Workspace._fields}),
    )


PROTOTYPES = _prototypes()
