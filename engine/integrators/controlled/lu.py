"""Small dense systems A x = r, real or complex, by elimination with partial pivoting."""

from engine.kernels import kernel


@kernel
def factorise(A, pivots):
    """Replace A by its factors, with whole rows exchanged; False if a pivot vanishes or is no number."""
    n = A.shape[0]
    for k in range(n):
        best, largest = k, abs(A[k, k])
        for i in range(k + 1, n):
            if abs(A[i, k]) > largest:
                best, largest = i, abs(A[i, k])
        pivots[k] = best
        if not largest > 0.0:
            return False
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        for i in range(k + 1, n):
            if A[i, k] != 0.0:
                A[i, k] /= A[k, k]
                factor = A[i, k]
                for j in range(k + 1, n):
                    A[i, j] -= factor * A[k, j]
    return True


@kernel
def substitute(A, pivots, x):
    """Replace the right side x by the solution; all exchanges of rows come first."""
    n = A.shape[0]
    for k in range(n):
        x[k], x[pivots[k]] = x[pivots[k]], x[k]
    for i in range(1, n):
        total = x[i]
        for j in range(i):
            total -= A[i, j] * x[j]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, n):
            total -= A[i, j] * x[j]
        x[i] = total / A[i, i]
