#!/usr/bin/env python3
"""Counting and encoding speed of fathom beside Python tokenizers, on this machine.

usage: run.py --bench BUILD/bin/tokenizer_bench --python PYTHON --deps DIR [--megabytes 2] [--rounds 3] [--write docs/bench-tokenizers.md]

Needs nothing but the standard library itself. PYTHON is an interpreter that has the peers (PyPI tokenizers, tiktoken, gigatoken, fastokens; those that
are missing are left out). DIR is where set-up keeps tokenizer files and books (tokenizers/NAME/tokenizer.json, books/*.txt).

Every figure comes from a process of its own and is MB of text per second of processor time (one thread), the best of --rounds:
  first   the first call in a fresh process (loading not counted)
  new     new text after a warm-up on other text of the same kind
  again   the same text once more
Ids are compared with those of `tokenizers` before anything is timed; "x" marks figures of an engine whose ids differ.
"""
import argparse
import glob
import hashlib
import json
import os
import platform
import random
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

VOCABULARIES = ["llama3_1", "qwen3", "gpt4o", "deepseek_v3", "gemma3", "llama2"]
PEERS = ["tokenizers", "tiktoken", "gigatoken", "fastokens"]
SCRIPTS = [(0x400, 0x450), (0x3B1, 0x3CA), (0x627, 0x64A), (0x905, 0x939), (0x4E00, 0x9FA5), (0x3042, 0x3094), (0xAC00, 0xD7A3), (0xE01, 0xE2E)]


# ---- inside a peer's process -------------------------------------------------------------------------------------------------------


