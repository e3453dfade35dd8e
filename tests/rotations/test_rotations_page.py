"""The page docs/rotations.md keeps its promises."""

import re
from pathlib import Path

import numpy as np

from rotations import SEQUENCES

PAGE = Path(__file__).parents[2] / "docs" / "rotations.md"


def test_the_example_on_the_page_runs():
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict = {}
    exec(example, names)
    assert names["phi_theta_psi"].shape == (3,)
    assert np.isclose(np.linalg.norm(names["q"]), 1.0, atol=1e-15)  # rounding


def test_the_page_lists_every_sequence_and_shows_the_picture():
    text = PAGE.read_text(encoding="utf-8")
    assert all(sequence in text for sequence in SEQUENCES)
    (picture,) = re.findall(r"!\[.*?\]\((.*?)\)", text)
    assert (PAGE.parent / picture).read_text(encoding="utf-8").startswith("<svg")
