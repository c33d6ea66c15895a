"""A1, A4, A6: full, oracle and real attention on the same samples of a real model."""
import json
import pathlib
import shutil
import tempfile
import unittest

from program import DEPS, MODEL, FathomTest, fathom, tokenizer

SUITE = ("ruler-own", "--tasks", "niah_single_1", "--lengths", "512", "--samples", "4")
ARMS = ("--arms", "full,oracle,streaming,quest,knockout", "--budget", "128", "--noise-floor")


class Arms(FathomTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not MODEL.exists():
            raise unittest.SkipTest(f"{MODEL} is missing: ./dev setup fetches it")
        cls.study = pathlib.Path(tempfile.mkdtemp(prefix="fathom-e2e-arms-"))
        cls.addClassCleanup(shutil.rmtree, cls.study, ignore_errors=True)
        cls.command = ("run", *SUITE, "--corpus", f"words={DEPS}/words", "-m", MODEL, *ARMS, "-o", cls.study / "a")
        cls.first = fathom(*cls.command)
        assert cls.first.code == 0, cls.first.told()
        cls.summary = json.loads((cls.study / "a/arms-summary.json").read_text())

    def arm(self, name: str) -> dict:
        return next(one for one in self.summary["arms"] if one["arm"]["name"] == name)

    def test_the_table_names_every_arm_within_80_columns(self):
        lines = self.first.out.splitlines()
        head = next(i for i, line in enumerate(lines) if line.startswith("arm "))
        self.assertIn("4 samples: full attention answers", " ".join(lines[:2]))
        self.assertIn("4 samples are too few for a verdict.", " ".join(lines[:head]))
        names = [line.split()[0] for line in lines[head + 1:head + 7]]
        self.assertEqual(names, ["full", "oracle", "streaming-128", "quest-128", "knockout", "full-again"])
        for line in lines:
            self.assertLessEqual(len(line), 80, line)

    def test_evidence_decides(self):
        self.assertEqual(self.arm("knockout")["score"]["value"], 0, "without the evidence nothing is answered")
        self.assertAlmostEqual(self.arm("oracle")["coverage"]["joint"], 1)
        self.assertEqual(self.arm("knockout")["coverage"]["union_recall"], 0)
        self.assertGreaterEqual(self.arm("oracle")["score"]["value"], self.arm("streaming-128")["score"]["value"])
        self.assertLess(self.arm("quest-128")["read_share"], 0.6)
        self.assertEqual(self.summary["noise_floor"], {"samples": 4, "differ": 0})

    def test_the_cross_table_adds_up(self):
        self.assertEqual([cross["real"] for cross in self.summary["crosses"]], ["streaming-128", "quest-128"])
        for cross in self.summary["crosses"]:
            for group in cross["groups"]:
                self.assertEqual(sum(group["cells"].values()), group["n"])
                lost = sum(count for cell, count in group["cells"].items() if "oracle1" in cell and "real0" in cell)
                self.assertEqual(group["selector_loss"], lost)

    def test_an_arm_is_a_run(self):
        compared = self.done("compare", self.study / "a/full", self.study / "a/knockout", "--json").json()
        self.assertEqual(compared[0]["shared"] if isinstance(compared, list) else compared["comparisons"][0]["shared"], 4)
        record = json.loads((self.study / "a/quest-128/run.json").read_text())
        self.assertEqual(record["settings"]["more"]["arm.budget"], "128")

    def test_again_asks_nothing(self):
        again = fathom(*self.command)
        self.assertEqual(again.code, 0, again.told())
        self.assertIn("nothing is left to ask", again.err)
        self.assertEqual(again.out, self.first.out)

    def test_another_setting_is_refused_by_name(self):
        other = fathom(*self.command, "--block", "16")
        self.assertEqual(other.code, 2, other.told())
        self.assertIn("was run with block 32, not 16", other.err)

    def again(self, folder, *arguments):
        return fathom("run", *SUITE, "--corpus", f"words={DEPS}/words", "-m", MODEL, "--budget", "128", *arguments, "-o", folder)

    def test_only_what_an_arm_failed_is_asked_again(self):
        """A7: every other layer full, on the samples that quest answered wrongly."""
        folder = shutil.copytree(self.study / "a", self.folder / "again")
        flags = ("--arms", "quest", "--dense-every", "2", "--only-failed", "quest-128")
        scores = [json.loads(line) for line in (folder / "full/samples.jsonl").read_text().splitlines()]
        told = self.again(folder, *flags)
        self.assertEqual(told.code, 0, told.told())
        summary = json.loads((folder / "arms-summary.json").read_text())
        before, after = (next(one for one in summary["arms"] if one["arm"]["name"] == name) for name in ("quest-128", "quest-128-every2"))
        asked = [json.loads(line) for line in (folder / "quest-128-every2/samples.jsonl").read_text().splitlines()]
        self.assertEqual(len(asked), before["asked"] - before["right"])
        self.assertTrue(0 < len(asked) < len(scores), "the test tells some from all")
        self.assertEqual(after["asked"], len(asked))
        self.assertEqual([scores[one["place"]]["hash"] for one in asked], [one["hash"] for one in asked])
        self.assertGreater(after["read_share"], before["read_share"])
        self.assertIn(f"quest-128-every2: of {len(asked)} samples that quest-128 failed", told.out)
        self.assertEqual([cross["real"] for cross in summary["crosses"]], ["streaming-128", "quest-128"])
        self.assertEqual(summary["crosses"], self.summary["crosses"])
        self.assertIn("nothing is left to ask", self.again(folder, *flags).err)
        for arguments, words in ((("--arms", "quest", "--dense-every", "2"), "not every sample"),
                                 (("--arms", "moba", "--only-failed", "moba-128"), "its own intervention"),
                                 (("--arms", "moba", "--only-failed", "h2o-128"), "no arm h2o-128"),
                                 (("--arms", "full", "--only-failed", "quest-128"), "run it on all")):
            refused = self.again(folder, *arguments)
            self.assertEqual(refused.code, 2, refused.told())
            self.assertIn(words, refused.err)

    def test_logs_say_when_and_where_evidence_is_read(self):
        """A4: by step and third of the layers, and how far two arms read the same."""
        readings = self.summary["readings"]
        oracle, streaming = (next(one for one in readings["arms"] if one["arm"] == name) for name in ("oracle", "streaming-128"))
        self.assertEqual([step["step"] for step in oracle["steps"]], ["question", "first", "later"])
        for step in oracle["steps"]:
            self.assertAlmostEqual(step["joint"], 1)
            self.assertAlmostEqual(step["hops"], 1)
        self.assertEqual(len(oracle["layers"]), 3)
        self.assertLess(streaming["layers"][0]["recall"], 1)
        self.assertNotIn("full", [one["arm"] for one in readings["arms"]])
        pairs = {(one["a"], one["b"]): one["jaccard"] for one in readings["pairs"]}
        self.assertTrue(0 < pairs["streaming-128", "quest-128"] < 1)

    def test_counted_words_and_wordings_out_of_the_logs(self):
        """A4: what of the counts was read, and whether another instruction reads the same."""
        suite = self.folder / "words.yaml"
        suite.write_text("name: words\nlengths: [1k]\nsamples: 1\ntasks: [cwe]\nvariants: {instruction: [after]}\n")
        study = self.folder / "words"
        self.done("run", suite, "--corpus", f"words={DEPS}/words", "-m", MODEL, "--arms", "oracle,streaming", "--budget", "192", "-o", study)
        readings = json.loads((study / "arms-summary.json").read_text())["readings"]
        oracle, streaming = readings["arms"]
        self.assertEqual(oracle["words"]["samples"], 2)
        self.assertAlmostEqual(oracle["words"]["seen_wanted"], 1, msg="the oracle reads every occurrence of the answer")
        self.assertLess(streaming["words"]["seen_wanted"], 1)
        self.assertGreater(oracle["words"]["true_gap"], 0)
        self.assertEqual([one["variant"] for one in streaming["variants"]], ["instruction=after"])
        self.assertTrue(0 < streaming["variants"][0]["jaccard"] <= 1)

    def test_what_cannot_be_masked_is_refused(self):
        for arms, words in ((("--arms", "quest"), "needs a budget"), (("--arms", "quack"), "'quack' is not a selector"),
                            (("--arms", "full", "--scope", "all"), "--scope"), (("--arms", "full", "--dense-layers", "x"), "--dense-layers")):
            refused = fathom("run", *SUITE, "-m", MODEL, *arms, "-o", self.folder / "b")
            self.assertEqual(refused.code, 2, refused.told())
            self.assertIn(words, refused.err)
        simulated = fathom("run", *SUITE, "-t", tokenizer("qwen3"), "-m", "simulated/weak", *ARMS, "-o", self.folder / "c")
        self.assertEqual(simulated.code, 2, simulated.told())
        self.assertIn("--arms needs a GGUF file", simulated.err)
