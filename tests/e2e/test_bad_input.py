"""Q1, R4, C2: bad input of every kind ends in one clear line and the right exit code; never a crash, a hang or a guess.

Every row: what is damaged, the command, the exit code, and words that its error line must hold. Rows write their files into
an empty folder that is the working folder of the command.
"""
import dataclasses
import json
import pathlib
import shutil
import struct
import subprocess
import unittest

from model_server import NAME, ModelServer
from program import DEPS, MODEL, FathomTest, fathom, read_jsonl, tokenizer

SECONDS = 20
QWEN = tokenizer("qwen3")
SMOKE = ("smoke", "-m", "simulated/weak", "-t", QWEN)
MAKE = ("generate", "smoke", "-t", QWEN, "-o", "data")


@dataclasses.dataclass
class Row:
    damage: str
    args: tuple
    code: int | tuple
    says: tuple  # words of the error line
    files: dict = dataclasses.field(default_factory=dict)  # name → bytes or text, written first
    before: object = None  # function of the folder, called after the files are written


def gguf(*values: bytes, version=3, tensors=0, pairs=1, magic=b"GGUF") -> bytes:
    return magic + struct.pack("<IQQ", version, tensors, pairs) + b"".join(values)


def gguf_text(text: bytes, length=None) -> bytes:
    return struct.pack("<Q", len(text) if length is None else length) + text


def cut(path: pathlib.Path, size: int) -> bytes:
    with open(path, "rb") as file:
        return file.read(size)


WORDS = {f"w{i}": i for i in range(4)}
BROKEN_TOKENIZERS = [
    ("cut off", '{"model": {"type": "BPE", "vocab": {"a": 0', ("t.json",)),
    ("empty", "", ("t.json",)),
    ("not JSON", b"\x00\x01\x02\xff" * 50, ("t.json",)),
    ("no model", "{}", ("t.json", "model")),
    ("a list", "[1, 2]", ("t.json",)),
    ("unknown kind", json.dumps({"model": {"type": "Magic", "vocab": WORDS}}), ("t.json", "Magic")),
    ("token id that is a text", '{"model": {"type": "BPE", "vocab": {"a": "zero"}, "merges": []}}', ("t.json",)),
    ("negative token id", '{"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}}', ("t.json",)),
    ("huge token id", '{"model": {"type": "BPE", "vocab": {"a": 99999999999}, "merges": []}}', ("t.json",)),
    ("merge of unknown tokens", '{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["x y"]}}', ("t.json",)),
    ("merge that is a number", '{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [7]}}', ("t.json",)),
    ("bad UTF-8", b'{"model": {"type": "BPE", "vocab": {"\xff\xfe": 0}, "merges": []}}', ("t.json",)),
    ("deep nesting", "[" * 200_000, ("t.json",)),
]

BROKEN_GGUFS = [
    ("empty", b"", ("m.gguf",)),
    ("another kind of file", b"PK\x03\x04" + b"\0" * 200, ("m.gguf",)),
    ("unknown version", gguf(version=77), ("m.gguf", "77")),
    ("absurd number of tensors", gguf(tensors=1 << 60, pairs=0), ("m.gguf",)),
    ("absurd number of keys", gguf(pairs=1 << 60), ("m.gguf",)),
    ("key longer than the file", gguf(gguf_text(b"general.name", 1 << 62)), ("m.gguf",)),
    ("text longer than the file", gguf(gguf_text(b"general.name"), struct.pack("<I", 8), gguf_text(b"x", (1 << 64) - 1)), ("m.gguf",)),
    ("list longer than the file", gguf(gguf_text(b"tokenizer.ggml.tokens"), struct.pack("<IIQ", 9, 8, 1 << 61)), ("m.gguf",)),
    ("unknown type of value", gguf(gguf_text(b"general.name"), struct.pack("<I", 99)), ("m.gguf",)),
    ("lists in lists", gguf(gguf_text(b"a"), struct.pack("<IIQ", 9, 9, 1) + struct.pack("<IQ", 9, 1) * 5000), ("m.gguf",)),
]

