"""A1, A4: two servers as arms of a study, and what one of them read by a log of its own."""
import json
import pathlib
import re
import shutil
import tempfile

import tokenizers

from model_server import NAME, ModelServer
from program import FathomTest, fathom, read_jsonl, tokenizer

SUITE = ("ruler", "--tasks", "niah_single_1", "--lengths", "512", "--samples", "8")
BLOCK, LAYERS = 16, 4


def all_numbers(prompt: str) -> str:
    return " " + ", ".join(re.findall(r"\d{7}", prompt))


def numbers_of_the_end(prompt: str) -> str:
    return all_numbers(prompt[len(prompt) // 2:])


class ServerArms(FathomTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="fathom-e2e-servers-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        made = fathom("generate", *SUITE, "-t", tokenizer("qwen3"), "-o", cls.home / "data")
        assert made.code == 0, made.told()
        cls.samples = read_jsonl(cls.home / "data/samples.jsonl")
        with ModelServer(tokenizer("qwen3"), answer=all_numbers) as full, \
                ModelServer(tokenizer("qwen3"), answer=numbers_of_the_end) as real:
            cls.command = ("run", cls.home / "data", "-m", f"openai/{NAME}", "--api", "completions",
                           "--arms", f"full={full.url},real={real.url}", "-o", cls.home / "study")
            cls.first = fathom(*cls.command)
            assert cls.first.code == 0, cls.first.told()
            cls.again = fathom(*cls.command)
            cls.asked = {"full": sorted(full.asked), "real": sorted(real.asked)}
            cls.urls = {"full": full.url, "real": real.url}

    def study(self) -> pathlib.Path:
        """A copy, for tests that change it. It names its dataset by a path that stays."""
        return shutil.copytree(self.home / "study", self.folder / "study")

    def line(self, sample: dict, blocks_of, **changed) -> dict:
        """What a server would log, counted by Hugging Face's tokenizer and not by fathom."""
        encoding = tokenizers.Tokenizer.from_file(str(tokenizer("qwen3"))).encode(sample["prompt"] + sample["answer_prefix"])
        count = len(encoding.ids)
        looks = [{"layer": layer, "blocks": blocks_of(layer, encoding, sample)} for layer in range(LAYERS)]
        return {"sample": sample["id"], "arm": "mine", "layers": LAYERS, "query_heads": 4, "kv_heads": 2, "head_size": 64,
                "block": BLOCK, "prompt_tokens": count, "steps": [{"position": count - 1, "looks": looks}], **changed}

    def log(self, lines: list, name="log.jsonl") -> pathlib.Path:
        path = self.folder / name
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return path

    @staticmethod
    def with_evidence(_, encoding, sample) -> list:
        bytes_before = lambda i: len((sample["prompt"] + sample["answer_prefix"])[:i].encode())
        begin, end = sample["evidence"][0]["bytes"]
        touched = [i for i, (a, b) in enumerate(encoding.offsets) if bytes_before(a) < end and bytes_before(b) > begin]
        return [[touched[0] // BLOCK, touched[-1] // BLOCK + 1]]

    def test_both_are_asked_the_same(self):
        self.assertEqual(self.asked["full"], self.asked["real"])
        self.assertEqual(len(self.asked["full"]), len(self.samples), "a second call asks nothing")
        self.assertIn("nothing is left to ask", self.again.err)
        arms = json.loads((self.home / "study/arms.json").read_text())["arms"]
        self.assertEqual(arms, [{"name": "full", "kind": "full", "server": self.urls["full"]},
                                {"name": "real", "kind": "external", "server": self.urls["real"]}])

    def test_the_pairs_are_compared(self):
        summary = json.loads((self.home / "study/arms-summary.json").read_text())
        full, real = summary["arms"]
        lost = sum(sample["references"][0] not in numbers_of_the_end(sample["prompt"] + sample["answer_prefix"]) for sample in self.samples)
        self.assertTrue(0 < lost < len(self.samples), "the test tells the two apart")
        self.assertEqual(full["score"]["value"], 1)
        self.assertEqual((real["against_full"]["lost"], real["against_full"]["gained"]), (lost, 0))
        self.assertIsNone(real["read_share"], "what a server reads is not known without its log")
        self.assertEqual(full["read_share"], 1)
        for line in self.first.out.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_a_log_becomes_coverage(self):
        study = self.study()
        half = lambda layer, encoding, sample: self.with_evidence(layer, encoding, sample) if layer < LAYERS // 2 else [0]
        lines = [self.line(sample, half) for sample in self.samples[1:]]
        seen = self.done("coverage", study, "--log", f"real={self.log(lines)}")
        self.assertIn("1 samples of the run are not in it", seen.err)
        self.assertRegex(seen.out, r"(?m)^coverage +read +joint")
        self.assertRegex(seen.out, r"(?m)^arm +right")
        for line in seen.out.splitlines():
            self.assertLessEqual(len(line), 80, line)
        told = self.done("coverage", study, "--json").json()
        (arm,) = told["arms"]
        self.assertEqual((arm["arm"], arm["samples"]), ("real", len(lines)))
        self.assertAlmostEqual(arm["coverage"]["joint"], 0.5)
        self.assertAlmostEqual(arm["coverage"]["union_recall"], 1)
        self.assertEqual(told["study"]["arms"][1]["covered"], len(lines))
        self.assertLess(told["study"]["arms"][1]["read_share"], 0.3)
        self.assertTrue((study / "real/selections.jsonl.zst").exists())
        again = self.done("coverage", study, "--log", f"real={study / 'real/selections.jsonl.zst'}", "--json").json()
        self.assertEqual(again["arms"], told["arms"], "the kept log is the log")

    def test_an_ordinary_run_takes_a_log(self):
        run = shutil.copytree(self.home / "study/real", self.folder / "alone")
        lines = [self.line(sample, self.with_evidence) for sample in self.samples]
        told = self.done("coverage", run, "--log", self.log(lines), "--json").json()
        self.assertAlmostEqual(told["arms"][0]["coverage"]["joint"], 1)
        self.assertIsNone(told["study"])

    def test_logs_that_do_not_fit_are_refused_by_name(self):
        study = self.study()
        whole = [self.line(sample, self.with_evidence) for sample in self.samples]
        other = {**whole[3], "prompt_tokens": whole[3]["prompt_tokens"] + 5, "steps": []}
        rows = ((f"real={self.log([*whole[:3], other], 'a.jsonl')}", f"sample {other['sample']} has a prompt of {other['prompt_tokens']} tokens"),
                (f"real={self.log([{**whole[0], 'sample': 'x:1:2'}], 'b.jsonl')}", "none of its 1 samples"),
                (f"real={self.log([whole[0], {**whole[1], 'layers': 9}], 'c.jsonl')}", "a log is of one model"),
                (f"real={self.log([{**whole[0], 'block': 0}], 'd.jsonl')}", "d.jsonl:1: key 'block'"),
                (f"real={self.folder / 'missing.jsonl'}", "missing.jsonl"),
                (f"reel={self.log(whole, 'e.jsonl')}", "has no arm 'reel'; it has full, real"),
                (str(self.folder / "e.jsonl"), "which arm"))
        for log, words in rows:
            with self.subTest(words):
                refused = fathom("coverage", study, "--log", log)
                self.assertEqual(refused.code, 2 if "missing" not in words else refused.code, refused.told())
                self.assertNotEqual(refused.code, 0, refused.told())
                self.assertIn(words, refused.err)
                self.assertFalse((study / "real/coverage.jsonl").exists(), "nothing is written of a log that does not fit")
        bare = fathom("coverage", study)
        self.assertEqual(bare.code, 2, bare.told())
        self.assertIn("no arm has a coverage yet", bare.err)

    def test_samples_of_others_are_counted(self):
        lines = [self.line(self.samples[0], self.with_evidence), {**self.line(self.samples[0], self.with_evidence), "sample": "other:1:2"}]
        seen = self.done("coverage", self.study(), "--log", f"real={self.log(lines)}")
        self.assertIn("1 samples are none of this run", seen.err)

    def test_arms_that_do_not_fit_are_refused(self):
        url = "http://127.0.0.1:9/v1"
        rows = ((("--arms", f"full={url},quest"), "'quest' is a selector"),
                (("--arms", f"full={url},full={url}x"), "named twice"),
                (("--arms", f"full={url},real={url}"), "both"),
                (("--arms", f"dataset={url}"), "keeps a file there"),
                (("--arms", f"../x={url}"), "cannot name an arm"),
                (("--arms", f"full={url}", "--budget", "64"), "choose by themselves"),
                (("--arms", f"full={url}", "--base-url", url), "each arm has its address"),
                (("--arms", "full=nowhere"), "neither a server's address"),
                (("--arms", f"real={url}", "--noise-floor"), "name an arm full"),
                (("--arms", "a=simulated/weak"), "give one of them"))
        for arms, words in rows:
            with self.subTest(words):
                refused = fathom("run", self.home / "data", "-m", f"openai/{NAME}", *arms, "-o", self.folder / "r")
                self.assertEqual(refused.code, 2, refused.told())
                self.assertIn(words, refused.err)
        nameless = fathom("run", self.home / "data", "-o", self.folder / "r")
        self.assertEqual(nameless.code, 2)
        self.assertIn("--model is required", nameless.err)

    def test_a_server_at_another_address_is_another_arm(self):
        study = self.study()
        with ModelServer(tokenizer("qwen3"), answer=all_numbers) as full, ModelServer(tokenizer("qwen3")) as real:
            moved = [f"full={full.url},real={real.url}" if str(each).startswith("full=") else study if each == self.home / "study" else each
                     for each in self.command]
            refused = fathom(*moved)
        self.assertEqual(refused.code, 2, refused.told())
        self.assertIn("arm full was run at", refused.err)

    def test_models_are_arms_too(self):
        done = self.done("run", *SUITE, "-t", tokenizer("qwen3"), "--arms", "full=simulated/perfect,weak=simulated/weak",
                         "--noise-floor", "-o", "models", "--json")
        summary = done.json()
        self.assertEqual([arm["arm"]["name"] for arm in summary["arms"]], ["full", "weak", "full-again"])
        self.assertEqual(summary["noise_floor"], {"samples": 8, "differ": 0})
        self.assertEqual(json.loads((self.folder / "models/weak/run.json").read_text())["settings"]["model"]["model"], "simulated/weak")
