"""Writes tests/data/stats/golden.json: what scipy, statsmodels and textbook definitions in numpy give, for src/stats/golden_test.cpp.

A development tool (needs numpy, scipy and statsmodels). Usage: statistics_golden.py > tests/data/stats/golden.json
"""

import itertools
import json
import math

import numpy as np
from scipy import optimize, stats
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import zt_ind_solve_power
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

random = np.random.default_rng(20260214)


def scores(n, levels):
    return [float(value) / levels for value in random.integers(0, levels + 1, n)]


def proportions():
    for n in (1, 3, 12, 20, 57, 500):
        for k in sorted({0, 1, n // 3, n - 1, n}):
            for confidence in (0.9, 0.95, 0.999):
                wilson = proportion_confint(k, n, 1 - confidence, "wilson")
                exact = proportion_confint(k, n, 1 - confidence, "beta")
                yield {"k": k, "n": n, "confidence": confidence, "wilson": wilson, "exact": exact}


def t_intervals():
    for n, levels in ((2, 3), (7, 4), (40, 10), (200, 7)):
        values = scores(n, levels)
        if np.std(values) == 0:
            values[0] = 0.123
        low, high = stats.t.interval(0.95, n - 1, np.mean(values), stats.sem(values))
        yield {"scores": values, "low": max(0, low), "high": min(1, high)}


def fractional():
    """Wilson's interval with the number of coin tosses that the variance is worth, one pseudo-score mixed in."""
    z = stats.norm.ppf(0.975)
    for n, levels in ((2, 3), (5, 4), (12, 4), (20, 10), (100, 3)):
        values = scores(n, levels)
        values[0] = 1 / levels
        mean = np.mean(values)
        coin = mean * (1 - mean)
        share = min(1, ((n - 1) * np.var(values, ddof=1) / coin + 1) / n)
        worth = n / share
        limits = [optimize.brentq(lambda p: abs(mean - p) - z * math.sqrt(p * (1 - p) / worth), *ends, xtol=1e-15)
                  for ends in ((1e-15, mean), (mean, 1 - 1e-15))]
        yield {"scores": values, "low": limits[0], "high": limits[1]}


def clustered():
    """CR2 and Satterthwaite's degrees of freedom from dense matrices: V = sum c_g' e e' c_g, with the adjusted hat matrices."""
    for sizes in ((2, 2, 2), (4, 4, 4, 4, 4), (1, 2, 3, 4, 5, 9), (1,) * 5 + (7, 3)):
        n = sum(sizes)
        cluster = np.repeat(np.arange(len(sizes)), sizes)
        values = np.array(scores(n, 4))
        ones = np.ones((n, 1))
        hat = ones @ ones.T / n
        rest = np.eye(n) - hat
        residual = rest @ values
        columns = []
        for g in range(len(sizes)):
            inside = np.flatnonzero(cluster == g)
            block = np.eye(len(inside)) - hat[np.ix_(inside, inside)]
            eigenvalues, vectors = np.linalg.eigh(block)
            adjust = vectors @ np.diag(eigenvalues ** -0.5) @ vectors.T
            column = np.zeros(n)
            column[inside] = adjust @ np.ones(len(inside)) / n
            columns.append(column)
        variance = sum((column @ residual) ** 2 for column in columns)
        covariance = np.array([[a @ rest @ b for b in columns] for a in columns])
        freedom = np.trace(covariance) ** 2 / np.sum(covariance ** 2)
        mean = values.mean()
        coin = mean * (1 - mean)
        groups = n**2 / sum(size**2 for size in sizes)
        mixed = ((groups - 1) * variance + 0.5 * coin / groups) / (groups - 0.5)
        share = min(1, ((n - 1) * np.var(values, ddof=1) / coin + 1) / n)
        worth = min(max(coin / mixed, groups / 2), n / share)
        freedom = min(max(freedom, 1), len(sizes) - 1)
        t = stats.t.ppf(0.975, freedom)
        centre = (mean + t**2 / (2 * worth)) / (1 + t**2 / worth)
        half = t / (1 + t**2 / worth) * math.sqrt(coin / worth + t**2 / (4 * worth**2))
        yield {"scores": list(values), "clusters": [int(c) * 17 - 5 for c in cluster], "low": centre - half, "high": centre + half}


def mean_pmf(values, levels):
    """Exact distribution of the resampled sum in whole steps."""
    own = np.zeros(levels + 1)
    for value in values:
        own[round(value * levels)] += 1 / len(values)
    total = np.array([1.0])
    for _ in values:
        total = np.convolve(total, own)
    return total


def bootstraps():
    for n, levels in ((8, 1), (30, 1), (5, 2), (12, 4), (25, 10), (60, 3)):
        values = scores(n, levels)
        values[0], values[1] = 0.0, 1.0
        pmf = mean_pmf(values, levels)
        cumulative = np.cumsum(pmf)
        support = np.arange(len(pmf)) / (n * levels)
        at = lambda share: float(support[np.searchsorted(cumulative, share - 1e-12)])
        mean = float(np.mean(values))
        place = round(mean * n * levels)
        bias = stats.norm.ppf(cumulative[place] - pmf[place] / 2)
        residuals = np.array(values) - mean
        a = np.sum(residuals**3) / (6 * np.sum(residuals**2) ** 1.5)
        share = lambda z: stats.norm.cdf(bias + (bias + z) / (1 - a * (bias + z)))
        z = stats.norm.ppf(0.975)
        yield {"scores": values, "percentile": [at(0.025), at(0.975)], "bca": [at(share(-z)), at(share(z))]}


def tango_limit(gains, losses, n, wanted):
    """The difference whose score statistic, with the constrained likelihood's root, equals `wanted`."""
    def statistic(d):
        # The log likelihood is concave in the loss rate q: bisect on its slope.
        low, high = max(0.0, -d), (1 - d) / 2
        for _ in range(120):
            q = (low + high) / 2
            slope = (gains / (q + d) if gains else 0) + (losses / q if losses else 0)
            slope -= 2 * (n - gains - losses) / (1 - 2 * q - d) if gains + losses < n else 0
            low, high = (q, high) if slope > 0 else (low, q)
        return (gains - losses - n * d) / math.sqrt(n * (2 * q + d - d * d))
    return optimize.brentq(lambda d: statistic(d) - wanted, -1 + 1e-9, 1 - 1e-9, xtol=1e-14)


def pairs():
    for both, only_a, only_b, neither in ((10, 0, 0, 2), (5, 3, 1, 1), (30, 7, 2, 11), (0, 1, 5, 14), (480, 9, 2, 9), (20, 4, 4, 2), (1, 12, 0, 3)):
        n = both + only_a + only_b + neither
        discordant = only_a + only_b
        exact = float(mcnemar([[both, only_a], [only_b, neither]], exact=True).pvalue) if discordant else 1.0
        fewer = min(only_a, only_b)
        mid = 1.0
        if discordant:
            pmf = stats.binom.pmf(fewer, discordant, 0.5)
            mid = 1 - pmf / 2 if only_a == only_b else 2 * stats.binom.cdf(fewer, discordant, 0.5) - pmf
        z = stats.norm.ppf(0.975)
        yield {"both": both, "only_a": only_a, "only_b": only_b, "neither": neither, "exact": exact, "mid": float(mid),
               "tango": [tango_limit(only_b, only_a, n, z), tango_limit(only_b, only_a, n, -z)]}


def binomial_tests():
    for k, n, p in ((0, 5, 0.5), (3, 10, 0.5), (3, 10, 0.2), (17, 20, 0.9), (60, 100, 0.5), (1, 30, 0.1)):
        yield {"k": k, "n": n, "p": p, "value": float(stats.binomtest(k, n, p).pvalue)}


def sign_flips():
    for n, levels in ((4, 1), (8, 2), (10, 4), (12, 7), (10, 0)):
        a = scores(n, levels) if levels else list(random.random(n))
        b = scores(n, levels) if levels else list(random.random(n))
        difference = np.array(b) - np.array(a)
        test = stats.permutation_test((difference,), lambda x, axis: np.mean(x, axis=axis), permutation_type="samples",
                                      n_resamples=np.inf, alternative="two-sided", vectorized=True)
        yield {"a": a, "b": b, "p": float(test.pvalue)}


def newcombe():
    for right_a, n_a, right_b, n_b in ((56, 70, 48, 80), (9, 10, 3, 10), (10, 10, 0, 20), (0, 7, 0, 9), (5, 12, 12, 12)):
        low, high = confint_proportions_2indep(right_b, n_b, right_a, n_a, method="newcomb", compare="diff")
        yield {"right_a": right_a, "n_a": n_a, "right_b": right_b, "n_b": n_b, "low": float(low), "high": float(high)}


def isotonic():
    for n in (1, 2, 6, 12, 30):
        values = list(random.random(n) - np.linspace(0, 0.5, n))
        weights = list(random.integers(1, 50, n) / 1.0)
        yield {"values": values, "weights": weights,
               "fit": list(optimize.isotonic_regression(values, weights=weights, increasing=False).x),
               "plain": list(optimize.isotonic_regression(values, increasing=False).x)}


def isotonic_2d():
    """The max-min formula over all lower and upper sets of a small grid (Robertson, Wright & Dykstra 1988)."""
    for rows, columns in ((2, 3), (3, 3), (3, 4)):
        values = random.random((rows, columns)) - 0.2 * np.add.outer(np.arange(rows), np.arange(columns)) / 2
        weights = random.integers(1, 9, (rows, columns)).astype(float)
        # A staircase of row widths that never grow is a lower set; the fit is high there.
        stairs = [s for s in itertools.product(range(columns + 1), repeat=rows) if all(a >= b for a, b in zip(s, s[1:]))]
        masks = [np.array([[c < width for c in range(columns)] for width in s]) for s in stairs]
        fit = np.zeros((rows, columns))
        for r in range(rows):
            for c in range(columns):
                best = -math.inf
                for lower in (m for m in masks if m[r, c]):
                    worst = math.inf
                    for upper in (~m for m in masks if not m[r, c]):
                        inside = lower & upper
                        worst = min(worst, np.sum((values * weights)[inside]) / np.sum(weights[inside]))
                    best = max(best, worst)
                fit[r, c] = best
        yield {"columns": columns, "values": list(values.flat), "weights": list(weights.flat), "fit": list(fit.flat)}


def correlations():
    for n, levels in ((3, 0), (8, 3), (20, 4), (50, 0)):
        x = scores(n, levels) if levels else list(random.random(n))
        y = scores(n, levels) if levels else list(random.random(n) + np.array(x))
        yield {"x": x, "y": y, "pearson": float(stats.pearsonr(x, y)[0]), "spearman": float(stats.spearmanr(x, y)[0]),
               "kendall": float(stats.kendalltau(x, y)[0]),
               "interval": [float(v) for v in stats.pearsonr(x, y).confidence_interval(0.95)] if n > 3 else None}


def linkages():
    for items in (2, 3, 7, 15):
        distances = pdist(random.random((items, 4)))
        row = {"items": items, "distances": list(distances)}
        for kind in ("single", "complete", "average", "ward"):
            row[kind] = [[float(v) for v in step] for step in linkage(distances, kind)]
        yield row


def corrections():
    for n in (1, 2, 5, 13, 40):
        p = list(random.random(n) ** 3)
        if n > 4:
            p[3] = p[1]
        yield {"p": p, "holm": list(multipletests(p, method="holm")[1]), "bh": list(multipletests(p, method="fdr_bh")[1])}


def quantiles():
    for n in (1, 2, 7, 100, 333):
        values = list(random.gamma(2, 100, n))
        shares = [0, 0.05, 0.25, 0.5, 0.9, 0.95, 0.99, 1]
        yield {"values": values, "shares": shares, "found": [float(np.quantile(values, share)) for share in shares]}


def kappas():
    for classes, noise in ((2, 0.1), (2, 0.6), (3, 0.3), (5, 0.5)):
        labels = random.integers(0, classes, 80)
        grades = np.where(random.random(80) < noise, random.integers(0, classes, 80), labels)
        table = np.zeros((classes, classes), int)
        for label, grade in zip(labels, grades):
            table[label, grade] += 1
        result = cohens_kappa(table)
        yield {"classes": classes, "labels": [int(v) for v in labels], "grades": [int(v) for v in grades],
               "kappa": float(result.kappa), "low": max(-1, float(result.kappa_low)), "high": min(1, float(result.kappa_upp))}


def powers():
    for difference, variance, alpha, power in ((0.1, 0.2, 0.05, 0.8), (0.02, 0.05, 0.01, 0.9), (0.3, 0.3, 0.05, 0.5)):
        effect = difference / math.sqrt(variance)
        # One-sample z test (ratio 0), two-sided; the far tail that it also counts is nothing at these powers.
        n = zt_ind_solve_power(effect_size=effect, nobs1=None, alpha=alpha, power=power, ratio=0, alternative="two-sided")
        yield {"difference": difference, "variance": variance, "alpha": alpha, "power": power, "n": math.ceil(n)}


def main():
    sections = [proportions, t_intervals, fractional, clustered, bootstraps, pairs, binomial_tests, sign_flips, newcombe, isotonic, isotonic_2d,
                correlations, linkages, corrections, quantiles, kappas, powers]
    number = lambda value: float(value) if isinstance(value, np.floating) else int(value)
    lines = []
    for section in sections:
        rows = ",\n".join(json.dumps(row, default=number) for row in section())
        lines.append(f'"{section.__name__}": [\n{rows}\n]')
    print("{" + ",\n".join(lines) + "}")


main()
