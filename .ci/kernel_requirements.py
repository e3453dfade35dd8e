"""What compiling the kernels needs, as pip is told: `python .ci/kernel_requirements.py`."""

import re
import tomllib
from pathlib import Path

NEEDED = ("numba", "numpy", "scipy")  # the engine imports nothing else before a run begins
PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def kernel_requirements() -> list[str]:
    """The lines of pyproject.toml that name them, with the versions that were tried."""
    lines = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    return [line for line in lines if re.split(r"[^\w-]", line, maxsplit=1)[0] in NEEDED]


if __name__ == "__main__":
    print("\n".join(kernel_requirements()))