SUITE = "name: mine\nversion: 1\nlengths: [512]\nsamples: 2\ntasks:\n  - vt\n"
BROKEN_SUITES = [
    ("wrong key", SUITE.replace("samples", "sample"), ("s.yaml:4:1", "samples")),
    ("wrong type", SUITE.replace("samples: 2", "samples: [2, 3]"), ("s.yaml:4",)),
    ("text for a number", SUITE.replace("samples: 2", "samples: many"), ("s.yaml:4", "many")),
    ("impossible length", SUITE.replace("512", "7"), ("s.yaml:3", "7")),
    ("parameter out of range", SUITE + "  - vt: {hops: 3000}\n", ("s.yaml:7", "hops", "3000")),
    ("unknown parameter", SUITE + "  - vt: {hop: 3}\n", ("s.yaml:7", "hop", "hops")),
    ("unknown task", SUITE + "  - niah_singel_1\n", ("s.yaml:7", "niah_single_1")),
    ("the same cell twice", SUITE + "  - vt\n", ("s.yaml", "vt")),
    ("broken indentation", "name: mine\n  version: 1\n", ("s.yaml",)),
    ("empty file", "", ("s.yaml",)),
    ("list at the top", "- name\n- version\n", ("s.yaml",)),
    ("bad UTF-8", b"name: \xff\xfe\n", ("s.yaml",)),
    ("key twice", SUITE + "samples: 3\n", ("s.yaml", "samples")),
    ("alias bomb", "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n", ("s.yaml",)),
    ("deep nesting", "[" * 50_000, ("s.yaml",)),
    ("too many samples", SUITE.replace("samples: 2", "samples: 99999999999999999999"), ("s.yaml:4",)),
    ("sweep that explodes", SUITE + "  - niah_multikey_1: {keys: [%s], values: [%s]}\n" % (("1, " * 300)[:-2], ("1, " * 300)[:-2]), ("s.yaml",)),
]

FLAGS = [
    ("unknown command", ("rnu",), 2, ("rnu", "run")),
    ("no command", (), 2, ("--help",)),
    ("unknown flag", ("run", *SMOKE, "--tempreature", "1"), 2, ("--tempreature", "--temperature")),
    ("no suite", ("run",), 2, ("suite",)),
    ("no model", ("run", "smoke"), 2, ("--model",)),
    ("unknown suite", ("run", "smok", *SMOKE[1:]), 2, ("smok", "smoke")),
    ("unknown provider", ("run", "smoke", "-m", "bard/x", "-t", QWEN), 2, ("bard/x", "openai/")),
    ("unknown simulated reader", ("run", "smoke", "-m", "simulated/wek", "-t", QWEN), 2, ("wek", "weak")),
    ("no tokenizer", ("run", "smoke", "-m", "simulated/weak"), 2, ("--tokenizer",)),
    ("unknown task", ("run", *SMOKE, "--tasks", "vtt"), 2, ("vtt", "vt")),
    ("unknown task to show", ("tasks", "show", "niah_singel_1"), 2, ("niah_singel_1",)),
    ("unknown shell", ("completion", "tcsh"), 2, ("tcsh", "bash")),
    ("length without a unit that exists", (*MAKE, "--lengths", "4t"), 2, ("--lengths", "4t")),
    ("length below the least", (*MAKE, "--lengths", "8"), 2, ("--lengths", "8", "128")),
    ("length above the most", (*MAKE, "--lengths", "2000000m"), 2, ("--lengths",)),
    ("range that misses its end", (*MAKE, "--lengths", "1k..3k"), 2, ("--lengths", "1k..3k")),
    ("length that no sample fits in", (*MAKE, "--lengths", "128"), 2, ("128", "smallest length")),
    ("no samples", (*MAKE, "--samples", "0"), 2, ("--samples",)),
    ("negative seed", (*MAKE, "--seed", "-1"), 2, ("--seed", "-1")),
    ("seed that is a word", (*MAKE, "--seed", "lucky"), 2, ("--seed", "lucky")),
    ("corpus without a path", (*MAKE, "--corpus", "essay"), 2, ("--corpus", "essay")),
    ("unknown corpus", (*MAKE, "--corpus", "esay=x"), 2, ("esay", "essay")),
    ("corpus that is not there", ("generate", "ruler", "-t", QWEN, "-o", "data", "--lengths", "1k", "--samples", "1", "--tasks", "qa_1",
                                  "--corpus", "squad=none.json"), 3, ("none.json",)),
    ("shard beyond the last", (*MAKE, "--shard", "3/2"), 2, ("--shard", "3/2")),
    ("shard that is a word", (*MAKE, "--shard", "first"), 2, ("--shard", "first")),
    ("sample that the suite lacks", (*MAKE[:-2], "--only", "vt:512:99"), 2, ("--only", "vt:512:99")),
    ("no output folder", MAKE[:-2], 2, ("-o",)),
    ("output in a place without files", (*MAKE[:-1], "/proc/none/data"), 3, ("/proc/none/data",)),
    ("unknown wording", (*MAKE, "--wording", "nope"), 2, ("nope", "question_first")),
    ("a required flag mistyped", ("run", "demo", "--modle", "x"), 2, ("--modle", "--model")),
    ("unknown count", (*MAKE, "--counts", "words"), 2, ("--counts", "words")),
    ("negative answer limit", ("run", *SMOKE, "--max-output", "-1"), 2, ("--max-output", "-1")),
    ("negative context", ("run", *SMOKE, "--context", "-1"), 2, ("--context", "-1")),
    ("prefix policy", ("run", *SMOKE, "--prefix", "shouted"), 2, ("--prefix", "shouted")),
    ("temperature", ("run", *SMOKE, "--temperature", "99"), 2, ("--temperature",)),
    ("tokenizer that is not there", (*MAKE[:3], "none.json", "-o", "data"), 3, ("none.json",)),
    ("suite file that is not there", ("run", "none.yaml", *SMOKE[1:]), 3, ("none.yaml",)),
    ("model that is not there", ("run", "smoke", "-m", "none.gguf"), 3, ("none.gguf",)),
    ("run that is not there", ("score", "none"), 3, ("none",)),
    ("report of nothing", ("report", "none"), 3, ("none",)),
    ("dataset that is not there", ("audit", "none"), 2, ("none",)),
    ("RULER files that are not there", ("import", "ruler", "none", "-t", QWEN, "-o", "data"), 3, ("none",)),
    ("no key", ("run", "smoke", "-m", "openai/x", "-t", QWEN), 3, ("OPENAI_API_KEY",)),
    ("address without http", ("run", "smoke", "-m", "openai/x", "-t", QWEN, "--base-url", "example"), 2, ("http",)),
    ("nobody at the address", ("run", "smoke", "-m", "openai/x", "-t", QWEN, "--base-url", "http://127.0.0.1:1"), 3, ("127.0.0.1:1",)),
    ("name that has no address", ("run", "smoke", "-m", "openai/x", "-t", QWEN, "--base-url", "http://no.such.invalid"), 3, ("no.such.invalid",)),
    ("text that is not there", ("tokens", "count", "-t", QWEN, "none.txt"), 3, ("none.txt",)),
]


