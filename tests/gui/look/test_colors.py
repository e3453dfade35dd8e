"""Colours: of bodies for everybody's eyes, of outlines on paper, and numbers that stay."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtGui import QColor

from engine.editing.builder import Mechanism
from engine.editing.edits.clipboard import duplicated
from engine.files.model_files import dumps, loads
from engine.model.elements import HUES, remove
from gui.look.colors import body_colors, outline_tone, rgb
from gui.look.theme import DARK, LIGHT

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])

# Linear sRGB to cone responses and on to OKLab (B. Ottosson, 2020).
TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
# What dichromats see, in linear sRGB (Machado, Oliveira and Fernandes, 2009, full severity).
SEEN = {
    "normal": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}


def linear(color):
    """A colour as amounts of light."""
    c = np.array(rgb(color))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def oklab(light):
    """Lightness and two hues in which equal distances look alike."""
    return TO_LAB @ np.cbrt(np.maximum(TO_CONES @ np.clip(light, 0.0, 1.0), 0.0))


def contrast(a, b):
    """The ratio of luminances as the WCAG define it."""
    y = sorted(float(linear(c) @ (0.2126, 0.7152, 0.0722)) for c in (a, b))
    return (y[1] + 0.05) / (y[0] + 0.05)


def test_the_measures_know_published_values():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert oklab(linear("#ff0000")) == pytest.approx([0.628, 0.225, 0.126], abs=1e-3)


@THEMES
@pytest.mark.parametrize("eye", SEEN)
def test_colours_of_bodies_differ_for_every_eye(theme, eye):
    assert len(theme.bodies) == HUES
    labs = [oklab(SEEN[eye] @ linear(color)) for color in theme.bodies]
    assert min(float(np.linalg.norm(a - b)) for a, b in combinations(labs, 2)) >= 0.065


@THEMES
def test_outlines_ground_and_faint_lines_are_clear_on_paper(theme):
    tones = [outline_tone(QColor(color), theme) for color in theme.bodies]
    for tone in (*tones, theme.ground, theme.faint, theme.quiet, theme.accent):
        assert contrast(tone, theme.paper) >= 3.0, QColor(tone).name()


def rods(n):
    """A model of some rods."""
    m = Mechanism("Rods")
    for k in range(n):
        m.rod((0.0, k), (1.0, k))
    return m.model


def test_deleting_a_body_changes_no_other_colour():
    model = rods(5)
    before = body_colors(model, LIGHT)
    left = body_colors(remove(model, "rod_2"), LIGHT)
    assert left == {id: color for id, color in before.items() if id != "rod_2"}


def test_a_new_body_takes_the_hue_that_is_used_least():
    m = Mechanism("Rods")
    m.model = remove(rods(4), "rod_2")
    new = m.rod((0.0, 9.0), (1.0, 9.0))
    assert [body.hue for body in m.model.of("body")] == [1, 3, 4, 2]
    model, (copy,) = duplicated(m.model, (new,), (0.0, 1.0))
    assert model[copy].hue == 5


def test_colours_start_again_after_the_last_one():
    colors = body_colors(rods(HUES + 2), LIGHT)
    assert colors["rod_9"] == colors["rod_1"] and colors["rod_10"] == colors["rod_2"]


def test_fixed_bodies_use_up_no_hue():
    m = Mechanism("Rods")
    m.rod((0.0, 0.0), (1.0, 0.0), fixed=True)
    moving = m.rod((0.0, 1.0), (1.0, 1.0))
    assert m.model[moving].hue == 1


def test_the_number_of_a_colour_is_kept_in_the_file():
    model = remove(rods(3), "rod_1")
    assert body_colors(loads(dumps(model)), DARK) == body_colors(model, DARK)
