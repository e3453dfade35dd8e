"""Pages that are written by a script are what the script writes, and code in pages runs."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from engine.catalog import ELEMENTS
from engine.shapes import SHAPES

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
