"""The velocities a run starts with: what was typed holds, what was left empty is free.

    minimise  1/2 v^T M v     subject to     D v = nu,     A v = u

A v are the velocities that were typed: of the origins of bodies, their spins, rates of joint coordinates; u
are the values. With v = W^1/2 x the energy is |x|^2 / 2, so that the solutions of least length are the
ones of least energy:

    D W^1/2 x = nu            x = p + N z,   p of least length, N a basis of what the joints leave free
    A W^1/2 N z = u - A W^1/2 p              z of least squares and, among these, of least length

Rows of A are scaled to (A W A^T)_kk = 1, so that values which contradict the joints or each other are
changed as little as kinetic energy can tell. Values that could not be kept are named.
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.system import Compiled, workspace
from engine.errors import EngineError, say
from engine.kernels.layout import ACCELERATION
from engine.kinematics.evaluate import coordinate_rows, dense_D, fill, inverse_mass
from engine.kinematics.poses import point_rows
from engine.model.bodies import Particle
from engine.model.elements import Element, Id

RANK = 1e-11  # of the largest eigenvalue of the scaled D W D^T: below it a row depends on others
MOVABLE = (
    1e-6  # of a typed velocity that may change at all: less of it is left free only by rounding
)
KEPT = 1e-6  # of its size: a typed velocity this near to its value is kept; poses close to 1e-9
IMPOSSIBLE = 1e-6  # of the largest speed asked for: what motions may miss


class Wish(NamedTuple):
    """A velocity that was typed."""

    id: Id
    field: str  # of the element
    A: np.ndarray  # (n, n_v)
    value: np.ndarray  # (n,)         [m/s, rad/s]


class Unkept(NamedTuple):
    """A velocity that was typed and could not be kept."""

    id: Id
    field: str
    typed: np.ndarray
    runs: np.ndarray  # what runs instead
    sentence: str


class Speeds(NamedTuple):
    """The velocities at the start."""

    v: np.ndarray
    unkept: tuple[Unkept, ...] = ()


def start_speeds(compiled: Compiled, t: float, q: np.ndarray) -> Speeds:
    """The velocities of least kinetic energy that keep the joints and what was typed."""
    ws = workspace(compiled.system)
    fill(compiled, ws, t, q, np.zeros_like(compiled.v0))
    held = compiled.system.rows["level"] != ACCELERATION
    nu, typed = ws.nu[held], list(wishes(compiled, q))
    if not typed and not nu.any():
        return Speeds(np.zeros_like(compiled.v0))
    D = dense_D(compiled, ws)[held]
    root = _root(inverse_mass(compiled))
    p, N = _solutions(D @ root, nu)
    _refuse_impossible(compiled, D @ root @ p - nu, np.flatnonzero(held), nu)
    if not typed:
        return Speeds(root @ p)
    A, u = np.concatenate([w.A for w in typed]), np.concatenate([w.value for w in typed])
    scale = np.linalg.norm(A @ root, axis=1)
    scale[scale == 0.0] = 1.0
    free = (A @ root @ N) / scale[:, None]
    U, values, Vt = np.linalg.svd(free, full_matrices=False)  # rows of A are scaled: at most 1 each
    rank = int((values > MOVABLE).sum())
    wanted = U[:, :rank].T @ ((u - A @ root @ p) / scale)
    z = Vt[:rank].T @ (wanted / values[:rank])
    v = root @ (p + N @ z)
    return Speeds(v, tuple(_unkept(compiled, typed, v)))


def wishes(compiled: Compiled, q: np.ndarray) -> Iterator[Wish]:
    """What was typed of velocities, as rows over v in the pose q."""
    field = "spin" if compiled.system.dim == 2 else "angular_velocity"
    for k, id in enumerate(compiled.body_ids):
        body = compiled.resolved[id]
        if body.velocity is not None:
            A = point_rows(compiled, q, k, -compiled.center[k])
            yield Wish(id, "velocity", A, np.array(body.velocity, dtype=float))
        if isinstance(body, Particle):
            continue
        typed = getattr(body, field)
        if typed is not None:
            at = np.arange(len(compiled.v0))[compiled.layout.spin(k)]
            own = np.zeros((len(at), len(compiled.v0)))
            own[np.arange(len(at)), at] = 1.0
            yield Wish(id, field, own, np.atleast_1d(np.array(typed, dtype=float)))
    rates = {
        (joint, name): typed
        for joint, name in compiled.coordinates
        if (typed := getattr(compiled.resolved[joint], f"{name}_rate", None)) is not None
    }
    rows = coordinate_rows(compiled, q, [compiled.coordinates[key] for key in rates])
    for (joint, name), row in zip(rates, rows):
        yield Wish(joint, f"{name}_rate", row[None], np.array([rates[joint, name]], dtype=float))


def start_values(compiled: Compiled, q: np.ndarray, v: np.ndarray) -> dict[Id, dict[str, Any]]:
    """What runs in every field for the start of a body or joint, typed or empty, by element and field."""
    layout, found = compiled.layout, dict[Id, dict[str, Any]]()
    for k, id in enumerate(compiled.body_ids):
        velocity = point_rows(compiled, q, k, -compiled.center[k]) @ v
        found[id] = {"velocity": tuple(velocity.tolist())}
        spin = v[layout.spin(k)]
        if layout.dim == 2:
            found[id]["spin"] = float(spin[0])
        else:
            found[id]["angular_velocity"] = tuple(spin.tolist())
    values, rates = fill(compiled, workspace(compiled.system), 0.0, q, v)
    for (joint, name), term in compiled.coordinates.items():
        started = {f"{name}_start": float(values[term]), f"{name}_rate": float(rates[term])}
        found.setdefault(joint, {}).update(started)
    return found


def _root(W: np.ndarray) -> np.ndarray:
    """The symmetric square root of W, which is made of small blocks on its diagonal."""
    values, vectors = np.linalg.eigh(W)
    return (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T


def _solutions(D: np.ndarray, nu: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The shortest x with D x = nu in the sense of least squares, and a basis of all D x = 0."""
    size = np.linalg.norm(D, axis=1)
    size[size == 0.0] = 1.0
    U, values, Vt = np.linalg.svd(D / size[:, None])
    rank = int((values > np.sqrt(RANK) * values.max(initial=0.0)).sum())
    p = Vt[:rank].T @ ((U[:, :rank].T @ (nu / size)) / values[:rank])
    return p, Vt[rank:].T


