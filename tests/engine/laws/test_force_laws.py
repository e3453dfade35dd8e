"""Laws that hold for every force of the catalogue, at random states, in plane and space."""

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.kinematics.evaluate import equations
from engine.model.attachments import Attachment, attachment
from engine.model.elements import remove
from engine.model.forces import Bushing
from tests.engine.catalogue import FORCE_CASES, force_model
from tests.engine.force_states import (
    DIFFERENCE,
    FORCE_OF,
    T,
    law_force,
    random_state,
    stored_rate,
)
from tests.engine.poses import body_pose, moved

ROUNDING = 1e-11  # sums of a few products of numbers up to 1e3
TWO_BODY = [
    pytest.param(force, dim, id=f"{force.kind}-{dim}d")
    for force, dim in FORCE_CASES
    if attachment(force) is not Attachment.AT_MARKER
]
IN_BOTH = pytest.mark.parametrize("dim", (2, 3))


VARIANTS = {
    "bushing": {"turn_k_x": 2.0, "turn_c_y": 0.3},
    "spring": {"free_length": 0.4, "preload": 3.0},
    "spring_damper": {"free_length": 2.0},
    "torsion_spring": {"free_angle": 0.3, "damping": 0.2, "preload": 1.0},
}


@pytest.mark.parametrize(
    ("force", "dim"),
    [
        case
        for case in TWO_BODY
        if case.values[0].kind not in ("contact", "cable", "joint_friction")
    ],
)
def test_the_force_of_a_law_is_minus_N_times_the_gradient_of_its_coordinate(force, dim):
    for seed in range(3):
        changes = VARIANTS.get(force.kind, {}) if dim == 3 or force is not Bushing else {}
        state = random_state(force, dim, seed, **changes)
        scale = 1.0 + np.abs(state.Q).max()
        np.testing.assert_allclose(state.Q, law_force(state), rtol=0, atol=DIFFERENCE * scale)


@pytest.mark.parametrize(("force", "dim"), TWO_BODY)
def test_action_equals_reaction(force, dim):
    for seed in range(3):
        state = random_state(force, dim, seed)
        total, moment = np.zeros(3), np.zeros(3)
        for k, id in enumerate(state.compiled.body_ids):
            layout = state.compiled.layout
            push, turn = state.Q[layout.velocity(k)], state.Q[layout.spin(k)]
            pose = body_pose(state.compiled, state.q, id)
            F = np.array([*push, 0.0])[:3]
            M = pose.axes @ turn if dim == 3 else np.array([0.0, 0.0, *turn])
            total += F
            moment += np.cross(pose.P, F) + M
        scale = 1.0 + np.abs(state.Q).max()
        assert np.abs(state.Q).max() > 0.0
        np.testing.assert_allclose(total, 0.0, rtol=0, atol=ROUNDING * scale)
        np.testing.assert_allclose(moment, 0.0, rtol=0, atol=ROUNDING * scale)


CURVE = "40*x^3 + 2*x"
STORING = [
    pytest.param("spring", {"free_length": 0.4, "preload": 3.0}, id="spring"),
    pytest.param("spring", {"free_length": 0.1, "acts": "tension"}, id="rope"),
    pytest.param("spring", {"free_length": 3.0, "acts": "compression"}, id="buffer"),
    pytest.param("spring", {"free_length": 0.4, "spring_curve": CURVE}, id="curved spring"),
    pytest.param("torsion_spring", {"free_angle": 0.3}, id="torsion spring"),
    pytest.param("torsion_spring", {"free_angle": 0.3, "spring_curve": CURVE}, id="curved torsion"),
    pytest.param("joint_limits", {"damping": 0.0, "stiffness": 50.0}, id="stop"),
    pytest.param("bushing", {"c_x": 0.0, "c_y": 0.0, "turn_c_z": 0.0}, id="bushing"),
]


@IN_BOTH
@pytest.mark.parametrize(("kind", "changes"), STORING)
def test_springs_give_back_what_they_store(kind, changes, dim):
    if dim == 3 and kind == "bushing":
        changes = {**changes, "c_z": 0.0}
    for seed in range(3):
        state = random_state(FORCE_OF[kind], dim, seed, **changes)
        power, lost = state.Q @ state.v, -stored_rate(state)
        assert abs(power) > 1e-6  # the spring is at work
        assert power == pytest.approx(lost, abs=DIFFERENCE * (1 + np.abs(state.Q).max()))


@IN_BOTH
@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("damper", {}),
        ("damper", {"damper_curve": "3*v^3"}),
        ("damper", {"acts": "tension", "free_length": 0.1}),
        ("spring_damper", {"stiffness": 0.0}),
        ("torsion_spring", {"stiffness": 0.0, "damping": 2.0}),
        ("bushing", {"k_x": 0.0, "k_y": 0.0, "turn_k_z": 0.0}),
        ("joint_damping", {}),
    ],
)
def test_dampers_never_feed_energy(kind, changes, dim):
    if dim == 3 and kind == "bushing":
        changes = {**changes, "k_z": 0.0}
    model = force_model(FORCE_OF[kind], dim, 0, **changes)
    with_it, without = compile_model(model), compile_model(remove(model, "force"))
    rng = np.random.default_rng(1)
    powers = []
    for _ in range(200):
        q = moved(with_it, with_it.q0, rng.uniform(-0.3, 0.3, size=len(with_it.v0)))
        v = rng.normal(size=len(with_it.v0))
        Q = equations(with_it, T, q, v).f - equations(without, T, q, v).f
        powers.append(Q @ v)
    assert max(powers) <= 1e-10  # rounding of powers up to a hundred watts
    assert min(powers) < -1e-3  # and it does brake
