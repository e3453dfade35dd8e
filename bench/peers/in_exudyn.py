"""The problems in Exudyn: its kinematic tree, or a rigid body on a Lie group, with explicit methods."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from bench.peers.mechanisms import TURN, Mechanism
from bench.peers.samples import Sampler, Span


def tree(solver: str) -> Callable[[Mechanism, Span], Sampler | None]:
    """Trees by a method of Exudyn; its explicit methods take no closed loops."""

    def made(mechanism: Mechanism, span: Span) -> Sampler | None:
        return None if mechanism.pins else _tree(mechanism, span, solver)

    return made


def _tree(mechanism: Mechanism, span: Span, solver: str) -> Sampler:
    """A sampler of a tree."""
    exudyn, items = import_module("exudyn"), import_module("exudyn.itemInterface")
    system = exudyn.SystemContainer().AddSystem()
    links = mechanism.links
    start: dict[str, Any] = {
        "referenceCoordinates": [0.0] * len(links),
        "initialCoordinates": [link.start for link in links],
        "initialCoordinates_t": [link.speed for link in links],
    }
    node = system.AddNode(items.NodeGenericODE2(numberOfODE2Coordinates=len(links), **start))
    turns, inertias = exudyn.Matrix3DList(), exudyn.Matrix3DList()
    offsets, centers = exudyn.Vector3DList(), exudyn.Vector3DList()
    for link in links:
        turns.Append(np.eye(3))
        inertias.Append(np.diag(link.inertia))
        offsets.Append(list(link.place))
        centers.Append(list(link.center))
    kinds = [
        getattr(
            exudyn.JointType,
            ("Revolute" if link.joint == TURN else "Prismatic") + link.axis.upper(),
        )
        for link in links
    ]
    control: dict[str, Any] = {}
    if any(link.stiffness or link.damping for link in links):
        control["jointPositionOffsetVector"] = [0.0] * len(links)
        control["jointVelocityOffsetVector"] = [0.0] * len(links)
        control["jointPControlVector"] = [link.stiffness for link in links]
        control["jointDControlVector"] = [link.damping for link in links]
    body = system.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=kinds,
            linkParents=[link.parent for link in links],
            jointTransformations=turns,
            jointOffsets=offsets,
            linkInertiasCOM=inertias,
            linkCOMs=centers,
            linkMasses=[link.mass for link in links],
            gravity=list(mechanism.gravity),
            **control,
        )
    )
    for spring in mechanism.springs:
        ends = (spring.ends.i, spring.ends.at_i), (spring.ends.j, spring.ends.at_j)
        markers = [
            system.AddMarker(
                items.MarkerKinematicTreeRigid(
                    objectNumber=body, linkNumber=link, localPosition=list(place)
                )
            )
            for link, place in ends
        ]
        system.AddObject(
            items.ObjectConnectorSpringDamper(
                markerNumbers=markers,
                referenceLength=spring.free_length,
                stiffness=spring.stiffness,
                damping=spring.damping,
            )
        )
    sensor = system.AddSensor(
        items.SensorNode(
            nodeNumber=node,
            storeInternal=True,
            writeToFile=False,
            outputVariableType=exudyn.OutputVariableType.Coordinates,
        )
    )
    system.Assemble()

    def sample(per_interval: int) -> np.ndarray:
        _solve(exudyn, system, span, solver, per_interval)
        return mechanism.observe(system.GetSensorStoredData(sensor)[:, 1:])

    return sample


def tumbler(solver: str) -> Callable[[dict, Span], Sampler]:
    """The free body by a method of Exudyn, its rotation vector on the Lie group."""

    def made(p: dict, span: Span) -> Sampler:
        exudyn, items = import_module("exudyn"), import_module("exudyn.itemInterface")
        system = exudyn.SystemContainer().AddSystem()
        node = system.AddNode(
            items.NodeRigidBodyRotVecLG(initialVelocities=[0.0, 0.0, 0.0, *p["omega0_body"]])
        )
        inertia = [*p["I"], 0.0, 0.0, 0.0]
        body = system.AddObject(
            items.ObjectRigidBody(nodeNumber=node, physicsMass=p["m"], physicsInertia=inertia)
        )
        sensor = system.AddSensor(
            items.SensorBody(
                bodyNumber=body,
                storeInternal=True,
                writeToFile=False,
                outputVariableType=exudyn.OutputVariableType.RotationMatrix,
            )
        )
        system.Assemble()

        def sample(per_interval: int) -> np.ndarray:
            _solve(exudyn, system, span, solver, per_interval)
            R = system.GetSensorStoredData(sensor)[:, 1:].reshape(-1, 3, 3)
            return np.hstack([R[:, :, 0], R[:, :, 1]])

        return sample

    return made


@cache
def _settings(span: Span, per_interval: int) -> Any:
    """Equal steps, keeping the samples alone."""
    settings = import_module("exudyn").SimulationSettings()
    times = settings.timeIntegration
    times.numberOfSteps, times.endTime = per_interval * span.n, span.t_end
    times.verboseMode, times.automaticStepSize = 0, False
    times.explicit.computeEndOfStepAccelerations = False
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = span.interval
    return settings


def _solve(exudyn: Any, system: Any, span: Span, solver: str, per_interval: int) -> None:
    """Take equal steps from the start."""
    chosen = getattr(exudyn.DynamicSolverType, solver)
    system.SolveDynamic(_settings(span, per_interval), solverType=chosen)
