"""How the constraints of a run are enforced: the options of the kernels from the settings of the user.

none         D a = gamma: the joints drift apart, slowly with a good method
baumgarte    D a = gamma - 2 alpha (D v - nu) - beta^2 Phi
penalty      as baumgarte with alpha = mu w, beta = w, and compliant joints: lam = alpha_p (D a - ...)
projection   D a = gamma, and after every step the nearest state with Phi = 0 and D v = nu;
             Euler-Cromer: the reactions of a step are those that close the joints at its end
"""

from math import sqrt

from engine.errors import EngineError
from engine.integrators.amplification import amplification
from engine.kernels import layout
from engine.model.elements import Settings
from engine.model.fields import Number, plain
from engine.model.methods import BY_NAME
from engine.running.gimbal import lock

MAX_PROXIMAL = 40  # iterations for redundant rows
TOLERANCE = 1e-12  # of the size of the model: tolerance of closed joints
OPEN = 1e-6  # of the size of the model: a gap that counts as open
LOCK_LIMITS = {
    "warn": 1e-3,
    "stop": lock.UNSAFE,
}  # singularity measures at which Euler angles stop, else switch
GENTLE = 10.0  # [1/s] alpha and beta where the step is not fixed

# alpha h and beta h for methods with which 1 and sqrt 2 would diverge or ring (then dead-beat), or degrade
# accelerations that are more accurate than the terms (Runge-Kutta 4)
SUITED = {"euler_cromer": (0.5, 1.0), "euler": (1.0, 1.0), "rk4": (0.05, 0.05)}


def options(settings: Settings, h: float, is_redundant: bool, size: float) -> dict[int, float]:
    """The options of the kernels for a run with step h on a model of this size."""
    is_direct = BY_NAME[settings.method].is_direct  # these enforce the constraints themselves
    chosen = {
        layout.PROXIMAL_STEPS: float(MAX_PROXIMAL if is_redundant else 0),
        layout.PROJECTED: float(settings.stabilisation == "projection" or is_direct),
        layout.TOLERANCE: TOLERANCE * size,
        layout.OPEN_GAP: OPEN * size,
        layout.LOCK_LIMIT: LOCK_LIMITS.get(settings.near_lock, lock.NEAR),
        layout.STEP: h,
    }
    if is_direct:
        return chosen
    # explicit methods follow the fastest mode anyway, and save the second factors
    chosen[layout.MODES_STAY] = float(BY_NAME[settings.method].is_stiff)
    if settings.stabilisation == "baumgarte":
        alpha, beta = baumgarte(settings, h)
        chosen[layout.TWO_ALPHA], chosen[layout.BETA_SQUARED] = 2.0 * alpha, beta**2
    elif settings.stabilisation == "penalty":
        omega, mu = plain(settings.penalty_frequency), plain(settings.penalty_ratio)
        chosen[layout.TWO_ALPHA], chosen[layout.BETA_SQUARED] = 2.0 * mu * omega, omega**2
        chosen[layout.COMPLIANCE] = 1.0 / plain(settings.penalty)
        iterations = int(plain(settings.penalty_iterations))
        chosen[layout.PROXIMAL_STEPS] = float(iterations if iterations > 1 else 0)
        _refuse_growth(settings, h, mu * omega, omega)
    return chosen


def baumgarte(settings: Settings, h: float) -> tuple[float, float]:
    """alpha and beta as given, or from the step and the method; refuses unstable values."""
    fixed = BY_NAME[settings.method].is_fixed
    alpha_h, beta_h = SUITED.get(settings.method, (1.0, sqrt(2.0)))
    alpha = _given(settings.alpha, alpha_h / h if fixed else GENTLE)
    beta = _given(settings.beta, beta_h / h if fixed else GENTLE)
    _refuse_growth(settings, h, alpha, beta)
    return alpha, beta


def _given(value: Number | None, otherwise: float) -> float:
    return otherwise if value is None else plain(value)


def _refuse_growth(settings: Settings, h: float, alpha: float, beta: float) -> None:
    """Raise if errors of the constraints would grow from step to step."""
    method = BY_NAME[settings.method]
    if not method.is_fixed or method.is_stiff:
        return
    factor = amplification(settings.method, alpha * h, beta * h)
    if factor > 1.0 + 1e-9:
        a, b = SUITED.get(settings.method, (1.0, sqrt(2.0)))
        raise EngineError(
            "With {full} and h = {h:g} s, alpha = {alpha:.4g} /s and beta = {beta:.4g} /s "
            "make a gap in a joint {factor:.3g} times larger in every step. Use at most "
            "alpha = {a:.4g} /s and beta = {b:.4g} /s, a shorter step, or projection.",
            full=method.full,
            h=h,
            alpha=alpha,
            beta=beta,
            factor=factor,
            a=a / h,
            b=b / h,
        )
