"""Bodies whose shapes overlap are moved until they just touch, and by no more than that."""

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.editing.edits import moved_apart
from engine.errors import EngineError
from engine.kinematics.assemble import assemble
from engine.kinematics.checkup import examine
from engine.kinematics.limits import depths, overlaps


def left(model):
    """How deep the shapes of a model overlap at its start."""
    compiled = compile_model(model)
    start = assemble(compiled)
    return max(depths(compiled, start.q, start.v).values(), default=0.0)


def test_two_discs_move_apart_by_half_each():
    m = Mechanism("discs", gravity=(0.0, 0.0))
    m.disc((0.0, 0.0), 0.1, mass=1.0, id="a")
    m.disc((0.15, 0.0), 0.1, mass=1.0, id="b")
    m.contact(("a", (0.0, 0.0)), ("b", (0.15, 0.0)), id="touch")
    checkup = examine(m.model)
    assert checkup.overlaps == ("touch",)
    assert any("overlap by 0.05 m" in one.sentence for one in checkup.problems)
    after = moved_apart(m.model)
    assert left(after) < 1e-8 and not examine(after).overlaps
    # the least motion: 25 mm for each, along the line between them
    np.testing.assert_allclose(after["a"].position, (-0.025, 0.0), atol=1e-8)
    np.testing.assert_allclose(after["b"].position, (0.175, 0.0), atol=1e-8)


@pytest.mark.parametrize("dim", (2, 3))
def test_what_cannot_move_stays(dim):
    m = Mechanism("floor", dim)
    up = np.eye(3)[1 if dim == 2 else 2][:dim]
    (m.disc if dim == 2 else m.sphere)(0.06 * up, 0.1, mass=1.0, id="ball")
    m.contact_all("ground", (0.0,) * dim, id="all")
    after = moved_apart(m.model)
    np.testing.assert_allclose(after["ball"].position, 0.1 * up, atol=1e-8)


def test_a_heap_of_many_is_sorted_out():
    m = Mechanism("heap")
    for k in range(9):
        m.disc((0.07 * (k % 3), 0.05 + 0.07 * (k // 3)), 0.05, mass=1.0, id=f"disc_{k}")
    m.contact_all("ground", (0.0, 0.0), id="all")
    after = moved_apart(m.model)
    compiled = compile_model(after)
    assert not overlaps(compiled, assemble(compiled))
    assert left(after) < 1e-8


def test_a_pendulum_turns_out_of_a_wall_and_stays_on_its_pin():
    m = Mechanism("pendulum")
    m.rod((0.0, 0.0), (0.0, -1.0), mass=1.0, id="rod")
    m.revolute("ground", "rod", (0.0, 0.0), id="pin")
    m.box((-0.2, -1.0), 0.5, 0.3, mass=1.0, fixed=True, id="wall")
    m.contact(("wall", (-0.2, -1.0)), ("rod", (0.0, -1.0)), shape_j="circle", radius_j=0.02)
    assert left(m.model) > 0.05
    after = moved_apart(m.model)
    assert left(after) < 1e-7
    compiled = compile_model(after)
    assert assemble(compiled).drawn_gap < 1e-9  # the pin is closed


def test_what_joints_hold_is_told():
    m = Mechanism("welded")
    for id, x in (("a", 0.0), ("b", 0.15)):
        m.disc((x, 0.0), 0.1, mass=1.0, id=id)
        m.weld("ground", id, (x, 0.0))
    m.contact(("a", (0.0, 0.0)), ("b", (0.15, 0.0)), id="touch")
    with pytest.raises(EngineError, match="cannot be moved apart"):
        moved_apart(m.model)
