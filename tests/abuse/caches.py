"""Damaged machine code in the cache: the program compiles anew what is damaged, and computes the same."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.abuse.report import Tally

ROOT = Path(__file__).parents[2]
COMMAND = ("simulate", "double_pendulum", "--t-end", "0.1", "--csv", "out.csv")
PATIENCE = 600.0  # s: what is damaged is compiled again


def abuse(tally: Tally, seed: int, count: int, folder: Path, step: Callable[[], object]) -> None:
    """Damage some files of a copy of the cache, `count` times; changes the tally."""
    from rotations.jit import folders

    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        base = Path(scratch)
        expected = _table(base, folders._user_cache())
        used = _used_folders(folders._user_cache())
        for n in range(count):
            cache = base / "cache"
            shutil.rmtree(cache, ignore_errors=True)
            for one in used:
                inside = cache / one.relative_to(folders._user_cache())
                shutil.copytree(one, inside)
                inside.chmod(one.stat().st_mode)
            files = sorted(path for path in cache.rglob("*") if path.is_file())
            hurt = [_damage(path, rng) for path in rng.sample(files, rng.randint(1, 4))]
            told = f"seed {seed}, try {n}: {', '.join(hurt)}"
            try:
                found = _table(base, cache)
            except subprocess.TimeoutExpired:
                tally.find("hang", told)
            except RuntimeError as error:
                tally.find("stopped the program", f"{told}\n{error}")
            else:
                tally.count("same") if found == expected else tally.find("other numbers", told)
            tally.tried += 1
            step()


def _used_folders(cache: Path) -> list[Path]:
    """The folders of kernels that this version of the program uses."""
    told = subprocess.run(
        [sys.executable, "-c", _SAY_FOLDERS], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return [Path(line) for line in told.stdout.splitlines() if line.startswith(str(cache))]


# Every folder that is asked for, from the first import on.
_SAY_FOLDERS = """
from pathlib import Path
real, made = Path.mkdir, set()
def mkdir(self, *arguments, **options):
    made.add(self)
    return real(self, *arguments, **options)
Path.mkdir = mkdir
import engine.running.simulate
for one in made:
    print(one)
"""


def _damage(path: Path, rng: random.Random) -> str:
    """Damage a file; what was done to it."""
    content, how = path.read_bytes(), rng.choice(("halved", "emptied", "flipped", "replaced"))
    if how == "halved":
        content = content[: len(content) // 2]
    elif how == "emptied":
        content = b""
    elif how == "flipped" and content:
        at = rng.randrange(len(content))
        content = content[:at] + bytes([content[at] ^ (1 << rng.randrange(8))]) + content[at + 1 :]
    else:
        content = rng.randbytes(len(content))
    path.write_bytes(content)
    return f"{path.name} {how}"


def _table(folder: Path, cache: Path) -> bytes:
    """What a run writes with this cache; RuntimeError if it fails."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *COMMAND],
        cwd=folder,
        env={**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode != 0 or "Traceback" in done.stderr:
        raise RuntimeError(done.stderr[-1500:])
    return (folder / "out.csv").read_bytes()
