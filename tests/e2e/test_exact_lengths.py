"""G1, G3, G4, G10, G11: exact lengths, evidence and reproducibility of RULER's tasks, counted by Hugging Face's tokenizers.

The counting here shares nothing with fathom: the library tokenizers reads the same tokenizer.json, and its offsets say
which bytes a token stands for.
"""
import bisect
import itertools
import json

import tokenizers

from program import LONG, FathomTest, fathom, read_jsonl, shared_data, tokenizer

VOCABULARIES = {  # and the chat template inside the length: gpt4o and llama2 come without one
    "llama3_1": "model",
    "qwen3": "model",
    "gemma3": "model",
    "gpt4o": "none",
    "llama2": "none",
}
LENGTHS = (4096, 16384, 65536, 131072) if LONG else (4096, 16384)
SAMPLES = 4 if LONG else 1  # of each of 13 tasks at each length
TASKS = 13
SHORT = 1024  # up to here a word list may miss by one token, if the sample says so (G1)


class Counted:
    """A text's token ids and, for each, the bytes it stands for."""

    def __init__(self, vocabulary: tokenizers.Tokenizer, text: str, add_special: bool):
        encoding = vocabulary.encode(text, add_special_tokens=add_special)
        self.ids = encoding.ids
        # Offsets count code points; byte_at[i] is where code point i begins.
        byte_at = list(itertools.accumulate((len(c.encode()) for c in text), initial=0))
        self.spans = [(byte_at[begin], byte_at[end]) for begin, end in encoding.offsets]


def wrong_spans(data: bytes, counted: Counted, evidence: dict) -> list:
    """What is wrong with one piece of evidence; empty where all is well."""
    begin, end = evidence["bytes"]
    first, last = evidence["tokens"]
    if not (0 <= begin < end <= len(data) and 0 <= first < last <= len(counted.spans)):
        return [f"spans outside the text: {evidence}"]
    covered = [span for span in counted.spans[first:last] if span[0] < span[1]]
    faults = []
    low, high = min(s[0] for s in covered), max(s[1] for s in covered)
    if low > begin or high < end:
        faults.append(f"tokens {first}..{last} cover bytes {low}..{high}, not all of {begin}..{end}")
    # Exactly: neither the first nor the last token could be left out.
    if counted.spans[first][1] <= begin or counted.spans[last - 1][0] >= end:
        faults.append(f"tokens {first}..{last} hold a token outside bytes {begin}..{end}")
    answer = evidence["answer_bytes"]
    if answer != [0, 0] and not begin <= answer[0] < answer[1] <= end:
        faults.append(f"answer {answer} outside its evidence {evidence['bytes']}")
    return faults


def faults_of(vocabulary: tokenizers.Tokenizer, sample: dict, add_special: bool) -> list:
    text = sample["prompt"] + sample["answer_prefix"]
    data = text.encode()
    counted = Counted(vocabulary, text, add_special)
    tokens = sample["tokens"]
    faults = []
    if len(counted.ids) != tokens["prompt"]:
        faults.append(f"{len(counted.ids)} tokens counted, {tokens['prompt']} stated")
    if tokens["prompt"] + tokens["reserve"] != tokens["total"]:
        faults.append(f"prompt and reserve are not the total: {tokens}")
    allowed = 1 if sample["length"] <= SHORT and sample["notes"] else 0
    if tokens["total"] - sample["length"] != sample["off_by"] or abs(sample["off_by"]) > allowed:
        faults.append(f"total {tokens['total']}, off by {sample['off_by']}, for length {sample['length']}")
    if not sample["evidence"]:
        faults.append("no evidence")
    for evidence in sample["evidence"]:
        faults += wrong_spans(data, counted, evidence)
    answers = [data[e["answer_bytes"][0]:e["answer_bytes"][1]].decode() for e in sample["evidence"] if not e["distractor"]]
    found = [any(reference in answer or answer in reference for answer in answers if answer) for reference in sample["references"]]
    wanted = all(found) if sample["metric"] == "string_match_all" else any(found)
    if not wanted:
        faults.append(f"references {sample['references']} are not what the evidence holds: {answers[:8]}")
    return [f"{sample['id']}: {fault}" for fault in faults]


