"""Stiffness and damping of the applied forces:  K -= df/d(delta),  C -= df/dv.

A law has f = -N p with p the columns of its coordinate x, and N(x, x_dot, y, y_dot, t) where y is the
other coordinate that an expression may read. With H = dp/d(delta), and p_y, H_y those of y

    K += N H + p (N_x p + N_x_dot v^T H + N_y p_y + N_y_dot v^T H_y)
    C += p (N_x_dot p + N_y_dot p_y)

Gyroscopic moments give C += w~ J - (J w)~. Loads are given in time; they change with the pose alone:

    force in world axes at P    f_turn = P x F_b            K -= P~ F_b~
    force in body axes          f = R F                     K += R F~
    torque in world axes        f_turn = R^T T = T_b        K -= T_b~
"""

from engine.kernels import forces, functions, kernel, spatial
from engine.kernels.implicit import tangents
from engine.kernels.layout import ANGLE, CURVE, EXPRESSION, FORCE, FREE, STOP


@kernel
def slopes_of_tension(
    law, functions_of, t, x, rate, other, other_rate, args, rates, stack, jet, slope
):
    """Fill slope with N and its derivatives by x, x_dot, y and y_dot."""
    N = forces.tension(law, FREE, functions_of, t, x, rate, other, other_rate, args, stack)
    slope[0] = N
    for k in range(1, 5):
        slope[k] = 0.0
    if law.kind == EXPRESSION:  # `tension` has left t, distance, rate, angle, speed in args
        own = 1 if law.param[0] == 0.0 else 3
        for k in range(1, 5):
            for n in range(5):
                rates[n] = 1.0 if n == k else 0.0
            functions.jet(functions_of, law.f1, args, rates, stack, jet)
            slope[k if own == 1 else (k + 1) % 4 + 1] = -jet[1]
    elif law.kind == STOP:
        if N != 0.0:
            beyond = x > law.param[1]
            d = x - law.param[1] if beyond else law.param[0] - x
            depth = max(law.param[4], 1e-300)
            z = min(d / depth, 1.0)
            fading = 6.0 * z * (1.0 - z) / depth
            slope[1] = law.param[2] + law.param[3] * fading * (rate if beyond else -rate)
            slope[2] = law.param[3] * z * z * (3.0 - 2.0 * z)
    elif law.param[4] == 0.0 or N != 0.0:  # not a slack rope, not a free buffer
        slope[1] = law.param[0]
        slope[2] = law.param[1]
        if law.kind == CURVE:
            rates[0] = 1.0
            if law.f1 >= 0:
                args[0] = x - law.param[2]
                functions.jet(functions_of, law.f1, args, rates, stack, jet)
                slope[1] += jet[1]
            if law.f2 >= 0:
                args[0] = rate
                functions.jet(functions_of, law.f2, args, rates, stack, jet)
                slope[2] += jet[1]


@kernel
def add_dependence(
    n_d, bodies, term, by_x, by_rate, columns, row, bent, H, v, gradient, four, blocks, K, C
):
    """K += p (by_x p_y + by_rate v^T H_y),  C += p by_rate p_y;  p in `columns`, p_y in `row`."""
    for c in range(2 * n_d):
        gradient[c] = by_x * row[2 + c]
    if bent and by_rate != 0.0:
        for r in range(2 * n_d):
            body = term.i if r < n_d else term.j
            if body < bodies.size:
                factor = by_rate * v[bodies[body].v_at + r % n_d]
                for c in range(2 * n_d):
                    gradient[c] += factor * H[r, c]
    for side in range(4):
        block = blocks[four[side]]
        first = 0 if side < 2 else n_d
        second = 0 if side % 2 == 0 else n_d
        for r in range(n_d):
            p = columns[2 + first + r]
            at = block.at + r * block.n_j
            for c in range(n_d):
                K[at + c] += p * gradient[second + c]
                C[at + c] += p * by_rate * row[2 + second + c]


