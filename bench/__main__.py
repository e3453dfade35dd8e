"""Run the benches and write their tables to the terminal, out/bench.json and out/bench.md.

With --record they are kept in bench/results.json too, in place of those of the same name.
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench import (
    accuracy,
    chain,
    contact,
    ensemble,
    large,
    memory,
    panels,
    redundancy,
    stage3d,
    start,
    window,
)
from bench.peers import chain as peers_chain
from bench.peers import comparison, flexible
from bench.tables import Table
from bench.timing import FULL, QUICK, Effort

ROOT = Path(__file__).parent.parent
RECORD = ROOT / "bench" / "results.json"
BENCHES: dict[str, Callable[[Effort], list[Table]]] = {
    "chain": chain.bench_plane,
    "space": chain.bench_space,
    "start": start.bench,
    "large": large.bench,
    "memory": memory.bench,
    "window": window.bench,
    "panels": panels.bench,
    "stage3d": stage3d.bench,
    "redundancy": redundancy.bench,
    "accuracy": accuracy.bench,
    "ensemble": ensemble.bench,
    "contact": contact.bench,
    "peers": lambda effort: [*comparison.bench(effort), *peers_chain.hinges(effort)],
    "peers_chain": peers_chain.bench,
    "flexible": flexible.bench,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named benches, or all."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"any of: {', '.join(BENCHES)}")
    parser.add_argument("--quick", action="store_true", help="small sizes, about a minute")
    parser.add_argument("--out", type=Path, default=ROOT / "out", help="folder of the tables")
    parser.add_argument("--record", action="store_true", help="keep the tables in the project")
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.names if name not in BENCHES]:
        parser.error(f"there is no bench {unknown[0]!r}; there are {', '.join(BENCHES)}")
    about = machine()
    print(", ".join(f"{what} {value}" for what, value in about.items()), end="\n\n")
    tables: list[Table] = []
    for name in given.names or BENCHES:
        for table in BENCHES[name](QUICK if given.quick else FULL):
            tables.append(table)
            print(table.text(), flush=True)
            write(given.out, about, tables)  # earlier results are kept if a later bench fails
    if given.record:
        record(RECORD, {**about, "load after": load()}, tables)
    print(f"Written to {given.out / 'bench.md'} and bench.json.", file=sys.stderr)
    return 0


def machine() -> dict[str, Any]:
    """What the times depend on: processor, versions and how busy the machine is."""
    versions = {name: version(name) for name in ("numpy", "numba")} | comparison.versions()
    known = {"processor": processor(), "cores": os.cpu_count(), "load": load()}
    today = datetime.now(UTC).date().isoformat()
    return {"date": today, **known, "python": platform.python_version(), **versions}


def load() -> float:
    """Programs that want to run, on average of a minute."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else float("nan")


def processor() -> str:
    """The processor by its name, where the system tells it."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text("utf-8").splitlines() if told.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def record(path: Path, about: dict[str, Any], tables: list[Table]) -> None:
    """Keep tables among those of earlier runs, each with the machine as it was."""
    kept = json.loads(path.read_text("utf-8")) if path.exists() else []
    titles = {table.title for table in tables}
    kept = [one for one in kept if one["title"] not in titles]
    kept += [{"machine": about, **table.data()} for table in tables]
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def write(folder: Path, about: dict[str, Any], tables: list[Table]) -> None:
    """Write bench.json and bench.md into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {"machine": about, "tables": [table.data() for table in tables]}
    (folder / "bench.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    head = "# Bench\n\n" + ", ".join(f"{what} {value}" for what, value in about.items())
    text = "\n\n".join([head, *(table.markdown() for table in tables)])
    (folder / "bench.md").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
