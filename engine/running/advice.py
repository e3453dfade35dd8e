"""Advice before a run: whether the step is short enough, and which method suits the model.

A force law of stiffness k = dN/dx and damping c = dN/dx_dot along its coordinate x, alone on the
mechanism at its start, makes x move by

    x_ddot + c m x_dot + k m x = 0,        m = g P g^T,     P = W - W D^T S^-1 D W

where g = dx/dq and m is the reciprocal of the effective mass along x. P = N N^T with N the free motions of
unit mass, so m is the sum of the squared rates of x in these motions. An explicit method of fixed step must
resolve this mode even after it has died out.

A law of markers has matrices K and C; of its modes in the free motions, by N^T K N and N^T C N, the
fastest is taken.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from engine.compiling.system import Compiled, linked, workspace
from engine.errors import say
from engine.integrators.amplification import growth
from engine.kernels import dynamics, histories
from engine.kernels.acting.contact_laws import EXPONENT, STIFFNESS
from engine.kernels.functions import STACK_SIZE
from engine.kernels.layout import EXPRESSION, STOP
from engine.kinematics.assemble import Start
from engine.kinematics.evaluate import fill
from engine.kinematics.mobility import Mobility
from engine.model.elements import Id, Settings
from engine.model.fields import plain
from engine.model.methods import BY_NAME
from engine.results.blocks import Statistics
from engine.running.gimbal import lock
from rotations import SEQUENCES, gimbal_lock

SLIGHT = 1e-6  # of a coordinate: step of a difference quotient
ROOM = 0.01  # tolerated growth per step: methods that are never quite stable are used
IN_A_CONTACT = 10.0  # steps that a method of fixed step needs in a contact to follow it
IN_CONTACT = 0.125  # of the period of a contact: the longest step of step control while it presses
MOST_PRESSING = 20  # contacts of many bodies whose motion is found
SAME_INTERVAL = 1e-6  # between frames, relative: a difference that need not be told


FORCE_TOO_FAST = (
    "Force '{label}' makes a motion with {words}; {full} needs h < {limit} for it, and you use {h}. Use a "
    "shorter step, a stiff method, or softer springs and dampers."
)
BEAM_TOO_FAST = (
    "Beam '{label}' swings by itself with {words}; {full} needs h < {limit} for it, and you use {h}. Use a "
    "shorter step, a stiff method, or keep fewer shapes."
)


class Swing(NamedTuple):
    """The mode of motion that a force law alone would cause, or the fastest one of a beam."""

    id: Id  # the force or the beam
    square: float  # k m = w^2          [1/s^2]
    decay: float  # c m                 [1/s]

    @property
    def rate(self) -> float:
        """The magnitude of its eigenvalues: of the larger one if it is overdamped."""
        return float(np.abs(np.roots([1.0, self.decay, self.square])).max())

    @property
    def words(self) -> str:
        """Its period, or its time constant, in words."""
        if self.decay**2 < 4.0 * self.square:
            return say("a period of {period}", period=seconds(2.0 * np.pi / np.sqrt(self.square)))
        return say("a time constant of {time}", time=seconds(1.0 / self.rate))


class Advice(NamedTuple):
    """A warning before the run, and its remedies."""

    sentence: str
    ids: tuple[Id, ...]
    step: float  # the longest that is stable [s]
    remedies: tuple[tuple[str, dict[str, object]], ...]  # words, and the settings they stand for


def swings(compiled: Compiled, start: Start, mobility: Mobility) -> list[Swing]:
    """The mode of every force law at the start, and the fastest one of every beam; fastest first.

    Joints never raise the highest frequency of a beam (interlacing).
    """
    found = [
        Swing(id, float(record.modes.w2[-1]), float(np.linalg.eigvalsh(record.C)[-1]))
        for id, record in compiled.elastic.items()
        if record.n_f
    ]
    if mobility.dof > 0:
        found += _of_laws(compiled, start, mobility) + _of_interactions(compiled, start, mobility)
    return sorted(found, key=lambda swing: -swing.rate)


def _of_interactions(compiled: Compiled, start: Start, mobility: Mobility) -> list[Swing]:
    """The modes of laws of markers: the largest eigenvalues of N^T K N and N^T C N, by differences."""
    if not compiled.interaction_ids:  # all motions of a large model take long to find
        return []
    found, motions, system = [], mobility.motions, compiled.system
    alone = system._replace(
        laws=system.laws[:0], loads=system.loads[:0], rubbings=system.rubbings[:0]
    )
    dx = SLIGHT * max(compiled.length, 1.0)
    owner = [*range(system.n_bodies), *system.followers["body"].tolist()]
    pressing = _pressing_among_many(compiled, start)
    for k, id in enumerate(compiled.interaction_ids):
        one = system.interactions[k]
        if one["reach"] > 0.0 and k not in pressing:
            continue
        bodies = [owner[body] for body in (one["i"], one["j"]) if body < len(owner)]
        own = motions[:, np.abs(motions[compiled.layout.v_of(bodies)]).any(axis=0)]
        parts = [
            replace(compiled, system=alone._replace(interactions=system.interactions[at]))
            for at in (slice(k, k + 1), slice(0, 0))
        ]

        def pushed(q: np.ndarray, v: np.ndarray, parts: list[Compiled] = parts) -> np.ndarray:
            f = []
            for part in parts:
                ws = workspace(part.system)
                fill(part, ws, 0.0, q, v)
                f.append(ws.f[: len(v)])  # behind it are forces on followers, brought to bodies
            return f[0] - f[1]

        f0, K, C = pushed(start.q, start.v), [], []
        for motion in np.ascontiguousarray(own.T):
            q = start.q.copy()
            dynamics.move(system.dim, system.bodies, q, dx * motion, np.zeros_like(q))
            K.append((f0 - pushed(q, start.v)) @ own / dx)
            C.append((f0 - pushed(start.q, start.v + SLIGHT * motion)) @ own / SLIGHT)
        square, decay = (_largest_eigenvalue(np.array(part)) for part in (K, C))
        if square > 0.0 or decay > 0.0:
            found.append(Swing(id, square, decay))
    return found


def _pressing_among_many(compiled: Compiled, start: Start) -> set[int]:
    """The contacts of many bodies that press at the start, a few of them: the others make no motion."""
    if not len(compiled.system.skin):
        return set()
    y = compiled.layout.y(start.q, start.v, compiled.z0)[None]
    out, ws = np.zeros((1, len(compiled.switch_ids))), workspace(compiled.system)
    table = linked(compiled.system, ws)
    histories.branches(table, np.zeros(1), y, np.zeros(len(ws.angle)), out)
    found = compiled.system.switches["contact"][np.flatnonzero(out[0])]
    return {int(k) for k in found[:MOST_PRESSING]}


def _largest_eigenvalue(A: np.ndarray) -> float:
    """The largest eigenvalue of the symmetric part of a matrix, at least zero."""
    if not A.size or not np.isfinite(A).all():
        return 0.0
    return max(float(np.linalg.eigvalsh(0.5 * (A + A.T))[-1]), 0.0)


def _of_laws(compiled: Compiled, start: Start, mobility: Mobility) -> list[Swing]:
    """The modes of laws along coordinates."""
    system = compiled.system
    laws, n = system.laws, len(system.laws)
    if n == 0:
        return []
    ws = workspace(system)
    x, rate = fill(compiled, ws, 0.0, start.q, start.v)
    ws.angle[:] = x
    inv_mass = np.zeros(len(system.terms))
    for motion in mobility.motions.T:
        inv_mass += fill(compiled, ws, 0.0, start.q, np.ascontiguousarray(motion))[1] ** 2
    dx, dv = SLIGHT * max(compiled.length, 1.0), SLIGHT
    X, V = np.stack([x, x + dx, x]), np.stack([rate, rate, rate + dv])
    N = np.zeros((3, n))
    args, stack = np.zeros(5), np.zeros(STACK_SIZE)
    histories.tensions(laws, system.functions, np.zeros(3), X, V, args, stack, N)
    k, c = (N[1] - N[0]) / dx, (N[2] - N[0]) / dv
    found = []
    for law, id, k_i, c_i in zip(laws, compiled.law_ids, k, c):
        if law["kind"] == STOP:  # it may be reached later
            k_i, c_i = law["param"][2], law["param"][3]
        elif is_one_sided(law):  # slack now, taut later
            k_i, c_i = max(k_i, law["param"][0]), max(c_i, law["param"][1])
        m = inv_mass[law["term"]]
        if np.isfinite([k_i, c_i]).all() and (k_i > 0.0 or c_i > 0.0) and m > 0.0:
            found.append(Swing(id, float(max(k_i, 0.0) * m), float(max(c_i, 0.0) * m)))
    return found


def longest_steps_in_contact(compiled: Compiled, start: Start, mobility: Mobility) -> np.ndarray:
    """The longest step of a method with step control while each switch presses [s]; infinite: no contact.

    It is a part of the period 2 pi sqrt(m_eff / k) of the mechanism on the stop, rope or buffer.
    """
    longest = np.full(len(compiled.switch_ids), np.inf)
    laws = compiled.system.switches["law"]
    touching = np.flatnonzero(compiled.system.switches["contact"] >= 0)
    longest[touching] = IN_CONTACT * 2.0 * np.pi / _rates_of_contacts(compiled)
    if mobility.dof == 0 or not (laws >= 0).any():
        return longest
    rates = {swing.id: swing.rate for swing in reversed(swings(compiled, start, mobility))}
    for k, (law, id) in enumerate(zip(laws, compiled.switch_ids)):
        if law >= 0 and is_one_sided(compiled.system.laws[law]) and rates.get(id, 0.0) > 0.0:
            longest[k] = IN_CONTACT * 2.0 * np.pi / rates[id]
    return longest


def _rates_of_contacts(compiled: Compiled) -> np.ndarray:
    """About how fast two free bodies swing on each contact, if pressed by 1 % of the model [rad/s]."""
    system, which = compiled.system, compiled.system.switches["contact"]
    met = system.interactions[which[which >= 0]]
    n = len(system.bodies)
    inv_mass = np.append(system.bodies["inv_mass"], np.zeros(len(system.carriers) - n + 1))
    m = inv_mass[met["i"]] + inv_mass[met["j"]]
    k, e = met["param"][:, STIFFNESS], met["param"][:, EXPONENT]
    linear = k * e * (0.01 * compiled.length) ** (e - 1.0)
    return np.sqrt(np.maximum(linear * m, 1e-300))


def is_one_sided(law: np.void) -> bool:
    """Whether a law presses only beyond a limit: a stop, a rope or a buffer."""
    return bool(law["kind"] == STOP or (law["kind"] != EXPRESSION and law["param"][4] != 0.0))


def longest_step(method: str, swing: Swing) -> float:
    """The longest step at which an explicit method of fixed step is stable for the mode [s].

    In the time rate * t of the mode, so that neither fast nor slow ones leave the range of doubles.
    """
    rate = swing.rate
    if rate == 0.0:  # its decay has left the range of doubles
        return float("inf")
    A = np.array([[0.0, 1.0], [-swing.square / rate / rate, -swing.decay / rate]])

    def grows(h: float) -> bool:
        return bool(np.abs(np.linalg.eigvals(growth(method, h * A))).max() > 1.0 + ROOM)

    low, high = 0.0, 4.0
    while not grows(high):
        high *= 2.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if grows(middle) else (middle, high)
    return low / rate


def advise(compiled: Compiled, settings: Settings, found: list[Swing]) -> list[Advice]:
    """A warning where the step is too long for a force; empty if all is well."""
    method = BY_NAME[settings.method]
    if not found or method.is_stiff or not method.is_fixed:
        return []
    swing, h = found[0], plain(settings.step)
    limit = longest_step(method.name, swing)
    if h <= limit:
        return []
    label = compiled.resolved[swing.id].label
    step = float(f"{0.8 * limit:.1g}")
    return [
        Advice(
            say(
                BEAM_TOO_FAST if swing.id in compiled.elastic else FORCE_TOO_FAST,
                label=label,
                words=swing.words,
                full=method.full,
                limit=seconds(limit),
                h=seconds(h),
            ),
            (swing.id,),
            limit,
            (
                (say("Use h = {step}", step=seconds(step)), {"step": step}),
                (say("Use IDA, a stiff method"), {"method": "ida"}),
                (say("Use Dormand-Prince with step control"), {"method": "dop853"}),
            ),
        )
    ]


def contacts(compiled: Compiled, found: list[Swing]) -> list[Swing]:
    """The modes of stops, ropes, buffers and contacts, fastest first."""
    pressing = {id for law, id in zip(compiled.system.laws, compiled.law_ids) if is_one_sided(law)}
    numbers = np.flatnonzero(compiled.system.switches["contact"] >= 0).tolist()
    rates = zip(numbers, _rates_of_contacts(compiled).tolist())
    touching = [Swing(compiled.switch_ids[k], rate**2, 0.0) for k, rate in rates]
    met = [swing for swing in found if swing.id in pressing] + touching
    return sorted(met, key=lambda swing: -swing.rate)


def note_contacts(compiled: Compiled, settings: Settings, found: list[Swing]) -> list[str]:
    """What a method of fixed step does at contacts, in a sentence; empty where all is found."""
    method, met = BY_NAME[settings.method], contacts(compiled, found)
    if not met or not method.is_fixed:
        return []
    return [
        say(
            "The steps of {full} do not end where '{label}' begins or ceases to press: such a moment is "
            "uncertain by a step of {h}. Methods with step control find it to 1e-9 s.",
            full=method.full,
            label=compiled.resolved[met[0].id].label,
            h=seconds(plain(settings.step)),
        )
    ]


def sentences(given: list[Advice], statistics: Statistics) -> list[str]:
    """What was advised before the run, and what had to be done since."""
    told = [advice.sentence for advice in given]
    if statistics.stiff_since == statistics.stiff_since:
        told.append(
            say(
                "From t = {t} on Radau IIA, a stiff method, went on: stability, not accuracy, kept steps "
                "short.",
                t=seconds(statistics.stiff_since),
            )
        )
    if not statistics.halved:
        return told
    return [
        *told,
        say(
            "{n} of {steps} steps were taken in parts: their equations could not be solved in one. Use a "
            "shorter step, or a method with step control.",
            n=statistics.halved,
            steps=statistics.steps,
        ),
    ]


def note_frames(settings: Settings) -> list[str]:
    """A sentence where frames cannot be as far apart as asked for: they divide the run into equal parts."""
    t_end, asked = plain(settings.t_end), plain(settings.output_step)
    between = t_end / max(1, round(t_end / asked))
    if abs(between / asked - 1.0) <= SAME_INTERVAL:
        return []
    return [
        say(
            "Frames are {between} apart instead of {asked}: they divide {t_end} into equal parts. For "
            "frames every {asked} choose an end time that is a multiple of it.",
            between=seconds(between, 6),
            asked=seconds(asked, 6),
            t_end=seconds(t_end, 6),
        )
    ]


def brief_contacts(compiled: Compiled, settings: Settings, found: list[Swing]) -> list[Advice]:
    """A warning where a contact lasts for a few fixed steps only: half a period of its motion."""
    method, met = BY_NAME[settings.method], contacts(compiled, found)
    if not met or not method.is_fixed:
        return []
    lasts, h = float(np.pi / met[0].rate), plain(settings.step)
    if h * IN_A_CONTACT <= lasts:
        return []
    step = float(f"{0.8 * lasts / IN_A_CONTACT:.1g}")
    return [
        Advice(
            say(
                "A contact with '{label}' lasts about {lasts}, and {full} takes steps of {h}: how it "
                "bounces is not right. Use h = {step} or less, or a method with step control.",
                label=compiled.resolved[met[0].id].label,
                lasts=seconds(lasts),
                full=method.full,
                h=seconds(h),
                step=seconds(step),
            ),
            (met[0].id,),
            lasts / IN_A_CONTACT,
            (
                (say("Use h = {step}", step=seconds(step)), {"step": step}),
                (say("Use Dormand-Prince with step control"), {"method": "dop853"}),
            ),
        )
    ]


def near_lock(compiled: Compiled, settings: Settings, start: Start) -> list[Advice]:
    """A warning for each body whose Euler angles begin near their lock, unless the run switches."""
    if compiled.system.dim == 2 or settings.near_lock.startswith("switch"):
        return []
    found = []
    for k, code in enumerate(compiled.system.bodies["orientation"]):
        if code < 0:
            continue
        sequence, id = SEQUENCES[code], compiled.body_ids[k]
        s = float(gimbal_lock.measure(sequence, start.q[compiled.layout.angles(k)]))
        if s >= lock.NEAR:
            continue
        label = compiled.resolved[id].label
        found.append(
            Advice(
                say(
                    "Body '{label}' begins {distance} from gimbal lock of the sequence "
                    "{sequence}, by which it is integrated. Use quaternions or another sequence for it, or "
                    "let the run switch by itself.",
                    label=label,
                    distance=lock.distance(s),
                    sequence=sequence,
                ),
                (id,),
                plain(settings.step),
                ((say("Switch to quaternions near lock"), {"near_lock": "switch to quaternion"}),),
            )
        )
    return found


def seconds(t: float, digits: int = 2) -> str:
    """A duration as text."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if t >= 0.1 * size:
            return f"{t / size:.{digits}g} {unit}"
    return f"{t / 1e-6:.{digits}g} us"
