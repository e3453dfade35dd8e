"""Natural coordinates: points at the joints, with constant distances inside bodies and points on guides.

For a body with the points X and Y, e = Y - X of length L, and c = X + c1 e + c2 (e turned by 90 degrees)

    |e|^2 = L^2        T = m |c'|^2/2 + J |e'|^2/(2 L^2)        so that M is constant
    phi' = (e x e')/L^2        h = (dc/du)^T f_xy + (dphi'/du')^T f_phi
"""

from math import atan2, pi
from typing import NamedTuple

import numpy as np
import sympy as sp

from engine.errors import EngineError, say
from engine.model.elements import Id
from engine.model.joints import Prismatic, Revolute
from engine.studies.coordinates.description import Description, Forces, Meaning
from engine.symbols.equations import Equations
from engine.symbols.frames import Marker
from engine.symbols.traced import real

ZERO = 1e-12  # m: a constant of a guide that is rounding
SAME = 1e-9  # of the size of the model: points this near are one
Pair = tuple[sp.Expr, sp.Expr]


class Point(NamedTuple):
    """A point with its coordinates, which are symbols where it moves."""

    name: str
    x: Pair
    at: np.ndarray  # where it starts
    moves: bool
    part: Id
    words: str
    body: int = -1  # that it is on, and where, from the mass centre; -1: the ground
    P: tuple[float, float] = (0.0, 0.0)


class _Points:
    """The points of a mechanism, and where each is on its bodies."""

    def __init__(self, equations: Equations, q: np.ndarray) -> None:
        layout = equations.compiled.layout
        self.equations, self.place = equations, q[layout.positions]
        self.angle = q[layout.orientations].ravel()
        self.ground = len(equations.bodies)
        self.points: list[Point] = []
        self.on: dict[int, list[tuple[int, Pair]]] = {k: [] for k in range(self.ground)}
        self.guides: dict[int, tuple[Prismatic, sp.Expr]] = {}
        self._collect()

    def _collect(self) -> None:
        model = self.equations.model
        for joint in model.of("joint"):
            i, j = (self.equations.marker(id) for id in (joint.marker_i, joint.marker_j))
            if isinstance(joint, Revolute):
                self._hinge(joint, i, j)
            elif isinstance(joint, Prismatic) and self.ground in (i.place, j.place):
                slider = j.place if i.place == self.ground else i.place
                turn = 0.0 if i.place == self.ground else float(self.angle[i.place])
                self.guides[slider] = (joint, i.angle + _share(turn))
            else:
                raise EngineError(
                    "Natural coordinates are shown for revolute joints and sliders on the ground, and "
                    "'{joint}' is neither.",
                    joint.id,
                    joint=joint.label,
                )

    def _hinge(self, joint: Revolute, i: Marker, j: Marker) -> None:
        """The point of a revolute joint; several joints may share one."""
        fixed = next((m for m in (i, j) if m.place == self.ground), None)
        at = self._place(i)
        near = SAME * self.equations.compiled.length
        known = [n for n, p in enumerate(self.points) if np.abs(p.at - at).max() < near]
        if known:
            n = known[0]
            if fixed is not None and self.points[n].moves:
                self.points[n] = self.points[n]._replace(x=fixed.P[:2], moves=False)
        else:
            words = say("point at '{joint}'", joint=joint.label)
            n = self._add(joint.label, at, joint.id, words, None if fixed is None else fixed.P[:2])
        for m in (i, j):
            if m.place != self.ground and n not in [p for p, _ in self.on[m.place]]:
                self.on[m.place].append((n, (m.P[0], m.P[1])))

    def _add(
        self, name: str, at: np.ndarray, part: Id, words: str, fixed: Pair | None = None
    ) -> int:
        name = name.replace(" ", "_")
        taken = {p.name for p in self.points}
        while name in taken:
            name += "_"
        x = fixed or (real(f"x_{name}"), real(f"y_{name}"))
        self.points.append(Point(name, (x[0], x[1]), at, fixed is None, part, words))
        return len(self.points) - 1

    def _place(self, m: Marker) -> np.ndarray:
        values = self.equations.names.values
        P = np.array([float(sp.sympify(x).xreplace(values)) for x in m.P[:2]])
        if m.place == self.ground:
            return P
        return self._carried(m.place, P)

    def _carried(self, k: int, P: np.ndarray) -> np.ndarray:
        c, s = np.cos(self.angle[k]), np.sin(self.angle[k])
        return np.asarray(self.place[k] + np.array([[c, -s], [s, c]]) @ P)

    def complete(self) -> None:
        """Give every body the points it needs, and refuse those with too many; adds points."""
        compiled, values = self.equations.compiled, self.equations.names.values
        for k, on in self.on.items():
            id = compiled.body_ids[k]
            label = compiled.resolved[id].label
            enough = 1 if k in self.guides or compiled.is_particle[k] else 2
            if len(on) > enough:
                raise EngineError(
                    "Natural coordinates are shown for bodies of {enough} points, and '{body}' has {n}.",
                    id,
                    enough=enough,
                    body=label,
                    n=len(on),
                )
            if not on:
                at = self._carried(k, np.zeros(2))
                words = say("mass centre of '{body}'", body=label)
                on.append((self._add(label, at, id, words), (sp.S.Zero, sp.S.Zero)))
            if len(on) < enough:
                _, P = on[0]
                other = (-P[0], -P[1])
                here = np.array([float(sp.sympify(x).xreplace(values)) for x in other])
                if np.abs(here).max() < SAME * compiled.length:
                    other = (sp.Float(compiled.length), sp.S.Zero)
                    here = np.array([compiled.length, 0.0])
                words = say("point on '{body}'", body=label)
                n = self._add(f"{label}_end", self._carried(k, here), id, words)
                on.append((n, other))
            for n, P in on:
                there = [float(sp.sympify(x).xreplace(values)) for x in P]
                if self.points[n].moves:
                    placed = self.points[n]._replace(body=k, P=(there[0], there[1]))
                    self.points[n] = placed


