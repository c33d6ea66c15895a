"""Writes tests/data/stats/intervals.txt: confidence intervals by their textbook definitions, with nothing but the standard library.

Quantiles come from bisection on distribution functions that are integrated or summed here, so that nothing is shared with the
library under test. Usage: interval_oracle.py > tests/data/stats/intervals.txt
"""

import math
from fractions import Fraction
from statistics import NormalDist


def bisect(function, low, high, steps=200):
    """The point where an increasing function crosses zero."""
    for _ in range(steps):
        middle = (low + high) / 2
        if function(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def wilson(successes, n, confidence):
    """Solves (p_hat - p)^2 = z^2 p (1 - p) / n, the definition of the score interval, by bisection."""
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    p_hat = successes / n
    gap = lambda p: abs(p_hat - p) - z * math.sqrt(p * (1 - p) / n)
    low = 0.0 if successes == 0 else bisect(lambda p: -gap(p), 0.0, p_hat)
    high = 1.0 if successes == n else bisect(gap, p_hat, 1.0)
    return p_hat, low, high


def binomial_tail(k, n, p):
    """P(X >= k)."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


def clopper_pearson(successes, n, confidence):
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else bisect(lambda p: binomial_tail(successes, n, p) - tail, 0.0, 1.0)
    high = 1.0 if successes == n else bisect(lambda p: tail - (1 - binomial_tail(successes + 1, n, p)), 0.0, 1.0)
    return successes / n, low, high


def t_cdf(t, freedom):
    """Closed forms for whole degrees of freedom (Abramowitz & Stegun 26.7.3, 26.7.4)."""
    theta = math.atan2(t, math.sqrt(freedom))
    cos2 = math.cos(theta) ** 2
    if freedom % 2 == 0:
        term = total = 1.0
        for i in range(1, freedom // 2):
            term *= (2 * i - 1) / (2 * i) * cos2
            total += term
        both = math.sin(theta) * total
    else:
        total = 0.0
        if freedom > 1:
            term = total = math.cos(theta)
            for i in range(1, (freedom - 1) // 2):
                term *= 2 * i / (2 * i + 1) * cos2
                total += term
        both = 2 / math.pi * (theta + math.sin(theta) * total)
    return (1 + both) / 2


def student_t(scores, confidence):
    n = len(scores)
    exact = [Fraction(score) for score in scores]
    mean = sum(exact) / n
    variance = sum((score - mean) ** 2 for score in exact) / (n - 1)
    error = math.sqrt(variance / n)
    t = bisect(lambda x: t_cdf(x, n - 1) - (0.5 + confidence / 2), 0.0, 1000.0)
    return float(mean), max(0.0, float(mean) - t * error), min(1.0, float(mean) + t * error)


def main():
    print("# kind confidence value low high | inputs; made by tests/oracles/interval_oracle.py")
    row = lambda kind, confidence, result, inputs: print(
        kind, confidence, *map(repr, result), "|", *map(repr, inputs))
    for confidence in (0.9, 0.95, 0.99):
        for n in (1, 2, 5, 12, 25, 100, 500):
            for successes in sorted({0, 1, n // 3, n // 2, n - 1, n}):
                row("wilson", confidence, wilson(successes, n, confidence), (successes, n))
                row("clopper-pearson", confidence, clopper_pearson(successes, n, confidence), (successes, n))
        for scores in ([0.25, 0.75], [0.5, 1.0, 0.25], [1, 1, 1, 0.75], [0.2, 0.4, 0.6, 0.8, 1.0, 0.0, 0.2],
                       [i % 5 / 4 for i in range(50)], [i % 11 / 10 for i in range(501)]):
            row("t", confidence, student_t(scores, confidence), scores)
        row("wilson", confidence, wilson(17.25, 30, confidence), (17.25, 30))


main()
