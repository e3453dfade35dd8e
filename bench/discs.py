"""A hundred discs that fall into a box and come to rest there: is it in real time?

Discs of 0.1 kg and radius 50 mm in a box 1.2 m wide, pressed by 2e4 N/m and 13.6 N s/m, of which two keep
half of their speed (e = 0.5), with mu = 0.3: at rest the lowest may be pressed in by 1 mm, 2 % of
the radius. The motion is chaotic, so no two programs find the same heap; the error is how far discs overlap
at the end, of which about 0.5 mm is the weight of ten layers on the spring.
"""

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from bench.peers.in_a_box import Heap, exudyn_heap, mujoco_heap
from engine.editing.builder import Mechanism
from engine.model.elements import Model
from engine.running.simulate import prepare

DISCS, COLUMNS, RADIUS, MASS, HALF = 100, 10, 0.05, 0.1, 0.6
STIFFNESS, DAMPING, MU, GRAVITY = 2e4, 13.6, 0.3, 9.81
FULL_DEPTH = 1e-5  # m: of Kardan's impact law, beyond which its damping is that of the others
MOST_DEPTH = 1e-3  # m: what overlaps more at rest is too soft
SETTING = (
    f"{DISCS} discs of {MASS:g} kg and radius {RADIUS:g} m in a box {2.0 * HALF:g} m wide, "
    f"k = {STIFFNESS:g} N/m, c = {DAMPING:g} N s/m (e = 0.5), mu = {MU:g}; at rest the lowest may be "
    f"pressed in by {MOST_DEPTH:g} m."
)
SECONDS, FRAMES = 2.0, 60  # of the run, and a second


def heap(n: int = DISCS) -> Heap:
    """The discs in layers over the floor, a little beside their columns."""
    layer, column = np.divmod(np.arange(n), COLUMNS)
    rng = np.random.default_rng(1)
    x = (column - 0.5 * (COLUMNS - 1)) * 0.115 + 0.004 * (rng.random(n) - 0.5)
    places = np.column_stack([x, 0.07 + 0.115 * layer])
    law = {"stiffness": STIFFNESS, "damping": DAMPING, "mu": MU, "gravity": GRAVITY}
    return Heap(places, 0.2 * rng.standard_normal(n), RADIUS, MASS, HALF, **law)


def discs(given: Heap) -> Model:
    """The same for Kardan: one contact for all pairs, walls that are fixed bodies, and a floor."""
    m = Mechanism("discs", 2, gravity=(0.0, -given.gravity))
    for id, side in (("left", -1.0), ("right", 1.0)):
        at = (side * (given.half + 0.1), 2.0)
        m.box(at, 0.2, 4.0, mass=1.0, fixed=True, id=id)
    for k, ((x, y), speed) in enumerate(zip(given.places.tolist(), given.speeds.tolist())):
        m.disc((x, y), given.radius, mass=given.mass, id=f"disc_{k}", velocity=(speed, 0.0))
    m.contact_all(
        *("ground", (0.0, 0.0)),
        law="impact",
        exponent=1.0,
        full_depth=FULL_DEPTH,
        stiffness=given.stiffness,
        damping=given.damping,
        friction="velocity",
        mu_static=given.mu,
        mu_dynamic=given.mu,
        id="all",
    )
    return m.model


def ours(given: Heap, end: float, step: float) -> Callable[[], float]:
    """A run that is prepared once; returns how far discs overlap at the end."""
    frames = {"t_end": end, "output_step": 1.0 / FRAMES}
    running = prepare(discs(given), method="euler_cromer", step=step, **frames)
    n = len(given.places)

    def take() -> float:
        last = None
        for one in running:
            last = one if len(one.t) else last
        assert last is not None
        return given.deepest(last.q[-1].reshape(n, 3)[:, :2])

    return take


def length(share: float) -> float:
    """How long the motion is [s]; a share below 0.1 shortens it."""
    return max(0.1, SECONDS * min(1.0, 10.0 * share))


def cases(share: float) -> list[tuple[str, Callable[[], float]]]:
    """Name and run of each program; a share below 0.1 shortens the run."""
    given, end = heap(), length(share)
    found = [(f"Kardan Euler-Cromer {h:g} s", ours(given, end, h)) for h in (1e-3, 2e-4)]
    if find_spec("mujoco"):
        found += [(f"MuJoCo {h:g} s", mujoco_heap(given, h, end)) for h in (2e-3, 5e-4)]
    if find_spec("exudyn"):
        found.append(("Exudyn velocity Verlet 0.0002 s", exudyn_heap(given, 2e-4, end)))
    return found
