"""What an abuse did and found, summed over seeds and kept between runs."""

import json
from collections import Counter
from dataclasses import dataclass, field
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
    longest: dict[str, tuple[int, float]] = field(default_factory=dict)  # by what and where: n, [s]

    def count(self, outcome: str, how_many: int = 1) -> None:
        """Note what came of a try; changes the tally."""
        self.outcomes[outcome] += how_many

    def find(self, kind: str, what: str) -> None:
        """Note a fault; changes the tally."""
        self.count(kind)
        if self.outcomes[kind] <= MOST_KEPT:
            self.findings.append(f"{kind}: {what}")

    def note(self, what: str, where: str, duration: float) -> None:
        """Note what took long, though it is no fault; changes the tally."""
        n, most = self.longest.get(f"{what} in {where}", (0, 0.0))
        self.longest[f"{what} in {where}"] = (n + 1, round(max(most, duration), 2))

    @property
    def text(self) -> str:
        """The figures on one line."""
        counted = ", ".join(f"{n} {what}" for what, n in sorted(self.outcomes.items()))
        return f"{self.name}: {self.tried} tried ({counted})"


class Record:
    """The tallies of all abuses in a file, so that an interrupted abuse goes on where it was."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tallies: dict[str, Tally] = {}
        if path.is_file():
            for name, raw in json.loads(path.read_text(encoding="utf-8")).items():
                self.tallies[name] = Tally(
                    name, raw["tried"], raw["seeds"], Counter(raw["outcomes"]), raw["findings"]
                )
                self.tallies[name].longest = {k: (n, t) for k, (n, t) in raw["longest"].items()}

    def of(self, name: str) -> Tally:
        """The tally of a kind of abuse."""
        return self.tallies.setdefault(name, Tally(name))

    def write(self) -> None:
        """Keep the figures."""
        raw: dict[str, Any] = {
            name: {
                "tried": one.tried,
                "seeds": one.seeds,
                "outcomes": dict(sorted(one.outcomes.items())),
                "findings": one.findings,
                "longest": dict(sorted(one.longest.items(), key=lambda item: -item[1][1])),
            }
            for name, one in self.tallies.items()
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(raw, indent=1), encoding="utf-8")
