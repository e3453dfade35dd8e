"""Two problems with beams in Exudyn: ANCF cable elements, generalised-alpha, joints by multipliers.

The hub and the crank turn as prescribed, by a function that Exudyn compiles itself: one of Python in every
evaluation would cost it most of its time.
"""

from collections.abc import Callable
from importlib import import_module
from math import pi
from typing import Any

import numpy as np

FULL, MODIFIED = "full Newton", "modified Newton"
NEWTON = (FULL, MODIFIED)
# of residuals: by its own absolute tolerance of 1e-10 N it iterates on rounding, ten times as long
ABSOLUTE, RELATIVE = 1e-6, 1e-6
Solve = Callable[
    [float, float, int, str], np.ndarray
]  # step, end, samples, Newton: values at samples


def spin_up(n_elements: int) -> Solve:
    """F12: the tip of the beam along and across the hub, (samples + 1, 2)."""
    exudyn, items, system = _new()
    sym = exudyn.symbolic

    def turned(mbs: Any, t: Any, item: Any, offset: Any) -> Any:
        slow = 0.4 * (0.5 * t * t + (7.5 / pi) ** 2 * (sym.cos(2.0 * pi * t / 15.0) - 1.0))
        return sym.IfThenElse(t < 15.0, slow, 6.0 * t - 45.0)

    hub, body, kept = _driven(items, system, turned)
    cable = items.Cable2D(massPerLength=1.2, bendingStiffness=1.4e4, axialStiffness=2.8e7)
    nodes, elements = _line(system, (0.0, 0.0), (10.0, 0.0), n_elements, cable)
    ends = [
        system.AddMarker(items.MarkerBodyRigid(bodyNumber=one, localPosition=[0, 0, 0]))
        for one in (body, elements[0])
    ]
    system.AddObject(items.GenericJoint(markerNumbers=ends, constrainedAxes=[1, 1, 0, 0, 0, 1]))
    tip = _sensor(items, system, nodes[-1], exudyn.OutputVariableType.Position)
    angle = _sensor(items, system, hub, exudyn.OutputVariableType.Coordinates)
    system.Assemble()

    def solve(step: float, t_end: float, samples: int, newton: str) -> np.ndarray:
        assert kept
        _integrate(exudyn, system, step, t_end, samples, newton)
        x, y = system.GetSensorStoredData(tip)[:, 1:3].T
        turn = system.GetSensorStoredData(angle)[:, 3]
        c, s = np.cos(turn), np.sin(turn)
        return np.column_stack([c * x + s * y - 10.0, c * y - s * x])

    return solve


