"""Use every kernel once, so that its machine code is on the disk, or in this program, before it is needed.

    python -m gui.running.exercise            what a first run needs: the default method, channels, pictures
    python -m gui.running.exercise methods    also what the other methods need

As a program it fills the cache at low priority. It needs neither Qt nor VTK, so it can work while these are
still being installed. Two programs do not compile the same: the second waits for the first.
"""

import os
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import rotations
from engine.integrators.warm_up import compile_other_methods, first_kernels
from engine.kernels.linking import FOLDERS
from gui.stages import kernels as pictures
from gui.stages.kernels import shadow_map, smoothing
from rotations.jit.counting import kernels_in, n_kept, needed
from rotations.jit.folders import folders_for
from rotations.jit.turns import alone

NICENESS = 10
_DONE = "complete-window"  # a file in the cache folder that says so
_ROTATIONS = (
    *("axis_angle", "euler_angles", "euler_orientation", "euler_rates", "matrix", "vector"),
    *("quaternion_algebra", "quaternion_motion"),
)


def is_exercised() -> bool:
    """Whether the machine code of a first run is on the disk."""
    return FOLDERS.have(_DONE)


def exercise() -> None:
    """Draw, run a small mechanism in the plane and in space and read all its channels."""
    from engine.running.live import Live
    from engine.running.simulate import prepare, run

    shadow_map.exercise()  # first: a stage in space may be waiting

    for dim in (2, 3):
        model = _mechanism(dim)
        results = run(model, t_end=0.02)
        for channel in results.channels():
            channel.values.sum()
        results.table([channel.name for channel in results.channels() if channel.point])
        Live(prepare(model)).advance(0.02)
    exercise_rotations()


def exercise_methods() -> None:
    """Take one step by each method that treats joints itself; the others need no mechanism."""
    from engine.model.methods import METHODS
    from engine.running.simulate import run

    compile_other_methods()
    model = _mechanism(2)
    for method in METHODS:
        if method.is_direct and method.is_fixed:
            run(model, t_end=0.02, method=method.name)
    exercise_ensembles()


def exercise_ensembles() -> None:
    """Run a pendulum from two angles in one call."""
    from dataclasses import replace

    from engine.editing.builder import Mechanism
    from engine.model.elements import put
    from engine.running.ensembles import many

    m = Mechanism("pendulums")
    m.parameter("a", 0.0)
    rod = m.rod((0, 0), (1, 0), mass=1)
    m.revolute("ground", rod, at=(0, 0))
    place = replace(m.model[rod], angle="a", position=("cos(a)/2", "sin(a)/2"))
    many(put(m.model, place), {"a": [0.0, 0.1]}, method="dop853", t_end=0.02)


def _mechanism(dim: int) -> Any:
    """A driven rod with a spring."""
    from engine.editing.builder import Mechanism

    m = Mechanism("exercise", dim)
    origin, end, above = ((x, y, 0.0)[:dim] for x, y in ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)))
    about_z = {"axis": (0, 0, 1)} if dim == 3 else {}
    rod = m.rod(origin, end, mass=1)
    hinge = m.revolute("ground", rod, at=origin, **about_z)
    m.motion(hinge, "0.1*sin(t)")
    m.spring(("ground", above), (rod, end), stiffness=10)
    return m.model


def exercise_rotations() -> None:
    """Turn one orientation into every description and back, and let it move."""
    from rotations import axis_angle, convert, euler_angles, gimbal_lock, matrix, quaternion, vector

    angles, w = [0.1, 0.2, 0.3], [0.3, 0.2, 0.1]
    R = euler_angles.matrix("3-1-3", angles)
    q = quaternion.canonical(quaternion.normalise(quaternion.from_matrix(R)))
    for name in ("quaternion", "rotation vector", "axis-angle", "3-2-1"):
        convert(convert(R, "matrix", name), name, "matrix")
    euler_angles.continuous("3-1-3", [angles, angles])
    for axes in ("body", "fixed"):
        euler_angles.rate_matrix("3-1-3", angles, axes)
        euler_angles.inverse_rate_matrix("3-1-3", angles, axes)
        euler_angles.rates("3-1-3", angles, w, axes)
        euler_angles.angular_velocity("3-1-3", angles, w, axes)
        quaternion.angular_velocity(q, quaternion.rate(q, w, axes), axes)
        quaternion.step(q, w, 0.1, axes)
    euler_angles.from_quaternion("3-1-3", euler_angles.quaternion("3-1-3", angles))
    quaternion.inverse(quaternion.product(q, q))
    quaternion.norm(q)
    quaternion.to_body(q, quaternion.to_fixed(q, w))
    quaternion.slerp(q, quaternion.nearest_sign(q, q), 0.5)
    quaternion.continuous([q, q])
    axis_angle.logarithm_quaternion(axis_angle.exponential_quaternion(w))
    axis_angle.exponential(axis_angle.logarithm(R))
    axis_angle.quaternion([0.0, 0.0, 1.0], 0.1)
    axis_angle.matrix([0.0, 0.0, 1.0], 0.1)
    matrix.angle_between_rotations(R, quaternion.matrix(q))
    vector.frame_from_axis(w)
    gimbal_lock.best_sequence(q)


# --- how far it is


def needed_kernels() -> set[Any]:
    """What `exercise` compiles where nothing is compiled."""
    turning = kernels_in(*(_module(name) for name in _ROTATIONS))
    rows = {kernel for kernel in turning if kernel.__name__.endswith("_rows")}
    return needed({*first_kernels(), *rows, *kernels_in(shadow_map, smoothing)})


def n_needed() -> int:
    """How many kernels that is."""
    return len(needed_kernels())


def n_compiled() -> int:
    """How many kernels are on the disk."""
    return n_kept(own_folders())


@cache
def own_folders() -> list[Path]:
    """Where the machine code of this user is, for all kernels of the program."""
    places = (Path(rotations.__file__).parent, Path(pictures.__file__).parent)
    all_folders = (FOLDERS, *(folders_for(place) for place in places))
    return [folders.own for folders in all_folders if folders.own is not None]


def _module(name: str) -> ModuleType:
    return import_module(f"{rotations.__name__}.{name}")


def compile_ahead(with_methods: bool = False) -> None:
    """Fill the cache with what a first run needs, and with what the other methods need if asked for."""
    folder = FOLDERS.own
    if folder is None:
        return  # it could not be kept
    with alone(folder, "window"):
        if not is_exercised():
            exercise()
            (folder / _DONE).touch()
    if with_methods:
        exercise_methods()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    compile_ahead(with_methods="methods" in sys.argv[1:])
