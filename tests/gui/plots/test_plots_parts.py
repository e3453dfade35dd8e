"""What plots compute: few points that look like many, sections, phase planes, lists of channels."""

import numpy as np
import pytest
from PySide6.QtCore import QSettings

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.results.blocks import Block
from engine.results.results import Results
from engine.running.simulate import run
from gui.plots.canvas import spread
from gui.plots.catalogue import Catalogue
from gui.plots.columns import column, extended, grew, token_of
from gui.plots.decimation import min_max, path_in_view, thinned, visible_part
from gui.plots.phase.sections import BOTH, FALLING, RISING, at_times, crossings, stroboscope
from gui.plots.units import shown_unit, written
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.preferences import Preferences
from tests.run_models import double_pendulum


@pytest.fixture
def preferences(tmp_path):
    """Preferences in a file of their own."""
    return Preferences(QSettings(str(tmp_path / "p.ini"), QSettings.Format.IniFormat))


# --- few points


def test_decimation_keeps_the_extremes_of_every_bin():
    rng = np.random.default_rng(1)
    t = np.linspace(0.0, 10.0, 100_003)
    y = rng.normal(size=len(t))
    y[54_321] = 99.0
    few_t, few_y = min_max(t, y, 500)
    size = len(t) // 500
    # two of each bin, and of what fills no bin; and the last point
    assert len(few_t) <= 2 * (len(t) // size + 1) + 1 and few_t[-1] == t[-1]
    assert few_y.max() == 99.0 and few_y.min() == y.min()
    assert (np.diff(few_t) >= 0.0).all()
    for first in range(0, len(t) // size * size, size):
        inside = (few_t >= t[first]) & (few_t <= t[first + size - 1])
        assert few_y[inside].max() == y[first : first + size].max()


def test_short_curves_are_not_decimated():
    t, y = np.arange(1500.0), np.arange(1500.0)
    few_t, few_y = min_max(t, y, 1000)
    assert few_t is t and few_y is y


def test_the_visible_part_has_a_neighbour_at_each_end():
    t = np.arange(100.0)
    assert visible_part(t, 10.5, 20.5) == slice(10, 22)
    assert visible_part(t, -5.0, 500.0) == slice(0, 100)
    assert visible_part(np.zeros(0), 0.0, 1.0) == slice(0, 0)


def test_a_path_is_thinned_evenly_along_its_length():
    s = np.linspace(0.0, 40.0 * np.pi, 200_000)
    chosen = thinned(np.cos(s), np.sin(s) * 1e6, 5000)
    assert len(chosen) <= 5000 and chosen[0] == 0 and chosen[-1] == len(s) - 1
    assert np.diff(chosen).max() < 200  # 40 on average: no stretch is left out
    assert list(thinned(np.ones(10), np.ones(10), 5)) == [0, 9]


def test_a_path_has_gaps_where_it_jumps_or_leaves_the_view():
    x, y = np.array([0.0, 170.0, -170.0, 0.0]), np.zeros(4)
    px, _, _ = path_in_view(x, y, ((-180, 180), (-1, 1)), 5000, 180.0)
    assert np.isnan(px).tolist() == [False, False, True, False, False]
    s = np.linspace(0.0, 20.0 * np.pi, 100_000)
    px, _, _ = path_in_view(np.cos(s), np.sin(s), ((0.9, 1.0), (-0.1, 0.1)), 1000)
    assert np.isnan(px).sum() == 10  # it comes back ten times
    assert np.nanmin(px) > 0.8  # points far outside are left out
    assert len(px) <= 1010


def test_a_range_is_a_little_wider_and_never_empty():
    assert spread(0.0, 10.0, 0.1) == pytest.approx((-1.0, 11.0))
    for low, high in ((0.0, 0.0), (5.0, 5.0), (-2.0, -2.0), (1e9, 1e9 + 1e-3), (np.nan, np.nan)):
        first, last = spread(low, high)
        assert first < last


# --- sections


def test_a_stroboscope_flashes_once_in_each_period():
    t = np.linspace(0.0, 1.0, 101)
    assert stroboscope(t, 0.25) == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])
    assert len(stroboscope(t, 0.0)) == 0
    assert stroboscope(t + 3.1, 1.0) == pytest.approx([4.0])


def test_crossings_are_found_between_frames():
    t = np.linspace(0.0, 10.0, 500)
    found = crossings(t, np.sin(t), 0.5, RISING)
    # the cubic through four frames 0.02 apart errs by about h^4 / 24 = 1e-8
    assert found == pytest.approx([np.pi / 6, np.pi / 6 + 2 * np.pi], abs=1e-7)
    assert len(crossings(t, np.sin(t), 0.5, FALLING)) == 2
    assert len(crossings(t, np.sin(t), 0.5, BOTH)) == 4
    assert len(crossings(t, np.sin(t), 2.0, BOTH)) == 0


def test_values_between_frames_follow_a_cubic_exactly():
    t = np.array([0.0, 0.1, 0.25, 0.4, 0.7, 1.0])
    times = np.array([0.0, 0.03, 0.33, 0.99, 1.0])
    assert at_times(t, t**3 - t, times) == pytest.approx(times**3 - times)
    assert at_times(t[:2], t[:2], np.array([0.05])) == pytest.approx([0.05])


