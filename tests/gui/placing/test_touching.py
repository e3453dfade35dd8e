"""The mark of a contact is where round shapes would touch."""

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.formulas.lenient import lenient
from engine.model.places import about_z
from gui.placing.touching import touching

UP = np.array([0.0, 1.0])


def contact_of(m):
    """The contact of a model, as it is placed."""
    model = lenient(m.model)
    contact = next(e for e in model if e.kind == "contact")
    return contact, touching(contact, model)


def test_on_a_plane_it_is_on_the_rim_next_to_the_plane():
    m = Mechanism()
    m.contact(("ground", (0, 0)), (m.disc((0.3, 0.5), 0.2), (0.3, 0.5)))
    _, found = contact_of(m)
    place, n = found.mark(np.array([0.3, 0.5]), np.zeros(2), UP)
    assert place == pytest.approx([0.3, 0.3]) and n == pytest.approx([0.0, -1.0])


@pytest.mark.parametrize("angle", [0.3, 2.0, -1.2])
def test_between_two_discs_it_is_on_the_line_of_their_middles(angle):
    m = Mechanism()
    way = np.array([np.cos(angle), np.sin(angle)])
    far = tuple(0.3 * way)
    m.contact((m.disc((0, 0), 0.1), (0, 0)), (m.disc(far, 0.2), far))
    _, found = contact_of(m)
    ends = {"i": np.zeros(2), "j": 0.3 * way}
    other = "i" if found.side == "j" else "j"
    place, _ = found.mark(ends[found.side], ends[other], UP)
    assert place == pytest.approx(0.1 * way)  # both rims touch there


def test_without_a_round_shape_it_is_on_the_plane_below_the_body():
    m = Mechanism()
    m.contact(("ground", (0, 0)), (m.box((0.0, 0.5), 0.2, 0.1), (0.0, 0.5)))
    contact, found = contact_of(m)
    place, n = found.mark(np.array([0.0, 0.5]), np.zeros(2), UP)
    marker = lenient(m.model)[getattr(contact, f"marker_{found.side}")]
    assert marker.body != "ground" and place == pytest.approx([0.0, 0.0])
    assert np.linalg.norm(n) == pytest.approx(1.0)


def test_in_space_a_ball_is_marked_below():
    m = Mechanism(dim=3)
    m.contact(("ground", (0, 0, 0)), (m.sphere((0, 0, 0.5), 0.2), (0, 0, 0.5)))
    _, found = contact_of(m)
    place, _ = found.mark(np.array([0.0, 0.0, 0.5]), np.zeros(3), np.array([0.0, 0.0, 1.0]))
    assert place == pytest.approx([0.0, 0.0, 0.3])


def test_the_marker_of_a_disc_may_be_anywhere_on_it():
    m = Mechanism()
    disc = m.disc((0.3, 0.5), 0.2, angle=0.4)
    m.contact(("ground", (0, 0)), (disc, (0.35, 0.45)))
    _, found = contact_of(m)
    marker = lenient(m.model)[next(e for e in m.model if e.kind == "contact").marker_j]
    turned = about_z(0.4 + marker.angle)
    middle = np.array([0.35, 0.45, 0.0]) + turned @ found.middle
    assert found.radius == 0.2 and middle == pytest.approx([0.3, 0.5, 0.0])


def test_a_wheel_is_marked_towards_its_road_and_not_towards_where_that_begins():
    m = Mechanism()
    road = m.box((3.0, -0.1), 8.0, 0.1, id="road")
    wheel = m.disc((0.0, 0.3), 0.3, id="wheel")
    points = ((0.0, 0.0), (3.0, 0.1), (6.0, 0.0))
    m.contact((road, (-1.0, 0.0)), (wheel, (0.0, 0.3)), shape_i="curve", points=points)
    _, found = contact_of(m)
    place, n = found.mark(np.array([0.0, 0.3]), np.array([-1.0, 0.0]), UP)
    assert place == pytest.approx([0.0, 0.0]) and n == pytest.approx([0.0, -1.0])
