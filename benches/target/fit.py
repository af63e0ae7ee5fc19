"""Fits the upper bounds of the solvers to solves on the emulated chip.

    bash benches/target/run.sh --fit          builds, runs and calls this:  python3 fit.py RUST-FILE < samples

Standard input holds lines `sample SOLVER [terms] COUNT` of the firmware `worst_case`. Of all coefficients not below zero whose bound no
solve exceeds, the linear program takes those by which the longest solve of each size is closest to its bound, and all others next; then
everything grows by MARGIN, which is what an unrelated change may cost before a bound breaks. Wants numpy and scipy.
"""

import collections
import re
import sys

import numpy
import scipy.optimize

MARGIN = 1.2
NAMES = {
    "newton": "1 n n² r r·n c b b·n b·n³ b·r b·r·n² b·c b·c·n² e e·r e·c",
    "conjugate_gradient": "1 n n² r r·n c k k·n k·n² k·r k·r·n k·c e e·r e·c",
    "sweeps": "1 n n² r r·n r·n² c c·n q k k·n k·r k·r·n k·c k·q",
    "sweeps_with_delassus": "1 n n² r r·n r·n² r²·n c q k k·n k·r k·r² k·c k·q",
}


def read(lines):
    samples = collections.defaultdict(list)
    for line in lines:
        found = re.search(r"sample (\w+) \[([^]]*)\] (\d+)", line)
        if found:
            terms = [int(x) for x in found.group(2).split(",")]
            samples[found.group(1)].append((terms, int(found.group(3))))
    return samples


def fit(samples, names):
    width, contact = len(names), names.index("c")
    terms = numpy.array([t[:width] for t, _ in samples], float)
    counts = numpy.array([c for _, c in samples], float)
    shares = terms / counts[:, None]
    # The longest solve of each size and of problems with and without contacts: what the check of the factor of two looks at.
    groups = collections.defaultdict(list)
    for index, row in enumerate(terms):
        groups[row[1], row[contact] > 0].append(index)
    longest = [max(group, key=lambda i: counts[i]) for group in groups.values()]
    cost = shares[longest].sum(axis=0) + 0.2 * len(longest) * shares.mean(axis=0)
    scale = 1 / shares.max(axis=0)
    # Only what can be tight: the samples with the largest share of what is theirs; the rest follows.
    keep = numpy.unique(numpy.concatenate([numpy.arange(0, len(counts), 7), longest]))
    for _ in range(30):
        result = scipy.optimize.linprog(cost * scale, A_ub=-shares[keep] * scale, b_ub=-numpy.ones(len(keep)), method="highs")
        if not result.success:
            sys.exit(result.message)
        x = result.x * scale
        bounds = shares @ x
        broken = numpy.flatnonzero(bounds < 1 - 1e-9)
        if not len(broken):
            break
        worst = broken[numpy.argsort(bounds[broken])[:2000]]
        keep = numpy.unique(numpy.concatenate([keep, worst]))
    tenths = numpy.ceil(x * MARGIN * 10).astype(int)
    bounds = terms @ tenths / 10
    ratio = bounds[longest] / counts[longest]
    return tenths, bounds, counts, ratio


def main(path):
    samples = read(sys.stdin)
    text = ["//! Written by `benches/target/fit.py`: tenths of instructions of an emulated Cortex-M4F at opt-level 3.\n",
            "use super::bounds::TERMS;\n"]
    for solver, names in NAMES.items():
        names = names.split()
        tenths, bounds, counts, ratio = fit(samples[solver], names)
        print(f"{solver}: {len(counts)} solves, nearest to its bound {(counts / bounds).max():.2f}, "
              f"bound / longest by size {ratio.min():.2f} to {ratio.max():.2f}", file=sys.stderr)
        parts = [f"{t / 10:g}" if n == "1" else f"{t / 10:g} {n}" for t, n in zip(tenths, names) if t]
        print(f"| `{solver}` | {' + '.join(parts)} |")
        padded = list(tenths) + [0] * (16 - len(tenths))
        text.append(f"pub const {solver.upper()}: [u32; TERMS] = [{', '.join(map(str, padded))}];")
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(text) + "\n")


main(sys.argv[1])
