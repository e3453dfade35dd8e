"""Evaluate packed functions of time or of a few variables, with exact first and second derivatives.

A function is a constant, a program in postfix code or a table. `jet` works with numbers that carry
their derivatives along a straight line x(s) = x + s dx (a dot is d/ds here):

    u = (u, u', u'')
    (f(u))''  = f'(u) u'' + f''(u) u'^2
    (u v)''   = u'' v + 2 u' v' + u v''
    (u / v)'' = (u'' - 2 q' v' - q v'') / v              q = u/v

At a kink (abs, min, max, if, floor, comparisons) the derivative is that of the branch in use, and
a constant operand gives no derivative, even where the slope of the function is infinite.
Undefined values, such as sqrt(-1) or 1/0, are NaN or infinite; nothing raises.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.kernels import kernel

CONSTANT, CODE, TABLE = range(3)  # kinds of functions

STACK_DEPTH = 128  # largest depth of the stack of a program
STACK_SIZE = 3 * STACK_DEPTH  # floats of the workspace `stack`

# Operations by the number of their operands: none, one, two, three and five.
NUMBER, NAME = range(2)
NEG, NOT, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH = range(2, 13)
EXP, LOG, LOG10, SQRT, ABS, SIGN, FLOOR = range(13, 20)
ADD, SUB, MUL, DIV, POW, ATAN2, HYPOT, MOD, MIN, MAX = range(20, 30)
LESS, LESS_EQUAL, MORE, MORE_EQUAL, EQUAL, UNEQUAL, AND, OR = range(30, 38)
IF, STEP = range(38, 40)

_WORDS = (  # of engine.formulas.expressions, in the order of the codes above
    *("number", "name"),
    *("neg", "not", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"),
    *("exp", "log", "log10", "sqrt", "abs", "sign", "floor"),
    *("+", "-", "*", "/", "^", "atan2", "hypot", "mod", "min", "max"),
    *("<", "<=", ">", ">=", "==", "!=", "and", "or"),
    *("if", "step"),
)
CODES = {word: code for code, word in enumerate(_WORDS)}


class Functions(NamedTuple):
    """All functions of a system, packed. Function k uses the entries start[k] .. stop[k]:

    constant: arg[start]        code: op and arg        table: knot and coefficient, with
    y = c0 + c1 u + c2 u^2 + c3 u^3,   u = x - knot[i]   to the right of knot i.
    The last row of a table is the straight line beyond it; before the first knot the line with
    c0 and c1 of the first row holds.
    """

    kind: np.ndarray  # (n,) CONSTANT, CODE or TABLE
    start: np.ndarray  # (n,)
    stop: np.ndarray  # (n,)
    op: np.ndarray  # (n_code,)
    arg: np.ndarray  # (n_code,) the number of NUMBER, the index into x of NAME
    knot: np.ndarray  # (n_knots,)
    coefficient: np.ndarray  # (n_knots, 4)


_INTS, _FLOATS = np.zeros(0, dtype=np.int64), np.zeros(0)
EMPTY_FUNCTIONS = Functions(_INTS, _INTS, _INTS, _INTS, _FLOATS, _FLOATS, np.zeros((0, 4)))


@kernel
def piece(F, k, x):
    """The number of the piece of a table that x lies on; 0 for other functions."""
    n = 0
    if F.kind[k] == TABLE:
        for i in range(F.start[k], F.stop[k]):
            if x >= F.knot[i]:
                n += 1
    return n


@kernel
def value(F, k, x, stack):
    """The value of function k at x; overwrites the workspace `stack`."""
    if F.kind[k] == CONSTANT:
        return F.arg[F.start[k]]
    if F.kind[k] == TABLE:
        i, u = _place(F.knot, F.start[k], F.stop[k], x[0])
        c = F.coefficient
        if u < 0.0:
            return c[i, 0] + u * c[i, 1]
        return c[i, 0] + u * (c[i, 1] + u * (c[i, 2] + u * c[i, 3]))
    top = -1
    for p in range(F.start[k], F.stop[k]):
        op = F.op[p]
        if op == NUMBER:
            top += 1
            stack[top] = F.arg[p]
        elif op == NAME:
            top += 1
            stack[top] = x[int(F.arg[p])]
        elif op < ADD:
            stack[top] = _of_one(op, stack[top])[0]
        elif op < IF:
            top -= 1
            stack[top] = _of_two(op, stack[top], stack[top + 1])
        elif op == IF:
            top -= 2
            stack[top] = stack[top + 1] if stack[top] != 0.0 else stack[top + 2]
        else:
            top -= 4
            x0, y0, x1, y1 = stack[top + 1], stack[top + 2], stack[top + 3], stack[top + 4]
            u = (stack[top] - x0) / (x1 - x0)
            if u <= 0.0:
                stack[top] = y0
            elif u >= 1.0:
                stack[top] = y1
            else:
                stack[top] = y0 + (y1 - y0) * u * u * (3.0 - 2.0 * u)
    return stack[0]


@kernel
def jet(F, k, x, dx, stack, out):
    """Write f, df/ds and d2f/ds2 of function k along x + s dx, at s = 0, into out[0:3].

    Overwrites the workspace `stack`. With x = [t] and dx = [1] these are c, c_dot and c_ddot.
    """
    if F.kind[k] == CONSTANT:
        out[0] = F.arg[F.start[k]]
        out[1] = 0.0
        out[2] = 0.0
        return
    if F.kind[k] == TABLE:
        i, u = _place(F.knot, F.start[k], F.stop[k], x[0])
        c0, c1 = F.coefficient[i, 0], F.coefficient[i, 1]
        c2, c3 = F.coefficient[i, 2], F.coefficient[i, 3]
        if u < 0.0:
            c2, c3 = 0.0, 0.0
        out[0] = c0 + u * (c1 + u * (c2 + u * c3))
        out[1] = (c1 + u * (2.0 * c2 + u * 3.0 * c3)) * dx[0]
        out[2] = (2.0 * c2 + 6.0 * u * c3) * dx[0] * dx[0]
        return
    n = 0  # entries on the stack, three floats each
    for p in range(F.start[k], F.stop[k]):
        op = F.op[p]
        if op == NUMBER:
            _set(stack, 3 * n, F.arg[p], 0.0, 0.0)
            n += 1
        elif op == NAME:
            _set(stack, 3 * n, x[int(F.arg[p])], dx[int(F.arg[p])], 0.0)
            n += 1
        elif op < ADD:
            f, slope, bend = _of_one(op, stack[3 * n - 3])
            _chain(stack, 3 * n - 3, f, slope, bend)
        elif op < IF:
            n -= 1
            _jet_of_two(op, stack, 3 * n - 3, 3 * n)
        elif op == IF:
            n -= 2
            _copy(stack, 3 * n - 3, 3 * n if stack[3 * n - 3] != 0.0 else 3 * n + 3)
        else:
            n -= 4
            _jet_of_step(stack, 3 * n - 3)
    for i in range(3):
        out[i] = stack[i]


@kernel
def _place(knot, start, stop, x):
    """The row of a table that holds at x, and the distance from its knot."""
    low, high = start, stop
    while high - low > 1:
        middle = (low + high) // 2
        if knot[middle] <= x:
            low = middle
        else:
            high = middle
    return low, x - knot[low]


@kernel
def _of_one(op, u):
    """f(u), f'(u) and f''(u) of an operation on one number."""
    if op == NEG:
        return -u, -1.0, 0.0
    if op == SIN:
        f, g = math.sin(u), math.cos(u)
        return f, g, -f
    if op == COS:
        f, g = math.cos(u), math.sin(u)
        return f, -g, -f
    if op == TAN:
        f = math.tan(u)
        return f, 1.0 + f * f, 2.0 * f * (1.0 + f * f)
    if op == ASIN:
        g = 1.0 / math.sqrt((1.0 - u) * (1.0 + u))
        return math.asin(u), g, u * g * g * g
    if op == ACOS:
        g = 1.0 / math.sqrt((1.0 - u) * (1.0 + u))
        return math.acos(u), -g, -u * g * g * g
    if op == ATAN:
        g = 1.0 / (1.0 + u * u)
        return math.atan(u), g, -2.0 * u * g * g
    if op == SINH:
        f, g = math.sinh(u), math.cosh(u)
        return f, g, f
    if op == COSH:
        f, g = math.cosh(u), math.sinh(u)
        return f, g, f
    if op == TANH:
        f = math.tanh(u)
        return f, 1.0 - f * f, -2.0 * f * (1.0 - f * f)
    if op == EXP:
        f = math.exp(u)
        return f, f, f
    if op == LOG:
        return math.log(u), 1.0 / u, -1.0 / (u * u)
    if op == LOG10:
        g = 1.0 / (u * math.log(10.0))
        return math.log10(u), g, -g / u
    if op == SQRT:
        f = math.sqrt(u)
        return f, 0.5 / f, -0.25 / (f * u)
    if op == ABS:
        return math.fabs(u), 1.0 if u >= 0.0 else -1.0, 0.0
    if op == SIGN:
        return (1.0 if u > 0.0 else -1.0 if u < 0.0 else u), 0.0, 0.0
    if op == FLOOR:
        return np.floor(u), 0.0, 0.0
    return (1.0 if u == 0.0 else 0.0), 0.0, 0.0  # NOT