class ExactLengths(FathomTest):
    def generate(self, out: str, *more, vocabulary="qwen3", lengths=LENGTHS, samples=SAMPLES):
        return self.done("generate", "ruler", "-t", tokenizer(vocabulary), "--lengths", ",".join(map(str, lengths)),
                         "--samples", samples, "-o", out, *more, timeout=900)

    def check_dataset(self, vocabulary: str, out: str, samples: int):
        manifest = json.loads((self.folder / out / "manifest.json").read_text())
        rows = read_jsonl(self.folder / out / "samples.jsonl")
        self.assertEqual(len(rows), samples)
        self.assertEqual(manifest["samples"], samples)
        library = tokenizers.Tokenizer.from_file(str(tokenizer(vocabulary)))
        faults = [fault for row in rows for fault in faults_of(library, row, manifest["recipe"]["add_special"])]
        self.assertEqual(faults, [])
        self.assertEqual(len({row["hash"] for row in rows}), samples, "two samples are the same")
        return rows

    def test_vocabularies(self):
        """G1, G4: every sample of the 13 tasks is its length to the token, with the evidence where it says."""
        for vocabulary, template in VOCABULARIES.items():
            with self.subTest(vocabulary=vocabulary):
                self.generate(vocabulary, "--template", template, vocabulary=vocabulary)
                rows = self.check_dataset(vocabulary, vocabulary, TASKS * len(LENGTHS) * SAMPLES)
                self.check_pairing(rows)
                self.done("audit", vocabulary, "--off-by", 0, timeout=600)

    def check_pairing(self, rows: list):
        """G3: the same index asks the same at every length."""
        asked = {}
        for row in rows:
            if row["task"] in ("cwe", "fwe"):
                continue  # how often words occur depends on the length
            asked.setdefault((row["task"], row["index"]), set()).add(json.dumps(row["references"]))
        self.assertEqual({key: refs for key, refs in asked.items() if len(refs) > 1}, {})

    def test_question_files(self):
        """T1: qa_1 and qa_2 from SQuAD's and HotpotQA's own files."""
        data = shared_data()
        self.generate("qa", "--tasks", "qa_1,qa_2", "--corpus", f"squad={data / 'squad/dev-v2.0-cs224n-split.json'}",
                      "--corpus", f"hotpotqa={data / 'hotpot/hotpot_dev_distractor_sample100.json'}", vocabulary="llama3_1",
                      lengths=(4096,), samples=8)
        rows = self.check_dataset("llama3_1", "qa", 16)
        self.assertEqual({row["task"] for row in rows}, {"qa_1", "qa_2"})

    def test_template_none(self):
        """G1: base models, where the tokenizer itself adds BOS."""
        for vocabulary in ("llama3_1", "gemma3", "llama2"):
            with self.subTest(vocabulary=vocabulary):
                self.generate(vocabulary, "--template", "none", vocabulary=vocabulary, lengths=(1024,), samples=1)
                self.check_dataset(vocabulary, vocabulary, TASKS)

    def test_short_word_lists(self):
        """G1: few words, and none of them of one token more: still a dataset, off by one token at the most."""
        lengths = (1000, 1001, 1002, 1024)
        for vocabulary in ("gemma3", "llama2"):
            with self.subTest(vocabulary=vocabulary):
                self.generate(vocabulary, "--tasks", "cwe", "--template", VOCABULARIES[vocabulary], vocabulary=vocabulary, lengths=lengths,
                              samples=10)
                rows = self.check_dataset(vocabulary, vocabulary, 10 * len(lengths))
                self.assertLess(sum(row["off_by"] != 0 for row in rows), 5)

    def test_odd_lengths(self):
        """G6: lengths on both sides of a block edge."""
        lengths = (1023, 1024, 1025, 2047, 2049)
        self.generate("odd", lengths=lengths, samples=1)
        self.check_dataset("qwen3", "odd", TASKS * len(lengths))


