"""Cosine and sine of an angle at once, without branches: a loop over angles finds several in parallel."""

import math

from engine.kernels import merged

TWO_BY_PI = 2.0 / math.pi
PI2_A, PI2_B, PI2_C = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
# Minimax polynomial coefficients of sine and cosine on |r| <= pi/4, of the kind used in fdlibm; errors are
# below one unit in the last place
S1, S2, S3 = -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04
S4, S5, S6 = 2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10
C1, C2, C3 = 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05
C4, C5, C6 = -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11


@merged
def cosine_and_sine(x):
    """(cos x, sin x); x = n pi/2 + r with |r| <= pi/4, and pi/2 in three parts so that r is exact."""
    n = math.floor(x * TWO_BY_PI + 0.5)
    r = ((x - n * PI2_A) - n * PI2_B) - n * PI2_C
    z = r * r
    sine = r + r * z * (S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))))
    cosine = 1.0 - 0.5 * z + z * z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))))
    quadrant = n - 4.0 * math.floor(0.25 * n)
    swapped = quadrant == 1.0 or quadrant == 3.0
    c = sine if swapped else cosine
    s = cosine if swapped else sine
    return (
        -c if quadrant == 1.0 or quadrant == 2.0 else c,
        -s if quadrant >= 2.0 else s,
    )
