"""Products of D and W = M^-1 in space: S, right-hand sides, accelerations.

W = diag(1/m, 1/m, 1/m, J^-1)       J^-1 is constant in body axes
"""

from engine.kernels import inlined, kernel, nat
from engine.kernels.blocksolve import HINGE
from engine.kernels.spatial import cross, dot, minus, product, times


@kernel
def turn(D, a):
    """The part of a row of D that turns the body."""
    return D[a, 3], D[a, 4], D[a, 5]


@inlined
def multiply(one, im, iJ, D, S):
    """One product of any rows."""
    for r in range(one.size):
        a = nat(one.earlier + r)
        x, y, z = im * D[a, 0], im * D[a, 1], im * D[a, 2]
        u, v, w = product(iJ, turn(D, a))
        for c in range(one.width):
            b = nat(one.later + c)
            shifts = x * D[b, 0] + y * D[b, 1] + z * D[b, 2]
            turns = u * D[b, 3] + v * D[b, 4] + w * D[b, 5]
            at = nat(one.offset + r * one.width + c)
            S[at] = shifts + turns if one.is_first == 1 else S[at] + shifts + turns


@inlined
def hinge_by_hinge(one, im, iJ, D, S):
    """One product of two hinges, whose rows are +-[ 1 A ] and [ 0 B ]: of the shifts a diagonal is left."""
    b = one.later
    b0, b1, b2 = turn(D, nat(b)), turn(D, nat(b + 1)), turn(D, nat(b + 2))
    b3, b4 = turn(D, nat(b + 3)), turn(D, nat(b + 4))
    for r in range(HINGE):
        a = product(iJ, turn(D, nat(one.earlier + r)))
        s0, s1, s2, s3, s4 = dot(a, b0), dot(a, b1), dot(a, b2), dot(a, b3), dot(a, b4)
        at = one.offset + r * HINGE
        if one.is_first == 0:
            s0 += S[nat(at)]
            s1 += S[nat(at + 1)]
            s2 += S[nat(at + 2)]
            s3 += S[nat(at + 3)]
            s4 += S[nat(at + 4)]
        S[nat(at)], S[nat(at + 1)], S[nat(at + 2)] = s0, s1, s2
        S[nat(at + 3)], S[nat(at + 4)] = s3, s4
    for r in range(3):
        S[nat(one.offset + r * (HINGE + 1))] += im * one.shift


@kernel
def assemble_S(products, blank, bodies, D, S):
    """The upper triangle of S = D W D^T, product by product; J^-1 in W is constant in body axes."""
    for k in range(blank.size):
        S[nat(blank[k])] = 0.0
    for k in range(products.size):
        one = products[k]
        im = bodies[nat(one.body)].inv_mass
        iJ = bodies[nat(one.body)].inv_J
        if one.shift != 0.0 and one.size == HINGE and one.width == HINGE:
            hinge_by_hinge(one, im, iJ, D, S)
        else:
            multiply(one, im, iJ, D, S)


@kernel
def right_side(bodies, row_of, D, f, gamma, out):
    """out = D W f - gamma."""
    for k in range(out.size):
        out[k] = -gamma[k]
    for k in range(bodies.size):
        im = bodies[k].inv_mass
        at = bodies[k].v_at
        x, y, z = im * f[at], im * f[at + 1], im * f[at + 2]
        u, v, w = product(bodies[k].inv_J, (f[at + 3], f[at + 4], f[at + 5]))
        for n in range(bodies[k].start, bodies[k].stop):
            a = nat(n)
            out[nat(row_of[a])] += (
                x * D[a, 0] + y * D[a, 1] + z * D[a, 2] + u * D[a, 3] + v * D[a, 4] + w * D[a, 5]
            )


@kernel
def times_D(bodies, row_of, D, v, out):
    """out = D v."""
    for k in range(out.size):
        out[k] = 0.0
    for k in range(bodies.size):
        at = bodies[k].v_at
        for n in range(bodies[k].start, bodies[k].stop):
            a = nat(n)
            total = 0.0
            for c in range(6):
                total += D[a, c] * v[at + c]
            out[nat(row_of[a])] += total


@kernel
def times_W_without_D_transposed(bodies, row_of, D, f, lam, out):
    """out = W (f - D^T lam)."""
    for k in range(bodies.size):
        at = bodies[k].v_at
        F = (f[at], f[at + 1], f[at + 2])
        M = (f[at + 3], f[at + 4], f[at + 5])
        for n in range(bodies[k].start, bodies[k].stop):
            a = nat(n)
            value = lam[nat(row_of[a])]
            F = minus(F, times(value, (D[a, 0], D[a, 1], D[a, 2])))
            M = minus(M, times(value, (D[a, 3], D[a, 4], D[a, 5])))
        alpha = product(bodies[k].inv_J, M)
        for c in range(3):
            out[at + c] = bodies[k].inv_mass * F[c]
            out[at + 3 + c] = alpha[c]


@kernel
def add_gyroscopic(bodies, v, f):
    """f -= w x (J w), body axes."""
    for k in range(bodies.size):
        at = bodies[k].v_at + 3
        w = (v[at], v[at + 1], v[at + 2])
        moment = cross(w, product(bodies[k].J, w))
        for c in range(3):
            f[at + c] -= moment[c]
