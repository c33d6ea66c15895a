"""Reading a run of 100,000 samples back: the page, a comparison, a gate.

    run.py --fathom FATHOM --deps DEPS [--samples 100000] [--write docs/bench-report.md]

A simulated reader answers all thirteen tasks at two lengths; what it wrote is read by `fathom report`, `compare` and `gate`, three times each,
the fastest counting. For scale stands Python's json module reading the run's two large files line by line and doing nothing with them.
"""
import argparse
import json
import os
import pathlib
import platform
import resource
import subprocess
import sys
import tempfile
import time

TASKS, LENGTHS = 13, 2


def spent(command: list, allowed=(0,)) -> tuple[float, float, int]:
    """Wall seconds, processor seconds and peak memory of the fastest of three calls."""
    best = None
    for _ in range(3):
        begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - begin
        if process.returncode not in allowed:
            sys.exit(f"exit code {process.returncode}: {' '.join(map(str, command))}")
        if best is None or wall < best[0]:
            best = (wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
    return best


def read_by_python(folder: pathlib.Path) -> float:
    begin = time.perf_counter()
    for name in ("samples.jsonl", "attempts.jsonl"):
        with open(folder / name, encoding="utf-8") as lines:
            for line in lines:
                json.loads(line)
    return time.perf_counter() - begin


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--fathom", required=True)
    options.add_argument("--deps", type=pathlib.Path, required=True)
    options.add_argument("--samples", type=int, default=100_000)
    options.add_argument("--write")
    given = options.parse_args()
    fathom = str(pathlib.Path(given.fathom).resolve())
    with tempfile.TemporaryDirectory(prefix="fathom-bench-") as work:
        runs = {}
        for reader in ("strong", "weak"):
            runs[reader] = pathlib.Path(work) / reader
            subprocess.run([fathom, "run", "ruler-own", "--model", f"simulated/{reader}", "-t", given.deps / "tokenizers/llama3_1/tokenizer.json",
                            "--template", "none", "--corpus", f"essay={given.deps}/books", "--corpus", f"words={given.deps}/words", "--lengths", "1k,2k",
                            "--samples", str(-(-given.samples // (TASKS * LENGTHS))), "--concurrency", "64", "-o", runs[reader]],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        page = pathlib.Path(work) / "page.html"
        rows = [("fathom report (page and table)", spent([fathom, "report", runs["weak"], "-o", page])),
                ("fathom compare (two runs, paired)", spent([fathom, "compare", runs["strong"], runs["weak"]])),
                ("fathom gate (regression policy, paired)", spent([fathom, "gate", runs["weak"], "--policy", "regression", "--baseline", runs["strong"]], (0, 100)))]
        yardstick = read_by_python(runs["weak"])
        read = sum((runs["weak"] / name).stat().st_size for name in ("samples.jsonl", "attempts.jsonl"))
        count = sum(1 for _ in open(runs["weak"] / "samples.jsonl", encoding="utf-8"))
        text = f"""# Reading a run of {count:,} samples

Thirteen tasks, two lengths, a simulated reader; {read / 1e6:.0f} MB of index and journal, a page of {page.stat().st_size / 1e6:.1f} MB. {platform.processor() or platform.machine()}, {len(os.sched_getaffinity(0))} cores,
load average {os.getloadavg()[0]:.1f}; the fastest of three. Made by `./dev bench report`.

| | wall seconds | processor seconds | peak memory |
|---|---:|---:|---:|
""" + "".join(f"| {name} | {wall:.2f} | {processor:.2f} | {memory / 1e6:.0f} MB |\n" for name, (wall, processor, memory) in rows) + f"""
For scale: Python's json module takes {yardstick:.2f} s to parse the report's two files and do nothing with them.
"""
    print(text)
    if given.write:
        pathlib.Path(given.write).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
