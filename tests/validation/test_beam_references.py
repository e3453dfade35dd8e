"""Beams and frames against the numbers of independent computations and closed forms."""

from itertools import pairwise

import numpy as np
import pytest

from engine.compiling.elastic.beams import BeamMesh, Material
from engine.compiling.elastic.frames import FrameMesh, Stiffness
from engine.compiling.elastic.reduction import BENDING, craig_bampton, slowest
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.model.elastic.sections import section
from engine.results.results import Results
from engine.running.simulate import prepare
from tests.validation.test_beams import PLAIN, UNIT, eigenvalues, pendulum, spin_up

STEEL = {"youngs_modulus": 2.1e11, "density": 7850.0}
ROUNDING = 1e-9


def steel(width, thickness):
    """A steel section without rotary inertia."""
    one = section("rectangle", width, thickness, 0.0)
    E, rho = 2.1e11, 7850.0
    return Stiffness(E * one.A, E * one.I_z, E * one.I_y, 1820.0, rho * one.A, 0.0, 0.0)


SQUARE = steel(0.02, 0.02)


def pieces(corners, n):
    """Nodes and elements of lines through corners, each cut into n."""
    corners = np.array(corners, dtype=float)
    nodes = [corners[:1]]
    for a, b in pairwise(corners):
        nodes.append(a + (b - a) * np.arange(1, n + 1)[:, None] / n)
    nodes = np.concatenate(nodes)
    return nodes, [(k, k + 1) for k in range(len(nodes) - 1)]


def static(mesh, held, loads):
    """Nodal coordinates under loads {(node, coordinate): force} with all of some nodes held."""
    k = mesh.per_node
    f = np.zeros(mesh.n)
    for (node, c), force in loads.items():
        f[k * node + c] = force
    loose = np.setdiff1d(np.arange(mesh.n), [k * node + c for node in held for c in range(k)])
    u = np.zeros(mesh.n)
    u[loose] = np.linalg.solve(mesh.K[np.ix_(loose, loose)], f[loose])
    return u.reshape(-1, k)


@pytest.mark.parametrize("n", [1, 4])
def test_a_cantilever_sags_as_the_closed_forms_say(n):
    mesh = FrameMesh(2, *pieces([(0, 0, 0), (1, 0, 0)], n), SQUARE)
    tip = static(mesh, [0], {(n, 1): -100.0})[n]
    np.testing.assert_allclose(
        tip[1:], (-0.011904761904761904, -0.017857142857142856), rtol=ROUNDING
    )
    m, _, S = mesh.cloud()
    weight = -9.81 * m @ S[:, 1]
    loose = np.arange(3, mesh.n)
    u = np.linalg.solve(mesh.K[np.ix_(loose, loose)], weight[loose])
    assert u[-2] == pytest.approx(-0.0013751517857142855, rel=ROUNDING)


def test_frames_bend_as_the_closed_forms_say():
    elbow = FrameMesh(2, *pieces([(0, 0, 0), (0, 0.8, 0), (0.5, 0.8, 0)], 2), SQUARE)
    end = static(elbow, [0], {(4, 1): -100.0})[4]
    np.testing.assert_allclose(
        end, (0.005714285714285714, -0.00863190476190476, -0.01875), rtol=1e-9
    )
    portal = FrameMesh(2, *pieces([(0, 0, 0), (0, 1, 0), (1.5, 1, 0), (1.5, 0, 0)], 1), SQUARE)
    u = static(portal, [0, 3], {(1, 0): 100.0})
    np.testing.assert_allclose(u[1], (0.00238156806, 3.17445268e-07, -0.00178655506), rtol=1e-8)
    np.testing.assert_allclose(u[2], (0.00238067532, -3.17445268e-07, -0.00178555073), rtol=1e-8)
    space = FrameMesh(3, *pieces([(0, 0, 0), (0.8, 0, 0), (0.8, 0.5, 0)], 2), SQUARE)
    u = static(space, [0], {(4, 2): -100.0})
    assert u[4, 2] == pytest.approx(-0.018572344322344, rel=ROUNDING)
    assert u[2, 3] == pytest.approx(-0.021978021978, rel=ROUNDING)


