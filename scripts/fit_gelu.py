#!/usr/bin/env python3
"""Fits the coefficients of src/ops/simd/math.h: gelu(x) = max(x, 0) - a / D(a)^4, a = min(|x|, LIMIT).

D(a) is a polynomial near Phi(-a)^(-1/4). Needs numpy; runs in seconds. Lawson-style iteration:
a weighted least-squares fit is repeated with weights that grow where the error of a / D(a)^4 is
large, which drives it towards the minimax fit. Prints the C++ initialiser and the error of the
evaluation in fp32 (fused multiply-adds imitated by rounding once per step).
"""
import math

import numpy as np

LIMIT = 5.6  # beyond it a Phi(-a) is below 6e-8
POWER, DEGREE = 4, 10


def normal_tail(a):
    return np.array([0.5 * math.erfc(float(v) / math.sqrt(2)) for v in a])


def fit():
    a = LIMIT * (1 - np.cos(np.linspace(0, np.pi, 4000))) / 2
    tail = normal_tail(a)
    target = tail ** (-1 / POWER)
    basis = np.stack([(a / LIMIT) ** i for i in range(DEGREE + 1)], 1)
    slope = np.maximum(a, 0.02) * POWER * tail / target  # d(a / D^4) / dD
    weight, best = np.ones(len(a)), (np.inf, None)
    for _ in range(300):
        w = slope * np.sqrt(weight)
        solution, *_ = np.linalg.lstsq(basis * w[:, None], target * w, rcond=None)
        error = np.abs(a * ((basis @ solution) ** -float(POWER) - tail))
        if error.max() < best[0]:
            best = (error.max(), solution)
        weight *= (error / error.max()) ** 0.5 + 1e-3
        weight /= weight.sum()
    return best[0], best[1] * np.array([LIMIT**-i for i in range(DEGREE + 1)])


def fp32_error(coefficients):
    a = np.linspace(0, LIMIT, 200001).astype(np.float32)
    d = np.full_like(a, np.float32(coefficients[-1]))
    for c in coefficients[-2::-1]:
        d = (d.astype(np.float64) * a + np.float32(c)).astype(np.float32)
    d = d * d
    d = d * d
    return np.abs(a / d - a.astype(np.float64) * normal_tail(a)).max()


if __name__ == "__main__":
    fit_error, coefficients = fit()
    print("fit error %.1e, in fp32 %.1e" % (fit_error, fp32_error(coefficients)))
    print("{%s}" % ", ".join("%.9ef" % c for c in coefficients))
