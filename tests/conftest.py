"""What all tests share: small threads, a screen of some kind, and examples to open."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture
def example_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in the place of assets/examples, with a planar and a spatial pendulum."""
    import assets
    from engine.editing.builder import Mechanism
    from engine.files.model_files import save

    flat = Mechanism("Double pendulum")
    upper = flat.rod((0, 0), (1, 0), mass=1)
    lower = flat.rod((1, 0), (2, 0), mass=1)
    flat.revolute("ground", upper, at=(0, 0))
    flat.revolute(upper, lower, at=(1, 0))
    deep = Mechanism("Spatial pendulum", dim=3)
    bar = deep.rod((0, 0, 0), (1, 0, 0), mass=1)
    deep.spherical("ground", bar, at=(0, 0, 0))
    folder = tmp_path / "examples"
    folder.mkdir()
    save(flat.model, folder / "double_pendulum.json")
    save(deep.model, folder / "spatial_pendulum.json")
    monkeypatch.setattr(assets, "EXAMPLES", folder)
    return folder


@pytest.fixture(scope="session")
def golden() -> dict[str, Any]:
    """The verified numbers of the theory, by id."""
    path = Path(__file__).parent / "data" / "golden.json"
    return {case["id"]: case for case in json.loads(path.read_text(encoding="utf-8"))}
