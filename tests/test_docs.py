"""Pages that are written by a script are what the script writes, and code in pages runs."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from assets import example_paths
from engine.editing.builder import Mechanism
from engine.model.catalogue import ELEMENTS
from engine.model.joints import JOINTS
from engine.model.methods import METHODS
from engine.model.shapes import SHAPES

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def code_blocks(page):
    """The blocks of a page that are marked as Python."""
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


PAGES_WITH_CODE = [page for page in sorted(DOCS.glob("*.md")) if code_blocks(page)]


def test_the_page_of_elements_is_what_its_script_writes():
    written = runpy.run_path(str(DOCS / "make_element_tables.py"))["page"]()
    assert (DOCS / "elements.md").read_text(encoding="utf-8") == written, (
        "run: .venv/bin/python docs/make_element_tables.py"
    )


def test_the_tables_of_speed_are_those_of_the_record():
    written = runpy.run_path(str(DOCS / "make_performance_tables.py"))["page"]()
    assert (DOCS / "performance.md").read_text(encoding="utf-8") == written, (
        "run: .venv/bin/python -m docs.make_performance_tables"
    )


def test_the_page_of_elements_has_a_section_for_every_kind():
    sections = re.findall(r"^### (\w+),", (DOCS / "elements.md").read_text("utf-8"), re.M)
    assert sorted(sections) == sorted(one.kind for one in (*ELEMENTS, *SHAPES))


@pytest.mark.parametrize("page", PAGES_WITH_CODE, ids=lambda page: page.name)
def test_the_code_of_a_page_runs(page):
    # One process for a page: its blocks follow each other, as a reader would type them.
    code = "\n".join(code_blocks(page))
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr


def test_there_is_code_in_the_pages():
    assert PAGES_WITH_CODE  # else the pattern matches nothing and nothing was run


def test_the_tutorial_tells_the_precession_of_the_top_that_it_draws():
    m = Mechanism(dim=3)
    lean = np.radians(20.0)
    end = (0.0, -0.1 * np.sin(lean), 0.1 * np.cos(lean))
    top = m.cylinder((0, 0, 0), end, 0.03, angular_velocity=(0.0, 0.0, 300.0))
    m.spherical("ground", top, (0, 0, 0))
    run = m.run(t_end=10.0)
    round_z = np.unwrap(np.arctan2(run[f"{top}.y"], run[f"{top}.x"]))
    period = 2.0 * np.pi / np.polyfit(run.t, round_z, 1)[0]
    most = np.degrees(np.arccos(run[f"{top}.z"].min() / 0.05))
    page = (DOCS / "tutorial.md").read_text(encoding="utf-8")
    assert f"takes **{period:.2f} s**" in page and f"from 20° to {most:.1f}°" in page


def test_every_picture_is_shown_on_a_page():
    pages = [*DOCS.glob("*.md"), ROOT / "README.md"]
    words = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert [one.name for one in sorted((DOCS / "images").iterdir()) if one.name not in words] == []


def test_the_first_page_counts_what_there_is():
    from gui.tools import TOOLS
    from gui.tools.space import TOOLS3D

    told = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"- {len(example_paths())} examples, each a test" in told
    assert f"{len(TOOLS)} tools in the plane and {len(TOOLS3D)} in space" in told
    words = {17: "Seventeen", 18: "Eighteen", 19: "Nineteen", 20: "Twenty", 21: "Twenty-one"}
    assert f"- {words[len(JOINTS)]} joints" in told and f"- {words[len(METHODS)]} methods" in told
