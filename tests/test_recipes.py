"""What CONTRIBUTING says about adding an element: in how many files its name stands."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("engine", "gui", "kardan", "rotations")


def files_that_name(kind):
    """The hand-written files of the program in which a kind or its class is named, and its icon."""
    word = re.compile(rf"\b_?({kind}|{kind.title().replace('_', '')})\b")
    sources = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    found = [path for path in sources if word.search(path.read_text(encoding="utf-8"))]
    icon = ROOT / "assets" / "icons" / f"{kind}.svg"
    return [path.relative_to(ROOT).as_posix() for path in (*found, icon) if path.exists()]


def test_a_force_with_a_law_of_its_own_takes_six_files_and_its_formula_a_seventh():
    assert (
        files_that_name("air_drag")
        == [
            "engine/kernels/acting/marker_laws.py",
            "engine/model/forces/__init__.py",
            "engine/model/forces/air.py",
            "engine/symbols/acting.py",  # not needed: without it force and torque are symbols with numbers
            "gui/stages/plane/graphics/forces.py",
            "gui/stages/space/graphics/forces.py",
            "assets/icons/air_drag.svg",
        ]
    )


@pytest.mark.parametrize("kind", ["point_on_circle", "constant_velocity"])
def test_a_joint_takes_five_files(kind):
    assert 0 < len(files_that_name(kind)) <= 5


def test_the_recipe_names_these_files():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for path in files_that_name("air_drag"):
        assert path in page, path
