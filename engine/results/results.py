"""The results of a run: columns over time, with the model and the settings they came from."""

import math
from collections.abc import Callable, Sequence
from copy import copy
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from engine.compiling.system import Compiled
from engine.kinematics.poses import Frames, body_frames
from engine.model.elements import Id, Model, Settings
from engine.results import columns
from engine.results.channels import Channel, channels_of, find
from engine.results.channels.beginnings import Beginning, beginning_at_end
from engine.results.channels.whole import energy_balance
from engine.results.endings import Account, Ending, Event, nothing_told

if TYPE_CHECKING:
    from engine.results.blocks import Block, Statistics

_FIRST_ROOM = 64  # frames; the columns then grow by half whenever they are full


@cache
def _no_frames(
    n_q: int, n_v: int, n_z: int, n_work: int, n_rows: int, n_lengths: int
) -> dict[str, np.ndarray]:
    """The columns of results without frames: shared, and replaced with the first block."""
    widths: dict[str, tuple[int, ...]] = {
        **dict.fromkeys(("t", "gap", "lock", "lock_body", "hand"), ()),
        **dict.fromkeys(("v", "a"), (n_v,)),
        "q": (n_q,),
        "z": (n_z,),
        "work": (n_work,),
        "lam": (n_rows,),
        "norm": (n_lengths,),
    }
    return {
        name: np.empty((0, *width), dtype=np.int64 if name == "lock_body" else np.float64)
        for name, width in widths.items()
    }


