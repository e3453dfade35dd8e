"""Fields that mean nothing as others are set: hidden, and shown again when they matter."""

from dataclasses import fields, replace
from itertools import product

import pytest

from engine.model.catalogue import ELEMENTS
from engine.model.elements import put
from gui.forms.form import Form
from gui.state.document import Document
from kardan import Mechanism

CHOICES = [cls for cls in ELEMENTS if any(f.metadata.get("role") == "choice" for f in fields(cls))]


@pytest.mark.parametrize("cls", CHOICES, ids=lambda c: c.__name__)
def test_every_field_means_something_in_some_setting(cls):
    chosen = {f.name: f.metadata["choices"] for f in fields(cls) if "choices" in f.metadata}
    given = {f.name: (None, "0") for f in fields(cls) if f.metadata.get("role") == "function"}
    either = {name: values for name, values in given.items() if getattr(cls(id="it"), name) is None}
    settings = [
        dict(zip(chosen | either, values)) for values in product(*(chosen | either).values())
    ]
    never = set.intersection(*(set(cls(id="it", **s).idle_fields()) for s in settings))
    assert not never and set(cls(id="it").idle_fields()) <= {f.name for f in fields(cls)}


@pytest.mark.parametrize(
    "acts, seen, hidden",
    [
        ("line", {"law"}, {"about", "axes", "f_x", "t_z"}),
        ("torque", {"law", "about"}, {"axes", "f_x", "t_z"}),
        ("components", {"axes", "f_x", "f_y", "f_z", "t_x", "t_y", "t_z"}, {"law", "about"}),
    ],
)
def test_the_form_of_a_force_by_formula_shows_what_it_uses(qtbot, preferences, acts, seen, hidden):
    m = Mechanism("pair", dim=3)
    m.body((0.0, 0.0, 0.0), id="b", mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
    m.general_force(("ground", (0.0, 0.0, 0.0)), ("b", (1.0, 0.0, 0.0)), "distance", id="push")
    document = Document()
    document.new(put(m.model, replace(m.model["push"], acts=acts)))
    form = Form(document, preferences, ("push",))
    qtbot.addWidget(form)
    shown = {row.place.name for row in form.rows}
    assert seen <= shown and not hidden & shown
