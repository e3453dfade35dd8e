"""The equations of motion of a model in symbols, made from the rows, laws and loads its elements declare.

    [ M  D^T ] [ a   ]   [ f     ]
    [ D   0  ] [ lam ] = [ gamma ]

Fields are named as in engine.kinematics.evaluate.Equations. D follows from the rates of the coordinates, so
that nothing is shared with the kernels.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import sympy as sp

from engine.compiling.gates import is_off
from engine.compiling.geometry import Geometry
from engine.compiling.system import Compiled
from engine.errors import EngineError
from engine.kernels import layout
from engine.model.connections import Coordinate, Interaction, Load, Row, interactions_of
from engine.model.elements import Id
from engine.symbols import acting
from engine.symbols.acting import CLOSED_FORMS, Channels, Components, Wrench
from engine.symbols.coordinates import coordinate
from engine.symbols.frames import AXES, Body, Marker, Short
from engine.symbols.markers import NOTHING, Markers
from engine.symbols.motion import Moving, coefficients, cross, plus, skew
from engine.symbols.naming import Names
from engine.symbols.tables import Numeric, table_function
from engine.symbols.traced import T, Traced, exact, expression_of, formula, real, share_of_pi, slope

Expressions = list[sp.Expr]
WEIGHT, GYROSCOPIC = "(weight)", "(gyroscopic)"  # parts of f that belong to no element


class Equations:
    """All terms of the equations of motion of a compiled model in symbols."""

    def __init__(self, compiled: Compiled) -> None:
        if compiled.elastic:
            raise EngineError(
                "The equations are written for rigid bodies, and '{body}' bends: make it a rod.",
                *compiled.elastic,
                body=compiled.resolved[next(iter(compiled.elastic))].label,
            )
        self.compiled, self.dim = compiled, compiled.system.dim
        self.geometry = Geometry(compiled.resolved)
        self.names = Names(compiled)
        self.model = self.names.model
        self.short = Short()
        self.bodies = [self._body(id) for id in compiled.body_ids]
        self.ground = Body(dim=self.dim)
        self.q: Expressions = [x for body in self.bodies for x in body.q]
        self.v: Expressions = [x for body in self.bodies for x in body.v]
        rows_of = compiled.rows_of
        self.order = [int(k) for id in compiled.model.elements for k in rows_of.get(id, ())]
        self.lam = [self._multiplier(k) for k in range(compiled.n_rows)]
        self.outside: dict[sp.Symbol, tuple[int, int]] = {}  # interaction, and place in its wrench
        self.tables: dict[str, Numeric] = {}
        self.center: list[tuple[sp.Expr, ...]] = []
        self.markers = Markers(self.model, self.geometry, self.bodies, self.ground, self.center)
        self._fill_mass()
        self._fill_rows()
        self._fill_forces()

    # --- bodies and markers

    def _body(self, id: Id) -> Body:
        n = self.names.index[id]

        def symbols(letters: tuple[str, ...]) -> Expressions:
            return [self.names.symbol(f"{letter}_{n}", 0.0, id) for letter in letters]

        if self.dim == 2:
            made = Body(
                tuple(symbols(("x", "y", "phi"))),
                tuple(symbols(("xdot", "ydot", "phidot"))),
                2,
                n,
                self.short,
            )
        else:
            entries = tuple(f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3))
            q = symbols((*AXES, *entries))
            v = symbols((*(f"{a}dot" for a in AXES), *(f"omega{a}" for a in AXES)))
            made = Body(tuple(q), tuple(v), 3, n, self.short)
        for s in (*made.q, *made.v):
            del self.names.values[s]
        return made

    def _multiplier(self, k: int) -> sp.Symbol:
        """The multiplier of a row, numbered in the order of the model."""
        made = real(f"lambda_{self.order.index(k) + 1}")
        self.names.owners[made] = self.compiled.row_ids[k]
        return made

    @property
    def marker(self) -> Callable[[Id], Marker]:
        """A marker in symbols, by its id."""
        return self.markers.marker

    # --- mass

    def _fill_mass(self) -> None:
        """M, and the mass centres in body axes."""
        self.m: Expressions = []
        inertias = []
        for k, id in enumerate(self.compiled.body_ids):
            properties, body = self.geometry.properties[k], self.model[id]
            n = self.names.index[id]
            self.m.append(
                expression_of(body.mass)
                if isinstance(body.mass, Traced)
                else self.names.symbol(f"m_{n}", properties.mass, id)
            )
            self.center.append(
                tuple(
                    self.names.place(id, c, c, f"c{axis}_{n}", id)
                    for axis, c in zip(AXES, map(float, properties.center))
                )
            )
            inertias.append(self._inertia(k, id, properties.inertia))
        self.J = inertias
        self.M = sp.zeros(len(self.v), len(self.v))
        for k, J in enumerate(inertias):
            at = self.compiled.layout.velocity(k).start
            for c in range(self.dim):
                self.M[at + c, at + c] = self.m[k]
            for i, row in enumerate(J):
                for j, entry in enumerate(row):
                    self.M[at + self.dim + i, at + self.dim + j] = entry

    def _inertia(self, k: int, id: Id, J: Any) -> list[Expressions]:
        """J in symbols: of a known shape by its sizes, else a symbol for each number."""
        n, names = self.names.index[id], self.names
        size = 1 if self.dim == 2 else 3
        if self.compiled.is_particle[k]:
            return [[sp.S.Zero] * size for _ in range(size)]
        l, b, h, r = (names.length(id, s) for s in ("length", "width", "height", "radius"))
        if self.dim == 2:
            known = [l**2 / 12, (l**2 + b**2) / 12, (b**2 + h**2) / 12, r**2 / 2]
            known = [self.m[k] * x for x in known if x != 0]
            return [[names.known_or_symbol(float(J), known, f"J_{n}", id)]]
        made: dict[tuple[int, int], sp.Expr] = {}
        for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
            alike = [made[a, a] for a in range(i)] if i == j else []
            label = AXES[i] + (AXES[j] if i != j else "")
            made[i, j] = made[j, i] = names.known_or_symbol(
                float(J[i][j]), alike, f"J{label}_{n}", id
            )
        return [[made[i, j] for j in range(3)] for i in range(3)]

    # --- rows

    def coordinate(self, c: Coordinate) -> tuple[Moving, ...]:
        """A coordinate in symbols, and its rates."""
        return coordinate(c, self.marker(c.marker_i), self.marker(c.marker_j))

    def gradient(self, rate: sp.Expr) -> dict[int, sp.Expr]:
        """D of a rate, which is linear in v, by the place in v."""
        turning = (W for spin in self.short.spins.values() for W in spin)
        slopes = coefficients(rate, frozenset((*self.v, *turning)))
        found = {k: slopes[v] for k, v in enumerate(self.v) if v in slopes}
        for k, body in enumerate(self.bodies if self.dim == 3 else ()):
            turn = [slopes.get(W, sp.S.Zero) for W in self.short.spins.get(body.name, ())]
            for at, column in zip(self.compiled.layout.v_of([k])[3:], zip(*body.rows)):
                entry = sp.Add(*(R * x for R, x in zip(column, turn)))  # W = R w
                if entry != 0:
                    found[int(at)] = entry
        return found

    def _fill_rows(self) -> None:
        n = self.compiled.n_rows
        self.Phi, self.nu, self.gamma = ([sp.S.Zero] * n for _ in range(3))
        self.D = sp.zeros(n, len(self.v))
        self._off = is_off(self.compiled.system)  # one-sided rows that are open as drawn
        for id, places in self.compiled.rows_of.items():
            at = iter(int(k) for k in places)
            for row in self.model[id].rows(self.model):
                if row.typed is not None:
                    self._fill_typed(next(at), row)
                    continue
                parts = [(expression_of(weight), self.coordinate(c)) for weight, c in row.terms]
                for components in zip(*(moving for _, moving in parts)):
                    g = Moving(sp.S.Zero)
                    for (weight, _), component in zip(parts, components):
                        g = g.plus(component, weight)
                    self._fill_row(next(at), row, g, id)

    def _fill_row(self, at: int, row: Row, g: Moving, id: Id) -> None:
        """Phi = g - c,  D v = nu,  gamma = c_ddot - g_ww, from the level on at which the row starts."""
        if self._off[at]:
            return
        for column, entry in self.gradient(g.dot).items():
            self.D[at, column] = entry
        target = self._target(at, row, id)
        jet = [target, slope(target, T), slope(slope(target, T), T)]
        if row.level == layout.POSITION:
            self.Phi[at] = g.x - target
        if row.level < layout.ACCELERATION:
            self.nu[at] = jet[1 - row.level]
        self.gamma[at] = jet[2 - row.level] - g.ww

    def _fill_typed(self, at: int, row: Row) -> None:
        """A formula F of coordinates, rates and t, by the chain rule as in engine.kernels.formulas."""
        assert row.typed is not None
        arguments = [self.coordinate(c)[0] for _, c in row.terms]
        standing = [sp.Dummy(f"x{k}", real=True) for k in range(len(arguments))]
        F = formula(
            row.typed.text,
            {**self.names.parameters, **dict(zip(row.typed.names, standing)), "t": T},
        )
        here = {
            x: one.dot if is_rate else one.x
            for x, one, is_rate in zip(standing, arguments, row.typed.of_rate)
        }
        way = {
            x: one.dot
            for x, one, is_rate in zip(standing, arguments, row.typed.of_rate)
            if not is_rate
        }

        def along(expression: sp.Expr) -> sp.Expr:
            """Its rate while rates stand still."""
            changes = (slope(expression, x) * rate for x, rate in way.items())
            return sp.Add(slope(expression, T), *changes)

        is_late = row.level != layout.POSITION
        rate, changed = sp.S.Zero, sp.S.Zero
        for x, one, is_rate in zip(standing, arguments, row.typed.of_rate):
            if is_rate or not is_late:
                steep = slope(F, x).subs(here)
                rate += steep * one.dot
                changed += steep * one.ww
        for column, entry in self.gradient(rate).items():
            self.D[at, column] = entry
        if is_late:
            self.nu[at] = rate - F.subs(here)
            self.gamma[at] = -changed - along(F).subs(here)
        else:
            self.Phi[at] = F.subs(here)
            self.nu[at] = -slope(F, T).subs(here)
            self.gamma[at] = -changed - along(along(F)).subs(here)

    def _target(self, at: int, row: Row, id: Id) -> sp.Expr:
        """c(t): a function, a number with its expression, or what it is in the drawing."""
        level, target = row.level, row.target
        if isinstance(target, Traced) and (
            level != layout.POSITION or not row.terms[0][1].is_angle
        ):
            return target.expression
        if level == layout.POSITION and (target is None or isinstance(target, int | float)):
            value = float(self.compiled.system.rows[at]["constant"])
            share = share_of_pi(value, 4) if row.terms[0][1].is_angle else None
            if share is not None or value == 0.0:
                return share or sp.S.Zero
            return sp.sign(exact(value)) * self.names.symbol(f"c_{id}", abs(value), id)
        return self.function(target, {"t": T}, id)

    def function(self, given: Any, variables: dict[str, sp.Expr], owner: Id) -> sp.Expr:
        """A number, or a formula; a table is a function without a formula, F(t)."""
        if isinstance(given, str):
            return formula(given, {**self.names.parameters, **variables})
        if isinstance(given, int | float):
            return expression_of(given)
        variable, argument = list(variables.items())[-1]
        made, numbers = table_function(f"F{len(self.tables)}_{owner}", given, variable)
        self.tables |= numbers
        return made(argument)

    # --- forces

    def _fill_forces(self) -> None:
        """f, and the part of each element in it."""
        self.f: Expressions = [sp.S.Zero] * len(self.v)
        self.parts: dict[Id, dict[int, sp.Expr]] = {}
        self.tensions: list[Any] = []
        for k in range(len(self.bodies)):
            at = self.compiled.layout.velocity(k).start
            for c, g in enumerate(self.names.gravity):
                self._add(WEIGHT, at + c, self.m[k] * g)
            if self.dim == 3:
                w = self.bodies[k].v[3:]
                Jw = [sum((a * b for a, b in zip(row, w)), sp.S.Zero) for row in self.J[k]]
                for c, moment in enumerate(skew(w, Jw)):
                    self._add(GYROSCOPIC, at + 3 + c, -moment)
        packed = iter(self.compiled.system.laws)
        for element in self.model.of("force"):
            for law in element.laws(self.model):
                self._add_law(element, law, next(packed))
        for element in self.model.of("force"):
            for load in element.loads(self.model):
                self._add_load(element.id, load)
        self._add_interactions()
        self._add_teeth()

    def _add(self, id: Id, at: int, value: sp.Expr) -> None:
        part = self.parts.setdefault(id, {})
        part[at] = part.get(at, sp.S.Zero) + value
        self.f[at] += value

    def _add_law(self, element: Any, law: Any, packed: Any) -> None:
        """-N (dx/dq)^T."""
        (x,) = self.coordinate(law.coordinate)
        (other,) = self.coordinate(law.other or law.coordinate)
        x0 = law.param[2]
        if law.kind in (layout.EXPRESSION, layout.STOP):
            free = sp.S.Zero
        elif x0 is None:
            value = float(packed["param"][2])
            free = self.names.known_or_symbol(value, [], f"l0_{element.id}", element.id)
        else:
            free = expression_of(x0)
        N = acting.tension(
            law,
            free,
            Channels(x.x, x.dot, other.x, other.dot),
            lambda given, variables: self.function(given, {"t": T, **variables}, element.id),
        )
        gradient = self.gradient(x.dot)
        self.tensions.append((element.id, N, x, gradient))
        for at, steep in gradient.items():
            self._add(element.id, at, -N * steep)

    def _add_load(self, id: Id, load: Load) -> None:
        marker = self.marker(load.marker)
        if not marker.body.q:
            return
        F = self._given(load.components, id)
        world = _three(marker.body.turned(F)) if load.in_body_axes else F
        if load.kind == layout.FORCE:
            self._push(id, marker, world, _three(c.x for c in marker.arm), NOTHING, 1)
        else:
            self._push(id, marker, NOTHING, NOTHING, world, 1)

    def _given(self, components: Any, id: Id) -> Components:
        return _three(sp.S.Zero if c == 0.0 else self.function(c, {"t": T}, id) for c in components)

    def _push(
        self, id: Id, marker: Marker, F: Components, arm: Components, turn: Components, sign: int
    ) -> None:
        """Add a force at an arm and a torque, along world axes, to the body of a marker."""
        if not marker.body.q:
            return
        at = self.compiled.layout.velocity(marker.place).start
        moment = [a + b for a, b in zip(skew(arm, F), turn)]
        if self.dim == 2:
            added = (*F[:2], moment[2])
        else:
            turned = [
                sum(R * x for R, x in zip(column, moment)) for column in zip(*marker.body.rows)
            ]
            added = (*F, *turned)
        for c, value in enumerate(added):
            if value != 0:
                self._add(id, at + c, sign * value)

    def _add_interactions(self) -> None:
        every = interactions_of(self.model)
        pieces = Counter(element.id for element, _ in every)
        told: Counter[Id] = Counter()
        for which, (element, one) in enumerate(every):
            told[element.id] += 1
            piece = f"_{told[element.id]}" if pieces[element.id] > 1 else ""
            self._add_interaction(element.id, one, which, piece)

    def _add_interaction(self, id: Id, one: Interaction, which: int, piece: str) -> None:
        """The force at P_j on body j, and the opposite on body i; a force may have several pieces."""
        i, j = self.markers.frame(one.marker_i), self.markers.frame(one.marker_j)
        e = plus(plus(j.body.r, j.arm), i.body.r, -1)
        if one.law in CLOSED_FORMS:
            u = plus(
                plus(j.body.velocity, cross(j.body.spin, j.arm)),
                plus(i.body.velocity, cross(i.body.spin, e)),
                -1,
            )
            seen = _three(c.x for c in u)
            wrench = CLOSED_FORMS[one.law](
                one=one, i=i, j=j, given=self._given(one.given, id), u=seen
            )
        else:
            wrench = self._named_wrench(id, which, piece)
        self._push(id, j, wrench.force, _three(c.x for c in j.arm), wrench.torque, 1)
        self._push(id, i, wrench.force, _three(c.x for c in e), wrench.torque, -1)

    def _named_wrench(self, id: Id, which: int, piece: str) -> Wrench:
        """Force and torque as symbols, whose numbers the engine gives."""
        made = [sp.S.Zero] * 6
        for n, letter in enumerate(("Fx", "Fy", "Fz", "Mx", "My", "Mz")):
            if self.dim == 3 or letter in ("Fx", "Fy", "Mz"):
                made[n] = self.names.symbol(f"{letter}_{id}{piece}", 0.0, id)
                del self.names.values[made[n]]
                self.outside[made[n]] = (which, n)
        return Wrench(_three(made[:3]), _three(made[3:]))

    def _add_teeth(self) -> None:
        """The radial force of teeth, which follows from the multiplier of their row."""
        for id, rows in self.compiled.rows_of.items():
            meshing = getattr(self.model[id], "meshing", None)
            mesh = meshing(self.model) if meshing else None
            if mesh is None or float(mesh.pressure_angle) == 0.0:
                continue
            i, j = self.marker(mesh.marker_i), self.marker(mesh.marker_j)
            press = acting.radial_force(mesh, self.lam[int(rows[0])], i, j)
            for marker, sign in ((j, 1), (i, -1)):
                r = [c.x for c in marker.body.r]
                arm = _three(p - c for p, c in zip(press.point, r))
                self._push(id, marker, press.force, arm, NOTHING, sign)


def _three(components: Any) -> Components:
    x, y, z = components
    return x, y, z
