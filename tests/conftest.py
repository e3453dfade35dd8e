"""What all tests share: small threads, a screen of some kind, settings of their own, their order, examples.

A test is the same on every machine and on every day: random cases come from fixed seeds, nothing is
read from the user's settings, and nothing depends on the clock.
"""

import gc
import json
import os
import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import Phase

hypothesis.settings.register_profile("same", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile(
    "unshrunk", hypothesis.settings.get_profile("same"), phases=(Phase.explicit, Phase.generate)
)
hypothesis.settings.load_profile("same")
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer to run the tests in another order."""
    parser.addoption(
        "--shuffle", metavar="SEED", help="run files, and tests in them, in random order"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Keep settings and data in a folder of their own; changes the environment of all processes."""
    folder = tempfile.mkdtemp(prefix="kardan-tests-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):  # the cache of kernels stays where it is
        os.environ[name] = folder


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Change the order if asked to: files at random, and their tests at random."""
    if (seed := config.getoption("--shuffle")) is not None:
        chance, files = random.Random(seed), list(dict.fromkeys(item.path for item in items))
        chance.shuffle(files)
        chance.shuffle(items)
        items.sort(key=lambda item: files.index(item.path))


def pytest_collection_finish() -> None:
    """Leave modules and tests, which stay to the end, out of every later search for garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def example_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of assets/examples, with a planar and a spatial pendulum."""
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
