"""Contact with all: it does what contacts of each two bodies do, and looks at what is near alone."""

from dataclasses import replace

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import dumps, loads
from engine.model.elements import put
from engine.running.simulate import run
from engine.studies.archard import wear

RADIUS = 0.05
IMPACT = {"law": "impact", "stiffness": 1e5, "damping": 2.0, "friction": "velocity"}


def discs(n=4, dim=2, **law):
    """Round bodies that fly at each other, over a floor."""
    m = Mechanism("discs", dim, gravity=(0.0, -9.81) if dim == 2 else (0.0, 0.0, -9.81))
    rng = np.random.default_rng(3)
    for k in range(n):
        at = np.array([0.13 * k, 0.2 + 0.13 * (k % 2), 0.0])
        v = np.array([1.0 - 0.7 * k, 0.1 * rng.standard_normal(), 0.0])
        id = f"disc_{k + 1}"
        if dim == 2:
            m.disc(at[:2], RADIUS, mass=0.1 * (1 + k), id=id, velocity=v[:2])
        else:
            at, v = (x[[0, 2, 1]] for x in (at, v))
            m.sphere(at, RADIUS, mass=0.1 * (1 + k), id=id, velocity=v)
    origin = (0.0,) * dim
    return m, (lambda: m.contact_all("ground", origin, id="all", **law))


@pytest.mark.parametrize("dim", (2, 3))
@pytest.mark.parametrize("law", ({}, IMPACT, {"friction": "lugre"}))
def test_it_moves_bodies_as_contacts_of_each_two_do(dim, law):
    m, with_all = discs(dim=dim, **law)
    origin, by_hand = (0.0,) * dim, m.model
    with_all()
    alone = m.model
    m.model = by_hand
    ids = [body.id for body in by_hand.of("body")]
    for n, a in enumerate(ids):
        at = by_hand[a].position
        for b in ids[n + 1 :]:
            m.contact((a, at), (b, by_hand[b].position), **law)
        m.contact(("ground", origin), (a, at), **law)
    stiff = law.get("friction") == "lugre"
    how = {
        "method": "radau" if stiff else "dop853",
        "t_end": 0.25,
        "output_step": 5e-4,
        "tolerance": 1e-10,
    }
    one, other = (run(model, **how) for model in (alone, m.model))
    touched = [id for id in m.model.elements if m.model[id].kind == "contact"]
    met = sum(other[f"{id}.normal_force"] for id in touched)
    assert met.max() > 0.0  # they do meet
    # the same forces; only the lengths of steps differ, at a tolerance of 1e-10
    np.testing.assert_allclose(one.q, other.q, atol=1e-6)
    np.testing.assert_allclose(one["all.normal_force"], met, atol=1e-3 * met.max())


def test_lists_of_what_is_near_do_not_change_the_motion():
    m, with_all = discs(6, **IMPACT)
    with_all()
    compiled = compile_model(m.model)
    how = {"method": "rk4", "step": 1e-4, "t_end": 0.5}
    # a skin wider than the model: everything is looked at all the time
    system = compiled.system._replace(skin=np.array([1e3]))
    narrow, wide = run(compiled, **how), run(replace(compiled, system=system), **how)
    assert narrow["all.touching"].max() >= 2
    # far shapes give exactly nothing; sums over more summands of zero are the same
    np.testing.assert_array_equal(narrow.q, wide.q)


@pytest.mark.parametrize("method", ("radau", "dop853", "dopri5"))
def test_three_discs_stand_on_each_other(method):
    m = Mechanism("stack", 2, gravity=(0.0, -10.0))
    for k in range(3):
        m.disc((0.0, 0.05 + 0.1 * k), 0.05, mass=1.0, id=f"disc_{k + 1}")
    m.contact_all("ground", (0.0, 0.0), id="all")
    results = run(m.model, method=method, t_end=1.0)
    assert results.ending.reason == "done" and len(results.t) == 101
    # 30 N on the floor, 20 and 10 between the discs; they settle from 5 um above it
    assert results["all.normal_force"][-1] == pytest.approx(60.0, rel=1e-6)
    assert np.abs(results.v[-1]).max() < 1e-9


