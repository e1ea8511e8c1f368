#!/usr/bin/env python3
"""Fits the coefficients of src/ops/simd/math_body.h: Phi(-a) = exp(-a^2 / 2) P(t), t = 1 / (1 + C a).

Needs numpy; runs in seconds. Lawson-style iteration: a weighted least-squares fit is repeated with
weights that grow where the error of a Phi(-a) is large, which drives it towards the minimax fit.
Prints the error of the fit and the C++ initialiser. The second line is for rough_gelu of the int8
path: a Phi(-a) as a polynomial a Q(a) on 0 .. 4 that is zero at both ends.
"""
import math

import numpy as np

LIMIT = 6.0  # beyond it a Phi(-a) is below 6e-9
C, DEGREE = 0.3, 6


def fit():
    a = LIMIT * (1 - np.cos(np.linspace(0, np.pi, 4000))) / 2
    bell = np.exp(-a * a / 2)
    target = np.array([0.5 * math.erfc(v / math.sqrt(2)) for v in a]) / bell
    basis = np.stack([(1 / (1 + C * a)) ** i for i in range(DEGREE + 1)], 1)
    weight, best = np.ones(len(a)), (np.inf, None)
    for _ in range(300):
        w = np.maximum(a, 0.02) * bell * np.sqrt(weight)
        solution, *_ = np.linalg.lstsq(basis * w[:, None], target * w, rcond=None)
        error = a * bell * np.abs(basis @ solution - target)
        if error.max() < best[0]:
            best = (error.max(), solution)
        weight *= (error / error.max()) ** 0.5 + 1e-3
        weight /= weight.sum()
    return best


ROUGH_LIMIT, ROUGH_DEGREE = 4.0, 8


def fit_rough():
    a = ROUGH_LIMIT * (1 - np.cos(np.linspace(0, np.pi, 4000))) / 2
    target = np.array([0.5 * v * math.erfc(v / math.sqrt(2)) for v in a])
    ends = a * (1 - a / ROUGH_LIMIT)
    basis = np.stack([ends * a**i for i in range(ROUGH_DEGREE - 1)], 1)
    weight, best = np.ones(len(a)), (np.inf, None)
    for _ in range(400):
        w = np.sqrt(weight)
        solution, *_ = np.linalg.lstsq(basis * w[:, None], target * w, rcond=None)
        error = np.abs(basis @ solution - target)
        if error.max() < best[0]:
            best = (error.max(), np.convolve(solution, [1, -1 / ROUGH_LIMIT]))
        weight *= (error / error.max()) ** 0.5 + 1e-3
        weight /= weight.sum()
    return best


if __name__ == "__main__":
    for fit_error, coefficients in (fit(), fit_rough()):
        print("largest error of a Phi(-a): %.1e" % fit_error)
        print("{%s}" % ", ".join("%.9ef" % c for c in coefficients))
