"""Rows of followers as rows of their bodies, and the products with W that the solver needs of them.

    E = D L         gamma -= D bias          S += E W E^T

ws.E holds the rows of D of all followers in their order, each with the n_v columns of its body.
"""

from engine.kernels import kernel
from engine.kernels.flexible.inertia import n_turns, scratch_at, times_W


@kernel
def carry(dim, bodies, flexibles, followers, row_of, D, elastic, gamma, E, WE):
    """Fill E and W E from D, and take the bias of followers into gamma."""
    n_d = dim + n_turns(dim)
    for m in range(followers.size):
        one = followers[m]
        of_body = flexibles[one.flexible]
        n_v = of_body.n_v
        bias = one.now + n_d * n_v
        at = one.rows
        for a in range(one.start, one.stop):
            for c in range(n_v):
                total = 0.0
                for r in range(n_d):
                    total += D[a, r] * elastic[one.now + r * n_v + c]
                E[at + c] = total
            for r in range(n_d):
                gamma[row_of[a]] -= D[a, r] * elastic[bias + r]
            times_W(dim, of_body, bodies[one.body].inv_mass, elastic, E, at, WE, at)
            at += n_v


@kernel
def add_products(carried, E, WE, S):
    """Add E W E^T of flexible bodies to the upper triangle of S."""
    for k in range(carried.size):
        one = carried[k]
        for r in range(one.size):
            a = one.earlier + r * one.n_v
            for c in range(one.width):
                b = one.later + c * one.n_v
                total = 0.0
                for n in range(one.n_v):
                    total += WE[a + n] * E[b + n]
                at = one.offset + r * one.width + c
                S[at] = total if one.is_first == 1 else S[at] + total


@kernel
def add_right_side(dim, bodies, flexibles, followers, row_of, elastic, E, f, out):
    """out += E W f of flexible bodies."""
    for k in range(flexibles.size):
        one = flexibles[k]
        work = scratch_at(dim, one)
        body = bodies[one.body]
        times_W(dim, one, body.inv_mass, elastic, f, body.v_at, elastic, work)
        for m in range(followers.size):
            if followers[m].flexible == k:
                add_rows_times(followers[m], one.n_v, row_of, E, elastic, work, out)


@kernel
def add_times_E(bodies, flexibles, followers, row_of, E, v, out):
    """out += E v."""
    for m in range(followers.size):
        one = followers[m]
        n_v = flexibles[one.flexible].n_v
        add_rows_times(one, n_v, row_of, E, v, bodies[one.body].v_at, out)


@kernel
def add_rows_times(follower, n_v, row_of, E, x, at, out):
    """out += E x[at:] for the rows of one follower."""
    row = follower.rows
    for a in range(follower.start, follower.stop):
        total = 0.0
        for c in range(n_v):
            total += E[row + c] * x[at + c]
        out[row_of[a]] += total
        row += n_v


@kernel
def times_W_without_E_transposed(
    dim, bodies, flexibles, followers, row_of, elastic, E, f, lam, out
):
    """out = W (f - E^T lam) in the places of flexible bodies."""
    for k in range(flexibles.size):
        one = flexibles[k]
        n_v, body = one.n_v, bodies[one.body]
        work = scratch_at(dim, one)
        for c in range(n_v):
            elastic[work + c] = f[body.v_at + c]
        for m in range(followers.size):
            if followers[m].flexible == k:
                row = followers[m].rows
                for a in range(followers[m].start, followers[m].stop):
                    value = lam[row_of[a]]
                    for c in range(n_v):
                        elastic[work + c] -= E[row + c] * value
                    row += n_v
        times_W(dim, one, body.inv_mass, elastic, elastic, work, out, body.v_at)
