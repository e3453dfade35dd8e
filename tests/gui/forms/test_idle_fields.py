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


def form_of(qtbot, preferences, model, id, **options):
    """A form of one element that is seen."""
    document = Document()
    document.new(model)
    form = Form(document, preferences, (id,), **options)
    qtbot.addWidget(form)
    form.show()
    qtbot.waitExposed(form)
    return form


def a_contact(**fields):
    """A disc of 1 kg and 0.1 m over the ground."""
    m = Mechanism("ball")
    m.disc((0.0, 0.5), 0.1, mass=1.0, id="ball")
    m.contact(("ground", (0.0, 0.0)), ("ball", (0.0, 0.5)), id="floor", **fields)
    return m.model


def test_the_form_of_a_contact_shows_what_matters_and_folds_the_rest_away(qtbot, preferences):
    form = form_of(qtbot, preferences, a_contact(), "floor")
    fields = {row.place.name: row.field for row in form.rows if row.place.ids == ("floor",)}
    seen = {name for name, field in fields.items() if field.isVisible()}
    assert {"law", "restitution", "friction", "mu_static", "mu_dynamic", "stiffness"} <= seen
    assert not seen & {"stick_stiffness", "least_speed", "wear_coefficient", "static_speed"}
    form.sections["Details"].head.click()
    assert fields["least_speed"].isVisible() and fields["wear_coefficient"].isVisible()
    again = form_of(qtbot, preferences, a_contact(), "floor", has_details=True)
    assert again.sections["Details"].body.isVisible()


def test_the_form_of_a_contact_tells_stiffness_and_sag_of_what_is_left_empty(qtbot, preferences):
    form = form_of(qtbot, preferences, a_contact(), "floor")
    (field,) = (row.field for row in form.rows if row.place.name == "stiffness")
    k = float(field.line.placeholderText())
    # a fall from ten times 0.2 m presses the ball in by 1 % of it: k d^2.5/2.5 = m g 10 l
    assert k == pytest.approx(2.5 * 9.81 * 2.0 / 0.002**2.5, rel=1e-5)
    sag = (9.81 / k) ** (1.0 / 1.5)
    assert f"{1e6 * sag:.2f} µm" in form.remark.text()
    assert "Below 0.01 m/s it does not bounce." in form.remark.text()
    hard = form_of(
        qtbot, preferences, a_contact(law="impact", stiffness=9810.0, exponent=1.0), "floor"
    )
    assert hard.remark.text().endswith("presses it in by 1 mm, on one point.")
    light = a_contact()
    form = form_of(qtbot, preferences, replace(light, gravity=(0.0, 0.0)), "floor")
    assert form.remark.text() == "Below 0.01 m/s it does not bounce."
