"""The wheel: everything lies under one name and works where there is no checkout."""

import json
import os
import shutil
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
    code = "import sys, wheel_backend as w; w.build_wheel(sys.argv[1], {'machine-code': 'sample'})"
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


def alone(wheel, code, folder, **variables):
    """What code prints in a Python that knows the wheel and nothing of the checkout."""
    text = ALONE.format(wheel=str(wheel), code=code, moved=wheel_backend.MOVED)
    done = subprocess.run(
        [sys.executable, "-I", "-c", text],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
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


# --- machine code; the wheel of these tests brings that of one product of quaternions

PRODUCT = """
import warnings
from kardan.rotations import quaternion, quaternion_algebra
with warnings.catch_warnings(record=True) as said:
    q = quaternion.product([1, 0, 0, 0], [1, 2, 3, 4])
print(*q, sum(quaternion_algebra.product_rows.stats.cache_hits.values()), len(said))
"""
FIRST_TIME = "from kardan.engine.integrators import warm_up; print(warm_up.first_time())"
LOADED, COMPILED = "1.0 2.0 3.0 4.0 1 0", "1.0 2.0 3.0 4.0 0 0"  # product, hits, warnings


def own_files(folder):
    """The indices of machine code in a folder of the user."""
    return list(folder.rglob("*.nbi"))


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """A folder of the user without machine code, and a processor that nobody chose."""
    for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def copy(wheel, tmp_path):
    """The wheel in a folder of its own, to be damaged."""
    return shutil.copytree(wheel, tmp_path / "copy")


def test_a_wheel_with_machine_code_names_its_python_and_platform(wheel):
    told = next(wheel.glob("*.dist-info/WHEEL")).read_text()
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"Tag: {python}-{python}-" in told and "any" not in told
    assert "Root-Is-Purelib: false" in told


def test_machine_code_of_the_wheel_is_used_and_the_user_compiles_nothing(wheel, empty_cache):
    assert alone(wheel, PRODUCT, empty_cache.parent).strip() == LOADED
    assert not own_files(empty_cache)


def test_machine_code_of_the_wheel_is_used_where_nothing_can_be_written(wheel, empty_cache):
    empty_cache.write_bytes(b"no folder")
    assert alone(wheel, PRODUCT, empty_cache.parent).strip() == LOADED


def test_another_processor_compiles_for_itself_and_says_why(wheel, empty_cache):
    other = {"NUMBA_CPU_NAME": "generic"}
    assert alone(wheel, PRODUCT, empty_cache.parent, **other).strip() == COMPILED
    assert own_files(empty_cache)
    why = alone(wheel, FIRST_TIME, empty_cache.parent, **other)
    assert "was made with numba" in why and "here it would have to be numba" in why
    assert "generic" in why.partition("here")[2] and "generic" not in why.partition("here")[0]


def test_changed_sources_are_compiled_again_and_that_is_said(copy, empty_cache):
    vector = copy / "kardan" / "rotations" / "vector.py"
    vector.write_text(vector.read_text() + "\n# changed\n")
    assert alone(copy, PRODUCT, empty_cache.parent).strip() == COMPILED
    assert own_files(empty_cache)
    assert "The sources of the solver were changed" in alone(copy, FIRST_TIME, empty_cache.parent)


def test_damaged_machine_code_of_the_wheel_is_left_alone_and_compiled_again(copy, empty_cache):
    (damaged,) = copy.rglob("quaternion_algebra.product_rows*.nbc")
    damaged.write_bytes(damaged.read_bytes()[:-1])
    size = damaged.stat().st_size
    assert alone(copy, PRODUCT, empty_cache.parent).split()[-2:] == ["0", "1"]  # one warning
    assert damaged.stat().st_size == size and own_files(empty_cache)
    assert alone(copy, PRODUCT, empty_cache.parent).strip() == LOADED  # the user's own


def test_a_wheel_may_be_built_without_machine_code():
    without = {wheel_backend.MACHINE_CODE: "none"}
    assert wheel_backend.program_for(without) == ""
    assert not any("numba" in one for one in wheel_backend.get_requires_for_build_wheel(without))
    assert any("numba" in one for one in wheel_backend.get_requires_for_build_wheel({}))
    with pytest.raises(SystemExit, match="all, sample, none"):
        wheel_backend.program_for({wheel_backend.MACHINE_CODE: "some"})


def test_kernels_that_cannot_be_compiled_stop_the_build_with_a_sentence(tmp_path):
    with pytest.raises(SystemExit, match=r"They need .*numba>=.*machine-code=none"):
        wheel_backend.compile_kernels(tmp_path, "raise SystemExit(1)")


# --- names


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
