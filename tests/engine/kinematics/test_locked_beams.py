"""Beams that are held so that they cannot bend are told, and those that can are not."""

import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.running.simulate import prepare, run

G = 9.81
SECTION = {"width": 0.02, "thickness": 0.01, "youngs_modulus": 7e10, "density": 2700.0}


def held(dim, joint, ends, **fields):
    """A level beam of 1 m under its weight, held at some of its ends by one kind of joint."""
    m = Mechanism("held", dim, gravity=(0.0, -G, 0.0)[:dim])
    places = [(0.0, 0.0, 0.0)[:dim], (1.0, 0.0, 0.0)[:dim]]
    beam = m.beam(*places, id="beam", **SECTION, **fields)
    for place in places[:ends]:
        getattr(m, joint)("ground", beam, place)
    return m.model


@pytest.mark.parametrize(
    "dim, joint, ends, fields, asks",
    [
        (2, "weld", 1, {}, None),
        (2, "weld", 2, {}, "stretch = 1, or"),
        (2, "revolute", 2, {}, "stretch = 1, or"),
        (2, "weld", 2, {"stretch": 1}, None),
        (3, "spherical", 2, {}, "stretch = 1, or"),
        (3, "weld", 2, {}, "stretch = 1, twist = 1, or"),
        (3, "weld", 2, {"stretch": 1}, "shape twist = 1, or"),
        (3, "weld", 2, {"stretch": 1, "twist": 1}, None),
    ],
)
def test_a_beam_that_cannot_bend_is_told_with_the_shapes_it_needs(dim, joint, ends, fields, asks):
    notes = [note for note in prepare(held(dim, joint, ends, **fields)).notes if "bend:" in note]
    assert len(notes) == (asks is not None)
    assert all(note.startswith("Beam 'beam' cannot bend") and asks in note for note in notes)


def test_a_beam_welded_at_both_ends_sags_as_in_closed_form():
    results = run(held(2, "weld", 2, stretch=1), t_end=0.2, output_step=5e-4)
    EI, weight = 7e10 * 0.01 * 0.02**3 / 12.0, 2700.0 * 0.02 * 0.01 * G
    # it swings about where it would rest, between its drawing and twice that
    assert results["beam.deflection"].mean() == pytest.approx(-weight / (384.0 * EI), rel=0.03)
    assert results["beam.deflection"].min() == pytest.approx(-weight / (192.0 * EI), rel=0.06)


def test_a_beam_beyond_all_measure_is_refused_by_its_name():
    m = Mechanism("slab")
    m.beam((-0.5, 0.0), (0.5, 0.0), id="slab", **{**SECTION, "width": 1e9, "youngs_modulus": 2e9})
    with pytest.raises(EngineError, match="Beam 'slab': its lengths, masses and stiffnesses"):
        compile_model(m.model)
