#!/usr/bin/env python3
"""Seconds to make RULER samples of exact length, beside lm-evaluation-harness making its own.

usage: run.py --fathom FATHOM --deps DIR [--length 131072] [--samples 100] [--peer-python PYTHON] [--peer-samples 2] [--write docs/bench-generate.md]

fathom makes all 13 tasks, writes them, and has counted every finished prompt once more. The peer (PyPI lm-eval, in PYTHON, with `transformers`) makes only the tasks
that run offline: niah_single_1, niah_multikey_2, niah_multikey_3, vt, cwe, fwe; its time is given per sample, since 100 of each would take too long.
"""
import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PEER_TASKS = ["niah_single_1", "niah_multikey_2", "niah_multikey_3", "vt", "cwe", "fwe"]


def measured(command):
    """Wall seconds, processor seconds and peak memory (MB) of a command that must succeed."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: {errors.decode()}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def fathom_row(args, folder):
    command = [args.fathom, "generate", "ruler", "-t", f"{args.deps}/tokenizers/llama3_1", "--lengths", str(args.length), "--samples", str(args.samples),
               "--corpus", f"essay={args.deps}/books", "--corpus", f"words={args.deps}/words", "-o", folder]
    wall, cpu, memory = measured(command)
    lines = [json.loads(line) for line in open(f"{folder}/samples.jsonl", encoding="utf-8")]
    exact = sum(line["tokens"]["total"] == args.length for line in lines)
    size = os.path.getsize(f"{folder}/samples.jsonl")
    return {"samples": len(lines), "exact": exact, "wall_s": wall, "cpu_s": cpu, "memory_mb": memory, "bytes": size}


def peer_rows(args):
    here = Path(__file__).parent
    rows = []
    for task in PEER_TASKS:
        command = [args.peer_python, str(here / "lm_eval_ruler.py"), task, str(args.length), str(args.peer_samples), f"{args.deps}/tokenizers/llama3_1"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=args.peer_timeout)
        except subprocess.TimeoutExpired:
            print(f"{task}: the peer took more than {args.peer_timeout} s", file=sys.stderr)
            rows.append({"task": task, "seconds": None})
            continue
        if done.returncode != 0:
            print(f"{task}: the peer failed: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
            continue
        rows.append(json.loads(done.stdout.strip().splitlines()[-1]))
    return rows


def table(args, own, peers):
    per_sample = own["wall_s"] / own["samples"]
    out = ["# Making samples", "",
           f"Length {args.length:,}, Llama-3.1 vocabulary, {os.cpu_count()} cores ({platform.machine()}). Made by `./dev bench generate`.", "",
           "| | samples | at their exact length | seconds a sample | peak memory |", "|---|---|---|---|---|",
           f"| fathom, 13 tasks, {os.cpu_count()} threads | {own['samples']:,} | {own['exact']:,} | {per_sample:.4f} | {own['memory_mb']:.0f} MB |"]
    for row in peers:
        if row["seconds"] is None:
            out.append(f"| lm-eval, {row['task']} | {args.peer_samples} asked | | stopped after {args.peer_timeout} s | |")
            continue
        out.append(f"| lm-eval {row['version']}, {row['task']} | {row['samples']} | {row['exact']} (mean {row['mean_length']:,.0f}) | {row['seconds'] / row['samples']:.2f} | {row['memory_mb']:.0f} MB |")
    out += ["", f"fathom: {own['wall_s']:.1f} s in all, {own['cpu_s']:.1f} s of processor time, {own['bytes'] / 1e6:,.0f} MB written."]
    timed = [row["seconds"] / row["samples"] for row in peers if row["seconds"] is not None]
    if timed:
        out.append(f"The peer's mean over these tasks is {sum(timed) / len(timed):.2f} s a sample: {sum(timed) / len(timed) / per_sample:,.0f} times fathom's mean over all thirteen. "
                   "Both include finding the size, which the peer does once per task.")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fathom", required=True)
    parser.add_argument("--deps", required=True)
    parser.add_argument("--length", type=int, default=131072)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--peer-python")
    parser.add_argument("--peer-samples", type=int, default=2)
    parser.add_argument("--peer-timeout", type=int, default=600, help="seconds for one task of the peer")
    parser.add_argument("--write")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        own = fathom_row(args, folder + "/data")
    text = table(args, own, peer_rows(args) if args.peer_python else [])
    print(text)
    if args.write:
        Path(args.write).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
