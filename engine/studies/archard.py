"""Wear of surfaces that slide on each other, from the forces and speeds of a run.

Archard's law: the worn volume grows with the force and the path,

    dW = k F psi |v| (S/R) dt             W [m^3],  k [m^3/(N m)],  F = sqrt(N^2 + T^2)

by trapezoids over the frames. psi is the part of the path on which a film of lubricant has a gap,

    psi(v, T) = 1 - exp(-X/|v|)           X(T) = (alpha_x/t_0) exp(-E_a/(R_g T))

and 1 without a film. Where X is much less than v, psi |v| is X: wear then no longer depends on the speed.
S/R is the part of sliding in the motion, 1 where nothing else is said: a formula of t, or that of the run.

Wear of two sides, as of the two condyles of a knee:  WVL = W_med + W_lat,  RW = 100 W/WVL of each, and
WIB = RW_med - RW_lat, which should stay within 5 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.errors import EngineError
from engine.formulas import expressions
from engine.formulas.grammar import parse
from engine.formulas.resolve import parameter_values
from engine.model.elements import Model
from engine.model.forces import ContactAll
from engine.results.channels import find
from engine.studies.tables import text_table, write_table

if TYPE_CHECKING:
    from engine.results.results import Results

GAS_CONSTANT = 8.31  # J/(mol K), in the digits of the published constants
BALANCED = 5.0  # percent: an imbalance within this is accepted
MM3 = 1e9  # mm^3 in a m^3
PLA = 65e-14  # m^3/(N m), on PLA
OF_RUN = "run"  # S/R as the contact slides and rolls in the run
SIDES = ("medial", "lateral")


class Film(NamedTuple):
    """A film of lubricant whose gaps heal by themselves."""

    temperature: float  # K
    activation: float = 49e3  # E_a, J/mol
    period: float = 3e-12  # t_0, s
    step: float = 3e-10  # alpha_x, m

    @property
    def speed(self) -> float:
        """X: above this sliding speed the film has no time to heal."""
        heat = GAS_CONSTANT * self.temperature
        return self.step / self.period * float(np.exp(-self.activation / heat))

    def gaps(self, v: np.ndarray) -> np.ndarray:
        """psi: the part of the path without a film; 1 at rest."""
        speed = np.abs(v)
        return np.where(speed > 0.0, -np.expm1(-self.speed / np.maximum(speed, 1e-300)), 1.0)


def cumulative(t: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """The integral of a rate from the first frame on, by trapezoids."""
    steps = 0.5 * np.diff(t) * (rate[1:] + rate[:-1])
    return np.concatenate([[0.0], np.cumsum(steps)])


def archard(
    t: np.ndarray,
    force: np.ndarray,
    speed: np.ndarray,
    coefficient: float,
    film: Film | None = None,
    sliding: np.ndarray | float = 1.0,
) -> np.ndarray:
    """W(t) [m^3]; coefficient [m^3/(N m)], sliding: S/R."""
    rate = coefficient * force * np.abs(speed) * sliding
    return cumulative(t, rate if film is None else rate * film.gaps(speed))


class Sides(NamedTuple):
    """The wear of two sides; shares are NaN where nothing is worn yet."""

    total: np.ndarray  # WVL                     [m^3]
    medial: np.ndarray  # RW_med                 [%]
    lateral: np.ndarray  # RW_lat                [%]
    imbalance: np.ndarray  # WIB                 [%]

    @property
    def is_balanced(self) -> bool:
        """Whether the imbalance at the end is within 5 %."""
        return bool(abs(self.imbalance[-1]) <= BALANCED)


def sides(medial: np.ndarray, lateral: np.ndarray) -> Sides:
    """The wear of two sides beside each other."""
    total = medial + lateral
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = 100.0 * medial / total, 100.0 * lateral / total
    return Sides(total, first, second, first - second)


@dataclass(frozen=True)
class Wear:
    """The wear of some contacts of a run, at some temperatures."""

    t: np.ndarray
    contacts: tuple[str, ...]
    temperatures: tuple[float | None, ...]  # [K]; None: dry
    worn: np.ndarray  # (n_contacts, n_temperatures, n)    [m^3]
    impulse: np.ndarray  # (n_contacts,)    the integral of the force    [N s]
    path: np.ndarray  # (n_contacts,)       how far they slid    [m]
    at: tuple[str, ...] = ()  # on which of two sides each contact is; empty: on neither

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """Contact, temperature, and what is worn at the end."""
        return [
            (
                contact,
                "dry" if T is None else f"{T:g}",
                float(self.worn[n, k, -1]) * MM3,
                float(self.impulse[n]),
                float(self.path[n]),
            )
            for n, contact in enumerate(self.contacts)
            for k, T in enumerate(self.temperatures)
        ]

    @property
    def head(self) -> tuple[str, ...]:
        """The titles of the columns."""
        return ("contact", "T [K]", "W [mm^3]", "force over time [N s]", "path [m]")

    def table(self) -> str:
        """The wear at the end as text, with the balance of two contacts."""
        return "\n".join([text_table(self.head, self.rows), *self.balances])

    @property
    def balances(self) -> list[str]:
        """Of two sides the balance at each temperature, where anything is worn."""
        told = []
        for k, T in enumerate(self.temperatures):
            found = self.sides(k)
            if found is not None and found.total[-1] > 0.0:
                imbalance = round(float(found.imbalance[-1]), 2) + 0.0  # no minus before zero
                judged = "balanced" if found.is_balanced else "not balanced"
                told.append(
                    f"{'dry' if T is None else f'{T:g} K'}: WVL {found.total[-1] * MM3:.6g} mm^3, "
                    f"RW {found.medial[-1]:.2f} : {found.lateral[-1]:.2f} %, "
                    f"WIB {imbalance:.2f} % ({judged}: 5 %)"
                )
        return told

    def sides(self, k: int) -> Sides | None:
        """The two sides at temperature number k; None without contacts on both."""
        both = [[n for n, side in enumerate(self.at) if side == one] for one in SIDES]
        if not all(both):
            return None
        medial, lateral = (self.worn[mine, k].sum(axis=0) for mine in both)
        return sides(medial, lateral)

    def columns(self) -> list[tuple[str, np.ndarray]]:
        """W(t) of every contact and temperature in mm^3, and of two sides WVL, RW and WIB."""
        words = ["dry" if T is None else f"{T:g} K" for T in self.temperatures]
        found = [
            (f"{contact} {T} [mm^3]", self.worn[n, k] * MM3)
            for n, contact in enumerate(self.contacts)
            for k, T in enumerate(words)
        ]
        for k, T in enumerate(words):
            both = self.sides(k)
            if both is not None:
                found += [
                    (f"WVL {T} [mm^3]", both.total * MM3),
                    (f"RW_med {T} [%]", both.medial),
                    (f"RW_lat {T} [%]", both.lateral),
                    (f"WIB {T} [%]", both.imbalance),
                ]
        return found

    def write_csv(self, path: str | Path) -> None:
        """Write the columns over time; what is not known, because nothing is worn yet, stays empty."""
        found = self.columns()
        rows = np.column_stack([self.t, *(values for _, values in found)]).tolist()
        told = [["" if x != x else x for x in row] for row in rows]
        write_table(path, ("t [s]", *(name for name, _ in found)), told)


def wear(
    results: "Results",
    contacts: Sequence[str] = (),
    *,
    coefficient: float = PLA,
    temperatures: Sequence[float | None] = (None,),
    speeds: Sequence[str] = (),
    lever: float | None = None,
    with_2_pi: bool = False,
    by_friction: bool = False,
    sliding: str = "",
) -> Wear:
    """The wear of contacts of a run; without names that of all.

    coefficient in m^3/(N m), of contacts that have none of their own. `sliding` is S/R: a formula of t, or
    "run" for the slide-roll ratio of the run. `speeds` are channels whose sizes are added and used instead
    of the sliding speed, times a `lever` [m] where they are in rad/s. `with_2_pi` multiplies the path, but
    not the speed of the film, by 2 pi, as a published study did. `by_friction` takes the friction alone as
    the force.
    """
    if not coefficient >= 0.0:
        raise EngineError("The wear coefficient must not be negative. Give another one.")
    if any(T is not None and not T > 0.0 for T in temperatures):
        raise EngineError("The temperature of a film is in kelvin, and more than zero.")
    chosen = _chosen(results, contacts)
    films = [None if T is None else Film(T) for T in temperatures]
    factor = 2.0 * pi if with_2_pi else 1.0
    worn, impulse, path = [], [], []
    t = results.t
    for id in chosen:
        N, T = (find(results, f"{id}.{name}").values for name in ("normal_force", "friction"))
        F, v = np.abs(T) if by_friction else np.hypot(N, T), _speed(results, id, speeds)
        v = v if lever is None else lever * v
        own = getattr(results.compiled.resolved[id], "wear_coefficient", None)
        k = coefficient if own is None else float(own)
        share = factor * _share(results, id, sliding)
        worn.append([archard(t, F, v, k, film, share) for film in films])
        impulse.append(cumulative(t, F)[-1])
        path.append(cumulative(t, v * (F > 0.0))[-1])
    found = np.array(worn), np.array(impulse), np.array(path)
    return Wear(t, chosen, tuple(temperatures), *found, sides_of(results.model, chosen))


def sides_of(model: Model, contacts: Sequence[str]) -> tuple[str, ...]:
    """On which side each contact is; of two that do not say it the first is medial."""
    said = tuple(getattr(model[id], "wear_side", "none") for id in contacts)
    if set(said) == {"none"} and len(contacts) == 2:
        return SIDES
    return tuple(side if side in SIDES else "" for side in said)


def _share(results: "Results", id: str, sliding: str) -> np.ndarray | float:
    """S/R of a contact in every frame."""
    if not sliding.strip():
        return 1.0
    if sliding.strip() == OF_RUN:
        return find(results, f"{id}.slide_roll").values
    formula, known = parse(sliding), parameter_values(results.model)
    found = [expressions.value(formula, {**known, "t": float(t)}) for t in results.t]
    if min(found) < 0.0:
        raise EngineError("S/R is a share of the motion. Give a formula that is not negative.")
    return np.array(found)


def contacts_of(results: "Results") -> tuple[str, ...]:
    """The contacts of a run; an error where there are none."""
    compiled = results.compiled
    numbered = zip(compiled.switch_ids, compiled.system.switches["contact"])
    every = tuple(dict.fromkeys(id for id, one in numbered if one >= 0))
    known = tuple(id for id in every if not isinstance(compiled.resolved[id], ContactAll))
    if every and not known:
        raise EngineError(
            "'{id}' is about many bodies and tells of no two of them what they lose. Add a contact between "
            "two that wear.",
            every[0],
            id=every[0],
        )
    if not known:
        raise EngineError("Nothing in this model is in contact, so nothing wears. Add a contact.")
    return known


def _chosen(results: "Results", contacts: Sequence[str]) -> tuple[str, ...]:
    """The contacts of these names; without names all."""
    known = contacts_of(results)
    if missing := [id for id in contacts if id not in known]:
        raise EngineError(
            "'{id}' is no contact of this model. Choose one of {known}.",
            id=missing[0],
            known=", ".join(known),
        )
    return tuple(contacts) or known


def refusal(results: "Results", id: str) -> EngineError | None:
    """Why a contact has no sliding speed of its own; None: it has one."""
    if sum(owner == id for owner in results.compiled.interaction_ids) <= 1:
        return None
    return EngineError(
        "'{id}' touches at several corners, which slide differently. Say which channel is its "
        "sliding speed.",
        id,
        id=results.model[id].label,
    )


def _speed(results: "Results", id: str, speeds: Sequence[str]) -> np.ndarray:
    """How fast a contact slides: its own channel, or the sum of others."""
    if speeds:
        return np.asarray(sum(np.abs(find(results, name).values) for name in speeds))
    if (error := refusal(results, id)) is not None:
        raise error
    return np.abs(find(results, f"{id}.sliding_speed").values)
