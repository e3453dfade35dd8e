"""Advice before a run: steps that are too long are noticed, and `auto` says what it takes."""

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.kinematics.assemble import assemble
from engine.kinematics.mobility import mobility
from engine.model.forces.contact import Contact
from engine.model.forces.springs import Spring
from engine.running.advice import Swing, longest_step, swings
from engine.running.simulate import prepare, run
from kardan import Mechanism


def hanging(stiffness, damping=0.0, mass=2.0):
    """A block on a vertical guide, on a spring: w^2 = k/m."""
    m = Mechanism("hanging block", gravity=(0.0, 0.0))
    block = m.box((0.0, 0.0), mass=mass, name="block")
    m.prismatic("ground", block, at=(0.0, 0.0), angle=np.pi / 2)
    spring = ("ground", (0.0, 1.0)), (block, (0.0, 0.0))
    m.spring_damper(*spring, stiffness=stiffness, damping=damping, name="K2", free_length=0.9)
    return m.model


def found(model):
    compiled = compile_model(model)
    start = assemble(compiled)
    return swings(compiled, start, mobility(compiled, start.q, start.v))


def test_a_spring_swings_with_the_mass_it_feels():
    (swing,) = found(hanging(800.0, damping=4.0))
    # slopes by differences of 1e-6 of the size: six digits
    assert swing.square == pytest.approx(800.0 / 2.0, rel=1e-6)
    assert swing.decay == pytest.approx(4.0 / 2.0, rel=1e-6)


def test_a_lever_makes_the_felt_mass_larger():
    m = Mechanism("lever", gravity=(0.0, 0.0))
    rod = m.rod((0.0, 0.0), (1.0, 0.0), mass=3.0)
    m.revolute("ground", rod, at=(0.0, 0.0))
    m.spring(("ground", (0.5, 1.0)), (rod, (0.5, 0.0)), stiffness=100.0, free_length=1.0)
    (swing,) = found(m.model)
    # x = 0.5 phi at this pose, J = m l^2 / 3 = 1: w^2 = k 0.5^2 / J
    assert swing.square == pytest.approx(100.0 * 0.25, rel=1e-5)  # the differences again


@pytest.mark.parametrize(
    ("method", "limit"), [("rk4", 2.828427), ("euler_cromer", 2.0), ("heun", 0.53)]
)
def test_the_longest_step_is_the_limit_of_stability(method, limit):
    (swing,) = found(hanging(800.0))
    # euler_cromer and rk4 end sharply; heun never ends, its growth (w h)^4/8 is 1 % at w h = 0.53
    assert longest_step(method, swing) * 20.0 == pytest.approx(limit, rel=0.02)


@pytest.mark.parametrize("rate", [5e-316, 1e-200, 1e-6, 1e150])
def test_the_longest_step_of_any_mode_is_a_number(rate):
    with np.errstate(over="ignore"):  # 1 / 5e-316 is infinite, and so is the step
        assert longest_step("rk4", Swing("drag", 0.0, rate)) == pytest.approx(
            2.785 / rate, rel=0.01
        )


def test_a_mode_that_never_moves_allows_any_step():
    assert longest_step("rk4", Swing("drag", 0.0, 0.0)) == float("inf")


def test_a_step_that_is_too_long_is_told_with_force_limit_and_remedies():
    running = prepare(hanging(1e8), step=1e-3, method="rk4")
    (advice,) = running.advice
    assert "'K2'" in advice.sentence and "period of 0.89 ms" in advice.sentence
    assert "h < 0.4 ms" in advice.sentence and "you use 1 ms" in advice.sentence
    remedied = [
        prepare(hanging(1e8), **{"method": "rk4", **dict(changes)}).advice
        for _, changes in advice.remedies
    ]
    assert remedied == [[], [], []]
    assert prepare(hanging(1e8), step=3e-4, method="rk4").advice == []