def file_rows() -> list:
    rows = [Row(f"tokenizer: {what}", ("tokens", "count", "-t", "t.json", "text"), 2, says, {"t.json": data, "text": "a b"})
            for what, data, says in BROKEN_TOKENIZERS]
    for what, data, says in BROKEN_GGUFS:
        rows.append(Row(f"GGUF vocabulary: {what}", ("tokens", "count", "-t", "m.gguf", "text"), 2, says, {"m.gguf": data, "text": "a"}))
        rows.append(Row(f"GGUF model: {what}", ("run", "smoke", "-m", "m.gguf"), 2, says, {"m.gguf": data}))
    rows += [Row(f"suite: {what}", ("generate", "s.yaml", "-t", QWEN, "-o", "data"), 2, says, {"s.yaml": data})
             for what, data, says in BROKEN_SUITES]
    folder = lambda name: lambda where: (where / name).mkdir()
    rows += [
        Row("folder for a tokenizer", (*MAKE[:3], "t.json", "-o", "data"), 2, ("t.json",), before=folder("t.json")),
        Row("folder for a model", ("run", "smoke", "-m", "m.gguf"), 3, ("m.gguf",), before=folder("m.gguf")),
        Row("folder for a suite file", ("run", "s.yaml", *SMOKE[1:]), 2, ("s.yaml",), before=folder("s.yaml")),
        Row("file for an output folder", MAKE, 3, ("data",), {"data": "x"}),
        Row("file for a run folder", ("run", *SMOKE, "-o", "r"), 3, ("r",), {"r": "x"}),
        Row("template that is no Jinja", (*MAKE, "--template", "c.jinja"), 2, ("c.jinja",), {"c.jinja": "{% for x in %}{{ x"}),
        Row("template that never ends", (*MAKE, "--template", "c.jinja"), 2, ("c.jinja",),
            {"c.jinja": "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}"}),
        Row("template that calls for an error", (*MAKE, "--template", "c.jinja"), 2, ("roles please",),
            {"c.jinja": "{{ raise_exception('roles please') }}"}),
        Row("reader: wrong key", ("run", "smoke", "-m", "simulated/w.yaml", "-t", QWEN), 2, ("w.yaml:1:1", "accurracy"),
            {"w.yaml": "accurracy: {top: 1}\n"}),
        Row("reader: out of range", ("run", "smoke", "-m", "simulated/w.yaml", "-t", QWEN), 2, ("w.yaml:1", "top"),
            {"w.yaml": "accuracy: {top: 7}\n"}),
        Row("SQuAD file of another shape", ("generate", "ruler", "-t", QWEN, "-o", "data", "--lengths", "1k", "--samples", "1",
                                            "--tasks", "qa_1", "--corpus", "squad=q.json"), 2, ("q.json",), {"q.json": '{"rows": []}'}),
        Row("SQuAD file cut off", ("generate", "ruler", "-t", QWEN, "-o", "data", "--lengths", "1k", "--samples", "1",
                                   "--tasks", "qa_1", "--corpus", "squad=q.json"), 2, ("q.json",), {"q.json": '{"data": [{"para'}),
        Row("HotpotQA file of another shape", ("generate", "ruler", "-t", QWEN, "-o", "data", "--lengths", "1k", "--samples", "1",
                                               "--tasks", "qa_2", "--corpus", "hotpotqa=q.json"), 2, ("q.json",), {"q.json": '[{"question": 7}]'}),
        Row("RULER file with a broken line", ("import", "ruler", "in", "-t", QWEN, "-o", "data"), 2, ("validation.jsonl", "2"),
            before=lambda where: write_tree(where / "in/4096/vt/validation.jsonl", '{"index":0,"input":"a","outputs":["b"],"length":5}\n{"index"\n')),
        Row("predictions that are not there", ("score", "--ruler-predictions", "in"), 3, ("in",), before=folder("in")),
        Row("predictions of another shape", ("score", "--ruler-predictions", "in"), 2, ("vt.jsonl",),
            before=lambda where: write_tree(where / "in/vt.jsonl", '{"pred": 7}\n')),
        Row("ids that are no numbers", ("tokens", "decode", "-t", QWEN, "ids"), 2, ("ids",), {"ids": "1 two 3"}),
        Row("ids that no token has", ("tokens", "decode", "-t", QWEN, "ids"), 2, ("999999999",), {"ids": "999999999"}),
        Row("texts that are no JSON lines", ("tokens", "count", "-t", QWEN, "--jsonl", "texts"), 2, ("texts:1",), {"texts": 'nope\n'}),
    ]
    if MODEL.exists():
        rows += [
            Row("GGUF model: cut off in its keys", ("run", "smoke", "-m", "m.gguf"), 2, ("m.gguf",), {"m.gguf": cut(MODEL, 200_000)}),
            Row("GGUF model: cut off in its weights", ("run", "smoke", "-m", "m.gguf"), 2, ("m.gguf",), {"m.gguf": cut(MODEL, 8_000_000)}),
            Row("GGUF model: a vocabulary without weights", ("run", "smoke", "-m", DEPS / "vocab/ggml-vocab-gpt-2.gguf"), 2, ("ggml-vocab-gpt-2",)),
        ]
    return rows


