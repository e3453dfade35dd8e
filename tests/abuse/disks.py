"""A disk that is full in the middle of a save or a table: the old file stays, and a sentence says so."""

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.abuse.report import Tally

ROOT = Path(__file__).parents[2]

# Writes again and again with a limit on the size of files, which fails as a full disk does.
WRITING = """
import json, sys
from dataclasses import replace
from pathlib import Path
from assets import example_paths
from engine.errors import EngineError
from engine.files.model_files import load, save
from engine.results.export import write_csv, write_npz
from engine.running.simulate import run
folder = Path(sys.argv[1])
model = load(example_paths()["four_bar"])
results = run(model, t_end=0.2)
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
said = []
for most in json.loads(sys.argv[2]):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    for name, work in (
        ("model.json", lambda: save(replace(model, name=str(most)), folder / "model.json")),
        ("table.csv", lambda: write_csv(results, folder / "table.csv")),
        ("table.npz", lambda: write_npz(results, folder / "table.npz")),
    ):
        before = (folder / name).read_bytes() if (folder / name).exists() else None
        try:
            work()
            said.append([name, most, "written"])
        except EngineError as error:
            after = (folder / name).read_bytes() if (folder / name).exists() else None
            said.append([name, most, "refused" if after == before else "damaged"])
print(json.dumps(said + [["rest", 0, "rest"] for _ in folder.glob(".kardan-*")]))
"""


def abuse(tally: Tally, seed: int, count: int, folder: Path, step: Callable[[], object]) -> None:
    """Write with `count` limits on the size of files; changes the tally."""
    rng = random.Random(seed)
    limits = [rng.choice((0, 1, 100, 4096, 10**7, rng.randrange(20_000))) for _ in range(count)]
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [sys.executable, "-c", WRITING, scratch, json.dumps(limits)],
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=False,
        )
    if done.returncode != 0:
        tally.find("foreign exception", f"seed {seed}\n{done.stderr[-2000:]}")
    else:
        for name, most, what in json.loads(done.stdout.splitlines()[-1]):
            if what in ("written", "refused"):
                tally.count(what)
            else:
                tally.find(what, f"seed {seed}: {name} with at most {most} bytes")
    for _ in range(count):
        tally.tried += 1
        step()
