"""Numbers as people read them: digits, noise, exponents, units of the user, and reading them back."""

import re
from dataclasses import replace
from math import isfinite
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QDoubleSpinBox

from engine.compiling.checks import remarks
from engine.editing.builder import Mechanism
from engine.errors import EngineError, Length, say
from engine.model.elements import planar
from engine.running.simulate import run
from gui.forms.lines import LineField
from gui.forms.making import Maker
from gui.forms.orientation.representations import numbers_text
from gui.look.sentences import said
from gui.look.translation import choose_separator
from gui.plots.columns import quiet_values
from gui.running.runs import details
from gui.stages.arrows import noise_of
from gui.state.document import Document
from gui.state.numbers import listed, shortened, size_of, written
from gui.state.playback import RunRecord
from gui.state.preferences import Preferences, length_text


@pytest.fixture
def preferences(tmp_path):
    """Preferences in a file of their own."""
    return Preferences(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))


@pytest.mark.parametrize(
    ("value", "scale", "text"),
    [
        (1.11022e-16, 0.4, "0"),
        (-5.6e-17, 0.4, "0"),
        (1.11022e-16, 0.0, "1.11022e-16"),  # nothing is known of its scale
        (3e-10, 1.0, "0"),
        (3e-9, 1.0, "3e-9"),
        (-0.0, 0.0, "0"),
        (1234567.0, 0.0, "1.23457e6"),
        (0.25, 1.0, "0.25"),
    ],
)
def test_noise_is_zero_and_exponents_are_short(value, scale, text):
    assert written(value, scale=scale) == text
    choose_separator(decimal_comma=True)
    assert written(value, scale=scale) == text.replace(".", ",")


def test_numbers_up_to_a_million_have_no_exponent_however_few_digits_they_have():
    assert [written(value, 2) for value in (100.0, 1595.0, 20000.0)] == ["100", "1600", "20000"]
    assert written(-12345.0, 1) == "-10000" and written(999999.0, 3) == "1e6"
    assert written(3.2e7, 4) == "3.2e7" and written(2.5e-5, 2) == "2.5e-5"


def test_a_number_keeps_its_exponent_where_room_is_short():
    whole = "1.11022e-16"
    for room in range(len(whole), 3, -1):
        short = shortened(whole, lambda text, room=room: len(text) <= room)
        assert short.endswith("e-16") and float(short) == pytest.approx(1.1e-16, rel=0.1)
        assert len(short) <= max(room, len("1e-16"))
    assert shortened("2*pi", lambda _: False) == "2*pi"  # a formula is never rounded
    choose_separator(decimal_comma=True)
    assert shortened("-0,123457", lambda text: len(text) < 6) == "-0,12"


def test_a_narrow_field_shows_fewer_digits_and_keeps_them_all(qtbot):
    field, meant = LineField(str, float, lambda value: None), []
    qtbot.addWidget(field)
    field.meant.connect(meant.append)
    field.resize(70, 30)
    field.show()
    qtbot.waitExposed(field)
    field.show_value(-6.76139e-17, mixed=False)
    assert field.line.fits(field.line.text()) and field.line.text().endswith("e-17")
    assert field.line.toolTip() == "-6.76139e-17"
    field.line.setFocus()
    field.line.entered.emit()
    assert field.line.text() == "-6.76139e-17"
    field.line.meant.emit()  # left as it was
    assert meant == []


def test_lengths_are_told_in_the_unit_of_the_user(preferences):
    assert length_text(0.05, preferences) == "50 mm" and length_text(2.0, preferences) == "2 m"
    preferences.set("length_unit", "in")
    assert length_text(0.0254, preferences) == "1 in"
    preferences.set("decimal_comma", True)
    assert length_text(0.00254, preferences) == "0,1 in"


def test_all_that_writes_numbers_has_the_separator_of_the_user(qtbot, preferences):
    spin = QDoubleSpinBox(decimals=3, value=0.5)
    qtbot.addWidget(spin)
    assert spin.text() == "0.500" and listed(("0", "0.5")) == "(0, 0.5)"
    sentence = say("stopped at t = {t:.3g} s with {n} bodies", t=0.25, n=3)
    assert said(sentence) == "stopped at t = 0.25 s with 3 bodies"
    preferences.set("decimal_comma", True)
    assert said(sentence) == "stopped at t = 0,25 s with 3 bodies"
    assert said(say("gap {gap}", gap=Length(0.0025)), preferences) == "gap 2,5 mm"
    other = QDoubleSpinBox(decimals=3, maximum=1e4, value=1234.5)
    qtbot.addWidget(other)
    assert other.text() == "1234,500" and listed(("0", "0,5")) == "(0; 0,5)"
    assert other.locale().toDouble("1234,5") == (1234.5, True)
    Preferences(preferences.settings)  # another start of the program
    assert written(0.5) == "0,5"
    preferences.set("decimal_comma", False)
    assert written(0.5) == "0.5"


def pendulum():
    """A rod on a pin."""
    m = Mechanism("Pendulum")
    m.revolute("ground", m.rod((0, 0), (0.5, 0)), at=(0, 0))
    return m


def test_arrows_of_rounding_are_not_drawn():
    noise = noise_of(pendulum().model, 1.0)
    assert 5e-10 < noise["velocities"] < 1e-7 and noise["reactions"] < 1e-6
    assert size_of(pendulum().model) >= 0.25 and size_of(planar()) == 1.0