def write_tree(path: pathlib.Path, text: str):
    path.parent.mkdir(parents=True)
    path.write_text(text)


class OneClearLine(FathomTest):
    """How every failure of the program must look."""

    def check(self, row: Row, folder: pathlib.Path, env=None, prints=False):
        """`prints`: results of what was answered are shown before the error is."""
        try:
            finished = fathom(*row.args, cwd=folder, env=env, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.fail(f"{row.args} hangs: no end after {SECONDS} s")
        self.assertIn(finished.code, row.code if isinstance(row.code, tuple) else (row.code,), finished.told())
        lines = finished.error_lines()
        self.assertEqual(len(lines), 1, f"not exactly one error line{finished.told()}")
        for words in row.says:
            self.assertIn(words, lines[0], finished.told())
        self.assertNotRegex(finished.err, r"Traceback|terminate called|Assertion|Sanitizer|what\(\):")
        self.assertLess(len(lines[0].replace(str(folder), "")), 600, f"an error line is for reading{finished.told()}")
        self.assertNotRegex(lines[0], r"\d{60}", "a number nobody can read")
        self.assertTrue(lines[0].isprintable(), f"control bytes in {lines[0]!r}")
        self.assertNotIn(KEY, finished.err + finished.out, "the key is shown")
        if not prints:
            self.assertEqual(finished.out, "", "an error belongs on standard error")

    def check_all(self, rows: list):
        for number, row in enumerate(rows):
            with self.subTest(row.damage):
                folder = self.folder / str(number)
                folder.mkdir()
                for name, data in row.files.items():
                    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
                if row.before:
                    row.before(folder)
                self.check(row, folder)


class Flags(OneClearLine):
    def test_flags(self):
        self.check_all([Row(*row) for row in FLAGS])


class Files(OneClearLine):
    def test_files(self):
        self.check_all(file_rows())


def change(path: str, old: bytes, new: bytes, count=1):
    def act(folder: pathlib.Path):
        data = (folder / path).read_bytes()
        assert old in data, f"{path} lacks {old!r}"
        (folder / path).write_bytes(data.replace(old, new, count))
    return act


def shorten(path: str, by: int):
    def act(folder: pathlib.Path):
        data = (folder / path).read_bytes()
        (folder / path).write_bytes(data[:-by])
    return act


def drop_line(path: pathlib.Path, number: int, times=0):
    """Leaves a line out, or writes it `times` times."""
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:number] + lines[number:number + 1] * times + lines[number + 1:]))


