"""Which channels a model has, which elements own them, and which are shown by default."""

from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication

from engine.errors import EngineError
from engine.model.elements import Id, Model, same_mechanism
from engine.results.channels import CHANNELS
from engine.results.channels.channel import owner_words
from gui.look.sentences import said
from gui.plots.units import shown_unit, written
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.preferences import Preferences

if TYPE_CHECKING:
    from engine.results.results import Results

TIP_WIDTH = 70  # characters of a line of a tooltip
MOVES = 1e-7  # of the largest motion of an element: less is rounding
STILL = 1e-10  # m or rad
MOST_WATCHED = 60  # moving bodies: the start of larger models is not computed just for a menu
FIRST = "rk4"  # compiled first; another one might hold up the window until it is
RATES = {"angle": "angular_velocity", "x": "vx", "y": "vy", "z": "vz"}


class Entry(NamedTuple):
    """A channel as the chooser lists it."""

    name: str
    label: str
    unit: str
    frame: str
    owner: Id  # empty: the whole model
    owner_label: str
    family: str  # title of its family of channels
    everyday: bool
    about: str = ""  # sign, body and point, where the label does not say it
    twin_of: str = ""  # another channel that always has the same values

    @property
    def quantity(self) -> str:
        """The name of the quantity, without its owner."""
        head, colon, tail = self.label.partition(": ")
        if not colon:
            return head
        part = head.removesuffix(self.owner_label).removesuffix(" of ").strip()
        return f"{part}: {tail}" if part else tail


class Catalogue:
    """The channels of the open model, found on demand and cached until the model changes."""

    def __init__(
        self, document: Document, playback: Playback, preferences: Preferences | None = None
    ) -> None:
        self.document, self.playback, self.preferences = document, playback, preferences
        self.reason = ""  # why there are none
        self._model: Model | None = None
        self._entries: dict[str, Entry] = {}
        self._unit_texts: dict[str, str] = {}
        if preferences is not None:
            preferences.changed.connect(lambda _: self._unit_texts.clear())
        self._other_model: Model | None = None  # of the last run of another model
        self._others: dict[str, Entry | None] = {}
        self._start: tuple[Model, Results | None] | None = None  # of a model that has not run

    def entries(self) -> dict[str, Entry]:
        """All channels of the open model by name; empty with a reason if it cannot run."""
        model = self.document.model
        if self._model is not None and same_mechanism(self._model, model) and self._entries:
            return self._entries
        results = self.playback.results
        self.reason = ""
        try:
            if results is None or not same_mechanism(results.model, model):
                results = without_frames(model)
        except EngineError as error:
            self._entries, self._model, self.reason = {}, None, error.sentence
            return self._entries
        self._entries = {entry.name: entry for entry in entries_of(results)}
        self._model = model
        return self._entries

    def unit_text(self, unit: str) -> str:
        """A unit as the user sees it in plots."""
        return (
            written(unit) if self.preferences is None else shown_unit(self.preferences, unit).text
        )

    def find(self, name: str, results: "Results | None" = None) -> Entry | None:
        """The entry of a name in the open model, or else in the model of a run."""
        if results is None or same_mechanism(results.model, self.document.model):
            return self.entries().get(name)
        if self._other_model is not results.model:
            self._other_model, self._others = results.model, {}
        if name not in self._others:
            try:
                self._others[name] = _entry_of(results, name)
            except EngineError:
                self._others[name] = None
        return self._others[name]

    def usual(self, id: Id) -> list[str]:
        """The channels of an element that a plot over time shows by default: what moves."""
        own = self.of(id)
        turns = [f"angular_velocity_{axis}" for axis in "xyz"]
        candidates = [
            *(["angle"], ["displacement"], ["x", "y", "z"], turns),
            ["length", "force"],
            *([name.rpartition(".")[2]] for name in own if f"{name}_rate" in own),
        ]
        known = [
            [f"{id}.{part}" for part in wanted if f"{id}.{part}" in own] for wanted in candidates
        ]
        for names in known:
            if names and (moving := self.moving(names)):
                return names if names[0].endswith(".length") else moving
        if own:
            return next((names for names in known if names), [next(iter(own))])
        element = self.document.model.elements.get(id)
        marker = getattr(element, "marker", "")
        return self.usual(marker) if marker and marker != id else []

    def moving(self, names: list[str]) -> list[str]:
        """Those of some channels that change in the run, or at its start; all if that is not known."""
        results = self._seen()
        if results is None:
            return names
        spans = {}
        for name in names:
            values = results.channel(name).values
            good = values[np.isfinite(values)]
            spans[name] = float(np.ptp(good)) if len(good) else 0.0
        least = max(STILL, MOVES * max(spans.values()))
        return [name for name, span in spans.items() if span > least]

    def _seen(self) -> "Results | None":
        """Frames in which one sees what moves: of the run, or of the start of one."""
        from engine.integrators.warm_up import are_compiled
        from engine.running.simulate import glimpse

        results, model = self.playback.results, self.document.model
        if results is not None and same_mechanism(results.model, model) and len(results) > 1:
            return results.so_far()
        if not are_compiled():
            return None
        if self._start is None or not same_mechanism(self._start[0], model):
            found: Results | None = None
            try:
                compiled = without_frames(model).compiled
                if compiled.system.n_bodies <= MOST_WATCHED:
                    glimpsed = glimpse(compiled, method=FIRST)
                    found = glimpsed if len(glimpsed) > 1 else None  # it may fail at once
            except EngineError:
                pass  # whoever asks for a run is told
            self._start = (model, found)
        return self._start[1]

    def of(self, id: Id) -> dict[str, Entry]:
        """The channels of one element by name."""
        return {name: entry for name, entry in self.entries().items() if entry.owner == id}

    def rate_of(self, name: str) -> str:
        """The channel that is the rate of this one; empty if there is none."""
        stem, _, last = name.rpartition(".")
        prefix = "center_" if last.startswith("center_") else ""
        plain = last.removeprefix("center_")
        for rate in (f"{last}_rate", prefix + RATES.get(plain, "?")):
            if f"{stem}.{rate}" in self.entries():
                return f"{stem}.{rate}"
        return ""

    def usual_pair(self, id: Id) -> tuple[str, str] | None:
        """The axes of the usual phase portrait of an element: a coordinate and its rate."""
        candidates = [*self.usual(id), *self.of(id)]
        return next(((x, y) for x in candidates if (y := self.rate_of(x))), None)

    def choices(self, id: Id) -> list[tuple[str, list[str]]]:
        """What a menu offers to plot of an element: titles and channels, what moves first."""
        titles: dict[str, list[str]] = {}
        for name, entry in self.of(id).items():
            if entry.everyday and not entry.twin_of:
                quantity, comma, axis = entry.quantity.rpartition(", ")
                title = quantity if comma and axis in "xyz" else entry.quantity
                unit = self.unit_text(entry.unit)
                titles.setdefault(f"{title} [{unit}]" if unit else title, []).append(name)
        usual = self.usual(id)
        rates = [self.rate_of(name) for name in usual]

        def place(choice: tuple[str, list[str]]) -> int:
            names = choice[1]
            return next((n for n, first in enumerate((usual, rates)) if set(first) & set(names)), 2)

        return sorted(titles.items(), key=place)