def _refuse_impossible(
    compiled: Compiled, slip: np.ndarray, rows: np.ndarray, nu: np.ndarray
) -> None:
    """Raise where a motion asks for a speed that the joints do not allow."""
    if np.abs(slip).max(initial=0.0) > IMPOSSIBLE * (1.0 + np.abs(nu).max(initial=0.0)):
        id = compiled.row_ids[int(rows[np.abs(slip).argmax()])]
        raise EngineError(
            "The speeds at the start contradict each other at '{joint}': a motion asks for a "
            "speed that the joints do not allow. Change the motion or remove it.",
            id,
            joint=compiled.resolved[id].label,
        )


def _unkept(compiled: Compiled, typed: list[Wish], v: np.ndarray) -> Iterator[Unkept]:
    """The wishes that v does not fulfil."""
    for wish in typed:
        runs = wish.A @ v
        size = max(float(np.abs(wish.value).max()), float(np.abs(runs).max()))
        if np.abs(runs - wish.value).max() > KEPT * size:
            element = compiled.resolved[wish.id]
            label, what, unit = element.label, *_words(element, wish.field)
            yield Unkept(
                wish.id,
                wish.field,
                wish.value,
                runs,
                say(
                    "The {what} of '{label}' cannot be kept at the start: {typed} {unit} was "
                    "typed, but the joints and the other velocities allow only {runs} {unit}. "
                    "Change it, or leave it or another velocity empty.",
                    what=what,
                    label=label,
                    typed=_shown(wish.value),
                    runs=_shown(runs),
                    unit=unit,
                ),
            )


def _words(element: Element, field: str) -> tuple[str, str]:
    """What a field is called in sentences, and its unit."""
    unit = next(f.metadata["unit"] for f in fields(element) if f.name == field)
    what = "angular velocity" if field == "spin" else field.replace("_", " ")
    return (f"rate of the {what.removesuffix(' rate')}" if field.endswith("_rate") else what), unit


def _shown(value: Any) -> str:
    """A velocity for people."""
    numbers = [f"{x:.4g}" if abs(x) > 1e-9 else "0" for x in np.atleast_1d(value)]
    return numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"
