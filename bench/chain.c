/* The planar chain of N rods by a recursion written for it alone: the limit no general program passes.

   Rod i has length l, mass m, inertia J about its middle, direction e = (cos, sin), normal n = (-sin, cos);
   p is its near hinge, p' = p + l e the far one. The force on its near end is affine in the acceleration
   of that hinge, F = A p_ddot + b, found from the tip to the root:

       F = m c_ddot + F' - m g,     F' = A' p'_ddot + b',     J alpha = -(l/2) n . (F + F')

   then the hinges accelerate from the root (p_ddot = 0) to the tip. State: N angles, N rates. */
#include <math.h>

static void accelerations(int N, double l, double m, double J, double g, const double *y, double *dy,
                          double *work)
{
    const double *phi = y, *w = y + N;
    double *alpha = dy + N, h = 0.5 * l;
    double a00 = 0, a01 = 0, a11 = 0, b0 = 0, b1 = 0;
    double *cosines = work + 5 * N + 10 * N, *sines = cosines + N;
    for (int i = 0; i < N; i++) cosines[i] = cos(phi[i]); /* loops of their own: the compiler uses vectors */
    for (int i = 0; i < N; i++) sines[i] = sin(phi[i]);
    for (int i = N - 1; i >= 0; i--) {
        double c = cosines[i], s = sines[i], ww = w[i] * w[i];
        /* accelerations without p_ddot and alpha */
        double cx = -h * ww * c, cy = -h * ww * s;
        /* F' = A' (p_ddot + l alpha n - l ww e) + b' */
        double kx = b0 - l * ww * (a00 * c + a01 * s), ky = b1 - l * ww * (a01 * c + a11 * s);
        double ux = l * (-a00 * s + a01 * c), uy = l * (-a01 * s + a11 * c); /* A' l n */
        /* F = (A' + m) p_ddot + (A' l n + m h n) alpha + k + m c_ww - m g */
        double fx = kx + m * cx, fy = ky + m * (cy + g);
        double vx = ux - m * h * s, vy = uy + m * h * c;
        /* J alpha = -h n.(F + F'):  den alpha = -h n.((2A' + m) p_ddot + f + k) */
        double den = J + h * (-s * (vx + ux) + c * (vy + uy));
        double inv = 1.0 / den;
        double rx = -h * inv * (-s * (2 * a00 + m) + c * 2 * a01);
        double ry = -h * inv * (-s * 2 * a01 + c * (2 * a11 + m));
        double r = -h * inv * (-s * (fx + kx) + c * (fy + ky));
        double *out = work + 5 * i;
        out[0] = rx; out[1] = ry; out[2] = r; out[3] = c; out[4] = s;
        a00 += m + vx * rx; a01 += vx * ry; a11 += m + vy * ry;
        b0 = fx + vx * r; b1 = fy + vy * r;
    }
    double px = 0, py = 0;
    for (int i = 0; i < N; i++) {
        const double *in = work + 5 * i;
        double a = in[0] * px + in[1] * py + in[2], ww = w[i] * w[i];
        alpha[i] = a;
        dy[i] = w[i];
        px += l * (-a * in[4] - ww * in[3]);
        py += l * (a * in[3] - ww * in[4]);
    }
}

/* RK4 in place; work holds 17 N numbers. */
void chain_rk4(int N, double l, double m, double g, double step, long n_steps, double *y, double *work)
{
    int n = 2 * N;
    double J = m * l * l / 12;
    double *k1 = work + 5 * N, *k2 = k1 + n, *k3 = k2 + n, *k4 = k3 + n, *z = k4 + n;
    for (long i = 0; i < n_steps; i++) {
        accelerations(N, l, m, J, g, y, k1, work);
        for (int k = 0; k < n; k++) z[k] = y[k] + 0.5 * step * k1[k];
        accelerations(N, l, m, J, g, z, k2, work);
        for (int k = 0; k < n; k++) z[k] = y[k] + 0.5 * step * k2[k];
        accelerations(N, l, m, J, g, z, k3, work);
        for (int k = 0; k < n; k++) z[k] = y[k] + step * k3[k];
        accelerations(N, l, m, J, g, z, k4, work);
        for (int k = 0; k < n; k++) y[k] += step / 6 * (k1[k] + 2 * (k2[k] + k3[k]) + k4[k]);
    }
}