def test_the_warning_is_true():
    model = hanging(1e8)
    good, bad = (
        run(model, t_end=0.05, output_step=0.01, step=h, method="rk4") for h in (3.8e-4, 4.2e-4)
    )
    largest = 0.11  # the spring was 0.1 m too long at the start
    assert np.abs(good["box_1.y"]).max() < largest
    assert np.abs(bad["box_1.y"]).max() > 10 * largest


@pytest.mark.parametrize(("stiffness", "method"), [(100.0, "dop853"), (1e10, "radau")])
def test_auto_says_what_it_chose_and_why(stiffness, method):
    running = prepare(hanging(stiffness, damping=0.1 * stiffness), method="auto")
    assert running.settings.method == method
    note, coordinates = running.notes
    assert note.startswith("auto chose") and note.endswith(".")
    assert coordinates == "Coordinates: those of the joints."


def test_auto_takes_ida_where_joint_coordinates_do_not_serve():
    running = prepare(hanging(1e10, 1e9), method="auto", stabilisation="baumgarte")
    assert running.settings.method == "ida"


def test_auto_carries_redundant_cranks_through_the_pose_in_line():
    m = Mechanism("cranks")
    coupler = m.rod((0.0, 1.0), (2.0, 1.0), mass=1.0, velocity=(1.0, 0.0))
    for x in range(3):
        crank = m.rod((x, 0.0), (x, 1.0), mass=1.0, id=f"crank_{x}")
        m.revolute("ground", crank, at=(x, 0.0))
        m.revolute(crank, coupler, at=(x, 1.0))
    results = run(m.model, method="auto", tolerance=1e-10, t_end=4.0, output_step=0.1)
    assert np.ptp(results["crank_0.angle"]) > 2 * np.pi
    for x in (1, 2):  # another branch would be off by radians
        assert np.abs(results[f"crank_{x}.angle"] - results["crank_0.angle"]).max() < 1e-6


@pytest.mark.parametrize(
    ("t_end", "between", "told"),
    [(1.0, 0.01, ""), (1.0, 0.3, "0.333333 s apart instead of 0.3 s"), (0.1, 0.25, "0.1 s apart")],
)
def test_frames_that_do_not_divide_the_run_are_told(t_end, between, told):
    results = run(hanging(100.0), t_end=t_end, output_step=between)
    sentences = [note for note in results.notes if note.startswith("Frames are")]
    assert bool(sentences) == bool(told) and all(told in sentence for sentence in sentences)
    assert results.t[-1] == pytest.approx(t_end, rel=1e-12)


def test_a_contact_feels_what_a_spring_at_the_same_place_of_a_beam_feels():
    def felt(kind, *points, **fields):
        m = Mechanism("beam on a foot", gravity=(0.0, 0.0))
        sizes = {"width": 0.02, "thickness": 0.02, "youngs_modulus": 2e9, "modes": 3}
        beam = m.beam((0.0, 0.1), (1.0, 0.1), density=2700.0, **sizes)
        m.between(kind, ("ground", points), (beam, (0.9, 0.1)), id="foot", **fields)
        return next(one.square for one in found(m.model) if one.id == "foot")

    law = {"law": "impact", "stiffness": 500.0, "exponent": 1.0, "damping": 0.0, "friction": "none"}
    touching = felt(Contact, 0.9, 0.0, shape_j="circle", radius_j=0.101, **law)
    assert touching == pytest.approx(
        felt(Spring, 0.9, -0.5, stiffness=500.0, free_length=0.6), rel=1e-3
    )


def test_a_pin_that_is_hardly_loose_is_stiff_and_no_more():
    m = Mechanism("tight")
    m.rod((0.0, 0.0), (1.0, 0.0), mass=1.0, id="arm")
    m.revolute("ground", "arm", at=(0.0, 0.0), clearance=1e-320)
    assert all(np.isfinite(one.square) for one in found(m.model))
