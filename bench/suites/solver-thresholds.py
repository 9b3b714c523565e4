"""Validates the thresholds of the first guess of a solver on families of systems that they were not chosen on.

Usage: solver-thresholds.py SWEEPS...

SWEEPS are files of sweeps, as "trellis tune --solve --exhaustive --json" and solver-sweeps.py write them, perhaps
compressed by gzip. The rules are those of FirstGuess, by the features in these files: a factorisation up to some fill,
relaxation by the diagonal where Ritz values are close together, multigrid for large definite systems but compact ones,
else relaxation or incomplete factors. Each family is left out in turn; the thresholds with the least regret in the
geometric mean over all other families guess for its systems. Regret is the time of the solutions with the guess over
that of the sweep's best; what did not solve a system counts 50 times the best.
"""
import collections
import gzip
import itertools
import json
import math
import pathlib
import re
import sys

SHIPPED = {"fill": 12, "fillOfIndefinite": 8, "fillBesideFew": 2.5, "few": 4, "rows": 20000}
GRID = {"fill": (2, 4, 6, 8, 10, 12, 16), "fillOfIndefinite": (4, 8, 10, 12, 16, 24), "fillBesideFew": (0, 1, 2.5, 4, 8),
        "few": (1.6, 2.5, 4, 6, 10), "rows": (5000, 10000, 20000, 40000)}
UNSOLVED = 50
COMPACT = 2.5


def systems(paths):
    for path in paths:
        data = pathlib.Path(path).read_bytes()
        document = json.loads(gzip.decompress(data) if path.endswith(".gz") else data)
        for system in document["systems"]:
            yield document["solves"], system


def family(name):
    return re.sub(r"[23]d$|\d+$", "", re.split(r"[:_]", name)[0]) or name


def guess(features, thresholds, choices):
    """The first guess, by the same order of questions as FirstGuess."""
    least, greatest = features["leastRitz"], features["greatestRitz"]
    definite = features["symmetric"] == 1 and features["positiveDiagonal"] == 1
    few = least > 0 and greatest <= thresholds["few"] * least
    held = definite and features["dominantRows"] == 1
    indefinite = features["symmetric"] == 1 and not definite
    most = thresholds["fillBesideFew"] if few else thresholds["fillOfIndefinite" if indefinite else "fill"]
    if features["fill"] <= most:
        return "direct"
    if few:
        return "cg with jacobi" if definite else "bicgstab with jacobi"
    if not definite:
        return "idr with iluk(level=1, order=natural)"
    if features["rows"] >= thresholds["rows"] and not (held and features["dimension"] >= COMPACT):
        return next((one for one in choices if re.fullmatch(r"cg with amg\((block-size=\d, )?levels=f32.*", one)),
                    "cg with amg")
    return "cg with ssor(omega=1.4, order=natural)"


def regret(times, choice):
    return min(UNSOLVED, times.get(choice, math.inf) / min(times.values()))


def mean(values):
    return math.exp(sum(math.log(one) for one in values) / len(values))


def main():
    cases = []
    for solves, system in systems(sys.argv[1:]):
        times = {one["choice"]: one["setupSeconds"] + solves * one["solveSeconds"]
                 for one in system["sweep"] if not one["note"]}
        if times:
            cases.append((system["system"], family(system["system"]), system["features"], times))
    families = collections.Counter(one[1] for one in cases)
    every = [dict(zip(GRID, values)) for values in itertools.product(*GRID.values())]
    logs = [[math.log(regret(times, guess(features, thresholds, times))) for _, _, features, times in cases]
            for thresholds in every]
    sums = [sum(row) for row in logs]
    chosen, left_out = {}, []
    for name in families:
        inside = [i for i, case in enumerate(cases) if case[1] == name]
        best = min(range(len(every)), key=lambda at: (round(sums[at] - sum(logs[at][i] for i in inside), 9),
                                                      sum(every[at][key] != SHIPPED[key] for key in GRID)))
        chosen[name] = every[best]
        left_out += [(i, math.exp(logs[best][i])) for i in inside]
    shipped = [regret(times, guess(features, SHIPPED, times)) for _, _, features, times in cases]
    ideal = min(range(len(every)), key=lambda at: sums[at])
    print("%d systems of %d families" % (len(cases), len(families)))
    for what, values in (("thresholds of the library", shipped),
                         ("chosen on all systems", [math.exp(one) for one in logs[ideal]]),
                         ("chosen on the other families", [one for _, one in sorted(left_out)])):
        worst = max(range(len(cases)), key=lambda i: values[i])
        near = sum(one <= 1 / 0.9 for one in values)
        print("%-30s regret %.2f in the geometric mean, %.2f at most (%s); %d of %d within a tenth of the best; %d "
              "not solved" % (what, mean(values), values[worst], cases[worst][0], near, len(cases),
                              sum(one >= UNSOLVED for one in values)))
    for key in GRID:
        found = collections.Counter(one[key] for one in chosen.values())
        print("%-14s library %g, chosen without a family: %s" % (key, SHIPPED[key], ", ".join(
            "%g (%d)" % one for one in sorted(found.items()))))
    print("family by family, systems, regret of the library's thresholds and of those of the others:")
    others = dict(left_out)
    for name in sorted(families):
        inside = [i for i, case in enumerate(cases) if case[1] == name]
        print("  %-24s %2d  %5.2f  %5.2f" % (name, len(inside), mean([shipped[i] for i in inside]),
                                             mean([others[i] for i in inside])))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
