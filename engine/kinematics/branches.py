"""The other ways in which a mechanism closes: its branches.

A dyad is two bodies i and j that share a pin P, while i is held at A and j at B by the rest of a loop.
P lies on the circle about A. If j turns about B as well, P lies on a second circle, and if j slides
along u, on a line; each meets the first circle in a second point,

    two circles:        P' = P mirrored in the line A B
    circle and line:    P' = 2 F - P            F the foot of A on the line through P along u

A massless rod from A to a body that turns about B is the same with one body only. Turning the bodies so
that P comes to P', and assembling from there, gives another branch with all motions and the ground parts
unchanged. Where nothing can move freely the solutions are isolated, and random starts of all bodies find
those that no dyad gives, in the plane and in space.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.geometry import Geometry
from engine.compiling.system import Compiled, compile_model, coordinate_values
from engine.errors import EngineError, say
from engine.kernels import dynamics
from engine.kinematics.assemble import Start, assemble
from engine.kinematics.closing import difference
from engine.kinematics.mobility import mobility
from engine.kinematics.poses import body_frames
from engine.model.attachments import Attachment, attachment
from engine.model.elements import Id, put, remove
from engine.model.forces import Actuator
from engine.model.joints import Motion
from engine.model.joints.freedom import freedom

MOST = 6  # branches that are listed
RANDOM_STARTS = 24
MOST_FAILURES = 6  # starts that do not close, which take longest
PATIENCE = 20  # iterations of one assembly
WORK = 40_000  # failed starts times rows squared, while the user waits
LARGEST = 150  # rows of a mechanism whose branches are looked for
SAME = 1e-4  # of the size, or radians: poses this near are the same
ASIDE = 1e-6  # of the size: a pin nearer than this to the line of its dyad has no other side
LEVER = 0.25  # of the size: how far a turn by one radian moves a body


class Dyad(NamedTuple):
    """What mirrors one pin: the bodies that turn or slide, and where they are held."""

    pin: tuple[int, np.ndarray]  # body and point in it, from the mass centre
    turning: tuple[tuple[int, int, np.ndarray], ...]  # (body, body held there, point in that) ...
    far: tuple[int, np.ndarray]  # where the second circle, or the line, is held
    slide: tuple[int, int, np.ndarray] | None = None  # body that slides, body of u, u in that


def branches(compiled: Compiled, at: Id = "") -> list[Start]:
    """The closed poses other than that of the drawing, nearest first; at most MOST.

    With the id of a joint, only those in which that joint changes its side. EngineError says why there
    is none.
    """
    if compiled.n_rows > LARGEST:
        raise EngineError(
            "The mechanism is too large to look for its other branches while you wait. Move a body to "
            "the other side and assemble."
        )
    try:
        drawn = assemble(compiled)
    except EngineError:
        drawn = None  # then every closed pose is a different one
    start = compiled.q0 if drawn is None else drawn.q
    held = compiled if drawn is None else _held(compiled, drawn)
    is_free = drawn is not None and mobility(held, drawn.q, drawn.v).dof > 0
    search = _Search(held, drawn, is_free)
    if compiled.system.dim == 2:
        search.mirror(start, at)
    if not is_free and not at:
        search.shake(start)
    if not search.found:
        raise EngineError(_why_none(compiled, is_free, at), *([at] if at else []))
    found = sorted(search.found, key=lambda one: _distance(compiled, one.q, start))[:MOST]
    # with its own velocities: those of `held` belong to drivers at rest
    return found if held is compiled else [assemble(compiled, q=one.q) for one in found]


def _held(compiled: Compiled, pose: Start) -> Compiled:
    """The mechanism with the joints that motors and motions drive held where they are."""
    numbers = compiled.resolved
    values = coordinate_values(compiled.system, pose.q, pose.v)
    drives = [m for m in numbers.of("motion") if m.quantity != "position"]
    motors = [f for f in numbers.of("force") if isinstance(f, Actuator)]
    if len(motors) <= mobility(compiled, pose.q, pose.v).dof:
        drives += motors  # more of them than degrees of freedom would block each other
    known = {(m.joint, m.coordinate) for m in numbers.of("motion") if m.quantity == "position"}
    for drive in drives:
        names = numbers[drive.joint].coordinates(numbers)
        name = drive.coordinate or next(iter(names))
        if known.isdisjoint({(drive.joint, name), (drive.joint, drive.coordinate)}):
            known.add((drive.joint, name))
            value = float(values[compiled.coordinates[drive.joint, name]])
            motion = Motion(id=drive.id, joint=drive.joint, coordinate=name, law=value)
            numbers = put(numbers, motion)
        else:
            numbers = remove(numbers, drive.id)
    try:
        return compile_model(numbers) if drives else compiled
    except EngineError:
        return compiled  # drivers that contradict each other are not held


class _Search:
    """Closed poses found so far, and how many starts may still be tried."""

    def __init__(self, compiled: Compiled, drawn: Start | None, is_free: bool) -> None:
        self.compiled, self.drawn, self.is_free = compiled, drawn, is_free
        self.found: list[Start] = []
        self.most_failures = min(max(WORK // max(compiled.n_rows, 1) ** 2, 1), MOST_FAILURES)
        self.failures = 0
        self.dyads = _Dyads(compiled)

    def mirror(self, start: np.ndarray, at: Id) -> None:
        """Mirror every dyad, then those of what was found; changes what is found."""
        waiting, dyads = [start], list(self.dyads.of(at))
        while waiting:
            q = waiting.pop(0)
            for dyad in dyads:
                if self._is_over():
                    return
                moved = self.dyads.mirrored(dyad, q)
                closed = None if moved is None else self._closed(moved)
                if closed is None:
                    continue
                if self.is_free and self.dyads.side(dyad, q) * self.dyads.side(dyad, closed.q) > 0:
                    continue  # assembly returned to a known pose
                if self._is_new(closed):
                    self.found.append(closed)
                    if not at and not self.is_free:  # a free mechanism would drift without end
                        waiting.append(closed.q)

    def shake(self, start: np.ndarray) -> None:
        """Start from random poses of all bodies; changes what is found."""
        compiled, system = self.compiled, self.compiled.system
        rng = np.random.default_rng(1)
        shift = _largest_shifts(compiled)
        self.failures = 0
        for n in range(RANDOM_STARTS):
            if self._is_over():
                return
            moved, step = start.copy(), shift * rng.uniform(-1.0, 1.0, len(shift))
            reach = (n + 1) / RANDOM_STARTS  # first nearby, then everywhere
            dynamics.move(system.dim, system.bodies, moved, reach * step, np.zeros_like(moved))
            closed = self._closed(moved)
            if closed is not None and self._is_new(closed):
                self.found.append(closed)

    def _is_over(self) -> bool:
        """Whether enough poses were found, or enough starts have failed."""
        return len(self.found) >= MOST or self.failures >= self.most_failures

    def _closed(self, q: np.ndarray) -> Start | None:
        """The closed pose nearest to another; None, which is counted, if there is none."""
        try:
            return assemble(self.compiled, q=q, patience=PATIENCE)
        except EngineError:
            self.failures += 1
            return None

    def _is_new(self, one: Start) -> bool:
        known = [*self.found, *([self.drawn] if self.drawn is not None else [])]
        return all(not _is_same(self.compiled, one.q, other.q) for other in known)


class _Dyads:
    """The dyads of a planar model, and their points in any pose."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.geometry = Geometry(compiled.resolved)
        self.n = compiled.system.n_bodies
        joints = compiled.resolved.of("joint") if compiled.system.dim == 2 else []
        self.joints = [j for j in joints if attachment(j) is Attachment.BETWEEN_MARKERS]
        self.ends = {j.id: [self.geometry.marker(m) for m in _ends(j)] for j in self.joints}
        self.group = self._welded()
        self.beside: dict[int, set[int]] = {}  # of each group those it is joined to
        for i, j in self.ends.values():
            a, b = self.group[i[0]], self.group[j[0]]
            self.beside.setdefault(a, set()).add(b)
            self.beside.setdefault(b, set()).add(a)

    def of(self, at: Id = "") -> Iterator[Dyad]:
        """All dyads, or those whose pin, or rod, is one joint."""
        for joint in self.joints:
            if at and joint.id != at:
                continue
            if freedom(joint, 2).is_pin:
                yield from self._at_pin(joint)
            elif freedom(joint, 2).spans:
                yield from self._at_rod(joint)

    def mirrored(self, dyad: Dyad, q: np.ndarray) -> np.ndarray | None:
        """The pose with the pin of a dyad on its other side; None where it has none."""
        P, near = self._point(q, *dyad.pin), self._point(q, *dyad.turning[0][1:])
        if dyad.slide is not None:
            u = self._axis(q, *dyad.slide[1:])
            to = P + 2.0 * float((near - P) @ u) * u
        else:
            far = self._point(q, *dyad.far)
            along = far - near
            if not np.linalg.norm(along) > ASIDE * self.compiled.length:
                return None
            along = along / np.linalg.norm(along)
            to = 2.0 * (near + float((P - near) @ along) * along) - P
        if not np.linalg.norm(to - P) > ASIDE * self.compiled.length:
            return None
        moved = q.copy()
        for k, held, arm in dyad.turning:
            self._turn(moved, k, self._point(q, held, arm), P, to)
        if dyad.slide is not None:
            for one in self._same(dyad.slide[0]):
                moved[self.compiled.layout.position(one)] += to - P
        return moved

    def side(self, dyad: Dyad, q: np.ndarray) -> float:
        """On which side the pin of a dyad is, by its sign."""
        P, near = self._point(q, *dyad.pin), self._point(q, *dyad.turning[0][1:])
        if dyad.slide is not None:
            return float((near - P) @ self._axis(q, *dyad.slide[1:]))
        a, b = P - near, self._point(q, *dyad.far) - near
        return float(a[0] * b[1] - a[1] * b[0])

    # --- finding dyads

    def _at_pin(self, joint: Any) -> Iterator[Dyad]:
        """Dyads of two bodies that share a pin."""
        (i, P_i, _), (j, P_j, _) = self.ends[joint.id]
        if i == self.n or j == self.n or self.group[i] == self.group[j]:
            return
        for (k, P), other in (((i, P_i), j), ((j, P_j), i)):
            for A in self._holds(k, joint):
                for slides in (False, True):
                    if not slides and k == j:
                        continue  # the same as the other way round
                    for B in self._holds(other, joint, slides):
                        if not self._is_loop(A[2], B[2], (i, j)):
                            continue
                        if not slides:
                            turning = ((k, *A[:2]), (other, *B[:2]))
                            yield Dyad((k, P), turning, B[:2])
                        else:
                            yield Dyad((k, P), ((k, *A[:2]),), B[:2], (other, *B[3]))

    def _at_rod(self, joint: Any) -> Iterator[Dyad]:
        """Dyads of a massless rod and a rotating body."""
        ends = [end[:2] for end in self.ends[joint.id]]
        for (k, P), far in (ends, ends[::-1]):
            if k == self.n:
                continue
            for A in self._holds(k, joint):
                if self._is_loop(A[2], far[0], (k,)):
                    yield Dyad((k, P), ((k, *A[:2]),), far)

    def _holds(self, k: int, but: Any, slides: bool = False) -> list[Any]:
        """Where pins, or sliders, hold body k: (body, point in it, body beyond, (body, u in it)).

        The point belongs to the body beyond: it does not move while k turns about it.
        """
        found = []
        for joint in self.joints:
            free = freedom(joint, 2)
            if joint.id == but.id or not (free.is_slider if slides else free.is_pin):
                continue
            i, j = self.ends[joint.id]
            if self.group[i[0]] == self.group[j[0]]:
                continue
            for own, beyond in ((i, j), (j, i)):
                if own[0] < self.n and self.group[own[0]] == self.group[k]:
                    found.append((beyond[0], beyond[1], beyond[0], (i[0], i[2][:, 0])))
        return found

    def _is_loop(self, a: int, b: int, without: tuple[int, ...]) -> bool:
        """Whether two bodies are connected other than through the bodies of the dyad."""
        barred = {self.group[k] for k in without}
        start, goal = self.group[a], self.group[b]
        if start in barred or goal in barred:
            return False
        seen, waiting = {start}, [start]
        while waiting:
            fresh = self.beside.get(waiting.pop(), set()) - seen - barred
            seen |= fresh
            waiting += fresh
        return goal in seen

    def _welded(self) -> list[int]:
        """For each body the first of those it is welded to; the ground is n."""
        group = list(range(self.n + 1))
        for joint in self.joints:
            if freedom(joint, 2).is_rigid:
                i, j = (group[end[0]] for end in self.ends[joint.id])
                group = [max(i, j) if g in (i, j) else g for g in group]
        return group

    def _same(self, k: int) -> list[int]:
        """The moving bodies that are welded to body k."""
        return [one for one in range(self.n) if self.group[one] == self.group[k]]

    # --- places

    def _point(self, q: np.ndarray, k: int, P: np.ndarray) -> np.ndarray:
        """A point of body k, or of the ground, in the world."""
        if k == self.n:
            return P[:2]
        frames = body_frames(self.compiled, q)
        return (frames.r[k] + frames.R[k] @ (P + self.compiled.center[k]))[:2]

    def _axis(self, q: np.ndarray, k: int, u: np.ndarray) -> np.ndarray:
        """A direction of body k, or of the ground, in the world."""
        return u[:2] if k == self.n else (body_frames(self.compiled, q).R[k] @ u)[:2]

    def _turn(self, q: np.ndarray, k: int, A: np.ndarray, P: np.ndarray, to: np.ndarray) -> None:
        """Turn body k, and what is welded to it, about A so that P comes to `to`; changes q."""
        a, b = P - A, to - A
        angle = float(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))
        c, s = np.cos(angle), np.sin(angle)
        layout = self.compiled.layout
        for one in self._same(k):
            arm = q[layout.position(one)] - A
            q[layout.position(one)] = A + np.array(
                [c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]]
            )
            q[layout.orientation(one)] += angle


