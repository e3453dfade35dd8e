"""A hundred discs in a box, by MuJoCo and by Exudyn: balls whose middles stay in one plane."""

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

import numpy as np


class Heap(NamedTuple):
    """What all programs are given: discs over the floor of a box, and how they touch."""

    places: np.ndarray  # (n, 2) of their middles at the start    [m]
    speeds: np.ndarray  # (n,) along x at the start               [m/s]
    radius: float
    mass: float
    half: float  # between the middle of the box and its walls   [m]
    stiffness: float  # N/m
    damping: float  # N s/m
    mu: float
    gravity: float

    def deepest(self, x: np.ndarray) -> float:
        """The greatest overlap of two discs, or of a disc with the box, at places x (n, 2)."""
        apart = np.linalg.norm(x[:, None] - x[None], axis=2) + 1e3 * np.eye(len(x))
        walls = np.concatenate([x[:, 1], self.half - np.abs(x[:, 0])])
        return float(max(2.0 * self.radius - apart.min(), self.radius - walls.min(), 0.0))


def mujoco_heap(heap: Heap, step: float, end: float) -> Callable[[], float]:
    """Balls with three coordinates each; the contact has the period and the damping of the others."""
    mujoco = import_module("mujoco")
    k, c = heap.stiffness / (0.5 * heap.mass), heap.damping / (0.5 * heap.mass)
    touch = f'solref="-{k:g} -{c:g}" solimp="0.95 0.95 1e-4" friction="{heap.mu} 0 0" condim="3"'
    walls = "".join(
        f'<geom type="plane" size="5 5 1" pos="{x} 0 0" zaxis="{a} 0 {b}" {touch}/>'
        for x, a, b in ((0.0, 0, 1), (-heap.half, 1, 0), (heap.half, -1, 0))
    )
    free = "".join(
        f'<joint type="{kind}" axis="{axis}"/>'
        for kind, axis in (("slide", "1 0 0"), ("slide", "0 0 1"), ("hinge", "0 1 0"))
    )
    balls = "".join(
        f'<body pos="{x} 0 {y}">{free}<geom type="sphere" size="{heap.radius}" mass="{heap.mass}" '
        f"{touch}/></body>"
        for x, y in heap.places
    )
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{step}" gravity="0 0 -{heap.gravity}"/>'
        f"<worldbody>{walls}{balls}</worldbody></mujoco>"
    )
    state = mujoco.MjData(model)

    def take() -> float:
        mujoco.mj_resetData(model, state)
        state.qvel[::3] = heap.speeds
        mujoco.mj_step(model, state, round(end / step))
        moved = state.qpos.reshape(-1, 3)[:, :2]
        return heap.deepest(heap.places + moved)

    return take


def exudyn_heap(heap: Heap, step: float, end: float) -> Callable[[], float]:
    """Rigid bodies in the plane with its general contact, whose cells find what is near; explicit steps."""
    exudyn, items = import_module("exudyn"), import_module("exudyn.itemInterface")
    graphics = import_module("exudyn.graphics")
    system = exudyn.SystemContainer().AddSystem()
    contact = system.AddGeneralContact()
    contact.SetFrictionPairings(heap.mu * np.eye(1))
    contact.SetFrictionProportionalZone(1e-3)
    contact.SetSearchTreeCellSize(numberOfCells=[12, 12, 1])
    box = float(2.0 * heap.half + 1.0)
    contact.SetSearchTreeBox(
        pMin=np.array([-box, -1.0, -1.0]), pMax=np.array([box, box + 2.0, 1.0])
    )
    ground = system.AddObject(items.ObjectGround())
    still = system.AddMarker(items.MarkerBodyRigid(bodyNumber=ground))
    stiff = 2.0 * heap.stiffness  # of each side: they are in series
    h, w = heap.half, 0.2
    for at, size in (
        ((0.0, -w, 0.0), (2.0 * h + 4.0 * w, 2.0 * w, 2.0 * w)),
        ((-h - w, 2.0, 0.0), (2.0 * w, 4.0, 2.0 * w)),
        ((h + w, 2.0, 0.0), (2.0 * w, 4.0, 2.0 * w)),
    ):
        brick = graphics.Brick(centerPoint=list(at), size=list(size))
        points, triangles = graphics.ToPointsAndTrigs(brick)
        contact.AddTrianglesRigidBodyBased(
            rigidBodyMarkerIndex=still,
            contactStiffness=stiff,
            contactDamping=heap.damping,
            frictionMaterialIndex=0,
            pointList=points,
            triangleList=triangles,
        )
    J = 0.5 * heap.mass * heap.radius**2
    for (x, y), speed in zip(heap.places, heap.speeds):
        node = system.AddNode(
            items.NodeRigidBody2D(
                referenceCoordinates=[x, y, 0.0], initialVelocities=[speed, 0.0, 0.0]
            )
        )
        solid = items.ObjectRigidBody2D(nodeNumber=node, physicsMass=heap.mass, physicsInertia=J)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Exudyn stops at its own, where they are errors
            body = system.AddObject(solid)
        marker = system.AddMarker(items.MarkerNodeRigid(nodeNumber=node))
        system.AddLoad(
            items.LoadMassProportional(
                markerNumber=system.AddMarker(items.MarkerBodyMass(bodyNumber=body)),
                loadVector=[0.0, -heap.gravity, 0.0],
            )
        )
        contact.AddSphereWithMarker(
            marker,
            radius=heap.radius,
            contactStiffness=stiff,
            contactDamping=0.5 * heap.damping,
            frictionMaterialIndex=0,
        )
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(end / step)
    settings.timeIntegration.endTime = end
    settings.timeIntegration.verboseMode = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # known to old and new releases
        settings.solutionSettings.writeSolutionToFile = False
        settings.displayStatistics = settings.displayComputationTime = False
    system.Assemble()
    start = [
        system.systemData.GetODE2Coordinates(exudyn.ConfigurationType.Initial),
        system.systemData.GetODE2Coordinates_t(exudyn.ConfigurationType.Initial),
    ]

    def take() -> float:
        data = system.systemData
        data.SetODE2Coordinates(start[0], exudyn.ConfigurationType.Initial)
        data.SetODE2Coordinates_t(start[1], exudyn.ConfigurationType.Initial)
        system.SolveDynamic(
            settings,
            solverType=exudyn.DynamicSolverType.VelocityVerlet,
            updateInitialValues=False,
        )
        moved = np.array(data.GetODE2Coordinates()).reshape(-1, 3)[:, :2]
        return heap.deepest(heap.places + moved)

    return take
