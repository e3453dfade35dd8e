"""What the examples compute, as one digest each: `python -m tests.digests` prints them as JSON.

The digest is over every bit of the frames of a short run, so that two processes or two processors that
round differently anywhere are told apart. Names may be given to ask for some examples only.
"""

import hashlib
import json
import sys
from collections.abc import Iterable

import numpy as np

from assets import example_paths
from engine.files.model_files import load
from engine.running.simulate import run

T_END = 0.1  # s
COLUMNS = ("t", "q", "v", "a", "lam", "z", "work", "gap")


def digests(names: Iterable[str]) -> dict[str, str]:
    """The digest of each example."""
    paths = example_paths()
    return {name: digest(load(paths[name])) for name in names}


def digest(model) -> str:
    """The digest of a short run of a model."""
    results = run(model, t_end=T_END)
    found = hashlib.sha256()
    for name in COLUMNS:
        found.update(np.ascontiguousarray(getattr(results, name)).tobytes())
    return found.hexdigest()[:16]


if __name__ == "__main__":
    print(json.dumps(digests(sys.argv[1:] or sorted(example_paths()))))
