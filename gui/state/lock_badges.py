"""How near each body is to gimbal lock, for drawing code: a level and words for a badge.

for id, badge in lock_badges(document.model, playback.results, playback.time).items():
    ...  # badge.level is AMBER or RED, badge.words the text of a tooltip
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication

from engine.model.elements import Id, Model, same_mechanism
from engine.model.orientation import integration_of
from gui.state.attitude import drawn_attitude, euler_bodies
from gui.state.numbers import written
from gui.state.preferences import Preferences
from rotations import SEQUENCES, gimbal_lock
from rotations.gimbal_lock import Level

if TYPE_CHECKING:
    from engine.results.results import Results

DUST = 1e-12  # rad; smaller angles are rounding errors


class Badge(NamedTuple):
    """How near a body is to gimbal lock."""

    id: Id
    level: Level
    angle: float  # from the lock                                        [rad]
    words: str


def lock_badges(
    model: Model, results: "Results | None" = None, time: float = 0.0
) -> dict[Id, Badge]:
    """The bodies on Euler angles that are near lock: at a time of a run, or as they are drawn."""
    if model.dim == 2:
        return {}
    if results is None or not len(results):
        found = _drawn(model)
    else:
        found = _at_frame(results, results.frame_at(time))
    return {badge.id: badge for badge in found if badge.level != Level.FINE}


def nearest_lock(model: Model, results: "Results | None" = None) -> Badge | None:
    """The body that has come nearest to lock in a run so far, or in the drawing; None if there is none.

    Only bodies that are followed by Euler angles count.
    """
    if model.dim == 2:
        return None
    if results is None or not len(results) or not same_mechanism(results.model, model):
        found = _drawn(model)
        return min(found, key=lambda badge: badge.angle) if found else None
    n = int(np.argmin(results.lock))
    k = int(results.lock_body[n])
    if k < 0:
        return None
    s, t = float(results.lock[n]), float(results.t[n])
    ending = results.ending
    if ending is not None and ending.lock is not None and ending.lock[1] < s:
        t, s = ending.lock  # between two frames, as the sentence about the end says
        k = results.compiled.body_ids.index(ending.ids[0])
    words = _tr("In this run '{0}' came nearest to gimbal lock of {1} at t = {2} s: {3}°.")
    badge = _badge(results, k, s, words, t)
    if badge.id in _switched(results, np.inf):  # the run went on with other parameters
        told = _tr("The run switched to other parameters and went on.")
        return badge._replace(level=Level.FINE, words=f"{badge.words} {told}")
    return badge


def _at_frame(results: "Results", n: int) -> list[Badge]:
    """The bodies on Euler angles in one frame."""
    compiled = results.compiled
    found = []
    switched = _switched(results, float(results.t[n]))
    for k, code in enumerate(compiled.system.bodies["orientation"][: compiled.system.n_bodies]):
        if code < 0 or compiled.body_ids[k] in switched:
            continue
        angles = results.q[n, compiled.layout.angles(k)]
        s = float(gimbal_lock.measure(SEQUENCES[code], angles))
        words = _tr("'{0}' is near gimbal lock of {1} at t = {2} s: {3}°.")
        found.append(_badge(results, k, s, words, float(results.t[n])))
    return found


def _switched(results: "Results", t: float) -> set[Id]:
    """Bodies that the run has switched to other parameters than those of the model at a time."""
    return {id for e in results.events if e.kind == "gimbal switch" and e.t <= t for id in e.ids}


def _badge(results: "Results", k: int, s: float, words: str, t: float) -> Badge:
    id = results.compiled.body_ids[k]
    code = int(results.compiled.system.bodies["orientation"][k])
    angle = float(np.arcsin(min(s, 1.0)))
    angle = 0.0 if angle < DUST else angle
    said = words.format(
        results.compiled.resolved[id].label,
        SEQUENCES[code],
        written(t, 4),
        written(float(np.degrees(angle)), 2),
    )
    return Badge(id, Level(int(gimbal_lock.level_at(s))), angle, said)


def _drawn(model: Model) -> list[Badge]:
    """The bodies on Euler angles as they are drawn."""
    found = []
    for body in euler_bodies(model):
        attitude = drawn_attitude(model, body.id, integration_of(model, body))
        if attitude is not None:
            away = 0.0 if attitude.to_lock < DUST else float(attitude.to_lock)
            words = _tr("As drawn, '{0}' is {1}° from gimbal lock of {2}.").format(
                body.label, written(float(np.degrees(away)), 2), attitude.sequence
            )
            found.append(Badge(body.id, attitude.level, away, words))
    return found


def _tr(text: str) -> str:
    return QCoreApplication.translate("Badges", text)


def shown_angle(preferences: Preferences, angle: float, digits: int = 3) -> str:
    """An angle with its unit, as the user reads angles."""
    unit = preferences.unit("rad")
    angle = 0.0 if abs(angle) < DUST else angle
    number = np.degrees(angle) if unit == "deg" else angle
    text = preferences.digits(float(number), digits)
    return f"{text}°" if unit == "deg" else f"{text} rad"


def level_state(level: Level) -> str:
    """The name of a level among the states of the window, with their symbols and colours."""
    return ("good", "warning", "problem")[int(level)]