class Datasets(OneClearLine):
    """Frozen samples that are no longer what they were."""

    TASK = b'"task":"niah_single_1"'
    AUDIT, RUN = ("audit", "data"), ("run", "data", "-m", "simulated/weak", "-o", "r")
    ROWS = [
        ("changed text", change("data/samples.jsonl", b"special", b"spatial"), (AUDIT, RUN), 2, ("samples.jsonl",)),
        ("line that is no JSON", change("data/samples.jsonl", b'{"id"', b'{"id'), (AUDIT, RUN), 2, ("samples.jsonl",)),
        ("cut off", shorten("data/samples.jsonl", 300), (AUDIT, RUN), 2, ("samples.jsonl",)),
        ("a sample left out", lambda folder: drop_line(folder / "data/samples.jsonl", 1), (AUDIT, RUN), 2, ("samples.jsonl",)),
        ("last sample left out", lambda folder: drop_line(folder / "data/samples.jsonl", 3), (AUDIT, RUN), 2, ("samples.jsonl",)),
        ("a sample twice", lambda folder: drop_line(folder / "data/samples.jsonl", 1, 2), (AUDIT, RUN), 2, ("samples.jsonl",)),
        ("empty", lambda folder: (folder / "data/samples.jsonl").write_bytes(b""), (AUDIT, RUN), 2, ("samples.jsonl",)),
        ("samples gone", lambda folder: (folder / "data/samples.jsonl").unlink(), (AUDIT, RUN), (2, 3), ("samples.jsonl",)),
        ("manifest cut off", shorten("data/manifest.json", 40), (AUDIT, RUN), 2, ("manifest.json",)),
        ("manifest of another version", change("data/manifest.json", b'"format": 1', b'"format": 9'), (AUDIT, RUN), 2, ("manifest.json", "9")),
        ("manifest with another hash", change("data/manifest.json", b'"file_sha256": "', b'"file_sha256": "00'), (AUDIT, RUN), 2, ("samples.jsonl",)),
        ("manifest without a recipe", change("data/manifest.json", b'"recipe"', b'"recept"'), (AUDIT, RUN), 2, ("manifest.json", "recipe")),
    ]

    def test_changed(self):
        self.done(*MAKE)
        for what, damage, commands, code, says in self.ROWS:
            for command in commands:
                with self.subTest(what, command=command[0]):
                    folder = self.folder / f"{what}-{command[0]}".replace(" ", "-")
                    shutil.copytree(self.folder / "data", folder / "data")
                    damage(folder)
                    if command[0] == "audit" and (folder / "data/samples.jsonl").exists():
                        self.check_audit(folder, says)
                    else:
                        self.check(Row(what, command, code, says), folder)

    def check_audit(self, folder: pathlib.Path, says: tuple):
        """An audit may name what it found as an error, or list it as breaches."""
        seen = fathom(*self.AUDIT, cwd=folder, timeout=SECONDS)
        self.check(Row("audit", self.AUDIT, 2, () if "BREACH" in seen.out else says), folder, prints="BREACH" in seen.out)

    def test_samples_of_another_dataset(self):
        """G10: whole in itself, but not what the manifest says."""
        self.done(*MAKE)
        self.done(*MAKE[:-1], "other", "--seed", "9")
        shutil.copy(self.folder / "other/samples.jsonl", self.folder / "data/samples.jsonl")
        for command in (self.AUDIT, self.RUN):
            with self.subTest(command=command[0]):
                if command == self.AUDIT:
                    self.check_audit(self.folder, ("samples.jsonl",))
                else:
                    self.check(Row("other samples", command, 2, ("samples.jsonl",)), self.folder)

    def test_flags_of_a_suite(self):
        """A frozen dataset does not change: flags that would make other samples are refused, not passed over."""
        self.done(*MAKE)
        for flag, value in (("--lengths", "2k"), ("--samples", "1"), ("--seed", "5"), ("--tasks", "cwe"), ("--template", "none"),
                            ("--wording", "question_first"), ("--counts", "prompt")):
            with self.subTest(flag):
                self.check(Row(flag, (*self.RUN[:-1], "r" + flag, flag, value), 2, (flag,)), self.folder)

    def test_tokenizers(self):
        self.done(*MAKE)
        self.check(Row("another tokenizer", (*self.AUDIT, "-t", tokenizer("llama3_1")), 2, ("another tokenizer",)), self.folder)
        change("data/manifest.json", b"tokenizer.json", b"gone-away.json")(self.folder)
        self.check(Row("tokenizer gone", self.AUDIT, (2, 3), ("gone-away.json", "--tokenizer")), self.folder)

    def test_moved_tokenizer_of_a_recipe(self):
        """G10: a recipe is of use where its tokenizer has moved: the flag says where it is now, the hash that it is the same."""
        old, new = self.folder / "old", self.folder / "new"
        old.mkdir()
        for name in ("tokenizer.json", "tokenizer_config.json"):
            shutil.copy(QWEN.parent / name, old / name)
        self.done("generate", "smoke", "-t", "old/tokenizer.json", "--recipe", "-o", "data")
        old.rename(new)
        for command in (self.AUDIT, self.RUN):
            with self.subTest(command=command[0]):
                self.check(Row("moved", command, 3, ("old/tokenizer.json", "--tokenizer")), self.folder)
                self.done(*command, "-t", "new/tokenizer.json")

    def test_torn_zst(self):
        self.done(*MAKE, "--compress")
        for what, damage in (("cut off", shorten("data/samples.jsonl.zst", 50)),
                             ("no zstd", lambda folder: (folder / "data/samples.jsonl.zst").write_bytes(b"plain text\n")),
                             ("empty", lambda folder: (folder / "data/samples.jsonl.zst").write_bytes(b""))):
            with self.subTest(what):
                folder = self.folder / what.replace(" ", "-")
                shutil.copytree(self.folder / "data", folder / "data")
                damage(folder)
                self.check(Row(what, self.AUDIT, 2, ("samples.jsonl.zst",)), folder)


