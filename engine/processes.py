"""Child processes that run a module of this program: how they are started and what they may import."""

import os
import sys
from pathlib import Path


def command(module: str) -> list[str]:
    """The arguments that start a module of this program, such as f"{__package__}.probe"."""
    return [sys.executable, "-m", module]


def search_path() -> str:
    """PYTHONPATH for such a process: the folder of this program, then the previous entries."""
    depth = __name__.count(".")  # the engine may be installed inside another package
    home = str(Path(__file__).parents[depth])
    return os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
