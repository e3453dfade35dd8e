"""Rotation matrices and rate matrices of Euler angles in symbols, for all twelve sequences.

    R = R_i(phi) R_j(theta) R_k(psi)
    A = [e_i,  R_i e_j,  R_i R_j e_k]              w_fixed = A (phi', theta', psi')
    B = [R_k^T R_j^T e_i,  R_k^T e_j,  e_k]        w_body  = B (phi', theta', psi')

    p' = T(p) w_body                               T = B^-1, and of a quaternion p its half product with w

A = R_i(phi) A(phi = 0), and A(0) = [e_i, e_j, R_j e_k], so det A holds theta alone; det B is the same.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import sympy as sp

from engine.errors import EngineError, say
from engine.symbols.reduced.trigonometry import fourier, shortest
from engine.symbols.traced import real
from engine.symbols.views import Section, Statement
from rotations import SEQUENCES

PHI, THETA, PSI = ANGLES = tuple(real(name) for name in ("phi", "theta", "psi"))
W = real("omega")


QUATERNION = tuple(real(f"e{k}") for k in range(4))  # the scalar first
OMEGA = tuple(real(f"omega{axis}") for axis in "xyz")  # body axes


class Turning(NamedTuple):
    """A sequence in symbols."""

    sequence: str
    elementary: tuple[Any, Any, Any]  # the three turns
    R: Any
    A: Any
    B: Any
    T: Any  # B^-1
    determinant: Any  # of A and of B


def axes_of(sequence: str) -> tuple[int, int, int]:
    """The axes of a sequence such as 3-1-3, counted from 0; an EngineError names those there are."""
    if sequence not in SEQUENCES:
        raise EngineError(
            "There is no sequence '{sequence}'. Choose one of: {known}.",
            sequence=sequence,
            known=", ".join(SEQUENCES),
        )
    i, j, k = (int(digit) - 1 for digit in sequence.split("-"))
    return i, j, k


def elementary(axis: int, angle: Any) -> Any:
    """The turn about coordinate axis 0, 1 or 2."""
    c, s = sp.cos(angle), sp.sin(angle)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    M = sp.eye(3)
    M[j, j], M[j, k], M[k, j], M[k, k] = c, -s, s, c
    return M


@lru_cache(maxsize=12)
def turning(sequence: str) -> Turning:
    """All matrices of a sequence."""
    axes = axes_of(sequence)
    first, second, third = (elementary(axis, angle) for axis, angle in zip(axes, ANGLES))
    e_i, e_j, e_k = (sp.eye(3)[:, axis] for axis in axes)
    A = sp.Matrix.hstack(e_i, first * e_j, first * second * e_k)
    B = sp.Matrix.hstack(third.T * second.T * e_i, third.T * e_j, e_k)
    det = sp.Matrix.hstack(e_i, e_j, second * e_k).det()
    T = B.adjugate().applyfunc(lambda x: _short(x) / det)
    return Turning(sequence, (first, second, third), first * second * third, A, B, T, det)


def _short(x: Any) -> Any:
    return shortest(form) if (form := fourier(x)) else sp.S.Zero


def rates_of_quaternion() -> Any:
    """T of a unit quaternion: its rates are half its product with (0, w)."""
    e0, e1, e2, e3 = QUATERNION
    product = sp.Matrix([[-e1, -e2, -e3], [e0, -e3, e2], [e3, e0, -e1], [-e2, e1, e0]])
    return product / 2


def sections(sequence: str) -> list[Section]:
    """The matrices of a sequence as statements to read."""
    found = turning(sequence)
    names = [sp.Symbol(f"R_{digit}") for digit in sequence.split("-")]
    turns = [
        Statement((name, "(", angle, ")", "=", one))
        for name, angle, one in zip(names, ANGLES, found.elementary)
    ]
    rates = sp.Matrix([real(f"{angle}dot") for angle in ("phi", "theta", "psi")])
    product = [x for name, angle in zip(names, ANGLES) for x in (name, "(", angle, ")")]
    return [
        Section(say("The three turns"), tuple(turns)),
        Section(say("One after the other"), (Statement(("R", "=", *product, "=", found.R)),)),
        Section(
            say("Angular velocity"),
            (
                Statement((W, "=", "A", rates, ",", "A", "=", found.A), says=say("fixed axes")),
                Statement((W, "=", "B", rates, ",", "B", "=", found.B), says=say("body axes")),
            ),
        ),
        Section(
            say("Rates of the angles"),
            (
                Statement((rates, "=", "T", sp.Matrix(OMEGA), ",", "T", "=", "B⁻¹", "=", found.T)),
                Statement(
                    (
                        sp.Matrix([real(f"e{k}dot") for k in range(4)]),
                        "=",
                        rates_of_quaternion(),
                        sp.Matrix(OMEGA),
                    ),
                    says=say("of a quaternion, which is nowhere singular"),
                ),
            ),
        ),
        Section(
            say("Singular"),
            (Statement(("det A", "=", "det B", "=", found.determinant)),),
        ),
    ]


def where_singular(sequence: str) -> str:
    """Where A and B cannot be inverted, in words."""
    i, _, k = axes_of(sequence)
    if i == k:
        return say("A and B are singular where sin θ = 0: at θ = 0° and 180°.")
    return say("A and B are singular where cos θ = 0: at θ = 90° and −90°.")
