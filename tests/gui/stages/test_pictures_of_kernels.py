"""Pixels: smooth edges in finished pictures, and shadows on the floor."""

import numpy as np
import pytest

from gui.stages import kernels
from gui.stages.kernels.shadow_map import ShadowMap
from gui.stages.kernels.smoothing import Smoother, ready_picture, upright
from rotations.jit.folders import Folders


def slanted(h=60, w=90, slope=0.2, samples=1):
    """A picture whose lower part, below a slanted line, is white; by many samples of each pixel."""
    at = (np.arange(samples) + 0.5) / samples
    y = (np.arange(h)[:, None] + at).reshape(-1)
    x = (np.arange(w)[:, None] + at).reshape(-1)
    inside = (y[:, None] > 12.3 + slope * x).astype(float)
    share = inside.reshape(h, samples, w, samples).mean(axis=(1, 3))
    return np.repeat(np.round(255.0 * share)[..., None], 4, axis=2).astype(np.uint8)


@pytest.mark.parametrize("slope", [0.07, 0.2, 0.5, 1.0])
def test_smoothing_comes_nearer_to_the_true_cover_of_pixels(slope):
    rough, true = slanted(slope=slope), slanted(slope=slope, samples=16).astype(float)
    smooth = Smoother().smoothed(rough)[::-1].astype(float)
    before, after = (np.abs(p - true)[2:-2, 2:-2].mean() for p in (rough.astype(float), smooth))
    assert after < 0.8 * before


def test_smoothing_leaves_even_parts_and_clear_pictures_alone():
    rough = slanted()
    smooth = Smoother().smoothed(rough)[::-1]
    far = np.abs(np.arange(60)[:, None] - (12.3 + 0.2 * np.arange(90))) > 2.5
    assert (smooth == rough)[far].all()
    assert not Smoother().smoothed(np.zeros((40, 50, 4), np.uint8)).any()


def test_pictures_are_turned_upright_and_keep_their_colours():
    dots = np.random.default_rng(3).integers(0, 256, (5, 7, 4), dtype=np.uint8)
    assert (upright(dots) == dots[::-1][:, :, [2, 1, 0, 3]]).all()
    colours = np.array([200, 120, 40, 255]) / 255.0
    rough = (slanted() * colours).astype(np.uint8)
    share = Smoother().smoothed(rough) / (255.0 * colours[[2, 1, 0, 3]])
    assert share == pytest.approx(share[:, :, 3:].repeat(4, axis=2), abs=0.03)


def test_without_kernels_a_picture_is_turned_all_the_same(monkeypatch):
    dots = np.random.default_rng(3).integers(0, 256, (5, 7, 4), dtype=np.uint8)
    monkeypatch.setattr("gui.stages.kernels.smoothing.are_compiled", lambda: False)
    monkeypatch.setattr("gui.stages.kernels.smoothing.upright", None)  # nothing is compiled now
    picture = ready_picture(dots)
    assert (picture == dots[::-1][:, :, [2, 1, 0, 3]]).all() and picture.flags.c_contiguous


def test_kernels_are_there_once_it_was_noted(monkeypatch, tmp_path):
    monkeypatch.setattr(kernels, "_known", set())
    monkeypatch.setattr(kernels, "FOLDERS", Folders(tmp_path, None))
    assert not kernels.are_compiled()
    kernels.note_compiled()
    monkeypatch.setattr(kernels, "_known", set())  # another program
    assert kernels.are_compiled()


def test_a_smoother_forgets_the_picture_before():
    one, other = slanted(slope=0.5), np.zeros((60, 90, 4), np.uint8)
    other[30:34, 5:85] = 200
    used = Smoother()
    used.smoothed(one)
    assert (used.smoothed(other) == Smoother().smoothed(other)).all()
    assert used.smoothed(np.zeros((30, 20, 4), np.uint8)).shape == (30, 20, 4)


def plate(x, y, z, wide, tall):
    """A flat rectangle at a height."""
    corners = np.array([(x, y, z), (x + wide, y, z), (x + wide, y + tall, z), (x, y + tall, z)])
    return corners, np.array([(0, 1, 2), (0, 2, 3)])


def cast(points, triangles, *, n=100, cell=0.02, slope=(0.0, 0.0), fades=(0.0, 0.0), softness=0):
    """The maps of a shadow on a square of two metres."""
    made = ShadowMap(n)
    made.cast(
        points,
        triangles,
        corner=np.zeros(2),
        cell=cell,
        slope=np.array(slope),
        fades=fades,
        softness=softness,
    )
    return made


def test_a_shadow_has_the_area_of_what_throws_it_and_lies_along_the_light():
    made = cast(*plate(0.6, 0.8, 0.5, 0.4, 0.3), slope=(0.3, -0.2))
    ys, xs = np.nonzero(made.key > 0.5)
    assert made.key.sum() * 0.02**2 == pytest.approx(0.12, rel=0.07)  # cells on its rim
    assert (0.02 * (xs.mean() + 0.5), 0.02 * (ys.mean() + 0.5)) == pytest.approx(
        (0.8 - 0.15, 0.95 + 0.1), abs=0.011
    )
    ys, xs = np.nonzero(made.near > 0.5)  # straight below
    assert (0.02 * (xs.mean() + 0.5), 0.02 * (ys.mean() + 0.5)) == pytest.approx(
        (0.8, 0.95), abs=0.011
    )


def test_thin_links_have_thin_shadows_and_contact_fades_with_height():
    thin = cast(*plate(0.2, 1.0, 0.3, 1.5, 0.04), softness=1)
    profile = thin.key[:, 50]
    assert (profile > 0.02).sum() <= 2 + 2  # two cells, and one to each side
    low = cast(*plate(0.5, 0.5, 0.01, 1.0, 1.0), fades=(0.0, 14.0)).near.max()
    high = cast(*plate(0.5, 0.5, 0.5, 1.0, 1.0), fades=(0.0, 14.0)).near.max()
    assert low > 0.85 and high < 0.01


def test_softness_keeps_the_amount_of_shadow():
    sharp, soft = (cast(*plate(0.6, 0.6, 0.2, 0.6, 0.6), softness=n) for n in (0, 2))
    assert soft.key.sum() == pytest.approx(sharp.key.sum(), rel=1e-4)
    assert (soft.key > 0).sum() > (sharp.key > 0).sum()


def test_shadows_beside_the_map_are_cut_off():
    made = cast(*plate(-5.0, -5.0, 0.2, 20.0, 20.0))
    assert (made.key == 1.0).all()
    made.darken(0.5, 0.5)
    assert (made.dots[..., 3] == round(255 * 0.75)).all()