class Results:
    """Columns that grow block by block during a run.

    `t, q, v, a, z, work, hand, lam, gap, lock, lock_body` are views of what is there so far, one row per
    frame. q holds mass centres; `results["rod_1.x"]` is a channel, computed when asked for, and
    `results[["rod_1.x", "rod_1.y"]]` are two of them side by side.
    """

    def __init__(self, compiled: Compiled, settings: Settings | None = None) -> None:
        self.compiled = compiled
        self.settings = settings or compiled.resolved.settings
        self.account = nothing_told()
        self._first = 0  # rows of the columns before this one are discarded
        self._length = 0  # rows from here on are still empty
        self._whole: tuple[Results, np.ndarray] | None = (
            None  # set where these are some frames of other results
        )
        self.beginning: Beginning | None = None  # values followed up to the first frame kept
        self.first_balance: float | None = (
            None  # T + V - W at the start, if that is discarded   [J]
        )
        self.asked_sequences: set[tuple[int, str]] = set()  # Euler angles to follow from now on
        layout, system = compiled.layout, compiled.system
        n_lengths = system.n_bodies if system.dim == 3 else 0
        sizes = layout.n_q, layout.n_v, layout.n_z, layout.n_work, compiled.n_rows, n_lengths
        self._columns = dict(_no_frames(*sizes))

    @property
    def model(self) -> Model:
        """The model that was run, the same object."""
        return self.compiled.model

    @property
    def bytes_of_frame(self) -> int:
        """How much memory one frame takes."""
        return sum(math.prod(c.shape[1:]) * c.itemsize for c in self._columns.values())

    def append(self, block: "Block") -> None:
        """Add the frames of a block at the end; changes the columns."""
        if not self._length:  # what comes first gets room for itself alone
            n = len(block.t)
            self._columns = {
                name: np.empty((n, *old.shape[1:]), old.dtype)
                for name, old in self._columns.items()
            }
        elif self._length + len(block.t) > len(self._columns["t"]):
            self._grow(len(self) + len(block.t))
        stop = self._length + len(block.t)
        for name, column in self._columns.items():
            column[self._length : stop] = getattr(block, name)
        self._length = stop

    def tell(self, account: Account) -> None:
        """Adopt what is known about the run; changes its report."""
        self.account = account

    @property
    def ending(self) -> Ending | None:
        """How the run ended; None while it continues."""
        return self.account.ending

    @property
    def events(self) -> list[Event]:
        """What is worth marking on the time line."""
        return self.account.events

    @property
    def notes(self) -> list[str]:
        """Advice, and what was decided for the user."""
        return self.account.notes

    @property
    def not_unique(self) -> frozenset[Id]:
        """The elements whose reactions the model does not determine."""
        return self.account.not_unique

    @property
    def statistics(self) -> "Statistics | None":
        """What the run cost; None if not counted."""
        return self.account.statistics

    def _grow(self, needed: int) -> None:
        """Move the columns to larger ones; each number is copied about three times in all.

        The old columns are unchanged for threads that still read them.
        """
        room = max(needed, _FIRST_ROOM, len(self) * 3 // 2)
        for name, old in self._columns.items():
            new = np.empty((room, *old.shape[1:]), dtype=old.dtype)
            new[: len(self)] = old[self._first : self._length]
            self._columns[name] = new
        self._first, self._length = 0, len(self)

    def keep_last(self, n_frames: int) -> None:
        """Discard all but the last frames, so that the memory of an endless run is bounded.

        Quantities followed from frame to frame, such as turns of angles, continue as if nothing was
        discarded.
        """
        first = max(self._first, self._length - n_frames)
        if first > self._first and self.first_balance is None:
            self.first_balance = float(energy_balance(self.first(1))[0])
        if first > self._first and self.compiled.system.dim == 3:
            self.beginning = beginning_at_end(self.first(first - self._first + 1))
        self._first = first

    def so_far(self) -> "Results":
        """The same run as it is now: it no longer grows, so another thread may read it."""
        frozen = copy(self)
        frozen._columns = dict(self._columns)
        return frozen

    def first(self, n_frames: int) -> "Results":
        """The first frames of the run as results of their own, which do not grow."""
        head = self.so_far()
        head._length = min(head._first + n_frames, head._length)
        return head

    def since(self, n: int) -> "Results":
        """The first frame and those from number n on, as results of their own.

        A channel of these is the same as that of all frames, for these frames; what depends on the frame
        before, as angles in space do, is computed from all of them.
        """
        some = Results(self.compiled, self.settings)
        some.tell(nothing_told()._replace(not_unique=self.not_unique))
        kept = np.concatenate([[0], np.arange(n, len(self))])
        for name in some._columns:
            some._columns[name] = getattr(self, name)[kept]
        some._length = len(kept)
        some._whole, some.asked_sequences = (self.so_far(), kept), self.asked_sequences
        some.first_balance = self.first_balance
        return some

    def followed(self, compute: Callable[["Results"], np.ndarray]) -> np.ndarray:
        """Quantities followed from frame to frame, one row each, computed over all frames."""
        if self._whole is None or self.compiled.system.dim == 2:
            return compute(self)
        whole, kept = self._whole
        return whole.followed(compute)[kept]

    def frames(self, n: int) -> Frames:
        """Where the frames of the moving bodies are in frame n of the run."""
        return body_frames(self.compiled, self.q[n])

    def __len__(self) -> int:
        return self._length - self._first

    def __repr__(self) -> str:
        return f"<Results of '{self.model.name}': {len(self)} frames>"

    @property
    def t(self) -> np.ndarray:
        """Time of each frame [s]."""
        return self._columns["t"][self._first : self._length]

    @property
    def q(self) -> np.ndarray:
        """Coordinates of all mass centres, (n, n_q)."""
        return self._columns["q"][self._first : self._length]

    @property
    def v(self) -> np.ndarray:
        """Velocities, (n, n_v)."""
        return self._columns["v"][self._first : self._length]

    @property
    def a(self) -> np.ndarray:
        """Accelerations, (n, n_v)."""
        return self._columns["a"][self._first : self._length]

    @property
    def z(self) -> np.ndarray:
        """States of force laws, (n, n_z)."""
        return self._columns["z"][self._first : self._length]

    @property
    def work(self) -> np.ndarray:
        """The work that elements have done on the mechanism since the start, (n, n_work)."""
        return self._columns["work"][self._first : self._length]

    @property
    def hand(self) -> np.ndarray:
        """The work of the hand that pulls at bodies in live mode."""
        return self._columns["hand"][self._first : self._length]

    @property
    def lam(self) -> np.ndarray:
        """Multipliers, (n, n_rows)."""
        return self._columns["lam"][self._first : self._length]

    @property
    def gap(self) -> np.ndarray:
        """The largest |Phi| since the frame before, ahead of any correction."""
        return self._columns["gap"][self._first : self._length]

    @property
    def lock(self) -> np.ndarray:
        """The smallest distance from gimbal lock since the frame before, from 0 to 1."""
        return self._columns["lock"][self._first : self._length]

    @property
    def lock_body(self) -> np.ndarray:
        """The number of the body that had it; -1 for none."""
        return self._columns["lock_body"][self._first : self._length]

    @property
    def norm(self) -> np.ndarray:
        """|p| of each body's quaternion before it was made a unit one; 1 for Euler angles."""
        return self._columns["norm"][self._first : self._length]

    def frame_at(self, time: float) -> int:
        """The number of the frame nearest to a time; the earlier one if two are equally near."""
        after = int(np.searchsorted(self.t, time))
        if after == 0 or after == len(self):
            return max(after - 1, 0)
        return after - 1 if time - self.t[after - 1] <= self.t[after] - time else after

    def __getitem__(self, name: str | Sequence[str]) -> np.ndarray:
        return self.channel(name).values if isinstance(name, str) else self.table(name)

    def table(self, names: Sequence[str]) -> np.ndarray:
        """Several channels side by side, (n_frames, n_names); those of points are found together."""
        return columns.table(self, names)

    def __contains__(self, name: object) -> bool:
        """Whether there is a channel of this name."""
        return isinstance(name, str) and any(name == known.name for known in channels_of(self))

    __iter__ = None  # neither frames nor names alone: `channels()` and `t` say which

    def channel(self, name: str) -> Channel:
        """A channel by name, with its unit, frame and label."""
        return find(self, name)

    def channels(self, *, everyday: bool = False) -> list[Channel]:
        """All channels; with `everyday` without the long lists."""
        return list(channels_of(self, everyday=everyday))

    def summary(self) -> str:
        """What was run and how it went, as a few lines of text."""
        from engine.results.summary import summary

        return summary(self)