class Reproducible(FathomTest):
    """G3, G10: the same bytes whatever the threads, the part, the order and the form."""

    def setUp(self):
        super().setUp()
        self.suite = ("ruler", "-t", tokenizer("qwen3"), "--lengths", "1024,2048", "--samples", 3, "--seed", 7)
        self.done("generate", *self.suite, "--threads", 1, "-o", "whole")
        self.bytes = (self.folder / "whole/samples.jsonl").read_bytes()
        self.lines = self.bytes.splitlines(keepends=True)
        self.hash = self.manifest("whole")["samples_hash"]

    def manifest(self, name: str) -> dict:
        return json.loads((self.folder / name / "manifest.json").read_text())

    def test_threads(self):
        for threads in (2, 5):
            self.done("generate", *self.suite, "--threads", threads, "-o", f"t{threads}")
            self.assertEqual((self.folder / f"t{threads}/samples.jsonl").read_bytes(), self.bytes)

    def test_one_sample_alone(self):
        for place in (0, 17, 40, len(self.lines) - 1):
            wanted = json.loads(self.lines[place])
            for source in (("whole",), self.suite):
                alone = self.done("generate", *source, "--only", wanted["id"])
                self.assertEqual(alone.json(), wanted, f"{wanted['id']} from {source[0]}")

    def test_shards(self):
        parts = []
        for part in (1, 2, 3):
            self.done("generate", *self.suite, "--shard", f"{part}/3", "-o", f"part{part}")
            parts.append((self.folder / f"part{part}/samples.jsonl").read_bytes().splitlines(keepends=True))
        merged = [line for group in itertools.zip_longest(*parts) for line in group if line is not None]
        self.assertEqual(b"".join(merged), self.bytes)

    def test_recipe_and_compressed(self):
        self.done("generate", *self.suite, "--recipe", "-o", "recipe")
        self.assertEqual(self.manifest("recipe")["samples_hash"], self.hash)
        self.assertFalse((self.folder / "recipe/samples.jsonl").exists())
        self.done("generate", *self.suite, "--compress", "-o", "small")
        self.assertEqual(self.manifest("small")["samples_hash"], self.hash)
        for name in ("recipe", "small"):
            only = json.loads(self.lines[20])["id"]
            self.assertEqual(self.done("generate", name, "--only", only).json(), json.loads(self.lines[20]))
            self.done("audit", name)

    def test_again_changes_nothing(self):
        before = (self.folder / "whole/samples.jsonl").stat().st_mtime_ns
        self.done("generate", *self.suite, "-o", "whole")
        self.assertEqual((self.folder / "whole/samples.jsonl").stat().st_mtime_ns, before)

    def test_other_seed(self):
        other = [*self.suite[:-1], 8]
        self.done("generate", *other, "-o", "other")
        hashes = {json.loads(line)["hash"] for line in self.lines}
        rows = read_jsonl(self.folder / "other/samples.jsonl")
        self.assertEqual([row["id"] for row in rows], [json.loads(line)["id"] for line in self.lines])
        self.assertEqual([row["id"] for row in rows if row["hash"] in hashes], [])

    def test_no_text_of_a_neighbour(self):
        """Depths of the needle are spread, not repeated by accident (G5)."""
        depths = sorted(json.loads(line)["evidence"][0]["depth"] for line in self.lines if b'"task":"niah_single_1"' in line)
        near = sum(1 for depth in set(depths) if bisect.bisect(depths, depth) - bisect.bisect_left(depths, depth) > 2)
        self.assertEqual(near, 0, depths)


class Refused(FathomTest):
    def test_existing_other_dataset(self):
        """G10: another dataset is never overwritten."""
        base = ("generate", "smoke", "-t", tokenizer("qwen3"), "-o", "data")
        self.done(*base)
        other = fathom(*base, "--seed", 9, cwd=self.folder)
        self.assertEqual(other.code, 2, other.told())
        self.assertIn("seed", other.err)