def test_preparation_and_computing_of_a_run_are_told_apart():
    told = run(pendulum().model, t_end=0.2).statistics
    assert told.preparation >= 0.0 and told.wall_time > 0.0 and told.steps > 0
    record = RunRecord(1, run(pendulum().model, t_end=0.2), None)
    record.results.statistics.preparation = 6.2
    words = details(record, lambda text: text)
    assert "s of computing" in words and "6.2 s of preparation" in words
    choose_separator(decimal_comma=True)
    assert "6,2 s of preparation" in details(record, lambda text: text)


def test_a_body_that_nobody_joined_is_pointed_at():
    m = pendulum()
    assert remarks(m.model) == []
    box = m.box((2, 0), name="forgotten")
    told = remarks(m.model)
    assert [problem.ids for problem in told] == [(box,)] and "'forgotten'" in told[0].sentence
    assert remarks(replace(m.model, gravity=(0.0, 0.0))) == []  # it stays where it is
    m.spring(("ground", (2, 1)), (box, (2, 0)))
    assert remarks(m.model) == []


def test_the_end_time_is_called_so():
    m = pendulum()
    wrong = replace(m.model, settings=replace(m.model.settings, t_end="no_such_name"))
    with pytest.raises(EngineError, match="end time of the settings"):
        run(wrong)


def test_numbers_are_shown_short_and_read_back_close(preferences):
    for value in (0.0, 1.0, -2.5, 1e-9, 123456789.0, 1 / 3):
        for unit in ("m", "rad", "kg", "N/m", "rad/s", ""):
            text, _ = preferences.shown(value, unit)
            back = preferences.parse(text, unit, planar())
            assert back == pytest.approx(value, rel=1e-5, abs=1e-12)  # six digits are shown


def test_parse_never_gives_a_number_that_is_not_finite(preferences):
    for text in ("nan", "inf", "1e400", "1/0", "0/0", "", "   ", "--", "log(0)"):
        with pytest.raises(EngineError):
            preferences.parse(text, "m", planar())


def test_preferences_survive_nonsense_in_their_file(qapp, tmp_path):
    settings = QSettings(str(tmp_path / "bad.ini"), QSettings.Format.IniFormat)
    settings.setValue("preferences/length_unit", "furlong")
    settings.setValue("preferences/theme", "pink")
    chosen = Preferences(settings)
    assert chosen.length_unit == "m" and chosen.theme == "system"
    assert isfinite(chosen.default_step)


NO_READER = {  # texts that are formulas, shaders or arguments of programs, or are typeset
    "gui/state/numbers.py",
    "gui/instruments/formula/typesetter.py",
    "gui/instruments/equations/numbers.py",
    "gui/instruments/tree/numbers.py",
    "gui/export/film/film_files.py",
    "gui/tools/plane/on_joints.py",
    "gui/stages/space/graphics/vtk_parts.py",
}


def test_one_place_decides_about_digits():
    """Elsewhere digits are chosen only to round a number, never to write it."""
    own = re.compile(r":[+.0-9]*[ge]\}|:[+.0-9{]*[1-9A-Z]\}?f\}")
    root = Path(__file__).parents[3]
    found = [
        f"{path.relative_to(root)}: {line.strip()}"
        for path in sorted((root / "gui").rglob("*.py"))
        if path.relative_to(root).as_posix() not in NO_READER
        for line in path.read_text(encoding="utf-8").splitlines()
        if own.search(line) and not re.search(r'(float|separated)\(f"|font-size', line)
    ]
    assert found == []


@pytest.mark.parametrize(("unit", "text"), [("m", "54 mm"), ("cm", "5.4 cm"), ("mm", "54 mm")])
def test_a_gap_is_told_in_the_unit_of_the_user(preferences, unit, text):
    preferences.set("length_unit", unit)
    sentence = say("{joint} is {apart} apart", joint="pin_1", apart=Length(0.054))
    assert sentence == "pin_1 is 54 mm apart"  # where there is no user
    assert said(sentence, preferences) == f"pin_1 is {text} apart"


def test_rounding_of_an_orientation_is_zero(preferences):
    q = [2**-0.5, 2**-0.5, 1e-16, -1e-17]
    for name in ("quaternion", "axis-angle", "1-2-3", "rotation vector"):
        assert "e-" not in numbers_text(preferences, q, name)
    assert numbers_text(preferences, q, "quaternion") == "0.70711; 0.70711; 0; 0"


def test_a_plot_does_not_magnify_rounding():
    class Channel:
        values, unit = [0.0, 2e-35, 3e-17, -1e-3], "rad"

    assert quiet_values(Channel).tolist() == [0.0, 0.0, 0.0, -1e-3]
    Channel.unit = "N"  # a small force may be meant
    assert quiet_values(Channel).tolist() == [0.0, 0.0, 3e-17, -1e-3]


def test_a_number_that_has_only_begun_is_not_called_wrong(qtbot, preferences):
    def check(value):
        if not value > 0.0:
            raise EngineError("It must be above zero.")

    field = LineField(str, lambda text: preferences.parse(text, "m", planar()), check)
    qtbot.addWidget(field)
    field.show()
    field.show_value(2.0, False)
    field.line.selectAll()
    for letter in "0.9":
        qtbot.keyClicks(field.line, letter)
        assert not field.is_wrong
    field.line.selectAll()
    qtbot.keyClicks(field.line, "0\r")  # it is meant
    assert field.is_wrong


def test_start_velocities_and_angles_of_rounding_are_written_as_zero(preferences):
    m = Mechanism()
    m.rod((0, 0), (1, 0))
    document = Document()
    document.new(m.model)
    maker = Maker(document, preferences)
    assert maker.shown(-8e-21, "m/s") == "0" and maker.shown(-8e-6, "m/s") == "-8e-6"
    assert maker.shown(4e-19, "rad/s") == "0" and maker.shown(2e-17, "rad") == "0"
