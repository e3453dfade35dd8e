"""Other multibody programs on the same chain, in the same run; those that are not installed are left out.

Each runs the chain in its fastest suitable form: relative angles along the tree, fixed steps of RK4.
"""

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from bench.chains import J_ALONG, STEP, G, J, L, M, angles, chain, finish, n_steps, sizes, steps
from bench.peers.pinocchio_cpp import NOT_HERE, pinocchio_in_cpp
from bench.recursion import NO_COMPILER, recursion
from bench.tables import Table
from bench.timing import Effort, best_times, progress

AGREEMENT = 1e-9  # [rad] after CHECKED_STEPS: the same method on the same equations
CHECKED_STEPS = 100
INERTIA = (J_ALONG, J, J)
CPP = "Pinocchio C++ RK4"
HINGES = (1, 2, 8, 32, 128, 256)
LONGEST = {"exudyn": 64}  # its time grows as N^3: longer chains would take minutes


class Peer(NamedTuple):
    """Another program: what to import, its name, and how it takes steps from rest."""

    module: str
    name: str
    prepare: Callable[[int], Callable[[int], np.ndarray | None]]  # N -> (steps -> angles, if any)


def mujoco_chain(n: int) -> Callable[[int], np.ndarray]:
    """MuJoCo with its RK4; everything that a chain without contacts does not need is turned off."""
    mujoco = import_module("mujoco")
    inside = ""
    for k in reversed(range(n)):
        inertia = " ".join(map(repr, INERTIA))
        inside = (
            f'<body pos="{L if k else 0.0} 0 0"><joint type="hinge" axis="0 0 1"/>'
            f'<inertial pos="{L / 2} 0 0" mass="{M}" diaginertia="{inertia}"/>{inside}</body>'
        )
    option = f'<option timestep="{STEP}" integrator="RK4" gravity="0 {-G} 0">'
    off = '<flag contact="disable" constraint="disable" eulerdamp="disable"/></option>'
    text = f"<mujoco>{option}{off}<worldbody>{inside}</worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    state = mujoco.MjData(model)

    def take(count: int) -> np.ndarray:
        mujoco.mj_resetData(model, state)
        mujoco.mj_step(model, state, count)
        return np.cumsum(state.qpos)

    return take


def exudyn_chain(n: int) -> Callable[[int], np.ndarray]:
    """Exudyn's kinematic tree with its explicit RK44."""
    exudyn, items = import_module("exudyn"), import_module("exudyn.itemInterface")
    system = exudyn.SystemContainer().AddSystem()
    zeros = [0.0] * n
    start = {"referenceCoordinates": zeros, "initialCoordinates": zeros}
    start["initialCoordinates_t"] = zeros
    node = system.AddNode(items.NodeGenericODE2(numberOfODE2Coordinates=n, **start))
    turns, inertias = exudyn.Matrix3DList(), exudyn.Matrix3DList()
    offsets, centers = exudyn.Vector3DList(), exudyn.Vector3DList()
    for k in range(n):
        turns.Append(np.eye(3))
        inertias.Append(np.diag(INERTIA))
        offsets.Append([L if k else 0.0, 0.0, 0.0])
        centers.Append([L / 2, 0.0, 0.0])
    system.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[exudyn.JointType.RevoluteZ] * n,
            linkParents=list(range(-1, n - 1)),
            jointTransformations=turns,
            jointOffsets=offsets,
            linkInertiasCOM=inertias,
            linkCOMs=centers,
            linkMasses=[M] * n,
            gravity=[0.0, -G, 0.0],
        )
    )
    system.Assemble()
    return partial(_exudyn_steps, exudyn, system)


def _exudyn_steps(exudyn: Any, system: Any, count: int) -> np.ndarray:
    """Take steps from the start without writing anything; the angles at the end."""
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = count
    settings.timeIntegration.endTime = count * STEP
    settings.timeIntegration.verboseMode = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # known to old and new releases
        settings.solutionSettings.writeSolutionToFile = False
    system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.RK44)
    return np.cumsum(system.systemData.GetODE2Coordinates())


def pinocchio_chain(n: int) -> Callable[[int], None]:
    """Pinocchio's articulated-body algorithm, four times per step from Python; it has no integrator."""
    pinocchio = import_module("pinocchio")
    model, parent = pinocchio.Model(), 0
    for k in range(n):
        place = pinocchio.SE3(np.eye(3), np.array([L if k else 0.0, 0.0, 0.0]))
        parent = model.addJoint(parent, pinocchio.JointModelRZ(), place, f"hinge_{k}")
        rod = pinocchio.Inertia(M, np.array([L / 2, 0.0, 0.0]), np.diag(INERTIA))
        model.appendBodyToJoint(parent, rod, pinocchio.SE3.Identity())
    model.gravity.linear = np.array([0.0, -G, 0.0])
    data, zero = model.createData(), np.zeros(n)

    def take(count: int) -> None:
        for _ in range(4 * count):
            pinocchio.aba(model, data, zero, zero, zero)

    return take