@pytest.mark.parametrize(
    ("modes", "below", "values"),
    [
        (1, 3000.0, (201.97665469, 412.40936956, 2061.29518437)),
        (2, 3000.0, (201.97025633, 412.38928497, 1909.92272865, 2632.28396176)),
        (4, None, (201.96648985, 412.36961633, 1908.66696918, 2630.53987412)),
    ],
)
def test_two_reduced_beams_give_the_frequencies_of_craig_and_bampton(modes, below, values):
    """Bodies in mean-axis frames, welded, span the same shapes as coupled reduced matrices."""
    m = Mechanism(gravity=(0.0, 0.0))
    fields = {"modes": modes, "stretch": 1, "below": below, "thickness": 0.02, **STEEL, **PLAIN}
    a = m.beam((0, 0), (0.5, 0), width=0.02, **fields)
    b = m.beam((0.5, 0), (0.5, 0.4), width=0.012, **fields)
    m.weld("ground", a, (0, 0))
    m.weld(a, b, (0.5, 0))
    w = np.sort(np.abs(eigenvalues(m).imag))[::2]
    np.testing.assert_allclose(w[: len(values)], values, rtol=1e-7)


def tuning_fork(modes=6, **fields):
    """Stem, yoke of two halves, and two prongs, 5 x 5 mm."""
    m = Mechanism(gravity=(0.0, 0.0))
    given = {"width": 0.005, "thickness": 0.005, "modes": modes, "stretch": 1, **STEEL, **fields}
    lines = [((0, -0.03), (0, 0)), ((0, 0), (-0.01, 0)), ((0, 0), (0.01, 0))]
    lines += [((-0.01, 0), (-0.01, 0.1)), ((0.01, 0), (0.01, 0.1))]
    stem, left, right, *prongs = [m.beam(*line, **given) for line in lines]
    m.weld("ground", stem, (0, -0.03))
    m.weld(stem, left, (0, 0))
    m.weld(stem, right, (0, 0))
    for half, prong, x in ((left, prongs[0], -0.01), (right, prongs[1], 0.01)):
        m.weld(half, prong, (x, 0))
    return m, prongs


def test_the_frame_of_a_tuning_fork_has_its_published_frequencies():
    one = steel(0.005, 0.005)
    lines = [((0, -0.03, 0), (0, 0, 0)), ((0, 0, 0), (-0.01, 0, 0)), ((0, 0, 0), (0.01, 0, 0))]
    lines += [((-0.01, 0, 0), (-0.01, 0.1, 0)), ((0.01, 0, 0), (0.01, 0.1, 0))]
    nodes, elements = np.zeros((0, 3)), []
    for line in lines:
        own, chain = pieces(line, 8)
        first = _node(nodes, own[0])
        more = own if first == len(nodes) else own[1:]
        at = [first, *range(len(nodes) + len(more) - 8, len(nodes) + len(more))]
        nodes = np.concatenate([nodes, more])
        elements += [(at[i], at[j]) for i, j in chain]
    mesh = FrameMesh(2, nodes, elements, one)
    K, M = mesh.K[3:, 3:], mesh.M[3:, 3:]
    w, shapes = slowest(K, M, 0, 4)
    published = (182.59307238, 352.49054712, 1317.53428684, 2276.89589154)
    np.testing.assert_allclose(w / (2 * np.pi), published, rtol=1e-8)  # of ten digits
    np.testing.assert_allclose(shapes.T @ M @ shapes, np.eye(4), atol=1e-9)


def _node(nodes, place):
    """The number of a node, or of the next one."""
    near = np.flatnonzero(np.linalg.norm(nodes - place, axis=1) < 1e-9)
    return int(near[0]) if len(near) else len(nodes)


def test_a_very_soft_pendulum_falls_as_far_as_one_body_can_follow():
    m, _, tip = pendulum(0.1)
    run = m.run(t_end=1.0, output_step=0.5, method="rk4", step=1e-3)
    assert any("Cut it into two bodies" in note for note in run.notes)
    ends = ((-0.1920751838554458, -0.9541421835882253), (-0.8289125378985315, 0.1715724853380785))
    for n, expected, near in ((1, ends[0], 0.03), (2, ends[1], 0.05)):
        found = run[f"{tip}.x"][n], run[f"{tip}.y"][n]
        assert found == pytest.approx(expected, abs=near)


