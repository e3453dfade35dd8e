"""A prepared run is set up once: iterated again it gives the same numbers, in as few blocks as it can."""

from dataclasses import replace
from itertools import zip_longest

import numpy as np
import pytest

from assets.make_examples import EXAMPLES
from engine.editing.builder import Mechanism
from engine.model.methods import METHODS
from engine.running.simulate import prepare
from tests.engine.contact_models import place
from tests.example_runs import model_of_file

EXTERNAL = ("radau", "ida")  # these go by the clock within a block


def chain(dim=2):
    """Two rods that swing."""
    m = Mechanism("chain", dim)
    m.rod(place(dim, 0, 0), place(dim, 1, 0), mass=1, id="a")
    m.rod(place(dim, 1, 0), place(dim, 2, 0), mass=1, id="b")
    axis = {"axis": (0, 0, 1)} if dim == 3 else {}
    m.revolute("ground", "a", at=place(dim, 0, 0), **axis)
    m.revolute("a", "b", at=place(dim, 1, 0), **axis)
    return m.model


def columns(blocks):
    """The columns of blocks, as copies."""
    return [np.concatenate([np.asarray(one) for one in column]) for column in zip(*blocks)]


def are_equal(some, others):
    """Whether columns are equal to the last bit."""
    pairs = zip_longest(some, others)
    return all(np.array_equal(one, other, equal_nan=True) for one, other in pairs)


@pytest.mark.parametrize("name", EXAMPLES)
def test_iterating_again_repeats_every_number(name):
    model = model_of_file(name)
    output = float(prepare(model).settings.output_step)
    run = prepare(model, t_end=40 * output)
    kept = list(run)
    first = columns(kept)
    told = run.events, run.ending
    assert are_equal(columns(run), first)
    assert are_equal(columns(kept), first)  # the frames of the first iteration are its own
    assert (run.events, run.ending) == told


@pytest.mark.parametrize("method", [method.name for method in METHODS])
def test_iterating_again_repeats_every_number_by_every_method(method):
    run = prepare(chain(), method=method, t_end=0.3)
    first = columns(run)
    assert len(first[0]) == 31
    assert are_equal(columns(run), first)


@pytest.mark.parametrize("name", ["bicycle_wheel", "screw_press", "four_bar"])
def test_iterating_again_repeats_every_number_in_joint_coordinates(name):
    asked = {"t_end": 0.8, "output_step": 0.04, "method": "dop853", "coordinates": "joint"}
    run = prepare(model_of_file(name), **asked)
    assert are_equal(columns(run), columns(run))  # the signs of quaternions too


def test_two_iterations_at_once_do_not_disturb_each_other():
    run = prepare(chain(), t_end=0.3)
    alone = columns(run)
    one, other = iter(run), iter(run)
    begun = [next(one), next(other)]
    assert are_equal(columns([begun[0], *one]), alone)
    assert are_equal(columns([begun[1], *other]), alone)


def test_other_settings_are_not_those_of_the_iteration_before():
    run = prepare(chain(), t_end=0.3)
    list(run)
    run.settings = replace(run.settings, t_end=0.1)
    assert columns(run)[0][-1] == pytest.approx(0.1, rel=1e-12)


@pytest.mark.parametrize("dim", (2, 3))
@pytest.mark.parametrize(
    "method", [method.name for method in METHODS if method.name not in EXTERNAL]
)
def test_a_short_run_is_one_block(method, dim):
    run = prepare(chain(dim), method=method, t_end=0.05, step=0.01)
    list(run)  # the first steps of a method in a process load its machine code
    assert len(list(run)) == 1
    assert len(list(prepare(chain(dim), method=method, t_end=0.05, step=0.01))) == 1


def test_a_long_run_has_blocks_between_which_it_can_be_cancelled():
    run = prepare(chain(), method="rk4", t_end=2000.0, step=1e-3, output_step=1.0)
    done = []
    for _ in run:
        done.append(run.fraction)
        if len(done) == 3:
            break
    assert 0.0 < done[0] < done[1] < done[2] < 0.5


def test_frames_are_whole_where_they_fill_more_than_one_room(monkeypatch):
    whole = columns(prepare(chain(), method="dop853", t_end=3.0))
    monkeypatch.setattr("engine.integrators.problem.MAX_FRAMES", 7)
    pieces = list(prepare(chain(), method="dop853", t_end=3.0))
    assert len(pieces) > 40
    for few, all_of_them in zip(columns(pieces)[:3], whole[:3], strict=True):  # t, q, v
        # a step without room for its frames is repeated and goes on as it may: within the tolerance
        assert np.allclose(few, all_of_them, rtol=0.0, atol=1e-6)
    t = columns(prepare(chain(), method="rk4", t_end=3.0, step=0.013))[0]
    assert np.allclose(t, 0.01 * np.arange(301), atol=1e-12)
