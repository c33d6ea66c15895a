#!/usr/bin/env python3
"""Coverage, error rates and speed of fathom's statistics, by simulation.

usage: run.py --bench STATISTICS_BENCH [--trials 1000] [--sections a,b] [--write docs/bench-statistics.md]

Runs the sections of bench/statistics (C++) and, for speed, the ways of other tools on the same number of cells: a loop of numpy draws (as inspect_ai computes a
bootstrap), lists resampled in Python (as lm-evaluation-harness does), and numpy with all resamples of a cell at once. Those are timed on a few cells and
extrapolated, which the table says.
"""
import argparse
import os
import platform
import random
import subprocess
import sys
import time

import numpy

SECTIONS = [
    ("proportions", 0, "Proportions",
     "95 % intervals for scores of 0 and 1: the exact chance that they hold the true share, over shares .005, .010 … .995. \"normal\" is p ± 1.96 standard errors."),
    ("fractions", 1, "Fractional scores",
     "Scores are shares of 2, 4 or 10 answers found, as RULER's; ρ is how far the answers of one sample stand or fall together; means from .02 to .98."),
    ("clusters", 1, "Samples that share a document",
     "Clusters of 8 samples, or of 1 to 14, whose chances differ from cluster to cluster (ρ); means from .05 to .98. The naive interval counts samples as if independent."),
    ("task-means", 2, "Means over thirteen tasks",
     "Nine profiles of true means, from all equal to one weak task; scores of 0 and 1, and of four answers. MOVER puts the tasks' own Wilson limits together."),
    ("effective-lengths", 0.25, "Effective length",
     "Six lengths, 4K to 128K; samples keep part of their luck from length to length. \"crossing\": the true line through the grid's means; \"smooth truth\": the curve "
     "itself, of which only the grid was seen. Width in doublings of the intervals that end inside the grid. The percentile bootstrap (400 resamples of whole samples, in a quarter of the trials) stands beside."),
    ("other-lengths", 0.5, "Other effective lengths, slopes and averages", "Share of the 95 % intervals that hold the truth, for thirteen tasks."),
    ("paired-intervals", 0.5, "Paired differences",
     "0/1 pairs: exact, over 2 to 40 % of pairs differing in any direction. Fractional pairs: two arms that share each sample's difficulty and often its answer."),
    ("paired-tests", 2, "Paired tests", "Share of equal arms called different at 5 % (for 0/1 pairs exact, the worst over the share of pairs that differ)."),
    ("gate", 0.3, "The gate's bound", "Non-inferiority at 5 %: false passes where B is worse by exactly the margin, and false failures where both arms are equal."),
    ("corrections", 5, "Many tests at once", "40 tests at 5 %."),
    ("speed", 0, "Speed", "Two threads. The work of 50 models × 13 tasks × 8 lengths."),
]

CELLS = 50 * 13 * 8


def peer_rows(samples):
    scores = [float(random.random() < 0.8) for _ in range(samples)]
    array = numpy.array(scores)

    def numpy_loop(resamples):
        return numpy.std([numpy.mean(numpy.random.choice(array, size=len(array), replace=True)) for _ in range(resamples)])

    def python_lists(resamples):
        draw = random.Random(1)
        return sorted(sum(draw.choices(scores, k=samples)) / samples for _ in range(resamples))

    def numpy_at_once(resamples):
        return numpy.quantile(array[numpy.random.randint(0, samples, (resamples, samples))].mean(axis=1), [0.025, 0.975])

    for name, work, resamples in (("numpy, one draw at a time", numpy_loop, 1000), ("Python lists", python_lists, 1000), ("numpy, a cell at once", numpy_at_once, 10_000)):
        best = min(timed(work, resamples) for _ in range(3)) * 10_000 / resamples
        yield f"| {name}, extrapolated from one cell | {samples} | | {best * CELLS:.0f} | {1000 * best:.1f} |"


def timed(work, resamples):
    start = time.process_time()
    work(resamples)
    return time.process_time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--sections")
    parser.add_argument("--write")
    args = parser.parse_args()
    wanted = args.sections.split(",") if args.sections else [name for name, *_ in SECTIONS]
    out = ["# Statistics by simulation\n",
           "Made by `./dev bench statistics` (`bench/statistics`). Shares are in percent; \"worst\" is the least favourable truth tried, with its place. "
           "What each method is, and where it comes from: [statistics](statistics.md).\n"]
    for name, factor, title, words in SECTIONS:
        if name not in wanted:
            continue
        trials = int(args.trials * factor)
        print(f"{name} …", file=sys.stderr, flush=True)
        done = subprocess.run([args.bench, name, str(trials)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{args.bench} {name}: {done.stderr.strip()}")
        table = done.stdout.rstrip()
        if name == "speed":
            table = "\n".join([table, *peer_rows(100), *peer_rows(500)])
            words += f" {platform.processor() or platform.machine()}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the end; " \
                     "the peers' figures are processor time of one cell times 5,200."
        shown = 4 * trials if name == "effective-lengths" else trials
        out.append(f"## {title}\n\n{words}{f' {shown} trials a point.' if trials else ''}\n\n{table}\n")
    text = "\n".join(out)
    if args.write:
        with open(args.write, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text)


main()
