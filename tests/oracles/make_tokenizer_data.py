#!/usr/bin/env python3
"""Trains the tiny vocabularies of tests/data/tokenizer/ and writes the reference libraries' ids for them.

    make_tokenizer_data.py [OUT_DIR]

Needs PyPI tokenizers and sentencepiece. NAME.golden.jsonl holds lines {"text", "ids", "special", "decoded"}: ids without and with the
post-processor's tokens, and what decoding the plain ids gives. The committed files are the result of one run.
"""
import json
import os
import random
import struct
import sys

import sentencepiece
import tokenizers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "..", "data", "tokenizer")
SUBJECTS = "the gardener|an old sailor|my neighbour|the quick fox|our teacher|a tired clerk|Zoë|Müller|the café owner".split("|")
VERBS = "waters|counts|repairs|remembers|paints|doesn't forget|hides|sells|reads about".split("|")
OBJECTS = "seven lanterns|the 1984 map|a naïve letter|3 boats|the façade|two keys (and a lock)|rice—and tea|blue doors".split("|")
PLACES = "near the harbour|in Kraków|at 10:45|behind the mill|on Monday, again|東京で|в саду|under the bridge".split("|")
TEXTS = [
    "", " ", "  ", "a", " a", "a ", "\n", "\t\ta\r\n", "the gardener counts 3 boats", "The Gardener  Counts\n\n3   boats.", "it's  John's",
    "Müller façade Zoë", "Mu\u0308ller Zoe\u0308", "ﬁne ① Ⅷ ½ ™", "東京で水を飲む", "한국어 문장", "в саду, снова", "مرحبا بالعالم", "👩‍👩‍👧 🇩🇪 ❤️",
    "\u0000\u0001\u007f\u0085", "x" * 120, "word " * 30, "<s> and </s>", "[CLS] in [MASK] text [SEP]", "a<mask>b  <mask>  c", "tag<keep>tag <keep> keeps",
    "\u2581mark \u2581\u2581", "İstanbul ẞ ǅ", "12345 67 8", "(brackets), \"quotes\"; dashes—here", "e\u0301\u0316 \u1112\u1161\u11ab", "\ufeffbom\u200b zero",
    "unknown: ☃ ꙮ 𝔘𝔫𝔦", "  leading and trailing  ", "a\u00a0b\u3000c\u2028d", "CamelCase snake_case x==y", "tabs\tand\x0bother\x0cspaces", "ab" * 200,
    "<0x41> <0xFF>", "don't DON'T I'll I'LL", "naïve\u0301", "the<s>gardener", "…", "١٢٣ ४५६", "<|x|><|x|>", "keep<keep><keep>",
]


def corpus():
    rng = random.Random(7)
    for _ in range(3000):
        yield " ".join(rng.choice(part) for part in (SUBJECTS, VERBS, OBJECTS, PLACES)).capitalize() + "."


def golden(name, plain, special, decode):
    with open(os.path.join(OUT, name + ".golden.jsonl"), "w", encoding="utf-8") as out:
        for text in TEXTS:
            ids = plain(text)
            out.write(json.dumps({"text": text, "ids": ids, "special": special(text), "decoded": decode(ids)}, ensure_ascii=False) + "\n")


def save(name, tokenizer):
    path = os.path.join(OUT, name + ".json")
    tokenizer.save(path, pretty=False)
    tokenizer = Tokenizer.from_file(path)
    golden(name, lambda t: tokenizer.encode(t, add_special_tokens=False).ids, lambda t: tokenizer.encode(t).ids,
           lambda ids: tokenizer.decode(ids, skip_special_tokens=False))


def byte_level():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=420, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=["<s>", "</s>"])
    tokenizer.train_from_iterator(corpus(), trainer)
    tokenizer.add_tokens([AddedToken("<mask>", lstrip=True, special=True), AddedToken("<keep>", single_word=True),
                          AddedToken("naïve", normalized=True), AddedToken("<|x|>", rstrip=True, normalized=False)])
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 1), ("<s>", 0))
    save("byte_level", tokenizer)


def split_behaviors():
    for behavior in ["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]:
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
            pre_tokenizers.Split(Regex(r"[\p{L}]+[aeiou]"), behavior, invert=behavior == "merged_with_next"), pre_tokenizers.Split("e", behavior),
            pre_tokenizers.Digits(individual_digits=behavior == "isolated"), pre_tokenizers.Punctuation(behavior),
            pre_tokenizers.ByteLevel(add_prefix_space=behavior == "contiguous", use_regex=behavior == "removed")])
        tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(vocab_size=300, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=[])
        tokenizer.train_from_iterator(corpus(), trainer)
        save("split_" + behavior, tokenizer)