def _share(angle: float) -> sp.Expr:
    """An angle as a share of pi where it is one."""
    part = sp.Rational(round(12 * angle / pi), 12)
    return part * sp.pi if abs(float(part) * pi - angle) < 1e-12 else sp.Float(angle)


class _Part(NamedTuple):
    """What the points of a body say of it."""

    center: Pair
    loop: sp.Expr | None = None
    e: Pair | None = None  # from its first point to its second, of length L
    L2: sp.Expr = sp.S.One
    offset: tuple[int, int, float] | None = None  # both points, and the angle of e in the body


class Natural(Description):
    """Points at the joints."""

    def __init__(self, equations: Equations, f: Forces, q0: np.ndarray) -> None:
        found = _Points(equations, q0)
        found.complete()
        self.points, self.f, self.equations = found.points, f, equations
        self.on, self.guided, self.layout = found.on, found.guides, equations.compiled.layout
        moving = [p for p in self.points if p.moves]
        coordinates = [
            Meaning(symbol, say("{axis} of the {words}", axis=axis, words=p.words), p.part)
            for p in moving
            for axis, symbol in zip("xy", p.x)
        ]
        u = [one.symbol for one in coordinates]
        self.start_u = np.array([x for p in moving for x in p.at])
        rates = [real(str(s).replace("_", "dot_", 1)) for s in u]
        parts = [
            _link(found, on) if len(on) == 2 else _slider(found, k, on[0])
            for k, on in found.on.items()
        ]
        loop = [part.loop for part in parts if part.loop is not None]
        M = sp.zeros(len(u), len(u))
        turns: list[sp.Expr] = []  # rows of phi' by u'
        for k, part in enumerate(parts):
            M += equations.m[k] * _squares(part.center, u)
            if part.e is None:
                turns += [sp.S.Zero] * len(u)
                continue
            M += equations.J[k][0][0] / part.L2 * _squares(part.e, u)
            (x, y), L2 = part.e, part.L2
            turns += [(x * sp.diff(y, s) - y * sp.diff(x, s)) / L2 for s in u]
        super().__init__(coordinates, rates, loop, M.applyfunc(sp.factor), equations.names.values)
        self.offsets = [part.offset for part in parts]
        self.first_angles = found.angle.copy()
        self.drift = (
            self.first_angles.copy()
        )  # of the last evaluation, from which turns are counted
        self.centers, self.turns = [x for part in parts for x in part.center], turns
        slopes = [sp.diff(x, s) for x in self.centers for s in u]
        self._places = self.compiled([*self.centers, *slopes, *turns])
        self._points = self.compiled([x for point in self.points for x in point.x])

    def _bodies(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mass centres, their slopes, and the rows of phi'."""
        k = len(self.on)
        flat = self._places(u, u)
        a, b = 2 * k, 2 * k + 2 * k * self.n
        C = flat[a:b].reshape(2 * k, self.n)
        return flat[:a].reshape(k, 2), C, flat[b:].reshape(k, self.n)

    def pose(self, u: np.ndarray, near: np.ndarray | None = None) -> np.ndarray:
        """q of all bodies; of angles those that are nearest to the given ones, else to the first ones."""
        return self._posed(u, self.first_angles if near is None else near)

    def _posed(self, u: np.ndarray, near: np.ndarray) -> np.ndarray:
        c, points, angles = self._bodies(u)[0], self.places(u), self.first_angles.copy()
        for k, offset in enumerate(self.offsets):
            if offset is not None:
                n, o, lean = offset
                e = points[o] - points[n]
                angle = atan2(e[1], e[0]) - lean
                angles[k] = angle + 2 * pi * round((near[k] - angle) / (2 * pi))
        return self._state(c, angles)

    def places(self, u: np.ndarray) -> np.ndarray:
        """All points, also those that do not move."""
        return self._points(u, np.zeros(self.n)).reshape(-1, 2)

    def forces(self, t: float, u: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """h."""
        c, C, turn = self._bodies(u)
        q = self._posed(u, self.drift)
        self.drift = q[self.layout.orientations].ravel()
        v = self._state((C @ rates).reshape(c.shape), turn @ rates)
        f = self.f(t, q, v)
        layout = self.layout
        return np.asarray(C.T @ f[layout.velocities].ravel() + turn.T @ f[layout.spins].ravel())

    def _state(self, places: np.ndarray, angles: np.ndarray) -> np.ndarray:
        """q of places and angles, or v of their rates."""
        found = np.zeros(self.layout.n_q)
        found[self.layout.positions] = places
        found[self.layout.orientations] = angles[:, None]
        return found

    def start(self, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """u and u' of the state that it was made from, with velocities v."""
        _, C, turn = self._bodies(self.start_u)
        A = np.vstack([C, turn])
        b = np.concatenate([v[self.layout.velocities].ravel(), v[self.layout.spins].ravel()])
        return self.start_u.copy(), np.linalg.lstsq(A, b, rcond=None)[0]


def _squares(of: Pair, u: list[sp.Symbol]) -> sp.Matrix:
    """(dx/du)^T dx/du + (dy/du)^T dy/du of a vector (x, y) that is linear in u."""
    rows = sp.Matrix([[sp.diff(x, s) for s in u] for x in of])
    return rows.T * rows


def _slider(found: _Points, k: int, on: tuple[int, Pair]) -> _Part:
    """A particle, or a body that slides along a guide and does not turn: one point tells where it is."""
    n, P = on
    X, turn = found.points[n].x, _share(float(found.angle[k]))
    cos, sin = sp.cos(turn), sp.sin(turn)
    center = (X[0] - cos * P[0] + sin * P[1], X[1] - sin * P[0] - cos * P[1])
    if k not in found.guides:
        return _Part(center)
    _, angle = found.guides[k]
    value = -sp.sin(angle) * X[0] + sp.cos(angle) * X[1]
    known = {**found.equations.names.values, **_here(found.points[n])}
    there = float(value.xreplace(known))
    return _Part(center, value - (sp.S.Zero if abs(there) < ZERO else sp.Float(there)))


def _link(found: _Points, on: list[tuple[int, Pair]]) -> _Part:
    """A body of two points, which keep their distance."""
    (n, P), (o, Q) = on
    X, Y = found.points[n].x, found.points[o].x
    a = (Q[0] - P[0], Q[1] - P[1])
    L2 = sp.factor(sp.expand(a[0] ** 2 + a[1] ** 2))
    e = (Y[0] - X[0], Y[1] - X[1])
    c1 = sp.cancel((-P[0] * a[0] - P[1] * a[1]) / L2)
    c2 = sp.cancel((P[0] * a[1] - P[1] * a[0]) / L2)
    center = (X[0] + c1 * e[0] - c2 * e[1], X[1] + c1 * e[1] + c2 * e[0])
    lean = [float(sp.sympify(x).xreplace(found.equations.names.values)) for x in a]
    offset = (n, o, atan2(lean[1], lean[0]))
    return _Part(center, e[0] ** 2 + e[1] ** 2 - L2, e, L2, offset)


def _here(point: Point) -> dict[sp.Symbol, float]:
    return dict(zip(point.x, map(float, point.at))) if point.moves else {}
