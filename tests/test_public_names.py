"""What `import kardan` offers to notebooks and scripts."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import kardan

SOURCE = Path(kardan.__file__).read_text(encoding="utf-8")


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import sys, kardan\n"
        "assert not {'numpy', 'numba', 'PySide6'} & set(sys.modules)\n"
        "assert kardan.EngineError and 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_public_name_can_be_had_and_is_completed():
    assert set(kardan.__all__) <= set(dir(kardan))
    for name in set(kardan.__all__) - {"__version__"}:
        assert callable(getattr(kardan, name)), name


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="'kardan' has no attribute 'nothing'"):
        _ = kardan.nothing


def test_type_checkers_read_the_names_that_are_loaded_later():
    guarded = next(node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    seen = {alias.name for node in ast.walk(guarded) for alias in getattr(node, "names", [])}
    assert seen == set(kardan._HOMES)
    assert seen | {"__version__", "example_paths"} == set(kardan.__all__)


def test_what_a_notebook_prints_is_short_and_tells_what_it_is():
    m = kardan.Mechanism("Pendulum")
    m.revolute("ground", m.rod((0, 0), (1, 0), mass=1), at=(0, 0))
    assert repr(m) == "<Mechanism 'Pendulum', 2D: 1 bodies, 1 joints>"
    angle = m.run(t_end=0.1).channel("rod_1.angle")
    assert "rod_1.angle" in repr(angle) and "rad" in repr(angle) and "<" not in repr(angle)
