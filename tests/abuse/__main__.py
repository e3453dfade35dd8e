"""Abuse the program and tell what it did: `python -m tests.abuse files --count 1000 --seeds 5`.

Figures are summed over seeds in out/abuse.json; a seed that was tried before is not tried again. Without
names and numbers all abuses go on, in turn, until each was tried as often as docs/reliability.md says;
that takes hours, may be interrupted, and goes on where it was.
"""

import os

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # small matrices: threads only wait for each other

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from tests.abuse import caches, commands, disks, files, kills, meshes, window
from tests.abuse.report import Record, Tally

ROOT = Path(__file__).parents[2]
# What is tried, how often with one seed, and how often in all.
ABUSES = {
    "files": (files.abuse, 1000, 200_000),
    "meshes": (meshes.abuse, 1000, 20_000),
    "saves": (kills.abuse_saves, 100, 1000),
    "autosaves": (kills.abuse_autosaves, 100, 1000),
    "window": (window.abuse, 10_000, 1_000_000),
    "commands": (commands.abuse, 118, 118),
    "caches": (caches.abuse, 2, 10),
    "disks": (disks.abuse, 30, 300),
}


def main() -> int:
    """Run the named abuses."""
    parser = argparse.ArgumentParser(prog="python -m tests.abuse", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"any of {', '.join(ABUSES)}")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, help="how many seeds, tried ones included")
    parser.add_argument("--count", type=int, help="tries with each seed")
    parser.add_argument("--out", type=Path, default=ROOT / "out", help="folder of the report")
    given = parser.parse_args()
    record = Record(given.out / "abuse.json")
    names, offset = given.names or list(ABUSES), 0
    while names and (given.seeds is None or offset < given.seeds):
        for name in list(names):
            _, count, aim = ABUSES[name]
            if given.seeds is None and record.of(name).tried >= aim:
                names.remove(name)
            elif given.seed + offset not in record.of(name).seeds:
                _try(record, name, given.seed + offset, given.count or count, given.out / "abuse")
        offset += 1
    tallies = record.tallies().values()
    print("\n".join(tally.text for tally in tallies))
    faults = [one for tally in tallies for one in tally.findings]
    print("\n".join(faults[:20]))
    return 1 if faults else 0


def _try(record: Record, name: str, seed: int, count: int, folder: Path) -> None:
    """Try one seed and add what came of it to the record."""
    tally = Tally(name, seeds=[seed])
    with tqdm(total=count, desc=f"{name}, seed {seed}", disable=None) as bar:
        ABUSES[name][0](tally, seed, count, folder, bar.update)
    record.add(tally)


if __name__ == "__main__":
    sys.exit(main())
