"""Remedies for gimbal lock, each as one edit: other parameters for a body, or automatic switching."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication

from engine.editing.edits import with_parameters
from engine.model.elements import Id, Model, put
from engine.model.orientation import integration_of, with_orientation
from gui.state.attitude import QUATERNION, Attitude, euler_bodies
from rotations import gimbal_lock

WARN, AUTOMATIC = "warn", "switch to quaternion"


class Edit(NamedTuple):
    """A proposed model with its undo text, or the reason why there is none."""

    label: str
    model: Model | None
    reason: str = ""


def use_quaternions(model: Model, id: Id) -> Edit:
    """Follow a body by a quaternion."""
    body = model[id]
    label = _tr("Follow '{0}' by quaternions").format(body.label)
    if integration_of(model, body) == QUATERNION:
        return Edit(label, None, _tr("'{0}' is on quaternions already.").format(body.label))
    return Edit(label, with_parameters(model, [id], QUATERNION))


def use_best_sequence(model: Model, attitude: Attitude) -> Edit:
    """Follow a body by the sequence that is farthest from its lock at this orientation."""
    body = model[attitude.id]
    best = best_sequence(attitude)
    label = _tr("Follow '{0}' by the sequence {1}").format(body.label, best)
    how = integration_of(model, body)
    if how == QUATERNION:
        words = _tr("'{0}' is on quaternions: they have no lock, so no sequence is better.")
        return Edit(label, None, words.format(body.label))
    if how == best:
        words = _tr("{0} is the best sequence here already.")
        return Edit(label, None, words.format(best))
    return Edit(label, with_parameters(model, [attitude.id], best))


def best_sequence(attitude: Attitude) -> str:
    """The sequence that is farthest from its lock at this orientation."""
    current = None if attitude.integration == QUATERNION else attitude.integration
    return gimbal_lock.best_sequence(attitude.R, current)


def switch_by_itself(model: Model, on: bool = True) -> Edit:
    """Turn automatic switching near lock on, or only warn."""
    label = _tr("Switch automatically near lock") if on else _tr("Only warn near lock")
    if on and not euler_bodies(model):
        words = _tr(
            "All bodies are on quaternions, which have no lock: there is nothing to switch."
        )
        return Edit(label, None, words)
    if on == is_automatic(model):
        return Edit(label, None, _tr("This is set already."))
    chosen = AUTOMATIC if on else WARN
    return Edit(label, replace(model, settings=replace(model.settings, near_lock=chosen)))


def is_automatic(model: Model) -> bool:
    """Whether runs of the model switch by themselves near lock."""
    return str(model.settings.near_lock).startswith("switch")


def turned(model: Model, id: Id, sequence: str, angles: np.ndarray) -> Model:
    """The model with a body turned to these angles [rad]."""
    return put(model, with_orientation(model[id], sequence, [float(a) for a in angles]))


def _tr(text: str) -> str:
    return QCoreApplication.translate("LockEdits", text)