def test_a_spun_beam_is_stretched_and_wrong_without_stiffening():
    found = {}
    for stiffening in (True, False):
        m, hub, tip = spin_up(stretch=1, elements=8, stiffening=stiffening)
        run = m.run(t_end=20.0, output_step=0.25, method="generalised_alpha", step=5e-3)
        angle, x, y = run[f"{hub}.angle"], run[f"{tip}.x"], run[f"{tip}.y"]
        u, v = np.cos(angle) * x + np.sin(angle) * y - 10.0, np.cos(angle) * y - np.sin(angle) * x
        found[stiffening] = v
        if stiffening:
            assert u[-4:].mean() == pytest.approx(5.1453e-4, abs=2e-5)
            assert v.min() == pytest.approx(-0.5737794395427287, abs=5e-4)
    apart = np.abs(found[True] - found[False]).max()
    assert apart == pytest.approx(0.213, rel=0.1)


def four_bar(modes=3, **fields):
    """Crank 0.08 m at 40 rad/s, coupler 0.25 m and rocker 0.20 m of aluminium, 2 mm thick."""
    m = Mechanism(gravity=(0.0, 0.0))
    pin = meeting((0.08, 0.0), 0.25, (0.25, 0.0), 0.20)
    given = {"width": 0.002, "thickness": 0.02, "youngs_modulus": 7e10, "density": 2700.0}
    given |= {"modes": modes, **fields}
    crank = m.rod((0, 0), (0.08, 0), mass=1.0)
    coupler = m.beam((0.08, 0), pin, **given)
    rocker = m.beam(pin, (0.25, 0), **given)
    m.motion(m.revolute("ground", crank, (0, 0)), "40*t")
    m.revolute(crank, coupler, (0.08, 0))
    m.revolute(coupler, rocker, pin)
    m.revolute(rocker, "ground", (0.25, 0))
    return m, coupler, rocker


def meeting(A, a, B, b):
    """The upper point at distance a of A and b of B."""
    A, B = np.array(A), np.array(B)
    d = np.linalg.norm(B - A)
    x = (a**2 - b**2 + d**2) / (2 * d)
    way = (B - A) / d
    return tuple(A + x * way + np.sqrt(a**2 - x**2) * np.array([-way[1], way[0]]))


def test_a_flexible_four_bar_bends_as_published():
    m, *links = four_bar(**PLAIN)
    middles = [m.marker(link, middle_of(m, link)) for link in links]
    run = m.run(t_end=0.3, output_step=0.005, method="generalised_alpha", step=1e-4)
    d = np.stack([run[f"{middle}.deflection"] for middle in middles], axis=1)
    for t, expected in {
        0.025: (0.0003123376131307545, 7.658110724764732e-05),
        0.1: (-0.00038186435714558913, 0.00011461346433424902),
        0.2: (0.000687558305353701, -0.00017907157324720306),
        0.3: (0.0002734300856840148, 8.91591664447224e-05),
    }.items():
        np.testing.assert_allclose(d[round(t / 0.005)], expected, atol=2e-5)
    largest = np.abs(d).max(axis=0)
    np.testing.assert_allclose(largest, (0.001012607969227096, 0.0005001902293631307), rtol=0.02)


def middle_of(m, link):
    body = m.model[link]
    return tuple(float(x) for x in body.position)


def bent_flight(dim):
    """The beam of 2 elements that starts bent: its run, it, and its tip."""
    m = Mechanism(dim=dim, gravity=(0.0, 0.0, 0.0)[:dim])
    fields = {"width": 0.02, "thickness": 0.03, "youngs_modulus": 2e9, "density": 7800.0}
    fields |= {"modes": 4, "stretch": 2, "elements": 2, "damping_ratio": 0.0}
    if dim == 2:
        motion = {"velocity": (1.0, 2.0), "spin": 20.0}
    else:
        motion = {"velocity": (1.0, 2.0, 0.0), "angular_velocity": (0.0, 0.0, 20.0)}
    start, end = ((x, 0, 0)[:dim] for x in (-0.5, 0.5))
    beam = m.beam(start, end, **fields, **motion)
    tip = m.marker(beam, end)
    running = prepare(
        compile_model(m.model), t_end=0.2, output_step=0.05, method="dop853", tolerance=1e-12
    )
    compiled = running.compiled
    one = compiled.elastic[beam]
    first = next(n for n in range(one.n_f) if abs(one.followers[tip].Phi[1, n]) > 1e-6)
    q = running.start.q.copy()
    q[compiled.layout.modes(0).start + first] = 0.02 / one.followers[tip].Phi[1, first]
    running.start = running.start._replace(q=q)
    run = Results(compiled, running.settings)
    for block in running:
        run.append(block)
    return run, beam, tip