def slider_crank(n_elements: int) -> Solve:
    """F13: the slider, and the middle of the rod from its chord, (samples + 1, 2); elements are even."""
    exudyn, items, system = _new()
    crank, rod, speed, r = 0.15, 0.3, 150.0, 0.003
    _, body, kept = _driven(items, system, lambda mbs, t, item, offset: speed * t, speed)
    area = pi * r**2
    cable = items.Cable2D(
        massPerLength=7870.0 * area,
        bendingStiffness=2e11 * pi * r**4 / 4,
        axialStiffness=2e11 * area,
    )
    starts = np.array([0.0, speed * crank]), np.array([0.0, 0.0])
    nodes, _ = _line(system, (crank, 0.0), (crank + rod, 0.0), n_elements, cable, starts)
    slider = system.AddNode(items.NodePoint2D(referenceCoordinates=[crank + rod, 0.0]))
    system.AddObject(items.ObjectMassPoint2D(mass=0.033375, nodeNumber=slider))
    _hold(items, system, slider, 1)
    pin = system.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[crank, 0, 0]))
    first, last, wrist = (
        system.AddMarker(items.MarkerNodePosition(nodeNumber=node))
        for node in (nodes[0], nodes[-1], slider)
    )
    for pair in ((pin, first), (last, wrist)):
        system.AddObject(items.RevoluteJoint2D(markerNumbers=list(pair)))
    kind = exudyn.OutputVariableType.Position
    seen = [
        _sensor(items, system, node, kind) for node in (nodes[0], nodes[len(nodes) // 2], nodes[-1])
    ]
    system.Assemble()

    def solve(step: float, t_end: float, samples: int, newton: str) -> np.ndarray:
        assert kept
        _integrate(exudyn, system, step, t_end, samples, newton)
        a, middle, b = (system.GetSensorStoredData(one)[:, 1:3] for one in seen)
        along = (b - a) / np.linalg.norm(b - a, axis=1, keepdims=True)
        x, y = (middle - 0.5 * (a + b)).T
        return np.column_stack([b[:, 0], along[:, 0] * y - along[:, 1] * x])

    return solve


def _new() -> tuple[Any, Any, Any]:
    """Exudyn, its items and an empty system."""
    exudyn, items = import_module("exudyn"), import_module("exudyn.itemInterface")
    return exudyn, items, exudyn.SystemContainer().AddSystem()


def _driven(items: Any, system: Any, law: Any, speed: float = 0.0) -> tuple[int, int, Any]:
    """A body on a pin in the origin that turns by a law of time: its node, the body, and the function.

    Exudyn wants the function to be kept as long as the system.
    """
    utilities = import_module("exudyn.utilities")
    node = system.AddNode(
        items.NodeRigidBody2D(referenceCoordinates=[0, 0, 0], initialVelocities=[0, 0, speed])
    )
    body = system.AddObject(items.ObjectRigidBody2D(mass=1.0, inertia=1.0, nodeNumber=node))
    for coordinate in (0, 1):
        _hold(items, system, node, coordinate)
    turning = _hold(items, system, node, 2)
    function = utilities.CreateSymbolicUserFunction(system, law, "offsetUserFunction", turning)
    system.SetObjectParameter(turning, "offsetUserFunction", function)
    return node, body, function


def _hold(items: Any, system: Any, node: int, coordinate: int) -> Any:
    """Hold a coordinate of a node against the ground."""
    ground = system.AddNode(items.NodePointGround())
    markers = [
        system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=one, coordinate=c))
        for one, c in ((ground, 0), (node, coordinate))
    ]
    return system.AddObject(items.CoordinateConstraint(markerNumbers=markers))


def _line(
    system: Any,
    start: tuple[float, float],
    end: tuple[float, float],
    n: int,
    cable: Any,
    speeds: tuple[np.ndarray, np.ndarray] | None = None,
) -> tuple[list[int], list[int]]:
    """Cable elements along a straight line, with speeds between those of its ends: nodes and elements."""
    beams = import_module("exudyn.beams")
    made = beams.GenerateBeamElementsAlongLine(
        system, [*start, 0.0], [*end, 0.0], n, beamTemplate=cable
    )
    nodes, elements = made["nodes"], made["elements"]
    if speeds is not None:
        slope = (speeds[1] - speeds[0]) / (end[0] - start[0])
        for k, node in enumerate(nodes):
            velocity = speeds[0] + (speeds[1] - speeds[0]) * k / n
            system.SetNodeParameter(node, "initialVelocities", [*velocity, *slope])
    return nodes, elements


def _sensor(items: Any, system: Any, node: int, kind: Any) -> Any:
    """What stores values of a node."""
    return system.AddSensor(
        items.SensorNode(
            nodeNumber=node, storeInternal=True, writeToFile=False, outputVariableType=kind
        )
    )


def _integrate(
    exudyn: Any, system: Any, step: float, t_end: float, samples: int, newton: str
) -> None:
    """Take equal steps from the start."""
    settings = exudyn.SimulationSettings()
    times = settings.timeIntegration
    times.numberOfSteps, times.endTime = round(t_end / step), t_end
    times.verboseMode = 0
    times.generalizedAlpha.spectralRadius = 0.9
    times.newton.useModifiedNewton = newton == MODIFIED
    times.newton.absoluteTolerance, times.newton.relativeTolerance = ABSOLUTE, RELATIVE
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = t_end / samples
    dense = exudyn.LinearSolverType.EXUdense  # quicker than its sparse one here
    settings.linearSolver.solverType = dense
    system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.GeneralizedAlpha)