def load_peer(name, path):
    """A function from text to ids."""
    if name == "tokenizers":
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(path)
        return lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    if name == "tiktoken":
        return load_tiktoken(path)
    if name == "gigatoken":
        import gigatoken

        tokenizer = gigatoken.Tokenizer(path)
        return lambda text: tokenizer.encode(text)
    import fastokens

    tokenizer = fastokens.Tokenizer.from_file(path)
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def load_tiktoken(path):
    """tiktoken with the ranks of a tokenizer.json: its ids are the ranks, so this holds for files whose ids are in merge order."""
    import tiktoken

    data = json.load(open(path, encoding="utf-8"))
    if data["model"].get("byte_fallback") or len(data["pre_tokenizer"].get("pretokenizers", [])) != 2:
        raise ValueError("not a rank vocabulary")
    byte_of, extra = {}, 0
    for b in range(256):
        if 33 <= b <= 126 or 161 <= b <= 172 or 174 <= b:
            byte_of[chr(b)] = b
        else:
            byte_of[chr(256 + extra)] = b
            extra += 1
    ranks = {}
    for token, id in data["model"]["vocab"].items():
        if all(c in byte_of for c in token):
            ranks[bytes(byte_of[c] for c in token)] = id
    pattern = data["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"]
    encoding = tiktoken.Encoding("bench", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return encoding.encode_ordinary


def digest(ids):
    return hashlib.sha256(b"".join(int(i).to_bytes(4, "little") for i in ids)).hexdigest()


def peer_main(name, path, mode, files):
    encode = load_peer(name, path)
    texts = [open(f, encoding="utf-8", newline="").read() for f in files]

    def timed(text):
        start = time.process_time()
        ids = encode(text)
        return len(text.encode()) / 1e6 / (time.process_time() - start), ids

    if mode == "ids":
        print(json.dumps({"digest": digest(encode(texts[0]))}))
    elif mode == "first":
        print(json.dumps({"first": timed(texts[0])[0]}))
    else:
        encode(texts[0])
        print(json.dumps({"new": timed(texts[1])[0], "again": timed(texts[1])[0]}))


# ---- texts -------------------------------------------------------------------------------------------------------------------------


def english(deps):
    books = sorted(glob.glob(f"{deps}/books/*.txt"))
    return [open(b, encoding="utf-8", errors="ignore").read() for b in books]


def code():
    sources = sorted(glob.glob(sysconfig.get_paths()["stdlib"] + "/*.py"))
    return [open(s, encoding="utf-8", errors="ignore").read() for s in sources]


def mixed(parts, seed):
    rng = random.Random(seed)
    pieces = []
    for _ in range(4000):
        kind = rng.randrange(6)
        part = rng.choice(parts)
        at = rng.randrange(max(1, len(part) - 400))
        if kind < 3:
            pieces.append(part[at : at + 400])
        elif kind == 3:
            first, last = rng.choice(SCRIPTS)
            pieces.append(" ".join("".join(chr(rng.randrange(first, last)) for _ in range(rng.randrange(2, 9))) for _ in range(20)))
        elif kind == 4:
            pieces.append(" ".join(str(rng.randrange(10 ** rng.randrange(1, 12))) for _ in range(20)))
        else:
            pieces.append(rng.choice(["=" * 80, " " * 40 + "\n", "\n\n\n", "😀👍🏽 " * 10, "\t\t\t", "-" * 60, "é" * 30]))
    return "\n".join(pieces)


def cut(text, size):
    return text.encode()[:size].decode(errors="ignore")


def write_texts(folder, deps, size):
    """Two texts of every kind with no part in common."""
    texts = {}
    books, sources = english(deps), code()
    for kind, parts in (("English", books), ("code", sources)):
        texts[kind] = ["".join(parts[0::2]), "".join(parts[1::2])]
    texts["mixed"] = [mixed(books[i::2] + sources[i::2], i) for i in (0, 1)]
    paths = {}
    for kind, pair in texts.items():
        paths[kind] = []
        for i, text in enumerate(pair):
            path = f"{folder}/{kind}{i}.txt"
            Path(path).write_bytes(cut(text, size).encode())
            paths[kind].append(path)
    return paths


# ---- the comparison ----------------------------------------------------------------------------------------------------------------


def run_json(command):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"})
    if done.returncode != 0:
        return None
    return json.loads(done.stdout.splitlines()[-1])


class Fathom:
    name = "fathom"

    def __init__(self, bench):
        self.bench = bench

    def ids(self, path, text, folder):
        out = f"{folder}/ids"
        if subprocess.run([self.bench, path, "ids", text, out]).returncode != 0:
            return None
        return hashlib.sha256(Path(out).read_bytes()).hexdigest()

    def speeds(self, path, warm_up, text):
        first = run_json([self.bench, path, "first", text])
        warm = run_json([self.bench, path, "warm", warm_up, text])
        first_encode = run_json([self.bench, path, "first_encode", text])
        warm_encode = run_json([self.bench, path, "warm_encode", warm_up, text])
        return {
            "count": {"first": first["count"], "new": warm["new"], "again": warm["again"]},
            "encode": {"first": first_encode["encode"], "new": warm_encode["new_encode"], "again": warm["again_encode"]},
        }


class Peer:
    def __init__(self, name, python):
        self.name = name
        self.command = [python, os.path.abspath(__file__), "--peer", name]

    def ids(self, path, text, folder):
        result = run_json([*self.command, path, "ids", text])
        return result and result["digest"]

    def speeds(self, path, warm_up, text):
        first = run_json([*self.command, path, "first", text])
        warm = run_json([*self.command, path, "warm", warm_up, text])
        if first is None or warm is None:
            return None
        return {"encode": {**first, **warm}}


def best(rounds, measure):
    results = [r for r in (measure() for _ in range(rounds)) if r]
    if not results:
        return None
    return {job: {k: max(r[job][k] for r in results) for k in results[0][job]} for job in results[0]}


def compare(args):
    engines = [Fathom(args.bench)] + [Peer(name, args.python) for name in PEERS]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        texts = write_texts(folder, args.deps, int(args.megabytes * 1e6))
        for vocabulary in args.vocabularies.split(","):
            path = f"{args.deps}/tokenizers/{vocabulary}/tokenizer.json"
            for kind, (warm_up, text) in texts.items():
                wanted = engines[1].ids(path, text, folder)
                for engine in engines:
                    found = engine.ids(path, text, folder)
                    if found is None:
                        continue
                    speeds = best(args.rounds if engine.name != "tokenizers" else 1, lambda: engine.speeds(path, warm_up, text))
                    if speeds is None:
                        continue
                    for job, figures in speeds.items():
                        rows.append((vocabulary, kind, engine.name, job, found == wanted, figures))
                        print(rows[-1], file=sys.stderr, flush=True)
                if args.write:  # after every text, so that a run cut short leaves what it has
                    Path(args.write).write_text(report(rows, args))
    return rows


def table(rows, args):
    lines = ["| vocabulary | text | engine | first call | new text | again | new, beside `tokenizers` |", "|---|---|---|---:|---:|---:|---:|"]
    for vocabulary, kind, engine, job, equal, f in rows:
        base = next((r[5]["new"] for r in rows if r[:3] == (vocabulary, kind, "tokenizers")), None)
        name = f"{engine}, {'counting' if job == 'count' else 'ids'}{'' if equal else ' x'}"
        ratio = f"{f['new'] / base:.0f}×" if base else ""
        lines.append(f"| {vocabulary} | {kind} | {name} | {f['first']:.0f} | {f['new']:.0f} | {f['again']:.0f} | {ratio} |".replace(" 0 |", " <1 |"))
    return "\n".join(lines)


def cpu_name():
    try:
        return next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def report(rows, args):
    load = os.getloadavg()[0]
    return f"""# Tokenizer speed beside Python tokenizers

Made by `bench/tokenizers/run.py` (its head says how each figure is taken). MB of text per second of one thread's processor time, best of {args.rounds}
(`tokenizers`: one round); texts of {args.megabytes:g} MB, called as one document; ids compared with `tokenizers` first, an "x" marks engines whose ids differ.
Python engines always make ids. {cpu_name()}, {os.cpu_count()} cores, load average {load:.1f} at the end (other work on the machine slows all engines).

{table(rows, args)}
"""


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--peer":
        peer_main(*sys.argv[2:5], sys.argv[5:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True, help="the tokenizer_bench program")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has the peers")
    parser.add_argument("--deps", required=True, help="folder with tokenizers/ and books/")
    parser.add_argument("--megabytes", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--vocabularies", default=",".join(VOCABULARIES))
    parser.add_argument("--write", help="write the table to this file")
    args = parser.parse_args()
    text = report(compare(args), args)
    if args.write:
        Path(args.write).write_text(text)
    print(text)


main()
