"""R1, R4, G1: one small model, asked in-process, and through llama.cpp's own server as completions and as chat.

All three see the same tokens, and completions get the same scores as the process. The server comes from the Python
package xllamacpp; the model is SmolLM2 with 135 million parameters.
"""
import os
import pathlib
import subprocess
import sys
import unittest

from program import LONG, MODEL, REPOSITORY, FathomTest, fathom, read_jsonl

try:
    import xllamacpp
except ImportError:
    xllamacpp = None

SAMPLES = 3 if LONG else 2
TASKS = ("niah_single_1", "niah_single_2", "niah_multikey_1", "vt") if LONG else ("niah_single_1", "vt")
SUITE = ("ruler", "--tasks", ",".join(TASKS), "--lengths", "512", "--samples", SAMPLES, "--max-output", "24")
SECONDS = 540


def usable_cores() -> int:
    return len(os.sched_getaffinity(0))


@unittest.skipIf(xllamacpp is None, "the Python package xllamacpp is missing: ./dev setup fetches it")
@unittest.skipUnless(MODEL.exists(), f"{MODEL} is missing: ./dev setup fetches it")
class RealServer(FathomTest):
    def setUp(self):
        super().setUp()
        python = os.environ.get("FATHOM_PYTHON", sys.executable)
        script = pathlib.Path(REPOSITORY) / "tests/servers/llama_server.py"
        self.server = subprocess.Popen([python, script, MODEL, "--window", "1024", "--threads", str(min(2, usable_cores()))],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(self.stop)
        self.url = self.server.stdout.readline().decode().strip()
        self.assertRegex(self.url, "^http://127.0.0.1:", "the server did not start")

    def stop(self):
        self.server.kill()
        self.server.wait()
        self.server.stdin.close()
        self.server.stdout.close()

    def answers(self, name: str) -> dict:
        return {row["sample"]: row for row in read_jsonl(self.folder / name / "attempts.jsonl")[1:]}

    def scores(self, name: str) -> dict:
        return {row["id"]: row["official"] for row in read_jsonl(self.folder / name / "scores.jsonl")}

    def test_three_ways(self):
        probe = self.done("probe", "-m", "openai/", "--base-url", self.url, "--json", timeout=SECONDS).json()
        self.assertIn("1024", str(probe), "the window of a slot")
        self.done("run", *SUITE, "-m", MODEL, "-o", "process", timeout=SECONDS)
        # The dataset of the first run holds the template; the others answer the very same samples.
        common = ("--base-url", self.url, "--max-output", "24", "--concurrency", "1")
        for name, more in (("completions", ("--api", "completions")), ("chat", ("--api", "chat"))):
            self.done("run", "process/dataset", "-m", "openai/", *common, *more, "-o", name, timeout=SECONDS)

        samples = {row["id"]: row for row in read_jsonl(self.folder / "process/samples.jsonl")}
        self.assertEqual(len(samples), len(TASKS) * SAMPLES)
        for name in ("process", "completions", "chat"):
            rows = self.answers(name)
            self.assertEqual(set(rows), set(samples), name)
            for sample, row in rows.items():
                with self.subTest(name=name, sample=sample):
                    self.assertIn(row["outcome"], ("answered", "output-cut"))
                    self.assertEqual(row["usage"]["input"], row["expected_prompt_tokens"], "the server read another number of tokens")
                    self.assertEqual(row["usage"]["input"], samples[sample]["tokens"]["prompt"], "the template is inside the length")
                    self.assertEqual(row["hash"], samples[sample]["hash"])
        self.compare_answers()
        self.assertEqual({row["prefix_policy"] for row in self.answers("chat").values()}, {"continue"})

        requests = self.answers("completions")
        again = self.done("run", "process/dataset", "-m", "openai/", *common, "--api", "completions", "-o", "completions", timeout=SECONDS)
        self.assertIn("nothing is left to ask", again.err)
        self.assertEqual(self.answers("completions"), requests)
        self.too_long_for_the_slot(common)

    def compare_answers(self):
        """The same scores, and where the model is sure the same text. The package's llama.cpp is another build than the engine's and
        rounds differently, so one sample in which two tokens are nearly equal may part."""
        process, completions = self.scores("process"), self.scores("completions")
        parted = [sample for sample in process if completions[sample] != process[sample]]
        self.assertLessEqual(len(parted), 1, f"{parted}: {process} {completions}")
        sure = [sample for sample in self.answers("process") if sample.startswith("niah_single_1")]
        self.assertEqual(len(sure), SAMPLES)
        for sample in sure:
            self.assertEqual(self.answers("completions")[sample]["text"], self.answers("process")[sample]["text"], sample)
            self.assertEqual(self.scores("completions")[sample], self.scores("process")[sample], sample)
        self.assertEqual(max(self.scores("process")[sample] for sample in sure), 1.0, "the model finds a needle at 512 tokens")

    def too_long_for_the_slot(self, common: tuple):
        """R3: over the window is an outcome of its own, found before anything is sent."""
        long = fathom("run", "ruler", "--tasks", "vt", "--lengths", "2k", "--samples", "1", "-m", "openai/", "-t", MODEL, *common,
                      "-o", "long", cwd=self.folder, timeout=SECONDS)
        self.assertEqual([row["outcome"] for row in self.answers("long").values()], ["over-window"], long.told())
        self.assertEqual([row["tries"] for row in self.answers("long").values()], [0])


@unittest.skipUnless(MODEL.exists(), f"{MODEL} is missing: ./dev setup fetches it")
class WindowOfTheProcess(FathomTest):
    def test_context_too_small(self):
        """A window of 256 tokens for samples of 512: said, not cut."""
        run = fathom("run", "ruler", "--tasks", "vt", "--lengths", "512", "--samples", "1", "-m", MODEL, "--context", "256", "-o", "r",
                     cwd=self.folder, timeout=SECONDS)
        if run.code == 0:
            self.assertEqual([row["outcome"] for row in read_jsonl(self.folder / "r/attempts.jsonl")[1:]], ["over-window"], run.told())
        else:
            self.assertEqual(run.code, 3, run.told())
            self.assertEqual(len(run.error_lines()), 1, run.told())
