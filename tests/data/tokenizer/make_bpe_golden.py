#!/usr/bin/env python3
"""Writes bpe_golden.jsonl and class_fingerprints.txt beside itself, from PyPI `tokenizers`.

usage: make_bpe_golden.py DEPS      (the folder that holds tokenizers/NAME/tokenizer.json)
"""
import json
import sys
from pathlib import Path

import tokenizers
from tokenizers import Regex, Tokenizer, pre_tokenizers

HERE = Path(__file__).parent
VOCABULARIES = ["llama3_1", "qwen3", "deepseek_v3", "gpt4o", "gptoss", "gemma3", "llama2"]
TEXTS = [
    "",
    "Hello, world! It's 2024 and we've 12345 things.",
    " leading, trailing  ",
    "DON'T shout, I'LL hear; they'Re 'tis 'Twas 'ſ it'ſ",
    "camelCase HTTPServer fooBAR XMLHttpRequest iOS McDonald's O'Neill's",
    "def f(x):\n    return x**2  # square\n\n\n    \n\tif a: pass\r\n",
    "x = [1, 22, 333, 4444, 55555];\n// comment\n/* block */\n",
    "   \n  \n\n   x\n \n  y",
    "tab\there \t\tthere\u00a0nbsp\u3000wide\u2028line\u0085next",
    "naïve café Zürich Straße ΑΒΓ αβγ ПРИВЕТ мир",
    "日本語のテキストと中文混合。한국어도 있습니다・゛ー",
    "नमस्ते दुनिया สวัสดีชาวโลก العَرَبِيَّة שָׁלוֹם",
    "e\u0301 a\u0300\u0301 \u0301alone .\u0301x A\u0301B",
    "½ ² Ⅷ ٣٤٥ 12½3 x²",
    "😀👍🏽 👨‍👩‍👧 🇩🇪 $5 €10 +1 ^_^ ~`|",
    "\u0000\u0001\u007f\ufeff\ue000\U0001d400\U000e0001",
    "ǅ ʰ ª ªº日A Aa日bB",
    "Việt Nam  Việt",
    "=" * 100 + "-" * 77 + " " * 33 + "a" * 200,
    "https://example.com/a/b?c=d&e=f#g user@mail.org 192.168.0.1 2024-01-31T12:00:00Z",
    "aaaa bbbb\n\nThe quick brown fox jumps over the lazy dog. " * 2,
    "\"quoted\" 'single' ‘curly’ “double” «guillemets» — dash… (paren) [x] {y} <z>",
    ">\u2581</ \u2581\u2581 a\u2581b <0x41> \u0378",
]
CLASSES = {
    "upper": r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}]",
    "lower": r"[\p{Ll}\p{Lm}\p{Lo}]",
    "letter": r"\p{L}",
    "mark": r"\p{M}",
    "number": r"\p{N}",
    "punctuation": r"\p{P}",
    "symbol": r"\p{S}",
    "space": r"\s",
}


def golden(deps):
    lines = []
    for name in VOCABULARIES:
        tokenizer = Tokenizer.from_file(f"{deps}/tokenizers/{name}/tokenizer.json")
        for text in TEXTS:
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            lines.append(json.dumps({"vocabulary": name, "text": text, "ids": ids}, separators=(",", ":")))
    return "\n".join(lines) + "\n"


def fingerprints():
    """Per class over all code points: how many, their sum, and the sum of their squares modulo 2^64."""
    lines = [f"# tokenizers {tokenizers.__version__}: class, members, sum of code points, sum of squares modulo 2^64"]
    points = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    for name, pattern in CLASSES.items():
        matched = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
        members = []
        for i in range(0, len(points), 4096):
            part = points[i : i + 4096]
            for _, (begin, end) in matched.pre_tokenize_str("".join(map(chr, part))):
                members += part[begin:end]
        lines.append(f"{name} {len(members)} {sum(members)} {sum(c * c for c in members) % 2**64}")
    return "\n".join(lines) + "\n"


(HERE / "bpe_golden.jsonl").write_text(golden(sys.argv[1]))
(HERE / "class_fingerprints.txt").write_text(fingerprints())
