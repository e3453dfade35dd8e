"""The wheel: everything lies under one name and works where there is no checkout."""

import json
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / ".ci"))

import wheel_backend  # noqa: E402

# A stranger to the checkout: nothing of the repository can be imported, whatever is installed beside it.
ALONE = """
import sys
sys.meta_path[:] = [one for one in sys.meta_path if "editable" not in getattr(one, "__module__", "")]
sys.path.insert(0, {wheel!r})
{code}
strangers = set(sys.modules) & {{"main", *{moved!r}}}
assert not strangers, strangers
"""

EVERY_MODULE = """
import importlib, json, pkgutil, kardan
names = [one.name for one in pkgutil.walk_packages(kardan.__path__, "kardan.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(json.dumps(names))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The folder of an unpacked wheel, as pip would put it into site-packages."""
    built, site = tmp_path_factory.mktemp("built"), tmp_path_factory.mktemp("site")
    code = "import sys, wheel_backend; print(wheel_backend.build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(built)],
        cwd=ROOT / ".ci",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(next(built.iterdir())) as archive:
        archive.extractall(site)
    return site


def alone(wheel, code, folder):
    """What code prints in a Python that knows the wheel and nothing of the checkout."""
    text = ALONE.format(wheel=str(wheel), code=code, moved=wheel_backend.MOVED)
    done = subprocess.run(
        [sys.executable, "-I", "-c", text], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_only_one_name_lies_at_the_top(wheel):
    tops = {path.name for path in wheel.iterdir() if not path.name.endswith(".dist-info")}
    assert tops == {"kardan"}
    assert next(wheel.glob("*.dist-info/top_level.txt")).read_text().split() == ["kardan"]


def test_every_file_of_the_program_is_in_the_wheel(wheel):
    moved = [(name, wheel / "kardan" / name) for name in wheel_backend.MOVED]
    for name, there in [("kardan", wheel / "kardan"), *moved]:
        for path in (ROOT / name).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert (there / path.relative_to(ROOT / name)).is_file(), path.name


def test_every_module_is_imported_by_its_name_in_the_wheel(wheel, tmp_path):
    names = json.loads(alone(wheel, EVERY_MODULE, tmp_path))
    assert {"kardan.engine.cli.commands", "kardan.gui.window.app"} <= set(names)
    assert len(names) > 300  # else the walk ended early and nothing was tried


def test_the_command_of_the_wheel_names_version_and_examples(wheel, tmp_path):
    code = "from kardan.__main__ import main; main(['--version']); main(['examples'])"
    version, *examples = alone(wheel, code, tmp_path).splitlines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert version == f"Kardan {project['version']}"
    assert len(examples) == len(list((ROOT / "assets" / "examples").glob("*.json")))


def test_a_notebook_loads_and_judges_an_example_with_the_wheel(wheel, tmp_path):
    code = (
        "import kardan\n"
        "model = kardan.load(kardan.example_paths()['four_bar'])\n"
        "print(model.name, kardan.problems(model), kardan.__file__)"
    )
    assert alone(wheel, code, tmp_path).split() == [
        *("Four-bar", "[]"),
        str(wheel / "kardan" / "__init__.py"),
    ]


def test_a_second_process_finds_the_modules_of_the_wheel(wheel, tmp_path):
    code = (
        "import os, subprocess\n"
        "from kardan.engine.processes import command, search_path\n"
        "env = {**os.environ, 'PYTHONPATH': search_path()}\n"
        "subprocess.run([*command('kardan'), '--version'], env=env, check=True)"
    )
    assert alone(wheel, code, tmp_path).startswith("Kardan ")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from engine.errors import EngineError", "from kardan.engine.errors import EngineError"),
        ("from engine import (\n    errors,\n)", "from kardan.engine import (\n    errors,\n)"),
        ("import assets", "import kardan.assets as assets"),
        ("import os, gui as window, re", "import os, kardan.gui as window, re"),
        ("import rotations.jit as jit", "import kardan.rotations.jit as jit"),
        ("x = 'ä'; import gui", "x = 'ä'; import kardan.gui as gui"),
        ("from . import engine", "from . import engine"),
        ("from engineering import gui", "from engineering import gui"),
        ('"""See engine.errors."""\nx = "engine"', '"""See engine.errors."""\nx = "engine"'),
    ],
)
def test_imports_are_renamed_and_nothing_else(source, expected):
    assert wheel_backend.renamed(source.encode(), "x.py").decode() == expected


@pytest.mark.parametrize(
    "source",
    [
        "import gui.window.app",
        'name = "engine.errors"',
        'f"engine.{name}"',
        "from  engine import x",
    ],
)
def test_what_cannot_be_renamed_stops_the_build(source):
    with pytest.raises(SystemExit, match=r"^x\.py:1: "):
        wheel_backend.renamed(source.encode(), "x.py")
