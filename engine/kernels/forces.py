"""Forces of elements: laws along a coordinate, and given loads.

A law acts along one coordinate x(q) of two markers with the force N(x, x_dot, t):

    generalised force = -N (dx/dq)^T        power = -N x_dot

N is positive when it pulls x back to smaller values: the tension of a spring, the restoring moment of a
torsion spring. Because dx/dq is exact, a spring conserves energy and a damper only dissipates it.

A law with kinks is smooth on each of its branches: a stop presses or does not, a rope is taut or slack. A
method that ends its steps at kinks holds a law on one branch within a step, continued smoothly beyond
its ends, so that no stage of the step meets another branch. Elsewhere the branch is FREE: that of x.
"""

from engine.kernels import functions, inlined, kernel, planar, spatial, spatial_products
from engine.kernels.flexible import followers, inertia
from engine.kernels.layout import CURVE, EXPRESSION, FORCE, FREE, LINEAR, STOP, System, Workspace


@inlined
def start(system: System, ws: Workspace, q, v):
    """Fill ws.f with what every model has: weight, gyroscopic moments in space, and what bends bodies."""
    for k in range(ws.f.size):
        ws.f[k] = system.weight[k]
    if system.dim == 3:
        spatial_products.add_gyroscopic(system.bodies, v, ws.f)
    if system.flexibles.size > 0:
        inertia.add_forces(
            system.dim, system.bodies, system.flexibles, system.shapes, ws.elastic, q, v, ws.f
        )
        followers.forget_forces(system.dim, system.flexibles, system.followers, ws.elastic)


@inlined
def gather(system: System, ws: Workspace):
    """Bring all forces on followers to their bodies; changes ws.f."""
    if system.followers.size > 0:
        followers.gather(
            system.dim,
            system.carriers,
            system.flexibles,
            system.followers,
            ws.elastic,
            ws.f,
        )


@inlined
def add(system: System, ws: Workspace, t, v):
    """Add given loads and the forces of laws to ws.f at time t; bodies must be placed."""
    add_loads(
        system.dim,
        system.carriers,
        system.loads,
        system.functions,
        ws.planar,
        ws.spatial,
        t,
        ws.args,
        ws.stack,
        ws.f,
    )
    add_laws(
        system.dim,
        system.carriers,
        system.laws,
        system.terms,
        system.functions,
        ws.planar,
        ws.spatial,
        ws.angle,
        ws.held,
        t,
        v,
        ws.row,
        ws.args,
        ws.stack,
        ws.exerted,
        ws.f,
    )


@kernel
def component(functions_of, which, t, args, stack):
    """A load's component at time t; zero where none is given."""
    if which < 0:
        return 0.0
    args[0] = t
    return functions.value(functions_of, which, args, stack)


@kernel
def add_loads(dim, bodies, loads, functions_of, planar_frames, spatial_frames, t, args, stack, f):
    """Add given forces and torques."""
    for k in range(loads.size):
        if loads[k].body < bodies.size:
            add_load(
                dim,
                bodies,
                loads[k],
                functions_of,
                planar_frames,
                spatial_frames,
                t,
                args,
                stack,
                f,
            )


@kernel
def add_load(dim, bodies, load, functions_of, planar_frames, spatial_frames, t, args, stack, f):
    """Add a given force or torque on a moving body.  Q = (F, s x F)  or  (0, T)."""
    at = bodies[load.body].v_at
    F = (
        component(functions_of, load.function[0], t, args, stack),
        component(functions_of, load.function[1], t, args, stack),
        component(functions_of, load.function[2], t, args, stack),
    )
    if dim == 2:
        add_planar_load(load, planar_frames[load.body], F, at, f)
    else:
        add_spatial_load(load, spatial_frames[load.body], F, at, f)


