"""Parts from outside by their matrices: reference numbers, the built-in beam, laws, files and bad input."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.io import mmwrite
from scipy.sparse import coo_matrix

from engine.compiling.elastic.beams import BeamMesh, Material
from engine.compiling.elastic.frames import Stiffness, straight
from engine.compiling.elastic.quality import quality
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.matrices import part_of, read_part
from engine.files.model_files import dumps, loads
from engine.kinematics.evaluate import mass_matrix
from engine.model.elastic.sections import section
from engine.model.elements import put
from engine.model.shapes import body_mass_properties

NODES = np.array([[0.0, 0.0], [0.5, 0.0], [1.0, 0.0]])
K = np.array(
    [
        [200, 0, 0, -200, 0, 0, 0, 0, 0],
        [0, 96, 24, 0, -96, 24, 0, 0, 0],
        [0, 24, 8, 0, -24, 4, 0, 0, 0],
        [-200, 0, 0, 400, 0, 0, -200, 0, 0],
        [0, -96, -24, 0, 192, 0, 0, -96, 24],
        [0, 24, 4, 0, 0, 16, 0, -24, 4],
        [0, 0, 0, -200, 0, 0, 200, 0, 0],
        [0, 0, 0, 0, -96, -24, 0, 96, -24],
        [0, 0, 0, 0, 24, 4, 0, -24, 8],
    ],
    dtype=float,
)
M = (
    np.array(
        [
            [560, 0, 0, 280, 0, 0, 0, 0, 0],
            [0, 624, 44, 0, 216, -26, 0, 0, 0],
            [0, 44, 4, 0, 26, -3, 0, 0, 0],
            [280, 0, 0, 1120, 0, 0, 280, 0, 0],
            [0, 216, 26, 0, 1248, 0, 0, 216, -26],
            [0, -26, -3, 0, 0, 8, 0, 26, -3],
            [0, 0, 0, 280, 0, 0, 560, 0, 0],
            [0, 0, 0, 0, 216, 26, 0, 624, -44],
            [0, 0, 0, 0, -26, -3, 0, -44, 4],
        ],
        dtype=float,
    )
    / 3360.0
)
FREQUENCIES = (
    22.423245731439607,
    34.64101615137755,
    69.28203230275513,
    70.17753427940198,
    175.47990782670115,
    280.3482007833533,
)


def sentence(call, *args, **fields):
    """What is said about bad input."""
    with pytest.raises(EngineError) as error:
        call(*args, **fields)
    words = error.value.sentence
    assert words.endswith(".") and "{" not in words
    return words


def record_of(m, id):
    """The record of a flexible body."""
    return compile_model(m.model).elastic[id]


def test_matrices_of_a_free_beam_give_its_frequencies_mass_and_inertia():
    m = Mechanism(gravity=(0.0, 0.0))
    part = m.part((0, 0), K=K, M=M, nodes=NODES, modes=6)
    one = record_of(m, part)
    np.testing.assert_allclose(one.frequencies, FREQUENCIES, rtol=1e-8)
    found = body_mass_properties(m.model[part])
    assert found.mass == pytest.approx(1.0, rel=1e-9)
    np.testing.assert_allclose(found.center, (0.5, 0.0), atol=1e-9)
    assert found.inertia == pytest.approx(1.0 / 12.0, rel=1e-9)
    np.testing.assert_allclose(one.J, 1.0 / 12.0, rtol=1e-9)


# --- against the beam that is built in

BEAM = {"width": 0.005, "thickness": 0.0075, "youngs_modulus": 3.2e10, "density": 7800.0}
ALL = {"stiffening": False, "seen_from": "mean axis"}


def meshes(dim):
    """The elements that the beam of this file has."""
    one = section("rectangle", 0.005, 0.0075, 0.0)
    E, rho, G = 3.2e10, 7800.0, 3.2e10 / 2.6
    stations = np.linspace(-0.5, 0.5, dim + dim // 3 + 1)  # 2 elements, in space 4
    if dim == 2:
        return BeamMesh(stations, Material(E * one.A, E * one.I_z, rho * one.A, rho * one.I_z))
    stiffness = (E * one.A, E * one.I_z, E * one.I_y, G * one.J_t)
    return straight(stations, Stiffness(*stiffness, rho * one.A, rho * one.I_z, rho * one.I_y))


def pendulums(dim, is_part, **damping):
    """A beam on a pin that falls from the horizontal, built in or by its matrices."""
    m = Mechanism(dim=dim, gravity=(0.0, -9.81, 0.0)[:dim])
    start, end, middle = ((x, 0, 0)[:dim] for x in (0.0, 1.0, 0.5))
    if is_part:
        mesh = meshes(dim)
        nodes = np.zeros((len(mesh.stations), dim))
        nodes[:, 0] = mesh.stations
        link = m.part(middle, K=mesh.K, M=mesh.M, nodes=nodes, modes=40, **damping)
    else:
        n = 2 if dim == 2 else 4
        extra = {"elements": n, "modes": 2 * n, "stretch": n} | ({"twist": n} if dim == 3 else {})
        link = m.beam(start, end, **BEAM, **ALL, **extra, **damping)
    m.revolute("ground", link, start)
    tip = m.marker(link, end)
    return m, link, tip


@pytest.mark.parametrize("dim", [2, 3])
def test_a_beam_by_its_matrices_is_the_beam_that_is_built_in(dim):
    runs, records = [], []
    for is_part in (False, True):
        m, link, tip = pendulums(dim, is_part, damping_ratio=0.0)
        records.append(record_of(m, link))
        run = m.run(t_end=0.1, output_step=0.02, method="dop853", tolerance=1e-11)
        assert np.ptp(run["total_energy"]) < 1e-7
        runs.append(np.array([run[f"{tip}.x"], run[f"{tip}.y"]]))
    np.testing.assert_allclose(records[1].frequencies, records[0].frequencies, rtol=1e-9)
    # in space terms of second order are those of straight lines between nodes
    np.testing.assert_allclose(runs[1], runs[0], rtol=0.0, atol=1e-7 if dim == 2 else 1e-6)


@pytest.mark.parametrize("dim", [2, 3])
def test_integrals_of_matrices_are_those_of_the_elements(dim):
    (a, b) = (record_of(m, link) for m, link, _ in (pendulums(dim, k) for k in (False, True)))
    turn = a.modes.Phi.T @ a.mesh.M @ b.modes.Phi  # the same space in another basis
    np.testing.assert_allclose(turn @ turn.T, np.eye(a.n_f), atol=1e-7)
    np.testing.assert_allclose(a.J, b.J, rtol=1e-9, atol=1e-12)
    # linear in the modes: but for the inertia of sections, (0.03/1)^2/12
    np.testing.assert_allclose(a.Theta1 @ turn, b.Theta1, atol=2e-3 * np.abs(a.Theta1).max())


@pytest.mark.parametrize("dim", [2, 3])
def test_energy_is_kept_and_the_mass_matrix_is_positive(dim):
    m, _, _ = pendulums(dim, True, damping_ratio=0.0)
    run = m.run(t_end=0.1, output_step=0.05, method="rk4", step=2e-5)
    assert np.ptp(run["total_energy"]) < 1e-5
    mass = mass_matrix(run.compiled, run.q[-1])
    np.testing.assert_allclose(mass, mass.T, atol=1e-12)
    assert np.linalg.eigvalsh(mass).min() > 0.0


def test_momentum_of_a_part_flying_free_is_kept():
    m = Mechanism(dim=3, gravity=(0.0, 0.0, 0.0))
    mesh = meshes(3)
    motion = {"velocity": (1.0, 2.0, 0.0), "angular_velocity": (3.0, 1.0, 8.0)}
    m.part((0, 0, 0), K=mesh.K, M=mesh.M, nodes=mesh.nodes, modes=6, damping_ratio=0.0, **motion)
    run = m.run(t_end=0.05, output_step=0.01, method="dop853", tolerance=1e-11)
    for name in ("momentum_x", "angular_momentum_x", "angular_momentum_z", "total_energy"):
        assert np.ptp(run[name]) < 1e-7 * max(1.0, abs(run[name][0]))


def test_a_ratio_of_damping_belongs_to_the_part_as_it_is_held():
    m = Mechanism(gravity=(0.0, 0.0))
    part = m.part((0, 0), K=K, M=M, nodes=NODES, modes=2, damping_ratio=0.02)
    m.weld("ground", part, (0, 0))
    one = record_of(m, part)
    held = np.zeros((9, 6))
    held[3:] = np.eye(6)
    T = one.modes.Phi.T @ M @ held  # the coordinates of shapes with the first node held
    R = one.mesh.rigid()
    both = np.vstack([one.modes.Phi[:3].T, R[:3].T])
    free = np.linalg.svd(both.T)[2][3:].T  # modes with rigid motion, that leave the node at rest
    n = one.n_f
    rigid = R.T @ M @ R
    big = [np.zeros((n + 3, n + 3)) for _ in range(3)]
    big[0][:n, :n], big[0][n:, n:] = np.eye(n), rigid
    big[1][:n, :n], big[2][:n, :n] = np.diag(one.modes.w2), one.C
    mass, stiff, damp = (free.T @ one_big @ free for one_big in big)
    A = np.block(
        [
            [np.zeros_like(mass), np.eye(len(mass))],
            [-np.linalg.solve(mass, stiff), -np.linalg.solve(mass, damp)],
        ]
    )
    values = np.linalg.eigvals(A)
    first = values[np.abs(values).argsort()[:2]]
    assert np.abs(first) == pytest.approx(one.held[0], rel=1e-6)
    assert -first.real / np.abs(first) == pytest.approx(0.02, rel=1e-6)
    assert T.shape == (n, 6)


def bars(dim):
    """Nodes without turns, each pair joined by a spring: a solid in small."""
    nodes = np.array([[x, y, z] for x in (0, 0.1, 0.2, 0.3) for y in (0, 0.1) for z in (0, 0.1)])
    nodes = nodes if dim == 3 else nodes[nodes[:, 2] == 0][:, :2]
    n = nodes.size
    stiffness = np.zeros((n, n))
    for i in range(len(nodes)):
        for j in range(i):
            way = nodes[i] - nodes[j]
            if np.linalg.norm(way) < 0.2:
                row = np.zeros(n)
                row[dim * i : dim * i + dim] = way / np.linalg.norm(way)
                row[dim * j : dim * j + dim] = -way / np.linalg.norm(way)
                stiffness += 1e5 * np.outer(row, row)
    return nodes, stiffness, 0.1 * np.eye(n)


@pytest.mark.parametrize("dim", [2, 3])
def test_nodes_without_turns_turn_a_marker_by_a_patch(dim):
    nodes, stiffness, mass = bars(dim)
    m = Mechanism(dim=dim, gravity=(0.0, -9.81, 0.0)[:dim])
    part = m.part((0,) * dim, K=stiffness, M=mass, nodes=nodes, patch=0.12, modes=3)
    m.weld("ground", part, (0, 0.05, 0.05)[:dim])
    run = m.run(t_end=0.05, output_step=0.01, method="dop853", tolerance=1e-10)
    assert run[f"{part}.deflection"].max() > 1e-5
    assert np.ptp(run[f"{part}.strain_energy"]) > 0.0
    one = record_of(m, part)
    follower = next(iter(one.followers.values()))
    assert np.abs(follower.Psi).max() > 0.0
    # the inertia of equal masses at the nodes, moved by the modes
    x = nodes - one.mesh.part.center
    S = one.modes.Phi.reshape(len(nodes), dim, -1)
    if dim == 2:
        exact = 2.0 * 0.1 * np.einsum("kd,kdf->f", x, S)
        np.testing.assert_allclose(one.Theta1[0], exact, atol=1e-12)
        turned = 0.1 * (np.einsum("kf,kg->fg", S[:, 0], S[:, 1]))
        np.testing.assert_allclose(one.A[0], turned - turned.T, atol=1e-12)
    else:
        exact = -0.1 * np.einsum("kf,k->f", S[:, 0], x[:, 1])
        exact -= 0.1 * np.einsum("kf,k->f", S[:, 1], x[:, 0])
        np.testing.assert_allclose(one.Theta1[3], exact, atol=1e-12)
        whole = 0.1 * np.einsum("kdf,kdg->fg", S, S)
        second = whole - 0.1 * np.einsum("kf,kg->fg", S[:, 2], S[:, 2])
        np.testing.assert_allclose(one.Theta2[2], second, atol=1e-12)


# --- files


def test_a_part_comes_back_from_the_file_of_its_model_exactly():
    m = Mechanism(gravity=(0.0, 0.0))
    part = m.part((0, 0), K=K, M=M, nodes=NODES, modes=2)
    again = loads(dumps(m.model))
    assert again == m.model and repr(again) == repr(m.model)
    assert again[part].shape.matrices().mass == pytest.approx(1.0)


def test_a_part_is_read_from_numpy_and_from_matrix_market(tmp_path):
    np.savez(tmp_path / "arm.npz", K=K, M=M, nodes=NODES)
    mmwrite(tmp_path / "k.mtx", coo_matrix(K))
    mmwrite(tmp_path / "m.mtx", coo_matrix(M), symmetry="symmetric", precision=17)
    one = read_part(tmp_path / "arm.npz")
    two = part_of(tmp_path / "k.mtx", str(tmp_path / "m.mtx"), NODES)
    assert (one.source, two.source) == ("arm.npz", "k.mtx, m.mtx")
    assert one.stiffness == two.stiffness
    np.testing.assert_allclose(one.mass, two.mass, rtol=1e-15)


def test_files_that_hold_no_part_are_refused_in_sentences(tmp_path):
    def refused(name, *, content=None, **arrays):
        if content is None:
            np.savez(tmp_path / name, **arrays)
        else:
            (tmp_path / name).write_bytes(content)
        return sentence(read_part, tmp_path / name)

    assert "no array nodes" in refused("a.npz", K=K, M=M)
    assert "not valid" in refused("b.npz", content=b"PK\3\4 nothing")
    assert "not valid" in refused("c.npz", K=np.array([{}], dtype=object), M=M, nodes=NODES)
    assert "larger than 64 MB" in refused("d.npz", K=np.zeros(9_000_000), M=M, nodes=NODES)
    assert "rows of real numbers" in refused("e.npz", K=1j * K, M=M, nodes=NODES)
    assert "Only npz" in refused("f.txt", content=b"")
    assert "No such file" in sentence(read_part, tmp_path / "nothing.npz")
    (tmp_path / "k.mtx").write_text("%%MatrixMarket matrix array real general\n9999 9999\n")
    assert "300 are the most" in sentence(part_of, tmp_path / "k.mtx", M, NODES)
    (tmp_path / "k.mtx").write_text("%%MatrixMarket matrix array real general\n2 2\n1\n")
    assert "not valid" in sentence(part_of, tmp_path / "k.mtx", M, NODES)
    assert "Only Matrix Market" in sentence(part_of, tmp_path / "a.npz", M, NODES)


# --- bad input


def changed(A, i, j, value):
    """A matrix with another entry."""
    B = A.copy()
    B[i, j] = value
    return B


CLAMPED = K + np.diag([200.0, 96.0, 8.0, 0, 0, 0, 0, 0, 0])
LOOSE = K.copy()
LOOSE[np.ix_([0, 3, 6], [0, 3, 6])] = 0.0
BAD = {
    "not symmetric: row 2, column 3": (changed(K, 1, 2, 24.24), M, NODES),
    "mass matrix is not positive": (K, changed(M, 2, 2, -M[2, 2]), NODES),
    "stiffness matrix is not positive": (-K + 2 * np.diag(np.diag(K)) * 0.9, M, NODES),
    "stiffness matrix has 8 rows and the mass matrix 9": (K[:8, :8], M, NODES),
    "is not square": (K[:8], M, NODES),
    "have 9 rows for 2 nodes": (K, M, NODES[:2]),
    "resists being shifted": (CLAMPED, M, NODES),
    "resists being turned": (K, M, NODES * 1.1),
    "node coordinates of the part must be finite": (K, M, NODES * np.nan),
    "stiffness matrix of the part must be finite": (changed(K, 0, 0, np.inf), M, NODES),
    "move without resistance": (LOOSE, M, NODES),
    "two nodes or more": (K, M, NODES[:1]),
    "rows of equal length": (K, M, ((0.0, 0.0), (1.0,), (2.0, 0.0))),
    "300 are the most": (np.eye(306), np.eye(306), np.zeros((102, 2))),
}


@pytest.mark.parametrize("words", BAD)
def test_matrices_that_no_part_has_are_refused_in_a_sentence(words):
    found = sentence(part_of, *BAD[words]) if words != "rows of equal length" else None
    if found is None:
        shape = part_of(K, M, NODES)
        found = sentence(replace(shape, nodes=BAD[words][2]).check)
    assert words in found


def test_a_marker_on_no_node_is_told_the_nearest():
    m = Mechanism(gravity=(0.0, 0.0))
    part = m.part((0, 0), K=K, M=M, nodes=NODES, name="arm")
    m.revolute("ground", part, (0.3, 0))
    words = sentence(compile_model, m.model)
    assert "Part 'arm': a marker at (0.3, 0) is on no node: the nearest, number 2" in words
    # the middle of three nodes in line: they turn it about z, and are enough in the plane
    wide = replace(m.model[part], shape=replace(m.model[part].shape, patch=0.4))
    assert compile_model(put(m.model, wide)).elastic[part].n_f > 0


def test_a_marker_that_cannot_turn_or_has_too_small_a_patch_is_told_so():
    nodes, stiffness, mass = bars(2)
    for patch, words in ((0.0, "has no turns"), (0.01, "too few")):
        m = Mechanism(gravity=(0.0, 0.0))
        part = m.part((0, 0), K=stiffness, M=mass, nodes=nodes, patch=patch)
        m.weld("ground", part, (0, 0))
        assert words in sentence(compile_model, m.model)


def test_mass_and_inertia_beside_the_matrices_are_refused():
    for fields, words in (
        ({"mass": 2.0}, "leave the mass empty"),
        ({"inertia": 1.0}, "leave both"),
    ):
        m = Mechanism(gravity=(0.0, 0.0))
        m.part((0, 0), K=K, M=M, nodes=NODES, **fields)
        assert words in sentence(compile_model, m.model)
    m = Mechanism(dim=3)
    m.part((0, 0, 0), K=K, M=M, nodes=NODES)
    assert "needs 3 coordinates" in sentence(compile_model, m.model)
    assert "either a file or all of K" in sentence(Mechanism().part, (0, 0), K=K)


def test_a_part_may_be_fixed():
    m = Mechanism()
    part = m.part((0, 0), K=K, M=M, nodes=NODES, fixed=True)
    assert part not in compile_model(m.model).elastic


# --- what the choice of shapes costs


def test_what_few_shapes_cost_a_cantilever_is_what_the_reference_says():
    """F08: 1, 2 and 4 clamped shapes, the tip too stiff by 2.9, 0.46 and 0.06 %."""
    for modes, share in ((1, 2.9e-2), (2, 4.6e-3), (4, 6e-4)):
        m = Mechanism()
        beam = m.beam((0, 0), (1, 0), width=0.01, thickness=0.01, rotary=False, modes=modes)
        m.weld("ground", beam, (0, 0))
        tip = m.marker(beam, (1, 0))
        found = quality(record_of(m, beam), 4)
        bending = [one for one in found.frequencies if one.kept is not None]
        assert len(bending) == min(modes, 4) and all(abs(one.off) < 1e-6 for one in bending)
        (far,) = found.deflections
        assert far.marker == tip and far.axis == 1
        assert far.off == pytest.approx(-share, rel=0.05)
        assert far.full == pytest.approx(1.0 / (3.0 * 2.1e11 * 0.01**4 / 12.0), rel=1e-9)


def test_bare_free_shapes_cost_a_cantilever_its_frequency():
    m = Mechanism()
    fields = {"width": 0.01, "thickness": 0.01, "rotary": False, "shapes": "free"}
    beam = m.beam((0, 0), (1, 0), modes=10, elements=16, **fields)
    m.weld("ground", beam, (0, 0))
    m.marker(beam, (1, 0))
    found = quality(record_of(m, beam), 1)
    assert found.frequencies[0].off == pytest.approx(0.078, abs=0.002)  # F08
    assert found.deflections[0].off == pytest.approx(-0.107, abs=0.003)


def test_a_free_part_yields_as_its_mass_lets_it():
    m = Mechanism(gravity=(0.0, 0.0))
    part = m.part((0, 0), K=K, M=M, nodes=NODES, modes=6)
    m.marker(part, (1, 0))
    found = quality(record_of(m, part), 6)
    np.testing.assert_allclose([one.full for one in found.frequencies], FREQUENCIES, rtol=1e-8)
    assert found.deflections[0].off == pytest.approx(0.0, abs=1e-9)
    # sum of the squares of what all shapes move the end by, over w^2
    one = record_of(m, part)
    exact = (one.modes.Phi[7] ** 2 / one.modes.w2).sum()
    assert found.deflections[0].full == pytest.approx(exact, rel=1e-9)


# --- what stays where it is when bending is magnified


def test_the_anchor_is_the_motion_of_the_clamp_of_both_pins_or_of_nothing():
    def model(*joints):
        m = Mechanism(dim=3)
        beam = m.beam((0, 0, 0), (1, 0, 0), width=0.02, thickness=0.02, modes=2)
        for kind, x in joints:
            getattr(m, kind)("ground", beam, (x, 0, 0))
        m.marker(beam, (0.5, 0, 0))
        return record_of(m, beam)

    def at(record, x):
        """How far a section at x moves, and turns, beside the anchor."""
        n = int(np.abs(record.mesh.stations - (x - 0.5)).argmin())
        nodal = record.modes.Phi - record.mesh.rigid() @ record.anchor
        return np.split(nodal[6 * n : 6 * n + 6], [3])

    clamp = model(("weld", 0.0))
    assert max(np.abs(part).max() for part in at(clamp, 0.0)) < 1e-9 * np.abs(clamp.modes.Phi).max()
    assert np.abs(at(clamp, 1.0)[0]).max() > 0.1
    pins = model(("spherical", 0.0), ("spherical", 1.0))
    for x in (0.0, 1.0):
        assert np.abs(at(pins, x)[0]).max() < 1e-9 * np.abs(pins.modes.Phi).max()
    one = model(("spherical", 0.0))
    assert np.abs(at(one, 0.0)[0]).max() < 1e-9 * np.abs(one.modes.Phi).max()
    assert not one.anchor[3:].any() and not model().anchor.any()
