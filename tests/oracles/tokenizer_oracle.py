#!/usr/bin/env python3
"""Mixed text for tokenizer tests, and the ids that the reference libraries give it.

    tokenizer_oracle.py text OUT.jsonl [--data DIR] [--bytes N]   documents as {"id", "text"}
    tokenizer_oracle.py ids TOKENIZER IN.jsonl OUT.jsonl          the same ids, with "ids" for each

TOKENIZER is a tokenizer.json (library tokenizers), a SentencePiece *.model (library sentencepiece), or
"tiktoken:NAME:FILE" (library tiktoken with the ranks of FILE). --data is the folder of sample data whose
squad/ holds the XQuAD files; without it the languages are left out.
"""
import argparse
import glob
import json
import os
import random
import sys
import unicodedata

DOCUMENT_BYTES = 6000
SPECIALS = [
    "<|begin_of_text|>", "<|eot_id|>", "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<s>", "</s>", "<unk>", "<pad>", "<bos>",
    "<eos>", "<start_of_turn>", "<end_of_turn>", "<|start|>", "<|message|>", "<|channel|>", "<｜begin▁of▁sentence｜>", "<｜User｜>",
    "<｜Assistant｜>", "<think>", "</think>", "<tool_call>", "<|reserved_special_token_3|>", "[INST]", "<0x0A>", "<unused7>", "▁", "▁▁",
    "<h1>", "</table>", "<|endofprompt|>", "<image_soft_token>", "<|fim_prefix|>", "[CLS]", "[SEP]", "[MASK]", "<extra_id_0>",
]


def xquad(data):
    for path in sorted(glob.glob(os.path.join(data, "squad", "xquad.*.json"))):
        for article in json.load(open(path, encoding="utf-8"))["data"]:
            for paragraph in article["paragraphs"]:
                yield paragraph["context"] + "\n" + "\n".join(q["question"] for q in paragraph["qas"])


def code(limit):
    paths = glob.glob("/usr/include/**/*.h", recursive=True) + glob.glob("/usr/lib/python3*/**/*.py", recursive=True)
    paths.sort()
    random.Random(1).shuffle(paths)
    total = 0
    for path in paths:
        if total > limit:
            return
        try:
            text = open(path, encoding="utf-8").read()
        except (UnicodeDecodeError, OSError):
            continue
        total += len(text)
        yield text


def random_character(rng):
    while True:
        low, high = rng.choice([(0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x5FF), (0x600, 0x6FF), (0x900, 0xDFF),
                                (0xE00, 0xEFF), (0x1100, 0x11FF), (0x1E00, 0x20FF), (0x2000, 0x206F), (0x2100, 0x2BFF),
                                (0x3000, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFFFD), (0x10000, 0x1FFFF),
                                (0x1F300, 0x1FAFF), (0x20000, 0x2FA1F), (0xE0000, 0xE01EF)])
        character = chr(rng.randint(low, high))
        if unicodedata.category(character) != "Cs":
            return character


def awkward(limit):
    rng = random.Random(2)
    whites = [" ", "  ", "\t", "\n", "\r\n", "\n\n", "\u00a0", "\u3000", "\u2028", "\u0085", "\u200b", "\u180e", "\x0b", "\x0c"]
    words = ["I'm", "you'LL", "it\u2019s", "'\u017f", "x's", "don't", "\u0130stanbul", "e\u0301", "na\u0308ive", "\u1ec7t", "Vi\u1ec7t",
             "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "\u2764\ufe0f", "a\u0338\u0301", "\u0915\u094d\u0937", "3.14159", "1,000,000",
             "\u00bd", "\u0663\u0664", "\u2167", "\u3042\u3044", "\ud55c\uad6d\uc5b4", "\u1112\u1161\u11ab", "CamelCaseWord", "snake_case", "==>", "://", "--", "\"quoted\"", "```"]
    makers = [
        lambda: rng.choice(words),
        lambda: rng.choice(words).upper(),
        lambda: str(rng.randint(0, 10 ** rng.randint(1, 25))),
        lambda: rng.choice(whites) * rng.choice([1, 1, 1, 2, 3, 7, 16, 31, 32, 40, 100]),
        lambda: "".join(random_character(rng) for _ in range(rng.randint(1, 12))),
        lambda: unicodedata.normalize(rng.choice(["NFD", "NFKD", "NFC"]), "".join(random_character(rng) for _ in range(6))),
        lambda: rng.choice(SPECIALS),
        lambda: chr(rng.randint(0, 0x1F)) + chr(rng.randint(0x7F, 0x9F)),
        lambda: rng.choice("=-*#/.a\u4e2d ") * rng.randint(1, 300),
        lambda: "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(1, 40))),
        lambda: "%08x-%04x-%04x" % (rng.getrandbits(32), rng.getrandbits(16), rng.getrandbits(16)),
    ]
    total = 0
    while total < limit:
        parts = []
        while sum(map(len, parts)) < 3000:
            parts.append(rng.choice(makers)())
            if rng.random() < 0.4:
                parts.append(" ")
        text = "".join(parts)
        total += len(text.encode())
        yield text