@kernel
def add_planar_load(load, frame, F, at, f):
    """Add one force or torque in the plane to a body whose place in f is `at`."""
    if load.kind == FORCE:
        fx = F[0]
        fy = F[1]
        if load.in_body_axes == 1:
            fx = frame.c * F[0] - frame.s * F[1]
            fy = frame.s * F[0] + frame.c * F[1]
        sx = frame.c * load.P[0] - frame.s * load.P[1]
        sy = frame.s * load.P[0] + frame.c * load.P[1]
        f[at] += fx
        f[at + 1] += fy
        f[at + 2] += sx * fy - sy * fx
    else:
        f[at + 2] += F[2]


@kernel
def add_spatial_load(load, frame, F, at, f):
    """Add one force (world axes) or torque (body axes) in space to a body whose place in f is `at`."""
    in_body = F
    in_world = F
    if load.in_body_axes == 1:
        in_world = spatial.to_world(frame.R, F)
    else:
        in_body = spatial.to_body(frame.R, F)
    if load.kind == FORCE:
        moment = spatial.cross(load.P, in_body)
        for c in range(3):
            f[at + c] += in_world[c]
            f[at + 3 + c] += moment[c]
    else:
        for c in range(3):
            f[at + 3 + c] += in_body[c]


@kernel
def measure(dim, bodies, term, planar_frames, spatial_frames, turns_at, v, row):
    """Fill `row` with one scalar coordinate and return its rate; bodies must be placed."""
    if dim == 2:
        n_d = 3
        planar.coordinate(term, planar_frames, row)
    else:
        n_d = 6
        spatial.coordinate(term, spatial_frames, turns_at, row)
    rate = 0.0
    if term.i < bodies.size:
        at = bodies[term.i].v_at
        for c in range(n_d):
            rate += row[2 + c] * v[at + c]
    if term.j < bodies.size:
        at = bodies[term.j].v_at
        for c in range(n_d):
            rate += row[2 + n_d + c] * v[at + c]
    return rate


@kernel
def add_laws(
    dim,
    bodies,
    laws,
    terms,
    functions_of,
    planar_frames,
    spatial_frames,
    angle,
    held,
    t,
    v,
    row,
    args,
    stack,
    exerted,
    f,
):
    """Add the force of every law:  f -= N dx/dq; where there is room, write down x, x_dot and N."""
    n_d = 3 if dim == 2 else 6
    for k in range(laws.size):
        law = laws[k]
        other = 0.0
        other_rate = 0.0
        if law.kind == EXPRESSION:
            seen = terms[law.other]
            turns = angle[law.other]
            other_rate = measure(dim, bodies, seen, planar_frames, spatial_frames, turns, v, row)
            other = row[0]
        term = terms[law.term]
        turns = angle[law.term]
        rate = measure(dim, bodies, term, planar_frames, spatial_frames, turns, v, row)
        if is_straight(law):
            N = straight_tension(law.param, row[0], rate)
        else:
            N = tension(law, held[k], functions_of, t, row[0], rate, other, other_rate, args, stack)
        if k < exerted.shape[0]:
            exerted[k, 0] = row[0]
            exerted[k, 1] = rate
            exerted[k, 2] = N
        if term.i < bodies.size:
            at = bodies[term.i].v_at
            for c in range(n_d):
                f[at + c] -= N * row[2 + c]
        if term.j < bodies.size:
            at = bodies[term.j].v_at
            for c in range(n_d):
                f[at + c] -= N * row[2 + n_d + c]


@kernel
def is_straight(law):
    """Whether a law is a spring and a damper without curves that acts both ways: the usual one."""
    return law.kind == LINEAR and law.param[4] == 0.0


@kernel
def straight_tension(param, x, rate):
    """Preload, stiffness and damping:  N = N_p + k (x - x_0) + c x_dot."""
    return param[3] + param[0] * (x - param[2]) + param[1] * rate