# --- channels


def catalogue_of(model):
    """The channels of a model that has not run."""
    document = Document()
    document.new(model)
    return Catalogue(document, Playback())


def test_channels_are_known_before_a_run():
    catalogue = catalogue_of(double_pendulum())
    entries = catalogue.entries()
    expected = [channel.name for channel in Results(compile_model(double_pendulum())).channels()]
    assert list(entries) == expected
    entry = entries["revolute_2.force_x"]
    assert entry.unit == "N" and entry.frame == "world axes" and entry.owner_label == "Elbow"
    assert entries["total_energy"].owner == ""
    assert entries["rod_1.angle"].quantity == "angle"


def test_a_model_that_cannot_run_tells_why_it_has_no_channels():
    m = Mechanism("Broken")
    m.rod((0, 0), (1, 0), mass="unknown_parameter")
    catalogue = catalogue_of(m.model)
    assert catalogue.entries() == {} and "unknown_parameter" in catalogue.reason


@pytest.mark.parametrize(
    ("id", "names"),
    [
        ("rod_1", ["rod_1.angle"]),
        ("revolute_1", ["revolute_1.angle"]),
        ("spring_1", ["spring_1.length", "spring_1.force"]),
        ("nobody", []),
    ],
)
def test_every_element_has_usual_channels(id, names):
    assert catalogue_of(double_pendulum()).usual(id) == names


@pytest.mark.parametrize("dim", [2, 3])
def test_what_moves_is_usually_seen(dim):
    m = Mechanism("Falling and sliding", dim=dim)
    up, aside = "y" if dim == 2 else "z", (1, 0, 0)[:dim]
    along = {} if dim == 2 else {"axis": aside}  # in the plane it slides along x
    ball = m.particle((0, 0, 2)[3 - dim :])
    assert catalogue_of(m.model).usual(ball) == [f"{ball}.{up}"]
    box = m.box((3, 0, 0)[:dim], *(0.2, 0.1, 0.1)[:dim], velocity=aside)
    slider = m.prismatic("ground", box, at=(3, 0, 0)[:dim], **along)
    catalogue = catalogue_of(m.model)
    assert catalogue.usual(box) == [f"{box}.x"]
    assert catalogue.usual(slider) == [f"{slider}.displacement"]
    assert catalogue.choices(box)[0][1][0] == f"{box}.x"


def test_rates_of_coordinates_are_known():
    catalogue = catalogue_of(double_pendulum())
    for x, rate in (
        ("rod_1.angle", "rod_1.angular_velocity"),
        ("rod_1.x", "rod_1.vx"),
        ("rod_1.center_y", "rod_1.center_vy"),
        ("revolute_2.angle", "revolute_2.angle_rate"),
        ("spring_1.length", "spring_1.length_rate"),
        ("rod_1.kinetic_energy", ""),
        ("total_energy", ""),
    ):
        assert catalogue.rate_of(x) == rate
    assert catalogue.usual_pair("revolute_2") == ("revolute_2.angle", "revolute_2.angle_rate")


def test_a_menu_joins_the_components_of_a_vector():
    choices = dict(catalogue_of(double_pendulum()).choices("rod_1"))
    assert choices["position [m]"] == ["rod_1.x", "rod_1.y"]
    assert choices["angle [rad]"] == ["rod_1.angle"]
    assert next(iter(choices)) == "angle [rad]"  # what moves comes first
    assert not any("Mass centre" in title for title in choices)  # it is where the body is
    titles = dict(catalogue_of(double_pendulum()).choices("revolute_2"))
    assert "force on Lower [N]" in titles and "force on Lower in joint axes [N]" in titles
    assert not any("marker" in title for title in titles)
    of_ground = dict(catalogue_of(double_pendulum()).choices("revolute_1"))
    assert not any("joint axes" in title for title in of_ground)  # they are those of the world


# --- units


def test_values_are_shown_in_the_units_of_the_user(preferences):
    assert shown_unit(preferences, "rad") == pytest.approx((np.pi / 180.0, "°"))
    preferences.set("length_unit", "mm")
    assert shown_unit(preferences, "m") == pytest.approx((1e-3, "mm"))
    assert shown_unit(preferences, "rad/s", as_frequency=True) == pytest.approx((2 * np.pi, "1/s"))
    assert shown_unit(preferences, "") == (1.0, "")
    assert written("kg m^2/s") == "kg·m²/s"


def test_columns_of_new_frames_continue_those_of_old_ones():
    results = run(double_pendulum())
    few = Results(results.compiled, results.settings)
    n = 80
    frames = (getattr(results, name) for name in Block._fields)
    few.append(Block(*(column[:n] for column in frames)))
    tail = results.since(n)
    assert len(tail) == 1 + len(results) - n
    for channel in results.channels():
        known = column(few.t, few[channel.name], token_of(few))
        assert grew(known, results)
        whole = extended(known, results, tail[channel.name][1:])
        expected = channel.values
        # the energy of springs is summed over other knots
        assert whole.values == pytest.approx(expected, rel=1e-9, abs=1e-9), channel.name
        assert (whole.low, whole.high) == pytest.approx((expected.min(), expected.max()), abs=1e-9)