@kernel
def _of_two(op, a, b):
    """The value of an operation on two numbers."""
    if op == ADD:
        return a + b
    if op == SUB:
        return a - b
    if op == MUL:
        return a * b
    if op == DIV:
        return a / b
    if op == POW:
        return a**b
    if op == ATAN2:
        return math.atan2(a, b)
    if op == HYPOT:
        return math.hypot(a, b)
    if op == MOD:
        return _mod(a, b)
    if op == MIN:
        return a if a <= b else b
    if op == MAX:
        return a if a >= b else b
    return 1.0 if _is_true(op, a, b) else 0.0


@kernel
def _is_true(op, a, b):
    """Whether a comparison or a logical operation holds."""
    if op == LESS:
        return a < b
    if op == LESS_EQUAL:
        return a <= b
    if op == MORE:
        return a > b
    if op == MORE_EQUAL:
        return a >= b
    if op == EQUAL:
        return a == b
    if op == UNEQUAL:
        return a != b
    if op == AND:
        return a != 0.0 and b != 0.0
    return a != 0.0 or b != 0.0


@kernel
def _mod(a, b):
    """The rest of a/b with the sign of b."""
    rest = np.fmod(a, b)
    if rest != 0.0 and (rest < 0.0) != (b < 0.0):
        rest += b
    return rest


