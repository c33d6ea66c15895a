"""A4, A8: what a study recorded, read back: keys and queries by a replay, selections by a coverage."""
import json
import pathlib
import shutil
import struct
import tempfile
import unittest

from program import DEPS, MODEL, FathomTest, fathom, read_jsonl

SUITE = ("ruler-own", "--tasks", "niah_single_1", "--lengths", "512", "--samples", "2", "--corpus", f"words={DEPS}/words")
LAYERS, KV_HEADS, QUERY_HEADS, HEAD_SIZE = 30, 3, 9, 64  # SmolLM2-135M


class Recordings(FathomTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not MODEL.exists():
            raise unittest.SkipTest(f"{MODEL} is missing: ./dev setup fetches it")
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="fathom-e2e-deep-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        made = fathom("run", *SUITE, "-m", MODEL, "--arms", "full,streaming,quest", "--budget", "128", "--record", "deep", "-o", cls.home / "study")
        assert made.code == 0, made.told()
        cls.deep = cls.home / "study/full/deep"

    def test_a_recording_is_what_the_format_says(self):
        files = sorted(self.deep.glob("*.kq"))
        self.assertEqual(len(files), 2)
        for file in files:
            data = file.read_bytes()
            magic, version, length = struct.unpack_from("<8sII", data)
            self.assertEqual((magic, version), (b"FATHOMKQ", 1))
            head = json.loads(data[16:16 + length])
            self.assertEqual((head["layers"], head["kv_heads"], head["query_heads"], head["head_size"]), (LAYERS, KV_HEADS, QUERY_HEADS, HEAD_SIZE))
            self.assertAlmostEqual(head["before"] * head["after"], HEAD_SIZE ** -0.5, 6)
            queries = head["positions"] - head["first_query"]
            self.assertEqual(head["context_tokens"] - head["first_query"], 32)
            layer = 4 * queries + 2 * head["positions"] * KV_HEADS * HEAD_SIZE + 4 * queries * QUERY_HEADS * HEAD_SIZE
            self.assertEqual(len(data), 16 + length + LAYERS * layer + 32)

    def test_selectors_are_tried_without_the_model(self):
        seen = self.done("replay", self.deep, "--arms", "streaming,quest,snapkv,mass-oracle,oracle", "--budget", "128,256", "-o", "out")
        for line in seen.out.splitlines():
            self.assertLessEqual(len(line), 80, line)
        told = self.done("replay", self.deep, "--arms", "streaming,mass-oracle,oracle", "--budget", "128", "--json").json()
        arms = {arm["arm"]: arm for arm in told["arms"]}
        self.assertEqual(set(arms), {"streaming-128", "mass-oracle-128", "oracle"})
        self.assertAlmostEqual(arms["oracle"]["coverage"]["joint"], 1)
        ranking = arms["mass-oracle-128"]["coverage"]["ranking"]
        self.assertGreater(ranking["score_to_mass"], 0.9, "its score is the attention, head by head")
        self.assertLess(arms["streaming-128"]["read_share"], 0.5)
        # What streaming reads does not hang on what the model computes.
        in_engine = {line["sample"]: line for line in read_jsonl(self.home / "study/streaming-128/coverage.jsonl")}
        replayed = read_jsonl(self.folder / "out/streaming-128/coverage.jsonl")
        self.assertEqual(len(replayed), 2)
        for line in replayed:
            self.assertEqual(line["joint_answer"], in_engine[line["sample"]]["joint_answer"])
            self.assertEqual(line["arm"], "streaming-128")

    def test_what_cannot_be_replayed_is_refused(self):
        (self.folder / "empty").mkdir()
        damaged = self.folder / "damaged.kq"
        data = bytearray(next(self.deep.glob("*.kq")).read_bytes())
        data[len(data) // 2] ^= 1
        damaged.write_bytes(data)
        rows = (((self.deep, "--arms", "h2o", "--budget", "128"), "h2o-128 needs the queries from position 0"),
                ((self.deep, "--arms", "quest", "--budget", "128", "--scope", "prefill"), "quest-128 needs the queries"),
                ((self.deep, "--arms", "quest"), "needs a budget"),
                ((self.deep, "--arms", "full=http://x/v1"), "with selectors, not servers"),
                ((self.deep, "--arms", "full", "-o", self.home / "study"), "a run with a coverage of its own"),
                ((self.folder / "empty", "--arms", "full"), "no recordings"),
                ((damaged, "--arms", "full"), "damaged.kq: cut or changed"))
        for args, words in rows:
            with self.subTest(words):
                refused = fathom("replay", *args)
                self.assertEqual(refused.code, 2, refused.told())
                self.assertIn(words, refused.err)
        simulated = fathom("run", *SUITE, "-m", MODEL, "--arms", "quest", "--budget", "128", "--record", "deep", "-o", self.folder / "r")
        self.assertEqual(simulated.code, 2, simulated.told())
        self.assertIn("put full among the arms", simulated.err)

    def test_a_selection_log_gives_the_coverage_that_was_recorded(self):
        """The log of an arm, read as any engine's: the same numbers, but for candidates, which it leaves out."""
        self.done("run", *SUITE, "-m", MODEL, "-o", "plain")
        arm = self.home / "study/quest-128"
        self.done("coverage", "plain", "--log", arm / "selections.jsonl.zst")
        recorded = {line["sample"]: line for line in read_jsonl(arm / "coverage.jsonl")}
        read = read_jsonl(self.folder / "plain/coverage.jsonl")
        self.assertEqual(len(read), 2)
        for line in read:
            wanted = {key: value for key, value in recorded[line["sample"]].items() if key not in ("ranking", "arm")}
            self.assertEqual({key: value for key, value in line.items() if key != "arm"}, wanted)
        own = fathom("coverage", self.home / "study", "--log", f"quest-128={arm / 'selections.jsonl.zst'}")
        self.assertEqual(own.code, 2, own.told())
        self.assertIn("of fathom's own engine", own.err)