def tip_of(entry: Entry) -> str:
    """A channel in full: label, unit, frame and name, and what else must be known of it."""
    unit = f" [{entry.unit}]" if entry.unit else ""
    frame = f", {entry.frame}" if entry.frame else ""
    lines = [f"{entry.label}{unit}{frame}", entry.name]
    return "\n".join([*lines, fill(said(entry.about), TIP_WIDTH)] if entry.about else lines)


def without_frames(model: Model) -> "Results":
    """Results of a model that has not run: they know their channels, before the solver is ready too."""
    from engine.compiling.system import compile_model
    from engine.integrators.warm_up import are_compiled
    from engine.results.results import Results

    return Results(compile_model(model, only_names=not are_compiled()))


def entries_of(results: "Results") -> list[Entry]:
    """All channels of a run, family by family of each element."""
    found = []
    for family in CHANNELS:
        owners: list[Any] = [None] if family.owner == "model" else results.model.of(family.owner)
        for owner in owners:
            label = _owner_label(results, owner)
            found += [_entry(c, owner, label, family) for c in family.channels(results, owner)]
    return found


def _entry_of(results: "Results", name: str) -> Entry:
    """One channel of a run as an entry."""
    channel = results.channel(name)
    owner = results.model.elements.get(name.partition(".")[0]) if "." in name else None
    family = next(f for f in CHANNELS if f.owner == (owner.family if owner else "model"))
    return _entry(channel, owner, _owner_label(results, owner), family)


def _owner_label(results: "Results", owner: Any) -> str:
    """What people call an element that has channels, or the whole model."""
    if owner is None:
        return QCoreApplication.translate("Catalogue", "Whole model")
    return owner_words(results.model, owner.id)


def _entry(channel: Any, owner: Any, owner_label: str, family: Any) -> Entry:
    return Entry(
        channel.name,
        channel.label,
        channel.unit,
        channel.frame,
        owner.id if owner is not None else "",
        owner_label,
        family.title,
        family.everyday,
        channel.about,
        channel.twin_of,
    )
