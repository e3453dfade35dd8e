"""Which channels a model has, which elements own them, and which are shown by default."""

from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QCoreApplication

from engine.errors import EngineError
from engine.model.elements import Id, Model
from engine.results.channels import CHANNELS
from gui.look.sentences import said
from gui.plots.units import shown_unit, written
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.preferences import Preferences

if TYPE_CHECKING:
    from engine.results.results import Results

TIP_WIDTH = 70  # characters of a line of a tooltip
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

    def entries(self) -> dict[str, Entry]:
        """All channels of the open model by name; empty with a reason if it cannot run."""
        model = self.document.model
        if self._model is model and self._entries:
            return self._entries
        results = self.playback.results
        self.reason = ""
        try:
            if results is None or results.model is not model:
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
        if results is None or results.model is self.document.model:
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
        """The channels of an element that a plot over time shows by default."""
        own = self.of(id)
        for wanted in (("angle",), ("displacement",), ("x", "y"), ("length", "force")):
            if found := [f"{id}.{part}" for part in wanted if f"{id}.{part}" in own]:
                return found
        if own:
            return [next(iter(own))]
        element = self.document.model.elements.get(id)
        marker = getattr(element, "marker", "")
        return self.usual(marker) if marker and marker != id else []

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
        """What a menu offers to plot of an element: titles and channels."""
        own = self.of(id)
        titles: dict[str, list[str]] = {}
        for name, entry in own.items():
            if entry.everyday:
                quantity, comma, axis = entry.quantity.rpartition(", ")
                title = quantity if comma and axis in "xyz" else entry.quantity
                frame = f" ({entry.frame})" if entry.frame.startswith("axes of") else ""
                unit = self.unit_text(entry.unit)
                words = f"{title}{frame} [{unit}]" if unit else title
                titles.setdefault(words, []).append(name)
        return list(titles.items())


def tip_of(entry: Entry) -> str:
    """A channel in full: label, unit, frame and name, and what else must be known of it."""
    unit = f" [{entry.unit}]" if entry.unit else ""
    frame = f", {entry.frame}" if entry.frame else ""
    lines = [f"{entry.label}{unit}{frame}", entry.name]
    return "\n".join([*lines, fill(said(entry.about), TIP_WIDTH)] if entry.about else lines)


def without_frames(model: Model) -> "Results":
    """Results of a model that has not run: they know their channels."""
    from engine.compiling.system import compile_model
    from engine.integrators.warm_up import are_compiled, first_time
    from engine.results.results import Results

    if not are_compiled():
        raise EngineError(first_time())
    return Results(compile_model(model))


def entries_of(results: "Results") -> list[Entry]:
    """All channels of a run, family by family of each element."""
    found = []
    for family in CHANNELS:
        owners: list[Any] = [None] if family.owner == "model" else results.model.of(family.owner)
        for owner in owners:
            found += [_entry(c, owner, family) for c in family.channels(results, owner)]
    return found


def _entry_of(results: "Results", name: str) -> Entry:
    """One channel of a run as an entry."""
    channel = results.channel(name)
    owner = results.model.elements.get(name.partition(".")[0]) if "." in name else None
    family = next(f for f in CHANNELS if f.owner == (owner.family if owner else "model"))
    return _entry(channel, owner, family)


def _entry(channel: Any, owner: Any, family: Any) -> Entry:
    whole = QCoreApplication.translate("Catalogue", "Whole model")
    return Entry(
        channel.name,
        channel.label,
        channel.unit,
        channel.frame,
        owner.id if owner is not None else "",
        owner.label if owner is not None else whole,
        family.title,
        family.everyday,
        channel.about,
    )