PEERS = (
    Peer("mujoco", "MuJoCo RK4", mujoco_chain),
    Peer("exudyn", "Exudyn RK44", exudyn_chain),
    Peer("pinocchio", "Pinocchio 4 ABA", pinocchio_chain),
)


def hinges(effort: Effort) -> list[Table]:
    """Chains in joint coordinates beside a recursion in C and beside Pinocchio from C++."""
    table = Table(
        "Chains of hinges in joint coordinates, microseconds per RK4 step",
        ("N", "plane", "C", "plane / C", "space", CPP, f"{CPP} / space"),
        notes=["C: the recursion of bench/chain.c, for the planar chain only."],
    )
    in_cpp = pinocchio_in_cpp() if effort.cold else nullcontext(None)
    with recursion() as by_hand, in_cpp as prepare:
        table.notes += [*([] if by_hand else [NO_COMPILER]), *([] if prepare else [NOT_HERE])]
        for n in progress([n for n in HINGES if n <= effort.largest], "hinges"):
            count = n_steps(effort, n)
            plane, space = (steps(chain(n, d), count, "projection", "joint") for d in (2, 3))
            actions: dict[str, Callable[[], object]] = {
                "plane": partial(finish, plane),
                "space": partial(finish, space),
            }
            if by_hand is not None:
                actions["C"] = partial(by_hand.angles, n, count)
            if prepare is not None:
                actions[CPP] = partial(prepare(n), count)
            best = {
                name: 1e6 * t / count for name, t in best_times(actions, effort.repeats).items()
            }
            C, cpp = best.get("C"), best.get(CPP)
            of_C, of_cpp = C and best["plane"] / C, cpp and cpp / best["space"]
            table.rows.append((n, best["plane"], C, of_C, best["space"], cpp, of_cpp))
    return [table]


def bench(effort: Effort) -> list[Table]:
    """Microseconds per RK4 step of the chain by each program, and their ratios to ours."""
    here = [peer for peer in PEERS if find_spec(peer.module)]
    names = tuple(peer.name for peer in here)
    table = Table(
        "Chain of N rods by other programs, microseconds per RK4 step",
        (
            *("N", "plane, joint", "plane, projected", "space, joint", *names, CPP),
            *(f"{name} / space" for name in (*names, CPP)),
            "agrees",
        ),
        notes=["Kardan: in the plane and with hinges in space; the others know space alone."],
    )
    for peer in PEERS:
        if peer not in here:
            table.notes.append(f"{peer.module} is not installed: pip install '.[bench]'.")
    if not here:
        return [table]
    with pinocchio_in_cpp() if effort.cold else nullcontext(None) as prepare:
        if prepare is not None:
            here = [*here, Peer("pinocchio", CPP, prepare)]
        elif find_spec("pinocchio"):
            table.notes.append(NOT_HERE)
        for n in progress(sizes(effort), "other programs"):
            table.rows.append(_row(n, n_steps(effort, n), effort.repeats, here, (*names, CPP)))
    table.notes.append(
        f"Pinocchio 4 ABA: the accelerations only, called from Python; {CPP}: its own RK4."
    )
    return [table]


def _row(n: int, count: int, repeats: int, here: list[Peer], names: tuple[str, ...]) -> tuple:
    """One size: times, ratios, and whether all that integrate reach the same angles."""
    plane, space = chain(n), chain(n, 3)
    ours = {
        "plane, joint": steps(plane, count, "projection", "joint"),
        "plane, projected": steps(plane, count, "projection"),
        "space, joint": steps(space, count, "projection", "joint"),
    }
    takes = {p.name: p.prepare(n) for p in here if n <= LONGEST.get(p.module, n)}
    actions: dict[str, Callable[[], object]] = {
        **{name: partial(finish, run) for name, run in ours.items()},
        **{name: partial(take, count) for name, take in takes.items()},
    }
    best = {name: 1e6 * t / count for name, t in best_times(actions, repeats).items()}
    expected = angles(plane, finish(steps(plane, CHECKED_STEPS, "projection", "joint")))
    ends = [end for take in takes.values() if (end := take(CHECKED_STEPS)) is not None]
    agrees = all(np.abs(end - expected).max() <= AGREEMENT for end in ends)
    times = [best.get(name) for name in names]
    ratios = [time and time / best["space, joint"] for time in times]
    return n, *(best[name] for name in ours), *times, *ratios, agrees