@kernel
def tension(law, held, functions_of, t, x, rate, other, other_rate, args, stack):
    """N(x, x_dot, t) of one law, positive when it pulls x back; on a held branch, if there is one."""
    if law.kind == EXPRESSION:
        # a given F pushes the coordinate up; its channels are t, distance, rate, angle, speed
        args[0] = t
        if law.param[0] == 0.0:  # acts along the distance; the other coordinate is the angle
            args[1] = x
            args[2] = rate
            args[3] = other
            args[4] = other_rate
        else:
            args[1] = other
            args[2] = other_rate
            args[3] = x
            args[4] = rate
        return -functions.value(functions_of, law.f1, args, stack)
    if law.kind == STOP:
        part = stop_branch(law.param, x, rate) if held == FREE else held
        return stop_tension(law.param, part, x, rate)
    x0 = law.param[2]
    N = straight_tension(law.param, x, rate)
    if law.kind == CURVE:
        if law.f1 >= 0:
            args[0] = x - x0
            N += functions.value(functions_of, law.f1, args, stack)
        if law.f2 >= 0:
            args[0] = rate
            N += functions.value(functions_of, law.f2, args, stack)
    side = law.param[4]
    if side != 0.0:  # a rope pulls beyond x0 or is slack, a buffer pushes below x0 or is free
        is_active = side * (x - x0) > 0.0 and side * N > 0.0
        if held != FREE:
            is_active = presses(held)
        if not is_active:
            return 0.0
    return N


@kernel
def presses(branch):
    """Whether a one-sided law acts on a branch."""
    return abs(branch) % 2.0 == 1.0


@kernel
def stored_tension(law, functions_of, x, args, stack):
    """N_0(x): the part of N that stores energy, V = integral of N_0; what is left is work.

    It is that of a law at rest, without its curve of damping. A given force stores nothing.
    """
    if law.kind == EXPRESSION:
        return 0.0
    if law.kind == STOP:
        return stop_tension(law.param, stop_branch(law.param, x, 0.0), x, 0.0)
    x0 = law.param[2]
    N = straight_tension(law.param, x, 0.0)
    if law.kind == CURVE and law.f1 >= 0:
        args[0] = x - x0
        N += functions.value(functions_of, law.f1, args, stack)
    side = law.param[4]
    is_loaded = side == 0.0 or (side * (x - x0) > 0.0 and side * N > 0.0)
    return N if is_loaded else 0.0


@kernel
def branch(law, functions_of, t, x, rate, args, stack):
    """The active branch of a law: a number that changes where the law has a kink."""
    if law.kind == STOP:
        return stop_branch(law.param, x, rate)
    mode = 0.0
    if law.param[4] != 0.0:  # a rope or a buffer
        N = tension(law, FREE, functions_of, t, x, rate, 0.0, 0.0, args, stack)
        mode = 1.0 if N != 0.0 else 0.0
    if law.kind == CURVE:
        if law.f1 >= 0:
            mode += 2.0 * functions.piece(functions_of, law.f1, x - law.param[2])
        if law.f2 >= 0:
            mode += 2e6 * functions.piece(functions_of, law.f2, rate)
    return mode


@kernel
def stop_branch(param, x, rate):
    """The branch of a stop: 0 between its limits, else -1 below low or 1 above high, times a number.

    1: it presses, and damping fades in;   3: it presses with full damping;   0.5: it does not press.
    """
    if x < param[0]:
        side, d = -1.0, param[0] - x
    elif x > param[1]:
        side, d = 1.0, x - param[1]
    else:
        return 0.0
    part = 3.0 * side if d > param[4] and param[3] > 0.0 else side
    return part if side * stop_tension(param, part, x, rate) > 0.0 else 0.5 * side


@kernel
def stop_tension(param, part, x, rate):
    """A stop beyond low or high on one branch: stiffness, and damping that fades in over `depth`.

    low:   depth d = low - x,    N = -(k d - c x_dot s(d/depth))
    high:  depth d = x - high,   N = +(k d + c x_dot s(d/depth))     s(z) = z^2 (3 - 2 z), then 1
    """
    if not presses(part):
        return 0.0
    if part < 0.0:
        side, d = -1.0, param[0] - x
    else:
        side, d = 1.0, x - param[1]
    N = param[2] * d
    if param[3] > 0.0:
        z = 1.0 if abs(part) == 3.0 else d / max(param[4], 1e-300)
        N += param[3] * side * rate * z * z * (3.0 - 2.0 * z)
    return side * N