def short():
    """Every edge at the start and end of a text."""
    edges = ["", " ", "  ", "\n", "\t", "a", " a", "a ", "a  ", "\u2581", "\u2581a", "\u00e9", "\u0301", "e\u0301", "\r\n", "\x00", "\ufeff", "'s", " 's", "1", " 1", "123", "1234"]
    for left in edges:
        for right in edges:
            yield left + right
            yield left + "<s>" + right
            yield left + "<|im_end|>" + right


def documents(data, limit):
    rng = random.Random(3)
    yield "word:1MB", "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(1 << 20))
    for name, texts in [("xquad", xquad(data) if data else []), ("code", code(limit // 4)), ("awkward", awkward(limit // 4))]:
        buffer, count = "", 0
        for text in texts:
            buffer += text
            if len(buffer) >= DOCUMENT_BYTES:
                yield f"{name}:{count}", buffer
                buffer, count = "", count + 1
        if buffer:
            yield f"{name}:{count}", buffer
    for count, text in enumerate(short()):
        yield f"short:{count}", text


def write_text(arguments):
    total = 0
    with open(arguments.out, "w", encoding="utf-8") as out:
        for name, text in documents(arguments.data, arguments.bytes):
            total += len(text.encode())
            out.write(json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n")
    print(f"{arguments.out}: {total} bytes of text", file=sys.stderr)


def encoder(name, special):
    """A function from text to ids."""
    if name.startswith("tiktoken:"):
        import tiktoken
        from tiktoken.load import load_tiktoken_bpe
        patterns = {
            "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
            "llama3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            "gpt2": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
            "qwen": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            "o200k": "|".join([
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
                r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"]),
        }
        _, kind, path = name.split(":", 2)
        library = tiktoken.Encoding(kind, pat_str=patterns[kind], mergeable_ranks=load_tiktoken_bpe(path), special_tokens={})
        return lambda text: library.encode(text, disallowed_special=())
    if name.endswith(".model"):
        import sentencepiece
        library = sentencepiece.SentencePieceProcessor(model_file=name)
        return lambda text: library.encode(text)
    import tokenizers
    library = tokenizers.Tokenizer.from_file(name)
    library.no_truncation()
    library.no_padding()
    return lambda text: library.encode(text, add_special_tokens=special).ids


def write_ids(arguments):
    encode = encoder(arguments.tokenizer, arguments.special)
    with open(arguments.input, encoding="utf-8") as lines, open(arguments.out, "w", encoding="utf-8") as out:
        for line in lines:
            document = json.loads(line)
            out.write(json.dumps({"id": document["id"], "ids": encode(document["text"])}) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    text = verbs.add_parser("text")
    text.add_argument("out")
    text.add_argument("--data", default=os.environ.get("FATHOM_SHARED_DATA"))
    text.add_argument("--bytes", type=int, default=12_000_000)
    text.set_defaults(run=write_text)
    ids = verbs.add_parser("ids")
    ids.add_argument("tokenizer")
    ids.add_argument("input")
    ids.add_argument("out")
    ids.add_argument("--special", action="store_true")
    ids.set_defaults(run=write_ids)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
