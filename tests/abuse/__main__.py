"""Abuse the program and tell what it did: `python -m tests.abuse files --count 1000 --seed 1`.

Figures are summed over seeds in out/abuse.json; a seed that was tried before is not tried again.
"""

import argparse
import sys
from pathlib import Path

from tqdm import tqdm

from tests.abuse import caches, commands, disks, files, kills, meshes, window
from tests.abuse.report import Record

ROOT = Path(__file__).parents[2]
ABUSES = {
    "files": files.abuse,
    "meshes": meshes.abuse,
    "saves": kills.abuse_saves,
    "autosaves": kills.abuse_autosaves,
    "window": window.abuse,
    "commands": commands.abuse,
    "caches": caches.abuse,
    "disks": disks.abuse,
}


def main() -> int:
    """Run the named abuses."""
    parser = argparse.ArgumentParser(prog="python -m tests.abuse", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"any of {', '.join(ABUSES)}")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many seeds")
    parser.add_argument("--count", type=int, default=1000, help="tries with each seed")
    parser.add_argument("--out", type=Path, default=ROOT / "out", help="folder of the report")
    given = parser.parse_args()
    record = Record(given.out / "abuse.json")
    for name in given.names or ABUSES:
        tally = record.of(name)
        for seed in range(given.seed, given.seed + given.seeds):
            if seed in tally.seeds:
                continue
            with tqdm(total=given.count, desc=f"{name}, seed {seed}", disable=None) as bar:
                ABUSES[name](tally, seed, given.count, given.out / "abuse", bar.update)
            tally.seeds.append(seed)
            record.write()
        print(tally.text)
    faults = [one for tally in record.tallies.values() for one in tally.findings]
    print("\n".join(faults[:20]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