@kernel
def _jet_of_two(op, stack, i, j):
    """Put the jet of an operation on the entries i and j into i; changes `stack`."""
    a, a1, a2 = stack[i], stack[i + 1], stack[i + 2]
    b, b1, b2 = stack[j], stack[j + 1], stack[j + 2]
    if op == ADD:
        _set(stack, i, a + b, a1 + b1, a2 + b2)
    elif op == SUB:
        _set(stack, i, a - b, a1 - b1, a2 - b2)
    elif op == MUL:
        _multiply(stack, i, j)
    elif op == DIV:
        _divide(stack, i, j)
    elif op == POW:
        _jet_of_power(stack, i, j)
    elif op == ATAN2:  # f = atan(a/b), f' = (a' b - a b') / (a^2 + b^2)
        r2 = a * a + b * b
        n = 1.0 / r2 if r2 > 0.0 else 0.0
        f1 = (a1 * b - a * b1) * n
        _set(stack, i, math.atan2(a, b), f1, (a2 * b - a * b2 - 2.0 * f1 * (a * a1 + b * b1)) * n)
    elif op == HYPOT:  # r^2 = a^2 + b^2, so r r' = a a' + b b' and r r'' + r'^2 = ...
        r = math.hypot(a, b)
        n = 1.0 / r if r > 0.0 else 0.0
        r1 = (a * a1 + b * b1) * n
        _set(stack, i, r, r1, (a1 * a1 + a * a2 + b1 * b1 + b * b2 - r1 * r1) * n)
    elif op == MOD:  # a - b n with whole n
        rest = _mod(a, b)
        n = np.rint((a - rest) / b)
        _set(stack, i, rest, a1 - _times(n, b1), a2 - _times(n, b2))
    elif op in (MIN, MAX):
        if not (a <= b if op == MIN else a >= b):
            _copy(stack, i, j)
    else:
        _set(stack, i, 1.0 if _is_true(op, a, b) else 0.0, 0.0, 0.0)


