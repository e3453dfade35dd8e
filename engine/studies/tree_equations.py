"""The equations of a tree in joint coordinates as ordinary matrices, in three ways that must agree.

Twists v_i = (omega_i, v_Oi) and wrenches f_i = (M_Oi, F_i) are in world axes about O_i in joint i; p(i) is
the predecessor of body i.

    kinematics      B v = C eta            v = J eta            a = J eta' + gamma        J = B^-1 C
    momentum        M a = f^c + f^t + f^k                       f^k = B^T f^P             C^T f^P = 0

    1. minimal      M^ eta' = k^c + k^t    M^ = J^T M J         k^c = J^T (f^c - M gamma)    k^t = J^T f^t
    2. sparse       [ M  -B^T  0 ] [a   ]   [ f^c + f^t ]
                    [-B   0    C ] [f^P ] = [-gamma^rel ]
                    [ 0   C^T  0 ] [eta']   [ 0         ]
    3. recursive    the kernels of a run (engine.kernels.trees)

Rows of cut joints, E a = e, join with multipliers: M a + E^T lam = f^c + f^t + f^k, and with G = E J and
g = e - E gamma: M^ eta' + G^T lam = k. Positions follow from beta' = H eta. In the plane twists are
(omega_z, v_x, v_y).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import block_diag
from scipy.sparse import bmat, csc_matrix
from scipy.sparse.linalg import splu

from engine.compiling.system import Compiled, workspace
from engine.errors import EngineError
from engine.kernels.entries import EVERYTHING
from engine.kernels.trees import entries
from engine.kernels.trees.layout import BALL, CROSS, HINGE, SCREW
from engine.kinematics.evaluate import dense_D, fill
from engine.running.choosing.coordinates import by_bending
from engine.running.simulate import Run
from engine.trees.packing import in_joint_coordinates
from engine.trees.poses import Hung, Pose, hang, poses_of
from engine.trees.spanning import Spanning, spanning_tree

PLANAR = (2, 3, 4)  # of a twist in space
NOTHING = 1e-12  # relative size of a singular value of the rows of cuts that repeat others
NEARLY = 1e-8  # of G: below, a row repeats others


@dataclass(frozen=True)
class TreeEquations:
    """A tree in one state; blocks of bodies follow each other in the order of the tree."""

    compiled: Compiled
    spanning: Spanning
    hung: tuple[Hung, ...]
    B: np.ndarray
    C: np.ndarray
    J: np.ndarray
    M: np.ndarray
    gamma_rel: np.ndarray
    gamma: np.ndarray
    f_c: np.ndarray  # what comes of turning
    f_t: np.ndarray  # given forces, springs, gravity
    E: np.ndarray  # rows of cuts over twists
    e: np.ndarray

    @property
    def size(self) -> int:
        """Numbers of a twist."""
        return 3 if self.compiled.system.dim == 2 else 6

    @property
    def predecessors(self) -> list[int]:
        """p(i) of each body of the tree, counted from 1; 0 is the ground."""
        place = {branch.body: n for n, branch in enumerate(self.spanning.branches, 1)}
        return [place.get(branch.parent, 0) for branch in self.spanning.branches]

    @property
    def beta(self) -> np.ndarray:
        """The coordinates of all joints."""
        return np.concatenate([one.beta for one in self.hung])

    @property
    def eta(self) -> np.ndarray:
        """The speeds of all joints."""
        return np.concatenate([one.eta for one in self.hung])

    @property
    def H(self) -> np.ndarray:
        """beta' = H eta: the identity, but for the quaternions of balls."""
        blocks = []
        for one in self.hung:
            slides = len(one.carry.slides)
            if one.carry.turn == BALL:
                s, x, y, z = one.beta[slides:]
                turn = 0.5 * np.array([[-x, -y, -z], [s, -z, y], [z, s, -x], [-y, x, s]])
                blocks.append(block_diag(np.eye(slides), turn))
            else:
                blocks.append(np.eye(len(one.eta)))
        return block_diag(*blocks)

    @property
    def G(self) -> np.ndarray:
        """Rows of cuts over eta."""
        return self.E @ self.J

    @property
    def g(self) -> np.ndarray:
        """Right side of the rows of cuts over eta."""
        return self.e - self.E @ self.gamma

    @property
    def is_redundant(self) -> bool:
        """Whether rows of cuts repeat others, so that reactions are not unique."""
        return bool(len(self.e)) and np.linalg.matrix_rank(self.G, tol=NEARLY) < len(self.e)

    @property
    def M_hat(self) -> np.ndarray:
        """The mass matrix of the minimal form."""
        return self.J.T @ self.M @ self.J

    @property
    def k_c(self) -> np.ndarray:
        """Generalised forces of Coriolis, centrifugal and gyroscopic effects."""
        return self.J.T @ (self.f_c - self.M @ self.gamma)

    @property
    def k_t(self) -> np.ndarray:
        """Generalised given forces."""
        return self.J.T @ self.f_t

    def minimal(self) -> np.ndarray:
        """eta' by the minimal form; with cuts those of least effort that keep them closed."""
        return self.minimal_with_cuts()[0]

    def minimal_with_cuts(self) -> tuple[np.ndarray, np.ndarray]:
        """eta' by the minimal form, and lam of the cuts."""
        k, G, n_cut = self.k_c + self.k_t, self.G, len(self.e)
        if not n_cut:
            return np.linalg.solve(self.M_hat, k), np.zeros(0)
        A = np.block([[self.M_hat, G.T], [G, np.zeros((n_cut, n_cut))]])
        found = np.linalg.lstsq(A, np.concatenate([k, self.g]), rcond=NOTHING)[0]
        return found[: len(k)], found[len(k) :]

    def sparse_system(self) -> tuple[csc_matrix, np.ndarray]:
        """The sparse system of a, f^P, eta' and lam, and its right side."""
        m = self.C.shape[1]
        above = [
            [self.M, -self.B.T, None],
            [-self.B, None, self.C],
            [None, self.C.T, None],
        ]
        right = [self.f_c + self.f_t, -self.gamma_rel, np.zeros(m)]
        if len(self.e):
            above[0].append(self.E.T)
            above[1].append(None)
            above[2].append(None)
            above.append([self.E, None, None, None])
            right.append(self.e)
        return csc_matrix(bmat(above, format="csc")), np.concatenate(right)

    def sparse(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """a, f^P and eta' by one sparse linear system; cuts must not repeat each other."""
        if self.is_redundant:
            raise EngineError(
                "The sparse system has no unique solution: rows of {cut} repeat others.",
                *self.spanning.cuts,
                cut=", ".join(f"'{id}'" for id in self.spanning.cuts),
            )
        n, m = self.C.shape
        A, right = self.sparse_system()
        found = splu(A).solve(right)
        return found[:n], found[n : 2 * n], found[2 * n : 2 * n + m]

    def accelerations(self, eta_dot: np.ndarray) -> np.ndarray:
        """a = J eta' + gamma."""
        return self.J @ eta_dot + self.gamma

    def resultants(self) -> np.ndarray:
        """f^k of each body, the sum of what the joints of the tree exert on it."""
        eta_dot, lam = self.minimal_with_cuts()
        return self.M @ self.accelerations(eta_dot) - self.f_c - self.f_t + self.E.T @ lam

    def wrenches(self) -> np.ndarray:
        """f^P of each joint of the tree on its body: B^T f^P = f^k."""
        return np.linalg.solve(self.B.T, self.resultants())


def tree_equations(
    compiled: Compiled, t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray | None = None
) -> TreeEquations:
    """The tree of a model in a closed state (t, q, v, z)."""
    if reason := by_bending(compiled):
        raise EngineError("There are no joint coordinates here: {reason}", reason=reason)
    spanning, poses = spanning_tree(compiled), poses_of(compiled, q, v)
    hung = tuple(hang(compiled, spanning.branches, q, v))
    ws = workspace(compiled.system)
    fill(compiled, ws, t, q, v, z)
    n, size = len(hung), 3 if compiled.system.dim == 2 else 6
    place = {one.branch.body: k for k, one in enumerate(hung)}
    widths = [len(one.eta) for one in hung]
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(int)
    B, C = np.eye(n * size), np.zeros((n * size, starts[-1]))
    M, gamma_rel = np.zeros((n * size, n * size)), np.zeros(n * size)
    f_c, f_t = np.zeros(n * size), np.zeros(n * size)
    O_of = {n: np.zeros(3)}
    own_axes = {n: np.eye(3)}
    for k, one in enumerate(hung):
        at = slice(k * size, (k + 1) * size)
        body, before = poses[one.branch.body], poses[one.branch.parent]
        up = place.get(one.branch.parent, n)
        O = body.r + body.R @ one.O
        O_of[k], own_axes[k] = O, body.R @ one.R_own
        columns, rate = _axes(one, own_axes[up] @ one.axes, own_axes[k], before, O - O_of[up])
        C[at, starts[k] : starts[k + 1]] = _cut(columns, size)
        gamma_rel[at] = _cut(rate, size)
        if up < n:
            B[at, up * size : (up + 1) * size] = -_cut(_carried(O - O_of[up]), size)
        mass, turning, given = _momentum(compiled, one, body, ws.f)
        M[at, at], f_c[at], f_t[at] = _cut(mass, size), _cut(turning, size), _cut(given, size)
    J, gamma = np.linalg.solve(B, C), np.linalg.solve(B, gamma_rel)
    cut = [k for k, id in enumerate(compiled.row_ids) if id in spanning.cuts]
    to_bodies, away = _to_bodies(compiled, hung, poses, size)
    D = dense_D(compiled, ws)[cut]
    E, e = D @ to_bodies, ws.gamma[cut] - D @ away
    return TreeEquations(*(compiled, spanning, hung, B, C, J, M, gamma_rel, gamma, f_c, f_t, E, e))


def _axes(
    one: Hung, fixed: np.ndarray, own: np.ndarray, before: Pose, r: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """C_i and gamma_i^rel in space; `fixed` and `own` are the axes of both markers, r from O_p to O_i."""
    w, n_slides = before.w, len(one.carry.slides)
    turning = {
        HINGE: [fixed[:, 2]],
        SCREW: [fixed[:, 2]],
        CROSS: [fixed[:, 0], own[:, 1]],
        BALL: list(own.T),
    }.get(one.carry.turn, [])
    columns = np.zeros((6, n_slides + len(turning)))
    columns[3:, :n_slides] = fixed[:, list(one.carry.slides)]
    columns[:3, n_slides:] = np.array(turning).reshape(-1, 3).T
    if one.carry.turn == SCREW:
        columns[3:, n_slides] = one.lead * fixed[:, 2]
    relative = columns @ one.eta
    rate = np.concatenate(
        [
            np.cross(w, relative[:3]),
            np.cross(w, np.cross(w, r)) + 2.0 * np.cross(w, relative[3:]),
        ]
    )
    if one.carry.turn == CROSS:  # the second axis turns with the first
        first, second = one.eta[n_slides:]
        rate[:3] += np.cross(fixed[:, 0] * first, own[:, 1] * second)
    return columns, rate


def _carried(r: np.ndarray) -> np.ndarray:
    """B_ip: the twist of the predecessor, taken to O_i."""
    B = np.eye(6)
    B[3:, :3] = -_tilde(r)
    return B


def _momentum(
    compiled: Compiled, one: Hung, body: Pose, f: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M_i, f_i^c and f_i^t about O_i, in space."""
    k, at = one.branch.body, compiled.layout
    m, rho, w = float(compiled.mass[k]), -body.R @ one.O, body.w
    J = np.array(compiled.system.bodies["J"][k])
    force, moment = np.zeros(3), np.zeros(3)
    force[: at.dim] = f[at.velocity(k)]
    if at.dim == 2:
        inertia = np.diag([0.0, 0.0, J[0, 0]])
        moment[2] = f[at.spin(k)][0]
    else:
        inertia = body.R @ J @ body.R.T
        moment = body.R @ f[at.spin(k)] + np.cross(w, inertia @ w)  # f has the gyroscopic moment
    about_O = inertia + m * _tilde(rho).T @ _tilde(rho)
    mass = np.block([[about_O, m * _tilde(rho)], [m * _tilde(rho).T, m * np.eye(3)]])
    turning = np.concatenate(
        [-np.cross(w, about_O @ w), -m * np.cross(w, np.cross(w, rho))],
    )
    return mass, turning, np.concatenate([moment + np.cross(rho, force), force])


def _to_bodies(
    compiled: Compiled, hung: tuple[Hung, ...], poses: list[Pose], size: int
) -> tuple[np.ndarray, np.ndarray]:
    """From twists of the tree to v of the model, and from their rates to a beyond that."""
    at = compiled.layout
    T, away = np.zeros((at.n_v, len(hung) * size)), np.zeros(at.n_v)
    for k, one in enumerate(hung):
        body = poses[one.branch.body]
        rho = -body.R @ one.O
        columns = slice(k * size, (k + 1) * size)
        shift = np.hstack([-_tilde(rho), np.eye(3)])
        spin = np.hstack([np.eye(3) if at.dim == 2 else body.R.T, np.zeros((3, 3))])
        if at.dim == 2:
            T[at.velocity(one.branch.body), columns] = shift[:2, PLANAR]
            T[at.spin(one.branch.body), columns] = spin[2:, PLANAR]
        else:
            T[at.velocity(one.branch.body), columns] = shift
            T[at.spin(one.branch.body), columns] = spin
        away[at.velocity(one.branch.body)] = np.cross(body.w, np.cross(body.w, rho))[: at.dim]
    return T, away


def _cut(of_space: np.ndarray, size: int) -> np.ndarray:
    """What is left of a twist, wrench or matrix in the plane."""
    if size == 6:
        return of_space
    if of_space.shape == (6, 6):
        return of_space[np.ix_(PLANAR, PLANAR)]
    return of_space[list(PLANAR)]


def _tilde(a: np.ndarray) -> np.ndarray:
    """The matrix of the product a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def recursive(
    prepared: Run, t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray
) -> Callable[[], np.ndarray]:
    """A function that gives eta' by the kernels of a run in joint coordinates."""
    compiled = prepared.compiled
    problem, ws = prepared.problem(1e-3)
    turns, _ = fill(compiled, workspace(compiled.system), t, q, v, z)
    ws.angle[: len(turns)] = turns
    problem, y = in_joint_coordinates(compiled, problem, ws, q, v, rods=False)
    tree = problem.keep[-1]
    y[tree.n_q + tree.n_v : tree.n_q + tree.n_v + len(z)] = z
    y_dot = np.zeros_like(y)

    def solved() -> np.ndarray:
        entries.derive(problem.table, t, y, y_dot, y_dot, EVERYTHING)
        return y_dot[tree.n_q : tree.n_q + tree.n_v].copy()

    return solved
