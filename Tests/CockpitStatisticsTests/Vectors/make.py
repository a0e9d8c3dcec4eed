#!/usr/bin/env python3
"""Writes vectors.json: what SciPy says, for the tests of CockpitStatistics.

Where SciPy has no function, the formula is written out here from its source with SciPy's distributions, by
another way than the one of the program (sums over all ranks, pairs or tables instead of shortcuts).
Needs numpy and scipy; made with scipy 1.17.
"""
import json
import math
import pathlib

import numpy as np
from scipy import stats

random = np.random.default_rng(20261126)
out = {}


def numbers(values):
    return [float(v) for v in values]


# Ranks of the interval of a quantile, by trying all pairs: equal tails where both can have a half.
def ranks(n, p, confidence):
    error = 1 - confidence
    low_error = [stats.binom.cdf(l - 1, n, p) for l in range(1, n + 1)]
    high_error = [stats.binom.sf(u - 1, n, p) for u in range(1, n + 1)]
    pairs = [(l, u) for l in range(1, n + 1) for u in range(l + 1, n + 1)
             if low_error[l - 1] + high_error[u - 1] <= error]
    if not pairs:
        return None
    room_low = max(error / 2, 0) if high_error[-1] <= error / 2 else error - high_error[-1]
    room_high = error / 2 if low_error[0] <= error / 2 else error - low_error[0]
    lows = [l for l in range(1, n + 1) if low_error[l - 1] <= room_low] or [1]
    highs = [u for u in range(1, n + 1) if high_error[u - 1] <= room_high] or [n]
    return [max(lows), min(highs)]


out["ranks"] = [{"n": n, "p": p, "ranks": ranks(n, p, 0.95)}
                for p in (0.5, 0.9, 0.95) for n in list(range(1, 101)) + [120, 150, 200]]

out["quantiles"] = []
for n in (1, 2, 7, 30, 100):
    sample = random.lognormal(7, 0.5, n)
    for p in (0.5, 0.9, 0.95):
        out["quantiles"].append(
            {"sample": numbers(sample), "p": p, "value": float(np.quantile(sample, p))})

out["normal"] = [{"p": p, "z": float(stats.norm.ppf(p)), "back": float(stats.norm.cdf(stats.norm.ppf(p)))}
                 for p in (1e-12, 1e-6, 0.001, 0.025, 0.3, 0.5, 0.77, 0.975, 0.999, 1 - 1e-9)]

out["wilson"] = []
for hits, n in [(0, 1), (0, 20), (1, 5), (30, 43), (43, 43), (7, 1000), (5000, 9001)]:
    ci = stats.binomtest(hits, n).proportion_ci(0.95, method="wilson")
    out["wilson"].append({"hits": hits, "n": n, "low": float(ci.low), "high": float(ci.high)})


def wilson(hits, n):
    ci = stats.binomtest(hits, n).proportion_ci(0.95, method="wilson")
    return hits / n, float(ci.low), float(ci.high)


out["newcombe"] = []
for a, b in [((56, 70), (48, 80)), ((9, 10), (3, 10)), ((6, 7), (2, 7)), ((5, 56), (0, 29)),
             ((0, 10), (0, 20)), ((10, 10), (0, 20)), ((30, 43), (12, 51)), ((400, 9000), (500, 9100))]:
    p1, l1, u1 = wilson(*a)
    p2, l2, u2 = wilson(*b)
    d = p2 - p1
    out["newcombe"].append({
        "a": a, "b": b, "value": d,
        "low": d - math.hypot(p2 - l2, u1 - p1), "high": d + math.hypot(u2 - p2, p1 - l1)})

out["garwood"] = []
for count in (0, 1, 2, 5, 10, 33, 250, 20000):
    low = stats.chi2.ppf(0.025, 2 * count) / 2 if count else 0.0
    high = stats.chi2.ppf(0.975, 2 * count + 2) / 2
    out["garwood"].append({"count": count, "low": float(low), "high": float(high)})

out["rates"] = []
for x, t, y, u in [(0, 20, 5, 20), (3, 100, 9, 120), (5, 40, 0, 60), (40, 300, 90, 310), (1, 1, 1, 2),
                   (2000, 9000, 2100, 9000)]:
    test = stats.binomtest(y, x + y, u / (t + u))
    tails = (stats.binom.cdf(y, x + y, u / (t + u)), stats.binom.sf(y - 1, x + y, u / (t + u)))
    ci = test.proportion_ci(0.95, method="exact")
    out["rates"].append({
        "x": x, "t": t, "y": y, "u": u, "p": float(min(1, 2 * min(tails))),
        "low": float(ci.low / (1 - ci.low) * t / u),
        "high": float(ci.high / (1 - ci.high) * t / u) if ci.high < 1 else -1.0})