@pytest.mark.parametrize("dim", [2, 3])
def test_a_bent_beam_flies_free_as_computed_independently(dim):
    """2 elements with all their shapes, bent by 0.02 m at the tip, spinning at 20 rad/s."""
    run, beam, tip = bent_flight(dim)
    spin = run[f"{beam}.angular_velocity" if dim == 2 else f"{beam}.angular_velocity_z"]
    w = (20.0, 19.975968889398576, 19.93660737043939, 19.925454253943023, 19.956552869203907)
    np.testing.assert_allclose(spin, w, rtol=1e-6)
    xs = (0.49876403126844093, 0.3343797015639463, -0.11343093982569123, -0.3449486650742083)
    ys = (0.02, 0.5105552000564106, 0.6520110623215477, 0.37089718317292464)
    np.testing.assert_allclose(run[f"{tip}.x"][:4], xs, atol=1e-6)
    np.testing.assert_allclose(run[f"{tip}.y"][:4], ys, atol=1e-6)
    turn = "angular_momentum" if dim == 2 else "angular_momentum_z"
    for name, value in (("momentum_x", 4.68), ("momentum_y", 9.36), (turn, 7.7738951586327)):
        np.testing.assert_allclose(run[name], value, rtol=1e-12)
    np.testing.assert_allclose(run["total_energy"], 90.44046845813068, rtol=1e-11)  # DOP853, 1e-12


@pytest.mark.parametrize(
    ("slenderness", "rayleigh"),
    [(5, (3.4890633, 20.9297585)), (10, (3.5092246, 21.7426333)), (50, (3.5157434, 22.0227081))],
)
def test_sections_that_turn_slow_a_thick_beam_as_rayleigh_says(slenderness, rayleigh):
    inertia = 1.0 / (12.0 * slenderness**2)
    mesh = BeamMesh(np.linspace(-0.5, 0.5, 17), Material(1e6, 1.0, 1.0, inertia))
    w = craig_bampton(mesh, BENDING, {0, 1, 2}, 2, np.inf).held
    np.testing.assert_allclose(w, rayleigh, rtol=1e-4)


def test_a_thick_beam_is_remarked_upon():
    m = Mechanism(gravity=(0.0, 0.0))
    m.beam((0, 0), (0.5, 0), width=0.06)
    assert any("only 8.3 times as long as wide" in note for note in prepare(m.model).notes)
    many = Mechanism(dim=3, gravity=(0.0, 0.0, 0.0))
    many.beam((0, 0, 0), (1, 0, 0), width=0.01, thickness=0.03, modes=5)
    assert any("Shape 5 of beam" in note for note in prepare(many.model).notes)


def test_a_stiff_pendulum_is_not_remarked_upon():
    m, *_ = pendulum(5.0)
    run = m.run(t_end=0.1, output_step=0.05, method="rk4", step=1e-3)
    assert not any("Cut it" in note for note in run.notes)


@pytest.mark.parametrize(("shapes", "off"), [("free", 0.18918876), ("interface", 1.308e-7)])
def test_free_shapes_of_a_held_beam_are_too_stiff(shapes, off):
    m = Mechanism(gravity=(0.0, 0.0))
    fields = {**UNIT, **PLAIN, "elements": 16, "modes": 4, "shapes": shapes}
    beam = m.beam((0, 0), (1, 0), **fields)
    m.weld("ground", beam, (0, 0))
    w = np.sort(np.abs(eigenvalues(m).imag))[0]
    assert w / 3.51601526850015 - 1.0 == pytest.approx(off, rel=1e-3)
