"""Frequencies and static deflections of bodies that bend, near the drawing."""

import numpy as np

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.kinematics.evaluate import equations
from engine.kinematics.poses import body_frames


class Linear:
    """A model at rest as drawn, without damping: its free motions."""

    def __init__(self, m: Mechanism) -> None:
        self.compiled = compile_model(m.model)
        q, v = self.compiled.q0, np.zeros_like(self.compiled.v0)
        self.e = equations(self.compiled, 0.0, q, v)
        _, s, Vt = np.linalg.svd(self.e.D) if len(self.e.D) else (0, np.zeros(0), np.eye(len(v)))
        self.N = Vt[int((s > 1e-12 * s.max(initial=0.0)).sum()) :].T
        self.w2 = np.zeros_like(v)
        for k, id in enumerate(self.compiled.body_ids):
            if id in self.compiled.elastic:
                modes = self.compiled.elastic[id].modes
                self.w2[self.compiled.layout.modal_speeds(k)] = modes.w2

    def frequencies(self) -> np.ndarray:
        """Of all motions that bend beams, ascending [rad/s].

        Singular values of the roots of w2 and not eigenvalues of K, whose rounding would hide slow ones.
        """
        L = np.linalg.cholesky(self.N.T @ self.e.M @ self.N)
        w = np.linalg.svd(np.linalg.solve(L, (np.sqrt(self.w2)[:, None] * self.N).T))[1][::-1]
        return np.asarray(w[w > 1e-9 * w[-1]])

    def displacement(self) -> np.ndarray:
        """Under its loads, to first order."""
        B = np.sqrt(self.w2)[:, None] * self.N
        y = np.linalg.lstsq(B.T @ B, self.N.T @ self.e.f, rcond=None)[0]
        return np.asarray(self.N @ y)

    def of_marker(self, id: str) -> np.ndarray:
        """How its loads move and turn a marker on a beam, in axes of the world: (x, y, z and turns)."""
        compiled, d = self.compiled, self.displacement()
        body = compiled.resolved[id].body
        k, one, layout = (
            compiled.body_ids.index(body),
            compiled.elastic[body].followers[id],
            compiled.layout,
        )
        R, q, flat = (
            body_frames(compiled, compiled.q0).R[k],
            d[layout.modal_speeds(k)],
            layout.dim == 2,
        )
        u, w = d[layout.velocity(k)], d[layout.spin(k)]
        P, bend, turn = one.P, one.Phi @ q, w + one.Psi @ q
        if flat:
            u, P, bend = (np.append(x, 0.0) for x in (u, P, bend))
            w, turn = (np.append((0.0, 0.0), x) for x in (w, turn))
        return np.concatenate([u + R @ (np.cross(w, P) + bend), R @ turn])