def test_what_flies_fast_is_not_missed():
    """A wall of 1 mm is hit by a point that passes it in 0.1 ms: between two looks at a free flight."""
    for method in ("dopri5", "dop853", "radau"):
        m = Mechanism("bullet", 2, gravity=(0.0, 0.0))
        m.box((1.0, 0.0), 0.001, 0.2, mass=1.0, fixed=True, id="wall")
        m.disc((0.0, 0.0), 0.001, mass=0.01, id="shot", velocity=(10.0, 0.0))
        m.contact_all("shot", (0.0, 0.0), restitution=1.0, friction="none", id="all")
        results = run(m.model, method=method, t_end=0.3, output_step=0.3)
        assert results["shot.vx"][-1] == pytest.approx(-10.0, rel=1e-6), method  # of dopri5 at 1e-9


def test_elastic_bodies_keep_energy_and_momentum():
    m, with_all = discs(6, law="impact", damping=0.0, friction="none", floor=False)
    m.model = replace(m.model, gravity=(0.0, 0.0))
    with_all()
    results = run(m.model, method="dop853", t_end=0.4, output_step=5e-4)
    assert results["all.touching"].max() >= 1
    assert np.abs(results["energy_drift"]).max() < 1e-7 * results["kinetic_energy"].max()
    px = results["momentum_x"]
    assert np.ptp(px) < 1e-9 * np.abs(px).max()  # action is reaction, to rounding


def test_bodies_rest_on_each_other_by_their_weight():
    m = Mechanism("stack", 2, gravity=(0.0, -10.0))
    for k in range(3):
        m.box((0.0, 0.05 + 0.1 * k), 0.2 - 0.04 * k, 0.1, mass=1.0 + k, id=f"box_{k + 1}")
    m.contact_all("ground", (0.0, 0.0), id="all")
    results = run(m.model, method="radau", t_end=1.0)
    # each face carries what lies above it: (1 + 2 + 3) g on the floor, 5 g, 3 g
    assert results["all.normal_force"][-1] == pytest.approx(10.0 * (6 + 5 + 3), rel=1e-4)
    assert np.abs(results.v[-1]).max() < 1e-4


def test_names_joints_and_contacts_of_their_own_say_who_takes_part():
    m, with_all = discs(5)
    all_id = with_all()
    contact = m.model[all_id]
    everyone = {frozenset(pair) for pair in contact.pairs(m.model)}
    assert len(everyone) == 10 and len(contact.bodies(m.model)) == 5
    named = replace(contact, only="disc_1, disc_[23]")
    assert len(named.pairs(put(m.model, named))) == 3
    m.revolute("disc_1", "disc_2", (0.06, 0.25))
    m.contact(("disc_2", (0.13, 0.33)), ("disc_3", (0.26, 0.2)))
    left = {frozenset(pair) for pair in m.model[all_id].pairs(m.model)}
    assert everyone - left == {frozenset(("disc_1", "disc_2")), frozenset(("disc_2", "disc_3"))}
    joined = replace(contact, joined=True)
    assert len(joined.pairs(put(m.model, joined))) == 9
    second = m.contact_all("disc_5", (0.0, 0.0))
    assert m.model[second].pairs(m.model) == []  # the first one is about them already
    assert loads(dumps(m.model)) == m.model


def test_a_name_that_nobody_has_is_told():
    m, with_all = discs(2, only="disc_*, wheel*")
    with_all()
    with pytest.raises(EngineError, match=r"No body with a shape is called 'wheel\*'"):
        run(m.model, t_end=0.1)


def test_shapes_without_a_law_are_named():
    m = Mechanism("boxes", 3)
    for k in range(2):
        m.box((0.3 * k, 0.0, 1.0), 0.1, 0.1, 0.1, mass=1.0, id=f"box_{k + 1}")
    m.contact_all("ground", (0.0, 0.0, 0.0), id="all")
    with pytest.raises(EngineError, match="cannot bring 'box_1' and 'box_2' in contact"):
        run(m.model, t_end=0.1)


def test_first_touches_are_told_by_the_names_of_both():
    m, with_all = discs(2, friction="none")
    with_all()
    told = [event.sentence for event in run(m.model, method="dop853", t_end=0.3).events]
    assert any(text.startswith("disc_1 and disc_2 touch") for text in told), told
    assert len(told) == len({text.split(" at t")[0] for text in told})  # each pair once


def test_wear_asks_for_a_contact_of_two():
    m, with_all = discs(2, **IMPACT)
    with_all()
    results = run(m.model, method="rk4", t_end=0.02)
    with pytest.raises(EngineError, match="about many bodies"):
        wear(results, coefficient=1e-15)