class Runs(OneClearLine):
    """Run folders that were damaged, or are asked to become another run."""

    RUN = ("run", *SMOKE, "-o", "r")
    ROWS = [
        ("garbage in the journal", change("r/attempts.jsonl", b'{"sample"', b"garbage{"), RUN, ("attempts.jsonl:2",)),
        ("journal of another run", change("r/attempts.jsonl", b'"run":"', b'"run":"0'), RUN, ("attempts.jsonl",)),
        ("journal without its first line", change("r/attempts.jsonl", b'"fathom_journal"', b'"journal"'), RUN, ("attempts.jsonl",)),
        ("attempt without an outcome", change("r/attempts.jsonl", b'"outcome":"answered",', b""), RUN, ("attempts.jsonl:2", "outcome")),
        ("outcome that does not exist", change("r/attempts.jsonl", b'"answered"', b'"guessed"'), RUN, ("attempts.jsonl:2", "guessed")),
        ("record cut off", shorten("r/run.json", 30), RUN, ("run.json",)),
        ("record of another version", change("r/run.json", b'"fathom_run": 1', b'"fathom_run": 8'), RUN, ("run.json", "8")),
        ("other temperature", None, (*RUN, "--temperature", "0.5"), ("temperature", "0.5")),
        ("other reader", None, ("run", "smoke", "-m", "simulated/strong", "-t", QWEN, "-o", "r"), ("strong", "weak")),
        ("other tokenizer", None, ("run", "smoke", "-m", "simulated/weak", "-t", tokenizer("llama3_1"), "-o", "r"), ("tokenizer",)),
        ("other seed", None, (*RUN, "--seed", "7"), ("seed", "7")),
        ("other lengths", None, (*RUN, "--lengths", "1k"), ("lengths",)),
        ("other answer limit", None, (*RUN, "--max-output", "5"), ("max_output_tokens",)),
        ("score: garbage in the journal", change("r/attempts.jsonl", b'{"sample"', b"garbage{"), ("score", "r"), ("attempts.jsonl:2",)),
        ("report: garbage in the journal", change("r/attempts.jsonl", b'{"sample"', b"garbage{"), ("report", "r"), ("r/",)),
    ]

    def test_damaged(self):
        self.done(*self.RUN)
        for what, damage, command, says in self.ROWS:
            with self.subTest(what):
                folder = self.folder / what.replace(" ", "-")
                shutil.copytree(self.folder / "r", folder / "r")
                if damage:
                    damage(folder)
                journal = (folder / "r/attempts.jsonl").read_bytes()
                self.check(Row(what, command, 2, says), folder)
                self.assertEqual((folder / "r/attempts.jsonl").read_bytes(), journal, "a refused run was changed")