def byte_fallback():
    byte_tokens = [f"<0x{i:02X}>" for i in range(256)]
    for name, scheme in [("fallback_prepend", None), ("fallback_first", "first"), ("fallback_always", "always"), ("fallback_never", "never")]:
        tokenizer = Tokenizer(models.BPE(byte_fallback=True, fuse_unk=True, unk_token="<unk>"))
        if scheme:
            tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=scheme == "always")
            tokenizer.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace(prepend_scheme=scheme)])
        else:
            tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
            tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
        trainer = trainers.BpeTrainer(vocab_size=420, special_tokens=["<unk>", "<s>", "</s>"] + byte_tokens, max_token_length=8)
        tokenizer.train_from_iterator(corpus(), trainer)
        tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
        save(name, tokenizer)


def unigram():
    for name, steps in [("unigram_metaspace", [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]), ("unigram_whole", None)]:
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " "), normalizers.Strip(False, True)])
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps) if steps else pre_tokenizers.Metaspace(split=False)
        tokenizer.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(vocab_size=300, special_tokens=["<pad>", "</s>", "<unk>"], unk_token="<unk>")
        tokenizer.train_from_iterator(corpus(), trainer)
        tokenizer.add_special_tokens(["<mask>"])
        tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
        tokenizer.enable_truncation(8)
        tokenizer.enable_padding(length=8)
        tokenizer.save(os.path.join(OUT, name + ".json"), pretty=False)
        tokenizer.no_truncation()
        tokenizer.no_padding()
        golden(name, lambda t: tokenizer.encode(t, add_special_tokens=False).ids, lambda t: tokenizer.encode(t).ids,
               lambda ids: tokenizer.decode(ids, skip_special_tokens=False))


def word_piece():
    for name, lower in [("word_piece_lower", True), ("word_piece_cased", False)]:
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lower)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer() if lower else pre_tokenizers.Whitespace()
        tokenizer.decoder = decoders.WordPiece()
        trainer = trainers.WordPieceTrainer(vocab_size=300, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
        tokenizer.train_from_iterator(corpus(), trainer)
        tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
        save(name, tokenizer)


def sentence_piece():
    rules = os.path.join(OUT, "rules.tsv")
    with open(rules, "w", encoding="utf-8") as out:
        for source, target in [("ﬁ", "fi"), ("①", "1"), ("½", "1⁄2"), ("\u00a0", " "), ("\u3000", " "), ("\t", " "), ("\n", " "), ("u\u0308", "ü"), ("\u200b", ""),
                               ("e\u0308", "ë"), ("™", "TM"), ("Ⅷ", "VIII")]:
            out.write(" ".join(f"{ord(c):X}" for c in source) + "\t" + " ".join(f"{ord(c):X}" for c in target) + "\n")
    common = dict(vocab_size=420, hard_vocab_limit=False, character_coverage=1.0, normalization_rule_tsv=rules, minloglevel=2)
    settings = {
        "sp_bpe": dict(model_type="bpe", byte_fallback=True),
        "sp_bpe_plain": dict(model_type="bpe", add_dummy_prefix=False, remove_extra_whitespaces=False, user_defined_symbols=["<keep>", "tag"]),
        "sp_unigram": dict(model_type="unigram", vocab_size=300, user_defined_symbols=["<keep>", "tag"]),
        "sp_unigram_fallback": dict(model_type="unigram", byte_fallback=True, remove_extra_whitespaces=False),
        "sp_suffix": dict(model_type="unigram", vocab_size=300, treat_whitespace_as_suffix=True),
    }
    for name, own in settings.items():
        options = {**common, **own, "sentence_iterator": corpus()}
        path = os.path.join(OUT, name)
        with open(path + ".model", "wb") as model:
            sentencepiece.SentencePieceTrainer.train(model_writer=model, **options)
        library = sentencepiece.SentencePieceProcessor(model_file=path + ".model")
        golden(name, library.encode, library.encode, library.decode)
    os.remove(rules)


def fields(message):
    """(number, value) of each field of a protobuf message."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        elif tag & 7 == 5:
            yield tag >> 3, struct.unpack("<f", message[at:at + 4])[0]
            at += 4
        else:
            size = varint()
            yield tag >> 3, message[at:at + size]
            at += size


def precompiled():
    """The pieces and the character map of sp_unigram inside a tokenizer.json."""
    pieces, character_map = [], b""
    for number, value in fields(open(os.path.join(OUT, "sp_unigram.model"), "rb").read()):
        if number == 1:
            piece = dict(fields(value))
            pieces.append((piece[1].decode(), piece.get(2, 0.0)))
        if number == 3:
            character_map = dict(fields(value)).get(2, b"")
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=0, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Precompiled(character_map), normalizers.Lowercase(), normalizers.StripAccents()])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    save("precompiled", tokenizer)


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    for make in (byte_level, split_behaviors, byte_fallback, unigram, word_piece, sentence_piece, precompiled):
        make()
    print(tokenizers.__version__, sentencepiece.__version__)