def _why_none(compiled: Compiled, is_free: bool, at: Id) -> str:
    """Why no other branch was found, and what may help."""
    if at:
        label = compiled.resolved[at].label
        return say(
            "'{label}' has no other side: it must be a pin or a rod between two bodies of a closed "
            "loop, and not lie in line with the joints beside it.",
            label=label,
        )
    if compiled.system.dim == 3 and is_free:
        return say(
            "In space, other branches are sought only where nothing can move freely. Drive the "
            "mechanism by motions, or turn a body to the other side and assemble."
        )
    return say(
        "No other closed pose was found. Only a loop of bodies has branches; where it stands "
        "stretched out, move it a little first."
    )


def _ends(joint: Any) -> tuple[Id, Id]:
    return joint.marker_i, joint.marker_j


def _largest_shifts(compiled: Compiled) -> np.ndarray:
    """The largest random displacement of all bodies, given like a velocity."""
    shift = np.full(compiled.layout.n_v, np.pi)
    shift[compiled.layout.velocities] = 0.5 * compiled.length
    return shift


def _is_same(compiled: Compiled, a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two poses are the same up to full turns."""
    shift, turn = _apart(compiled, a, b)
    return max(shift.max(initial=0.0) / compiled.length, turn.max(initial=0.0)) <= SAME


def _distance(compiled: Compiled, a: np.ndarray, b: np.ndarray) -> float:
    """The distance of two poses [m]."""
    shift, turn = _apart(compiled, a, b)
    return float(np.hypot(np.linalg.norm(shift), LEVER * compiled.length * np.linalg.norm(turn)))


def _apart(compiled: Compiled, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far bodies are shifted [m] and turned [rad] from one pose to another, up to full turns."""
    out, layout = difference(compiled, a, b), compiled.layout
    turn = out[layout.spins]
    if layout.dim == 2:
        turn = np.angle(np.exp(1j * turn))
    return np.abs(out[layout.velocities]), np.abs(turn)