def html(handler, *_):
    handler.send(200, "<!DOCTYPE html><html><body>Welcome!</body></html>", "text/html")


def answer(status: int, message: str, **headers):
    return lambda handler, *_: handler.send(status, {"error": {"message": message, "type": "e"}}, **headers)


def redirect(handler, *_):
    handler.send(302, "", Location=handler.path)


def half_answer(handler, body):
    handler.begin_stream()
    handler.event({"choices": [{"index": 0, "text": "half of", "finish_reason": None}]})
    handler.connection.close()


def silence(handler, body):
    handler.begin_stream()
    handler.event({"choices": [{"index": 0, "text": "and then", "finish_reason": None}]})
    handler.server_of_test.ending.wait(SECONDS)


def garbage(handler, body):
    handler.begin_stream()
    handler.event("{\"choices\": [{\"text\": \x1b[31m")
    handler.event("[DONE]")


def bad_text(handler, body):
    handler.begin_stream()
    handler.wfile.write(b'data: {"choices":[{"index":0,"text":"\xff\xfe\xf0","finish_reason":null}]}\n\n')
    handler.event({"choices": [{"index": 0, "text": "", "finish_reason": "stop"}]})


def other_documents(handler, body):
    handler.begin_stream()
    for event in ({"choices": None}, [], 7, {"choices": [None]}):
        handler.event(event)


def absurd_usage(handler, body):
    handler.begin_stream()
    handler.event({"choices": [{"index": 0, "text": "a", "finish_reason": "stop"}], "usage": {"prompt_tokens": 10**30}})


def not_http(handler, *_):
    handler.wfile.write(b"\x16\x03\x01 what? \x1b[2J\r\n\r\n")
    handler.close_connection = True


def endless_header(handler, *_):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"x" * 400_000 + b"\r\n\r\n")
    handler.close_connection = True


