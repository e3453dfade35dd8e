"""A system of rigid bodies and coordinates alone, by which a drawing is measured before there are rows."""

import numpy as np

from engine.compiling.geometry import Geometry
from engine.formulas.functions import pack
from engine.kernels.layout import (
    CARRIED,
    COUPLING,
    DRIVEN,
    FLEXIBLE,
    FOLLOWER,
    FORMULA,
    GATE,
    INTERACTION,
    LAW,
    LOAD,
    MESHING,
    NODE,
    PRODUCT,
    ROW,
    RUBBING,
    STATE,
    SWITCH,
    USE,
    WORK,
    System,
)


def bare_system(
    geometry: Geometry, terms: np.ndarray, bodies: np.ndarray, weight: np.ndarray
) -> System:
    """The rigid bodies and coordinates alone, to measure the drawing before there are rows."""
    ints = np.zeros(0, dtype=np.int64)
    return System(
        dim=geometry.dim,
        n_bodies=geometry.n_bodies,
        bodies=bodies,
        carriers=bodies,
        flexibles=np.zeros(0, dtype=FLEXIBLE),
        followers=np.zeros(0, dtype=FOLLOWER),
        carried=np.zeros(0, dtype=CARRIED),
        shapes=np.zeros(0),
        weight=weight,
        terms=terms,
        uses=np.zeros(0, dtype=USE),
        shared=ints,
        rows=np.zeros(0, dtype=ROW),
        n_late=0,
        driven=np.zeros(0, dtype=DRIVEN),
        formulas=np.zeros(0, dtype=FORMULA),
        arguments=np.zeros(0, dtype=USE),
        nodes=np.zeros(0, dtype=NODE),
        couplings=np.zeros(0, dtype=COUPLING),
        updates=ints,
        row_of=ints,
        products=np.zeros(0, dtype=PRODUCT),
        blank=ints,
        laws=np.zeros(0, dtype=LAW),
        loads=np.zeros(0, dtype=LOAD),
        interactions=np.zeros(0, dtype=INTERACTION),
        meshings=np.zeros(0, dtype=MESHING),
        rubbings=np.zeros(0, dtype=RUBBING),
        gates=np.zeros(0, dtype=GATE),
        states=np.zeros(0, dtype=STATE),
        works=np.zeros(0, dtype=WORK),
        switches=np.zeros(0, dtype=SWITCH),
        n_contacts=0,
        outlines=np.zeros(0),
        extents=np.zeros(0),
        skin=np.zeros(0),
        functions=pack([], {}),
    )
