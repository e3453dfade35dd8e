"""The bouncing ball and the block on a slope in Exudyn, by its generalised-alpha method.

Both are a mass along one coordinate: the ball on a contact of that coordinate, the block pulled by its
weight against friction with a spring that sticks. So Exudyn is told the normal force of the block.
"""

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any


def _mass(mass: float, force: float, start: float) -> tuple[Any, Any, Any, list[Any]]:
    """A mass that moves along x: markers of the ground and of its coordinate, a node for its contact."""
    exudyn, items = import_module("exudyn"), import_module("exudyn.itemInterface")
    system = exudyn.SystemContainer().AddSystem()
    ground = system.AddNode(items.NodePointGround())
    node = system.AddNode(
        items.Node1D(referenceCoordinates=[0.0], initialCoordinates=[start], name="x")
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Exudyn stops at its own, where they are errors
        system.AddObject(items.Mass1D(nodeNumber=node, physicsMass=mass))
    markers = [
        system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=one, coordinate=0))
        for one in (ground, node)
    ]
    memory = {
        "initialCoordinates": [0.0] * 3,
        "numberOfDataCoordinates": 3,
    }  # sticks, where, at a stop
    markers.append(system.AddNode(items.NodeGenericData(**memory)))
    system.AddLoad(items.LoadCoordinate(markerNumber=markers[1], load=force))
    return exudyn, items, system, markers


def _run(exudyn: Any, system: Any, step: float, end: float, which: str) -> Callable[[], float]:
    """A run of what was assembled; returns the coordinate or its speed at the end."""
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.numberOfSteps = round(end / step)
    settings.timeIntegration.endTime = end
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0 if which == "x" else 0.8
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # known to old and new releases
        settings.solutionSettings.writeSolutionToFile = False
        settings.displayStatistics = settings.displayComputationTime = False
    system.Assemble()
    start = system.systemData.GetODE2Coordinates(exudyn.ConfigurationType.Initial)

    def take() -> float:
        current = system.systemData
        current.SetODE2Coordinates(start, exudyn.ConfigurationType.Initial)
        system.SolveDynamic(settings, updateInitialValues=False)
        if which == "x":
            return float(current.GetODE2Coordinates()[0])
        return float(current.GetODE2Coordinates_t()[0])

    return take


def exudyn_ball(
    step: float, end: float, height: float, stiffness: float, gravity: float
) -> Callable[[], float]:
    """The height of the bottom of the ball at the end, over the height it falls from."""
    exudyn, items, system, markers = _mass(1.0, -gravity, height)
    system.AddObject(
        items.ObjectConnectorCoordinateSpringDamperExt(
            markerNumbers=markers[:2],
            nodeNumber=markers[2],
            stiffness=0.0,
            useLimitStops=True,
            limitStopsLower=0.0,
            limitStopsUpper=1e3,
            limitStopsStiffness=stiffness,
        )
    )
    take = _run(exudyn, system, step, end, "x")
    return lambda: abs(take() - height)


def exudyn_block(step: float, end: float, pull: float, friction: float) -> Callable[[], float]:
    """The speed at the end of a mass of 2 kg that is pulled, and held by friction that sticks."""
    exudyn, items, system, markers = _mass(2.0, pull, 0.0)
    system.AddObject(
        items.ObjectConnectorCoordinateSpringDamperExt(
            markerNumbers=markers[:2],
            nodeNumber=markers[2],
            dynamicFrictionForce=friction,
            stickingStiffness=1e5,
            stickingDamping=200.0,
        )
    )
    take = _run(exudyn, system, step, end, "v")
    return lambda: abs(take())
