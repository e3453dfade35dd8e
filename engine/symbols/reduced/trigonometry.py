"""A normal form of trigonometric polynomials, in which equality is a comparison.

Every product of sines and cosines is a sum of cos(k . phi) and sin(k . phi) with whole numbers k, and
this sum is unique. So two expressions are equal if their sums are: nothing is guessed as in a search for
simplifications, and nothing hangs.
"""

from collections import defaultdict
from collections.abc import Collection
from fractions import Fraction
from math import gcd, lcm

import sympy as sp

Wave = tuple[tuple[sp.Expr, int], ...]  # whole numbers by angle, in the order of their names
Form = dict[tuple[Wave, str, sp.Expr], Fraction]  # wave, "c" or "s", monomial without angles
Complex = tuple[Fraction, Fraction]

ROUNDING = Fraction(1, 10**13)
MOST_FACTORED = 80  # terms among which a common sum is looked for
MOST_PARTS = 1000  # of a simple fraction
SAME = Fraction(1, 10**11)
LONGEST = 10**12  # denominator of a fraction that is written as one
HALF, ONE, ZERO = Fraction(1, 2), Fraction(1), Fraction(0)


def fourier(expression: sp.Expr) -> Form:
    """The normal form of a polynomial of sines, cosines and other factors."""
    total: dict[tuple[Wave, str, sp.Expr], Fraction] = defaultdict(Fraction)
    is_rounded = False  # what rounding leaves of a difference is dropped
    for term in sp.Add.make_args(sp.expand(expression)):
        number, rest = ONE, []
        waves: dict[Wave, Complex] = {(): (ONE, ZERO)}  # amplitudes of exp(i k.phi)
        for factor in sp.Mul.make_args(term):
            base, power = factor.as_base_exp()
            if factor.is_Rational:
                number *= Fraction(int(factor.p), int(factor.q))
            elif factor.is_Float:
                number *= Fraction(float(factor))
                is_rounded = True
            elif (
                isinstance(base, sp.sin | sp.cos)
                and power.is_Integer
                and power > 0
                and _is_wave(base)
            ):
                wave = _wave(base)
                for _ in range(int(power)):
                    waves = _product(waves, wave)
            else:
                rest.append(factor)
        monomial = sp.Mul(*rest)
        for k, (re, im) in waves.items():
            upward, sign = _upward(k)
            total[upward, "c", monomial] += number * re
            if k:
                total[upward, "s", monomial] -= number * im * sign
    largest = max(map(abs, total.values()), default=ZERO)
    least = ROUNDING * largest if is_rounded else ZERO
    return {key: value for key, value in total.items() if abs(value) > least}


def equal(a: sp.Expr, b: sp.Expr) -> bool:
    """Whether two quotients of trigonometric polynomials are the same."""
    (p, q), (r, s) = (sp.fraction(sp.together(x)) for x in (a, b))
    return not fourier(p * s - r * q)


def _terms(base: sp.Expr) -> list[tuple[sp.Expr, sp.Expr]]:
    return [term.as_coeff_Mul() for term in sp.Add.make_args(sp.expand(base.args[0]))]


def _is_wave(base: sp.Expr) -> bool:
    """Whether the argument is a sum of whole multiples of angles."""
    return all(number.is_Integer for number, _ in _terms(base))


def _wave(base: sp.Expr) -> dict[Wave, Complex]:
    """A sine or cosine as two exponentials."""
    k: dict[sp.Expr, int] = defaultdict(int)
    for number, angle in _terms(base):
        k[angle] += int(number)
    up, down = (_sorted({a: s * n for a, n in k.items()}) for s in (1, -1))
    if isinstance(base, sp.cos):
        return {up: (HALF, ZERO), down: (HALF, ZERO)}
    return {up: (ZERO, -HALF), down: (ZERO, HALF)}


def _sorted(k: dict[sp.Expr, int]) -> Wave:
    return tuple(sorted(((a, n) for a, n in k.items() if n), key=lambda pair: str(pair[0])))


def _product(one: dict[Wave, Complex], other: dict[Wave, Complex]) -> dict[Wave, Complex]:
    found: dict[Wave, Complex] = {}
    for k, (a, b) in one.items():
        for m, (c, d) in other.items():
            sums: dict[sp.Expr, int] = defaultdict(int)
            for angle, n in (*k, *m):
                sums[angle] += n
            key = _sorted(sums)
            x, y = found.get(key, (ZERO, ZERO))
            found[key] = (x + a * c - b * d, y + a * d + b * c)
    return found


def _upward(k: Wave) -> tuple[Wave, int]:
    """The wave or its reverse, whichever begins with a positive number, and which it is."""
    return (k, 1) if not k or k[0][1] > 0 else (tuple((a, -n) for a, n in k), -1)