@kernel
def add_laws(
    n_d,
    bodies,
    laws,
    terms,
    functions_of,
    planar_frames,
    frames,
    angle,
    t,
    v,
    of_term,
    of_law,
    blocks,
    scratch,
    args,
    rates,
    stack,
    jet,
    H,
    K,
    C,
):
    """Add the tangents of every law; scratch has four rows: p, p_y, the gradient and the slopes."""
    dim = 2 if n_d == 3 else 3
    row = scratch[0]
    other_row = scratch[1]
    slope = scratch[3]
    for k in range(laws.size):
        law = laws[k]
        term = terms[law.term]
        seen = terms[law.other]
        turns = angle[law.term]
        rate = forces.measure(dim, bodies, term, planar_frames, frames, turns, v, row)
        other_rate = 0.0
        if law.kind == EXPRESSION:
            turns = angle[law.other]
            other_rate = forces.measure(
                dim, bodies, seen, planar_frames, frames, turns, v, other_row
            )
        slopes_of_tension(
            law,
            functions_of,
            t,
            row[0],
            rate,
            other_row[0],
            other_rate,
            args,
            rates,
            stack,
            jet,
            slope,
        )
        bent = not (n_d == 3 and term.kind == ANGLE)
        if bent:
            tangents.bend(n_d, term, frames, H)
            tangents.add_blocks(n_d, slope[0], H, of_term[law.term], blocks, K)
        to = of_term[law.term]
        of = scratch[2]
        add_dependence(
            n_d, bodies, term, slope[1], slope[2], row, row, bent, H, v, of, to, blocks, K, C
        )
        if slope[3] != 0.0 or slope[4] != 0.0:
            bent = not (n_d == 3 and seen.kind == ANGLE)
            if bent:
                tangents.bend(n_d, seen, frames, H)
            to = of_law[k]
            add_dependence(
                n_d,
                bodies,
                seen,
                slope[3],
                slope[4],
                row,
                other_row,
                bent,
                H,
                v,
                of,
                to,
                blocks,
                K,
                C,
            )


@kernel
def add_gyroscopic(bodies, v, blocks, C):
    """C += w~ J - (J w)~ in the turns of every body; its own block has its number."""
    for k in range(bodies.size):
        at = bodies[k].v_at + 3
        w = (v[at], v[at + 1], v[at + 2])
        J = bodies[k].J
        spin = spatial.product(J, w)
        for c in range(3):
            own = spatial.cross(w, (J[0, c], J[1, c], J[2, c]))
            unit = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
            turned = spatial.cross(spin, unit)
            for r in range(3):
                C[blocks[k].at + (3 + r) * blocks[k].n_j + 3 + c] += own[r] - turned[r]


@kernel
def add_turned_torque(T_b, block, K):
    """K -= T_b~ in the turns of one body; T_b in body axes."""
    for c in range(3):
        unit = (1.0 if c == 0 else 0.0, 1.0 if c == 1 else 0.0, 1.0 if c == 2 else 0.0)
        column = spatial.cross(T_b, unit)
        for r in range(3):
            K[block.at + (3 + r) * block.n_j + 3 + c] -= column[r]


@kernel
def add_loads(n_d, bodies, loads, functions_of, frames, t, args, stack, blocks, K):
    """Add the stiffness of loads that keep their direction while the body turns, or turn with it."""
    dim = 2 if n_d == 3 else 3
    turns = n_d - dim
    for k in range(loads.size):
        load = loads[k]
        if load.body == bodies.size:
            continue
        F = (
            forces.component(functions_of, load.function[0], t, args, stack),
            forces.component(functions_of, load.function[1], t, args, stack),
            forces.component(functions_of, load.function[2], t, args, stack),
        )
        R = frames[load.body].R
        block = blocks[load.body]
        if load.in_body_axes == 0:
            F_b = spatial.to_body(R, F)
            if load.kind == FORCE:
                tangents.add_turned_arm(n_d, -1.0, load.P, F_b, block, K)
            elif n_d == 6:  # in the plane a torque has one direction
                add_turned_torque(F_b, block, K)
        elif load.kind == FORCE:
            for c in range(turns):
                axis = 3 - turns + c
                unit = (
                    1.0 if axis == 0 else 0.0,
                    1.0 if axis == 1 else 0.0,
                    1.0 if axis == 2 else 0.0,
                )
                column = spatial.to_world(R, spatial.cross(F, unit))
                for r in range(dim):
                    K[block.at + r * block.n_j + dim + c] += column[r]