@kernel
def _jet_of_power(stack, i, j):
    """Put the jet of a^b into entry i; changes `stack`.

        constant b:  f' = b a^(b-1) a',        f'' = b a^(b-1) a'' + b (b-1) a^(b-2) a'^2
        otherwise    f  = exp(g), g = b log a, f' = f g',  f'' = f (g'' + g'^2)

    Zero factors take precedence over infinite ones, so that x^1 and x^2 are smooth at x = 0.
    """
    a, a1, a2 = stack[i], stack[i + 1], stack[i + 2]
    b, b1, b2 = stack[j], stack[j + 1], stack[j + 2]
    f = a**b
    if b1 == 0.0 and b2 == 0.0:
        slope = _times(b, a ** (b - 1.0))
        bend = _times(b * (b - 1.0), a ** (b - 2.0))
        _chain(stack, i, f, slope, bend)
        return
    log_a = math.log(a)
    p1 = _times(a1, 1.0 / a)  # (log a)'
    p2 = _times(a2, 1.0 / a) - p1 * p1
    g1 = _times(b1, log_a) + _times(b, p1)
    g2 = _times(b2, log_a) + 2.0 * _times(b1, p1) + _times(b, p2)
    _set(stack, i, f, _times(f, g1), _times(f, g2 + g1 * g1))


@kernel
def _jet_of_step(stack, i):
    """Put the jet of step(x, x0, y0, x1, y1), five entries from i on, into i; changes `stack`."""
    y0, y1 = i + 6, i + 12
    for n in range(3):
        stack[i + n] -= stack[i + 3 + n]  # x - x0
        stack[i + 9 + n] -= stack[i + 3 + n]  # x1 - x0
    _divide(stack, i, i + 9)
    u = stack[i]
    if u <= 0.0:
        _copy(stack, i, y0)
    elif u >= 1.0:
        _copy(stack, i, y1)
    else:
        _chain(stack, i, u * u * (3.0 - 2.0 * u), 6.0 * u * (1.0 - u), 6.0 - 12.0 * u)
        for n in range(3):
            stack[y1 + n] -= stack[y0 + n]
        _multiply(stack, i, y1)
        for n in range(3):
            stack[i + n] += stack[y0 + n]


@kernel
def _multiply(stack, i, j):
    """Put the jet of the product of entries i and j into i; changes `stack`."""
    a, a1, a2 = stack[i], stack[i + 1], stack[i + 2]
    b, b1, b2 = stack[j], stack[j + 1], stack[j + 2]
    second = _times(a2, b) + 2.0 * _times(a1, b1) + _times(a, b2)
    _set(stack, i, a * b, _times(a1, b) + _times(a, b1), second)


@kernel
def _divide(stack, i, j):
    """Put the jet of the quotient of entries i and j into i; changes `stack`."""
    b, b1, b2 = stack[j], stack[j + 1], stack[j + 2]
    q = stack[i] / b
    q1 = (stack[i + 1] - _times(q, b1)) / b
    _set(stack, i, q, q1, (stack[i + 2] - 2.0 * _times(q1, b1) - _times(q, b2)) / b)


@kernel
def _chain(stack, i, f, slope, bend):
    """Replace entry u by f(u), given f, f' and f'' at u; changes `stack`."""
    u1, u2 = stack[i + 1], stack[i + 2]
    _set(stack, i, f, _times(slope, u1), _times(slope, u2) + _times(bend, u1 * u1))


@kernel
def _times(a, b):
    """The product, in which zero takes precedence over infinity and NaN."""
    return 0.0 if a == 0.0 or b == 0.0 else a * b


@kernel
def _set(stack, i, f, f1, f2):
    """Write one entry of the stack."""
    stack[i] = f
    stack[i + 1] = f1
    stack[i + 2] = f2


@kernel
def _copy(stack, to, source):
    """Copy one entry of the stack."""
    for n in range(3):
        stack[to + n] = stack[source + n]
