"""What an abuse did and found, summed over seeds and kept between runs."""

import fcntl
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

MOST_KEPT = 20  # findings of one kind that are kept in full


@dataclass
class Tally:
    """The figures of one kind of abuse."""

    name: str
    tried: int = 0
    seeds: list[int] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    reached: Counter[str] = field(default_factory=Counter)  # kinds of elements, pages, dialogs
    longest: dict[str, tuple[int, float]] = field(default_factory=dict)  # by what and where: n, [s]

    def count(self, outcome: str, how_many: int = 1) -> None:
        """Note what came of a try; changes the tally."""
        self.outcomes[outcome] += how_many

    def find(self, kind: str, what: str) -> None:
        """Note a fault; changes the tally."""
        self.count(kind)
        if self.outcomes[kind] <= MOST_KEPT:
            self.findings.append(f"{kind}: {what}")

    def note(self, what: str, where: str, duration: float, how_many: int = 1) -> None:
        """Note what took long, though it is no fault; changes the tally."""
        n, most = self.longest.get(f"{what} in {where}", (0, 0.0))
        self.longest[f"{what} in {where}"] = (n + how_many, round(max(most, duration), 2))

    def add(self, other: "Tally") -> None:
        """Add the figures of other seeds; changes the tally."""
        self.tried += other.tried
        self.seeds = sorted({*self.seeds, *other.seeds})
        self.outcomes.update(other.outcomes)
        self.reached.update(other.reached)
        self.findings += other.findings
        for key, (n, most) in other.longest.items():
            self.note(*key.split(" in ", 1), most, n)

    @property
    def raw(self) -> dict[str, Any]:
        """The figures as they are written, the longest first."""
        longest = dict(sorted(self.longest.items(), key=lambda item: -item[1][1]))
        counts = {
            name: dict(sorted(getattr(self, name).items())) for name in ("outcomes", "reached")
        }
        return {**asdict(self), **counts, "longest": longest}

    @classmethod
    def of_raw(cls, raw: dict[str, Any]) -> "Tally":
        """The tally that was written."""
        longest = {key: (n, most) for key, (n, most) in raw["longest"].items()}
        counts = {name: Counter(raw[name]) for name in ("outcomes", "reached")}
        return cls(**{**raw, **counts, "longest": longest})

    @property
    def text(self) -> str:
        """The figures on one line."""
        counted = ", ".join(f"{n} {what}" for what, n in sorted(self.outcomes.items()))
        return f"{self.name}: {self.tried} tried ({counted})"


class Record:
    """The tallies of all abuses in a file; programs that run side by side may add to it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def of(self, name: str) -> Tally:
        """The tally of a kind of abuse so far."""
        return self.tallies().get(name, Tally(name))

    def tallies(self) -> dict[str, Tally]:
        """All tallies by name."""
        raw = json.loads(self.path.read_text(encoding="utf-8")) if self.path.is_file() else {}
        return {name: Tally.of_raw({"name": name, **one}) for name, one in raw.items()}

    def add(self, tally: Tally) -> None:
        """Add the figures of a seed; changes the file."""
        with self._alone():
            tallies = self.tallies()
            tallies.setdefault(tally.name, Tally(tally.name)).add(tally)
            raw = {name: one.raw for name, one in tallies.items()}
            self.path.write_text(json.dumps(raw, indent=1), encoding="utf-8")

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While no other program writes."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path.with_suffix(".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
