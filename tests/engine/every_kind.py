"""A small model that runs, with one element of any kind."""

from dataclasses import fields

from engine.editing.builder import Mechanism
from engine.editing.edits.connecting import KINDS
from engine.model.attachments import Attachment, attachment
from engine.model.catalogue import ELEMENTS
from engine.model.elements import Element, Id, Model
from engine.model.making import Gesture
from tests.engine.sample_joints import mechanism

CASES = [(kind, dim) for kind in ELEMENTS for dim in kind.dims]


def model_with(kind: type[Element], dim: int) -> tuple[Model, Id]:
    """A model with an element of this kind, and its id."""
    if kind.family == "joint":
        m = mechanism(kind.kind, dim)
        return m.model, next(e.id for e in m.model if isinstance(e, kind))
    m = mechanism("revolute", dim)
    m.parameter("length", 0.5)
    m.particle((0.8, 0.2, 0.1)[:dim])
    m.marker(m.model.of("body")[0].id, (0.2, 0.2, 0.0)[:dim])
    found = [e.id for e in m.model if isinstance(e, kind)]
    return m.model if found else _added(m, kind), (found or [f"{kind.kind}_1"])[0]


def _added(m: Mechanism, kind: type[Element]) -> Model:
    """The model with a new element of this kind, attached as its references say."""
    body, joint = m.model.of("body")[0].id, m.model.of("joint")[0].id
    at, away = (0.2, 0.2, 0.0)[: m.dim], (0.7, 0.4, 0.2)[: m.dim]
    how = attachment(kind)
    if how is Attachment.ON_JOINT:
        m.on_joint(kind, joint)
    elif how is Attachment.BETWEEN_MARKERS:
        spans = kind.kind not in KINDS or Gesture.BETWEEN in {one.gesture for one in kind.making}
        if spans:
            m.between(kind, ("ground", away), (body, at))
        else:
            m.joint(kind, "ground", body, at)
    elif how is Attachment.OVER_A_MARKER:
        m.over(kind, ("ground", away), ("ground", (0.4, 0.5, 0.0)[: m.dim]), (body, at))
    else:
        assert how is Attachment.AT_MARKER, f"say here how a '{kind.kind}' is attached"
        (end,) = (f.name for f in fields(kind) if f.metadata.get("family") == "marker")
        m._add(kind, **{end: m.marker(body, at)})
    return m.model