out["mannwhitney"] = []
for n, m, tied in [(1, 1, False), (3, 4, False), (8, 8, False), (20, 25, False), (14, 9, True), (40, 30, False),
                   (200, 150, True)]:
    a = random.lognormal(7, 0.5, n)
    b = random.lognormal(7.3, 0.5, m)
    if tied:
        a, b = np.round(a / 300) * 300, np.round(b / 300) * 300
    method = "exact" if not tied and max(n, m) <= 25 else "asymptotic"
    test = stats.mannwhitneyu(b, a, alternative="two-sided", method=method, use_continuity=True)
    # The statistic with a standard error that is 1.4 times as great.
    ties = np.unique(np.concatenate([a, b]), return_counts=True)[1].astype(float)
    variance = n * m / 12 * (n + m + 1 - np.sum(ties**3 - ties) / ((n + m) * (n + m - 1)))
    z = max(0, abs(test.statistic - n * m / 2) - 0.5) / math.sqrt(variance) / 1.4
    out["mannwhitney"].append({
        "a": numbers(a), "b": numbers(b), "u": float(test.statistic), "p": float(test.pvalue),
        "widened": float(2 * stats.norm.sf(z))})

out["hodges"] = []
for n, m in [(1, 1), (5, 6), (20, 21), (33, 80)]:
    a = random.lognormal(7, 0.5, n)
    b = random.lognormal(7.3, 0.5, m)
    pairs = np.sort(np.subtract.outer(np.log(b), np.log(a)).ravel())
    row = {"a": numbers(a), "b": numbers(b), "ratio": float(np.exp(np.median(pairs)))}
    for name, widening in (("plain", 1.0), ("widened", 1.3)):
        k = math.floor(n * m / 2 - stats.norm.ppf(0.975) * widening * math.sqrt(n * m * (n + m + 1) / 12))
        row[name] = numbers(np.exp([pairs[k - 1], pairs[n * m - k]])) if k >= 1 else []
    out["hodges"].append(row)

out["lag"] = []
for sizes in [(30,), (20, 40), (2, 3, 50)]:
    series = [np.round(np.cumsum(random.normal(0, 1, n)), 1) for n in sizes]
    product = square = 0.0
    for values in series:
        r = stats.rankdata(values) - (len(values) + 1) / 2
        product += float(np.sum(r[1:] * r[:-1]))
        square += float(np.sum(r * r))
    out["lag"].append({"series": [numbers(v) for v in series], "rho": product / square})

out["pettitt"] = []
for n, step in [(30, 0.5), (60, 0.0), (90, 1.0)]:
    x = random.normal(0, 1, n)
    x[n * 2 // 3:] += step
    # The definition: sums of signs over all pairs.
    signs = np.sign(np.subtract.outer(x, x))
    u = {t: float(np.sum(signs[:t, t:])) for t in range(15, n - 14)}
    t = max(u, key=lambda key: (abs(u[key]), -key))
    product = square = 0.0
    for values in (x[:t], x[t:]):
        r = stats.rankdata(values) - (len(values) + 1) / 2
        product += float(np.sum(r[1:] * r[:-1]))
        square += float(np.sum(r * r))
    rho = min(max(0, (product / square * n / 2 + 1) / (n / 2 - 4)), 0.95)
    k = abs(u[t]) / math.sqrt((1 + rho) / (1 - rho))
    out["pettitt"].append({
        "series": numbers(x), "index": t, "p": float(min(1, 2 * math.exp(-6 * k * k / (n**3 + n**2))))})

# The interval that SciPy makes of its own draws, for the mean and for the ratio of two means.
out["bca"] = []
sample = random.lognormal(0, 1, 40)
made = stats.bootstrap((sample,), np.mean, n_resamples=1999, method="BCa", rng=random)
out["bca"].append({
    "samples": [numbers(sample)], "drawn": numbers(made.bootstrap_distribution),
    "low": float(made.confidence_interval.low), "high": float(made.confidence_interval.high)})
a, b = random.lognormal(0, 1, 35), random.lognormal(0.2, 1, 50)
made = stats.bootstrap((a, b), lambda a, b, axis: np.mean(b, axis=axis) / np.mean(a, axis=axis),
                       n_resamples=1999, method="BCa", rng=random)
out["bca"].append({
    "samples": [numbers(a), numbers(b)], "drawn": numbers(made.bootstrap_distribution),
    "low": float(made.confidence_interval.low), "high": float(made.confidence_interval.high)})

out["fisher"] = []
for a, b in [((1, 9), (11, 14)), ((0, 10), (5, 10)), ((3, 4), (1, 4)), ((8, 10), (1, 6)), ((30, 43), (12, 51)),
             ((0, 7), (0, 9))]:
    p = stats.fisher_exact([[a[0], a[1] - a[0]], [b[0], b[1] - b[0]]]).pvalue
    out["fisher"].append({"a": a, "b": b, "p": float(p)})

here = pathlib.Path(__file__).parent
(here / "vectors.json").write_text(json.dumps(out, separators=(",", ":")) + "\n")
