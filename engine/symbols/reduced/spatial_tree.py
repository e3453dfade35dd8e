"""The spanning tree of a model in space, as the reduction needs it: that of a run in joint coordinates."""

from fractions import Fraction
from math import atan2, isclose
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from engine.compiling.system import Compiled
from engine.kernels.trees.layout import BALL, CROSS, HINGE, RIGID, SCREW
from engine.kinematics.assemble import assemble
from engine.kinematics.poses import body_frames
from engine.model.joints.base import Carry
from engine.symbols.equations import Equations
from engine.symbols.frames import AXES, Marker
from engine.symbols.reduced.space import SpatialProblem, Step
from engine.symbols.reduced.spanning import check_rows
from engine.symbols.traced import exact, expression_of
from engine.trees.spanning import Branch, spanning_tree
from rotations import SEQUENCES, matrix

MOST_BODIES = 6
SWAPPED = sp.Matrix([[0, 1, 0], [1, 0, 0], [0, 0, -1]])  # x and y of a cross
FREE = Carry((0, 1, 2), BALL)
OF_BALLS = "3-1-3"  # where the body has a quaternion
ANGLES = ("phi", "theta", "psi")
AXES_OF = {RIGID: (), HINGE: (2,), CROSS: (0, 1), SCREW: (2,)}
MOST_UNDER_ROOT = 64
SAME = 1e-11  # files keep twelve digits of a quaternion
NEAR = 1e-9  # of the model's size: so near the axes of both markers agree


class _Pose(NamedTuple):
    """Mass centre and axes of a body."""

    r: np.ndarray
    R: np.ndarray


class _End(NamedTuple):
    """A marker of a joint with its axes, in symbols and in numbers."""

    marker: Marker
    A: sp.Matrix
    P: np.ndarray
    numbers: np.ndarray


def spatial_problem_of(equations: Equations) -> SpatialProblem:
    """What the reduction of a model in space starts from; EngineError says why there is none."""
    compiled = equations.compiled
    check_rows(equations, MOST_BODIES)
    tree, poses, at = spanning_tree(compiled), _poses(compiled), compiled.layout
    steps = tuple(_step(equations, branch, poses) for branch in tree.branches)

    def written_out(x: sp.Expr) -> sp.Expr:
        """In the entries of R: arms hold symbols that stand for others."""
        return equations.short.expanded(equations.short.expanded(x))

    def loads(where: slice) -> sp.Matrix:
        return sp.Matrix([written_out(x) for x in equations.f[where]])

    rows = [int(k) for id in tree.cuts for k in compiled.rows_of[id]]
    closing = [written_out(equations.Phi[k]) for k in rows]
    return SpatialProblem(
        tuple(equations.q),
        tuple(equations.v),
        tuple(sp.sympify(m) for m in equations.m),
        tuple(sp.Matrix(J) for J in equations.J),
        tuple(loads(at.velocity(k)) for k in range(len(equations.bodies))),
        tuple(loads(at.spin(k)) for k in range(len(equations.bodies))),
        steps,
        tuple(x for x in closing if x != 0),
        tuple(equations.names.index[id] for id in compiled.body_ids),
    )


def _poses(compiled: Compiled) -> list[_Pose]:
    """All bodies with closed joints, and the ground as the last."""
    q = assemble(compiled).q
    frames = body_frames(compiled, q)
    found = [_Pose(q[compiled.layout.position(k)], R) for k, R in enumerate(frames.R)]
    return [*found, _Pose(np.zeros(3), np.eye(3))]