def truncated(handler, body):
    handler.stream(body, handler.server_of_test.count(body["prompt"]) // 2)


def empty_stream(handler, body):
    handler.begin_stream()


def error_in_stream(handler, body):
    handler.begin_stream()
    handler.event({"error": {"message": "CUDA error: device lost", "code": 500}})


KEY = "sk-e2e-0123456789abcdef"
AT_THE_DOOR = [  # faults of GET /models: nothing was asked yet
    ("web page", html, 3, ("http://", "web page")),
    ("401", answer(401, f"Incorrect API key provided: {KEY}"), 3, ("401", "OPENAI_API_KEY")),
    ("403", answer(403, "no entry"), 3, ("403", "OPENAI_API_KEY")),
    ("model that is not served", lambda handler: handler.send(200, {"data": [{"id": "other-model"}]}), 3, (NAME, "other-model")),
    ("redirect to itself", redirect, 3, ("302",)),
    ("not JSON", lambda handler: handler.send(200, "{\"data\": [", "application/json"), 3, ("http://127.0.0.1", "does not answer")),
    ("not HTTP", not_http, 3, ("http://127.0.0.1",)),
    ("endless header", endless_header, 3, ("http://127.0.0.1",)),
]
IN_THE_ANSWER = [  # faults of POST /completions: attempts fail, what finished is kept
    ("500", answer(500, "the machine is on fire"), 4, ("4 of 4",), "the machine is on fire"),
    ("404 model", answer(404, "The model `echo` does not exist"), 4, ("4 of 4",), "does not exist"),
    ("401 after the door", answer(401, f"bad key {KEY}"), 4, ("4 of 4", "401"), "401"),
    ("hang-up in the middle", half_answer, 4, ("4 of 4",), ""),
    ("silence in the middle", silence, 4, ("4 of 4",), "timed-out"),
    ("garbage in the stream", garbage, 4, ("4 of 4",), "no answer"),
    ("bytes that are no text", bad_text, 4, ("4 of 4",), "no answer"),
    ("documents of another shape", other_documents, 4, ("4 of 4",), "no answer"),
    ("absurd usage", absurd_usage, 4, ("4 of 4",), "no answer"),
    ("web page", html, 4, ("4 of 4",), "web page"),
    ("not HTTP", not_http, 4, ("4 of 4",), ""),
    ("no event at all", empty_stream, 4, ("4 of 4",), "no answer"),
    ("error in the stream", error_in_stream, 4, ("4 of 4",), "CUDA error"),
    ("redirect to itself", redirect, 4, ("4 of 4",), "302"),
    ("rate limit without end", answer(429, "quota exceeded, limit: 0", Retry_After="0"), 4, ("4 of 4",), "429"),
    ("prompt cut in silence", truncated, 3, ("192", "384", "window"), ""),
]


class Servers(OneClearLine):
    """What a server can do wrong, on loopback."""

    def run_of(self, server: ModelServer) -> tuple:
        return ("run", "smoke", "-m", f"openai/{NAME}", "--base-url", server.url, "--api", "completions", "-t", QWEN,
                "--template", "none", "--tries", "2", "--idle-timeout", "1000", "-o", "r")

    def test_at_the_door(self):
        for number, (what, models, code, says) in enumerate(AT_THE_DOOR):
            with self.subTest(what), ModelServer(QWEN, models=models) as server:
                folder = self.folder / str(number)
                folder.mkdir()
                self.check(Row(what, self.run_of(server), code, says), folder, env={"OPENAI_API_KEY": KEY})
                self.assertEqual(server.asked, [], "a server that failed the probe was asked")
                self.no_key_in(folder)

    def test_in_the_answer(self):
        for number, (what, fault, code, says, detail) in enumerate(IN_THE_ANSWER):
            with self.subTest(what), ModelServer(QWEN, fault=fault) as server:
                folder = self.folder / str(number)
                folder.mkdir()
                self.check(Row(what, self.run_of(server), code, says), folder, env={"OPENAI_API_KEY": KEY}, prints=True)
                self.assertIn(detail, (folder / "r/attempts.jsonl").read_text(), "the journal tells why")
                self.no_key_in(folder)

    def test_names_and_answers_stay_text(self):
        """Q2: what a server says of itself, and what its model says, cannot speak to the terminal."""
        evil = "ec\x1b[2Jho\x07\u202e"

        def models(handler):
            handler.send(200, {"data": [{"id": evil, "owned_by": evil, "max_model_len": 65536}]})

        with ModelServer(QWEN, models=models, answer=lambda prompt: evil + "\x00" + "x" * 100_000) as server:
            command = list(self.run_of(server))
            command[command.index(f"openai/{NAME}")] = "openai/"
            seen = self.done(*command)
            again = self.done("score", "r")
            for shown in (seen.out, seen.err, again.out, again.err, (self.folder / "r/results.md").read_text()):
                self.assertNotRegex(shown, "[\x00-\x08\x0b-\x1f\x7f\u202e]")

    def test_window_of_the_server(self):
        """R3, R4: samples that the server's window cannot hold are an outcome; nothing is sent for them."""
        def models(handler):
            handler.send(200, {"data": [{"id": NAME, "max_model_len": 256}]})

        with ModelServer(QWEN, models=models) as server:
            seen = fathom(*self.run_of(server), cwd=self.folder)
            self.assertEqual(server.asked, [], seen.told())
            rows = read_jsonl(self.folder / "r/attempts.jsonl")[1:]
            self.assertEqual({row["outcome"] for row in rows}, {"over-window"})

    def no_key_in(self, folder: pathlib.Path):
        """R11: the key stands in no file, even where the server quotes it."""
        for path in folder.rglob("*"):
            if path.is_file():
                self.assertNotIn(KEY.encode(), path.read_bytes(), f"{path} holds the key")


class EnoughRows(unittest.TestCase):
    def test_count(self):
        rows = len(FLAGS) + len(file_rows()) + len(Datasets.ROWS) + len(Runs.ROWS) + len(AT_THE_DOOR) + len(IN_THE_ANSWER)
        self.assertGreaterEqual(rows, 100)
