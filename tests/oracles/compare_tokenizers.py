#!/usr/bin/env python3
"""fathom's ids against the reference libraries' on mixed text, id by id.

    compare_tokenizers.py --fathom build/release/bin/fathom [--text TEXT.jsonl] [--work DIR] TOKENIZER...

TOKENIZER is a tokenizer.json, its folder, or a SentencePiece *.model. The text is made by tokenizer_oracle.py (at least 10 MB)
unless given. Reference ids are kept in --work and reused. Also checks that `tokens count` equals the number of ids.
Exit status 1 where anything differs; the first differences are shown.
"""
import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ORACLE = os.path.join(HERE, "tokenizer_oracle.py")


def fathom_lines(program, verb, tokenizer, text, special):
    command = [program, "tokens", verb, "--jsonl", "--tokenizer", tokenizer] + (["--special"] if special else []) + [text]
    process = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in process.stdout.splitlines()]


def show_difference(document, expected, got):
    at = next((i for i, (a, b) in enumerate(zip(expected, got)) if a != b), min(len(expected), len(got)))
    print(f"    {document}: {len(expected)} expected, {len(got)} got; first difference at {at}: "
          f"expected {expected[at - 2 if at > 1 else 0:at + 6]}, got {got[at - 2 if at > 1 else 0:at + 6]}")


def compare(program, tokenizer, text, work, special, limit):
    reference = os.path.join(tokenizer, "tokenizer.json") if os.path.isdir(tokenizer) else tokenizer
    name = os.path.basename(os.path.dirname(os.path.abspath(reference))) + "_" + os.path.basename(reference)
    saved = os.path.join(work, f"{name}{'.special' if special else ''}.ids.jsonl")
    if not os.path.exists(saved):
        command = [sys.executable, ORACLE, "ids", reference, text, saved + ".part"] + (["--special"] if special else [])
        subprocess.run(command, check=True)
        os.rename(saved + ".part", saved)
    expected = [json.loads(line) for line in open(saved, encoding="utf-8")]
    got = fathom_lines(program, "encode", tokenizer, text, special)
    counts = fathom_lines(program, "count", tokenizer, text, special)
    if not len(expected) == len(got) == len(counts):
        print(f"{tokenizer}: {len(expected)} documents, {len(got)} encoded, {len(counts)} counted")
        return False
    wrong = [(e, g) for e, g in zip(expected, got) if e["ids"] != g["ids"] or e["id"] != g["id"]]
    miscounted = [e["id"] for e, c in zip(expected, counts) if len(e["ids"]) != c["count"]]
    total = sum(len(e["ids"]) for e in expected)
    print(f"{tokenizer}: {len(expected)} documents, {total} ids, {len(wrong)} documents differ, {len(miscounted)} miscounted")
    for e, g in wrong[:limit]:
        show_difference(e["id"], e["ids"], g["ids"])
    return not wrong and not miscounted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizers", nargs="+")
    parser.add_argument("--fathom", required=True)
    parser.add_argument("--text")
    parser.add_argument("--work", default="build/tokenizer-oracle")
    parser.add_argument("--special", action="store_true", help="with the tokens that the post-processor adds")
    parser.add_argument("--show", type=int, default=5)
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)
    text = arguments.text
    if not text:
        text = os.path.join(arguments.work, "text.jsonl")
        if not os.path.exists(text):
            subprocess.run([sys.executable, ORACLE, "text", text], check=True)
    results = [compare(arguments.fathom, t, text, arguments.work, arguments.special, arguments.show) for t in arguments.tokenizers]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