def _step(equations: Equations, branch: Branch, poses: list[_Pose]) -> Step:
    """A branch as a step from a placed body to the next."""
    compiled, ground = equations.compiled, len(equations.bodies)
    n = equations.names.index[compiled.body_ids[branch.body]]
    joint, carry = branch.joint, branch.carry or FREE
    turns = _turns(compiled, branch.body, n, carry.turn)
    letters = [f"s_{n}"] if len(carry.slides) == 1 else [f"{AXES[a]}_{n}" for a in carry.slides]
    slides = tuple(zip(carry.slides, letters))
    here, zero, one = (-1 if branch.parent == ground else branch.parent), sp.S.Zero, sp.eye(3)
    if joint is None:
        return Step("", here, branch.body, (zero,) * 3, one, (zero,) * 3, one, slides, turns, zero)
    ends = [_end(equations, id) for id in (joint.marker_i, joint.marker_j)]
    near, far = ends[::-1] if branch.is_reversed else ends
    if carry.turn == CROSS and branch.is_reversed:
        near, far = _swapped(near), _swapped(far)
    if (
        carry.turn == BALL
    ):  # no axis of a ball counts: the angles are those of the bodies themselves
        far = far._replace(A=one, numbers=np.eye(3))
        near = near if carry.slides else near._replace(A=one, numbers=np.eye(3))
    lead = sp.sympify(expression_of(joint.pitch)) / (2 * sp.pi) if carry.turn == SCREW else zero
    thread = float(lead.xreplace(equations.names.values))
    held, rest = _held(carry, poses[branch.parent], poses[branch.body], near, far, thread)
    P, A_own = sp.Matrix(near.marker.P), far.A
    if np.abs(held).max() > NEAR * compiled.length:
        P += near.A * sp.Matrix([exact(float(x)) for x in held])
    if np.abs(rest - np.eye(3)).max() > NEAR:
        A_own = sp.Matrix(3, 3, [_root(exact(float(x))) for x in (far.numbers @ rest.T).ravel()])
    return Step(
        joint.id, here, branch.body, tuple(P), near.A, far.marker.P, A_own, slides, turns, lead
    )


def _end(equations: Equations, id: str) -> _End:
    marker = equations.marker(id)
    A = sp.Matrix(3, 3, lambda i, j: _root(marker.axes[j][i]))
    values = equations.names.values
    P = np.array([float(sp.sympify(x).xreplace(values)) for x in marker.P])
    return _End(marker, A, P, np.array(A.tolist(), dtype=float))


def _swapped(end: _End) -> _End:
    return end._replace(A=end.A * SWAPPED, numbers=end.numbers @ np.array(SWAPPED.tolist(), float))


def _held(
    carry: Carry, before: _Pose, body: _Pose, near: _End, far: _End, lead: float
) -> tuple[np.ndarray, np.ndarray]:
    """What a joint keeps as drawn: the displacement that is not free, and the turn behind its own."""
    fixed = before.R @ near.numbers
    d = fixed.T @ (body.r + body.R @ far.P - before.r - before.R @ near.P)
    G = fixed.T @ body.R @ far.numbers
    d[list(carry.slides)] = 0.0
    if carry.turn == BALL:
        return d, np.eye(3)
    turned = np.eye(3)
    if carry.turn in (HINGE, SCREW):
        angle = atan2(G[1, 0] - G[0, 1], G[0, 0] + G[1, 1])
        turned, d[2] = matrix.elementary(3, angle), d[2] - lead * angle
    elif carry.turn == CROSS:
        first, second = atan2(G[2, 1], G[1, 1]), atan2(G[0, 2], G[0, 0])
        turned = matrix.elementary(1, first) @ matrix.elementary(2, second)
    return d, turned.T @ G


def _turns(compiled: Compiled, body: int, n: str, turn: int) -> tuple[tuple[int, str], ...]:
    """The axes about which a body turns, with the names of its angles; a particle does not turn."""
    if compiled.is_particle[body]:
        return ()
    axes: tuple[int, ...] = AXES_OF.get(turn, ())
    if turn == BALL:
        code = int(compiled.system.bodies[body]["orientation"])
        sequence = OF_BALLS if code < 0 else tuple(SEQUENCES)[code]
        axes = tuple(int(digit) - 1 for digit in sequence.split("-"))
    return tuple((axis, f"{name}_{n}") for axis, name in zip(axes, ANGLES))


def _root(x: Any) -> sp.Expr:
    """A direction cosine as a root of a fraction, such as sqrt(2)/2, where it is one."""
    if not sp.sympify(x).is_Float:
        return sp.sympify(x)
    square = Fraction(float(x) ** 2).limit_denominator(MOST_UNDER_ROOT)
    if isclose(float(square), float(x) ** 2, rel_tol=SAME):
        return sp.sign(x) * sp.sqrt(sp.Rational(square.numerator, square.denominator))
    return x