def content(*forms: Form) -> tuple[Fraction, sp.Expr]:
    """The rational and the monomial that divide every term of all forms."""
    terms = [(value, monomial) for form in forms for (_, _, monomial), value in form.items()]
    top = gcd(*(abs(v.numerator) for v, _ in terms))
    under = lcm(*(v.denominator for v, _ in terms))
    if under > LONGEST:
        top, under = 1, 1
    powers = [m.as_powers_dict() for _, m in terms]
    shared = set.intersection(*(set(p) for p in powers))
    least = (s ** min(p[s] for p in powers) for s in shared if not s.is_number)
    return Fraction(top, under), sp.Mul(*least)


def without_common_factor(*forms: Form) -> tuple[Form, ...]:
    """The forms without the sum of masses or lengths that divides every term of all, such as J + m s^2."""
    is_rounded = any(x.denominator > LONGEST for form in forms for x in form.values())
    if is_rounded or sum(map(len, forms)) > MOST_FACTORED:
        return forms
    groups = [_by_wave(form) for form in forms]
    polynomials = [x for one in groups for x in one.values()]
    try:
        shared = sp.gcd_list(polynomials)
        if not shared.is_Add:
            return forms
        quotients = [{key: sp.quo(x, shared) for key, x in one.items()} for one in groups]
    except sp.PolynomialError:  # laws with cases
        return forms
    return tuple(
        {
            (*key, monomial): Fraction(int(value.p), int(value.q))
            for key, x in one.items()
            for monomial, value in sp.expand(x).as_coefficients_dict().items()
        }
        for one in quotients
    )


def _by_wave(form: Form) -> dict[tuple[Wave, str], sp.Expr]:
    groups: dict[tuple[Wave, str], sp.Expr] = defaultdict(lambda: sp.S.Zero)
    for (k, kind, monomial), value in form.items():
        groups[k, kind] += rational(value) * monomial
    return groups


def divided(form: Form, number: Fraction, monomial: sp.Expr) -> Form:
    """A form without a factor."""
    return {(k, kind, m / monomial): value / number for (k, kind, m), value in form.items()}


def rational(number: Fraction) -> sp.Number:
    """A fraction for expressions; what was a decimal number is one again."""
    if number.denominator > LONGEST:
        near = number.limit_denominator(MOST_PARTS)
        if abs(near - number) > SAME * abs(number):
            return sp.Float(float(number))
        number = near
    return sp.Rational(number.numerator, number.denominator)


def written(form: Form, outer: Collection[sp.Symbol] = ()) -> sp.Expr:
    """The form as an expression: grouped by waves and by the symbols in `outer`, such as rates."""
    groups: dict[tuple[sp.Expr, sp.Expr], sp.Expr] = defaultdict(lambda: sp.S.Zero)
    for (k, kind, monomial), value in form.items():
        powers = monomial.as_powers_dict()
        rates = sp.Mul(*(s**p for s, p in powers.items() if s in outer))
        wave = sp.Add(*(n * a for a, n in k))
        turned = sp.S.One if not k else sp.cos(wave) if kind == "c" else sp.sin(wave)
        groups[turned, rates] += rational(value) * monomial / rates
    return sp.Add(*(sp.factor_terms(c) * wave * rates for (wave, rates), c in groups.items()))


def in_powers(form: Form, outer: Collection[sp.Symbol] = ()) -> sp.Expr:
    """The same with cos 2a as 2 cos^2 a - 1 and sin 2a as 2 sin a cos a, where a is one angle."""

    def is_multiple(argument: sp.Expr) -> bool:
        n, angle = argument.as_coeff_Mul()
        return bool(n.is_Integer and n > 1 and angle.is_Symbol)

    def cosine(argument: sp.Expr) -> sp.Expr:
        n, angle = argument.as_coeff_Mul()
        return sp.chebyshevt(n, sp.cos(angle)) if is_multiple(argument) else sp.cos(argument)

    def sine(argument: sp.Expr) -> sp.Expr:
        n, angle = argument.as_coeff_Mul()
        if not is_multiple(argument):
            return sp.sin(argument)
        return sp.chebyshevu(n - 1, sp.cos(angle)) * sp.sin(angle)

    opened = sp.expand(written(form, outer).replace(sp.cos, cosine).replace(sp.sin, sine))
    waves = sorted(opened.atoms(sp.cos, sp.sin), key=str)
    return sp.collect(opened, [*outer, *waves], func=sp.factor_terms) if waves else opened


def shortest(form: Form, outer: Collection[sp.Symbol] = ()) -> sp.Expr:
    """The shorter way to write a form."""
    ways = (written(form, outer), in_powers(form, outer))
    return min(ways, key=lambda e: (e.count_ops(), len(str(e))))
