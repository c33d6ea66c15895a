"""S4, S5: runs held against each other and against a policy, as a CI job does it."""
import csv
import json
import pathlib
import shutil
import tempfile
import xml.etree.ElementTree

from program import FathomTest, fathom, tokenizer

SUITE = ("ruler", "--lengths", "1k,4k", "--samples", "20", "--tasks", "niah_single_1,niah_multikey_1,vt")


class WithRuns(FathomTest):
    """Runs that all tests of a class read and none changes."""

    RUNS = {"strong": ("strong", SUITE), "weak": ("weak", SUITE)}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.runs = pathlib.Path(tempfile.mkdtemp(prefix="fathom-e2e-runs-"))
        cls.addClassCleanup(shutil.rmtree, cls.runs, ignore_errors=True)
        for name, (reader, suite) in cls.RUNS.items():
            done = fathom("run", *suite, "-t", tokenizer("qwen3"), "-m", f"simulated/{reader}", "-o", cls.runs / name)
            assert done.code == 0, done.told()

    def policy(self, text: str, name="policy.yaml") -> pathlib.Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def refused(self, *args) -> str:
        done = fathom(*args, cwd=self.folder)
        self.assertEqual(done.code, 2, done.told())
        self.assertEqual(len(done.error_lines()), 1, done.told())
        return done.err


class Compare(WithRuns):
    RUNS = {**WithRuns.RUNS, "other": ("weak", (*SUITE, "--seed", "7")),
            "fewer": ("weak", ("ruler", "--lengths", "1k,4k", "--samples", "12", "--tasks", "niah_single_1,niah_multikey_1,vt"))}

    def test_finds_the_loss(self):
        shown = self.done("compare", self.runs / "strong", self.runs / "weak").out
        self.assertRegex(" ".join(shown.split()), r"weak .*is worse than strong .*by [0-9.]+ points \(95 %: [0-9.]+ to [0-9.]+\) on 120 shared samples")
        self.assertIn("Model: ", shown, "the differing model is named")
        for line in shown.splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_numbers_add_up(self):
        out = self.folder / "c"
        whole = self.done("compare", self.runs / "strong", self.runs / "weak", "--json", "-o", out).json()
        self.assertEqual(whole, json.loads((out / "comparison.json").read_text()))
        one = whole["comparisons"][0]
        self.assertEqual(one["shared"], 120)
        for group in (one["all"], *one["cells"], *one["tasks"], *one["lengths"], *one["categories"]):
            self.assertEqual(group["pairs"], group["both"] + group["lost"] + group["gained"] + group["neither"])
            self.assertAlmostEqual(group["difference"]["value"], group["b"]["value"] - group["a"]["value"], 12)
            self.assertLessEqual(group["difference"]["low"], group["difference"]["value"])
            self.assertLessEqual(group["p"], group["p_holm"])
        for kind in ("cells", "tasks", "lengths", "categories"):
            for count in ("pairs", "lost", "gained"):
                self.assertEqual(sum(group[count] for group in one[kind]), one["all"][count], kind)
        self.assertEqual(len(one["samples"]), one["all"]["lost"] + one["all"]["gained"])
        self.assertLess(one["all"]["p"], 0.001)
        # The pairs are those of the two score files.
        scores = [{row["id"]: row["official"] or 0 for row in map(json.loads, (self.runs / name / "scores.jsonl").read_text().splitlines())}
                  for name in ("strong", "weak")]
        self.assertEqual({sample["id"] for sample in one["samples"]}, {key for key in scores[0] if scores[0][key] != scores[1][key]})
        with open(out / "comparison.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 1 + sum(len(one[kind]) for kind in ("cells", "tasks", "lengths", "categories")))
        self.assertEqual(int(rows[0]["lost"]), one["all"]["lost"])
        self.assertIn("| all samples |", (out / "comparison.md").read_text())

    def test_with_itself(self):
        one = self.done("compare", self.runs / "weak", self.runs / "weak", "--json").json()["comparisons"][0]
        self.assertIn("scored the same on each of 120", one["verdict"])
        self.assertEqual((one["all"]["lost"], one["all"]["gained"], one["all"]["p"]), (0, 0, 1))
        self.assertLess(one["all"]["difference"]["low"], 0, "no finite sample proves equality")
        self.assertEqual(one["conditions"], [])

    def test_three_runs(self):
        whole = self.done("compare", self.runs / "strong", self.runs / "weak", self.runs / "strong", "--json").json()
        self.assertEqual([one["b"]["run"] for one in whole["comparisons"]], ["weak", "strong"])

    def test_refuses_other_samples_by_name(self):
        message = self.refused("compare", self.runs / "strong", self.runs / "other")
        for words in ("strong and other", "120 with the same id and another content", "niah_single_1:1024:0", "--unpaired"):
            self.assertIn(words, message)
        message = self.refused("compare", self.runs / "strong", self.runs / "fewer")
        for words in ("48 only in strong", "72 are shared", "--shared"):
            self.assertIn(words, message)
        one = self.done("compare", self.runs / "strong", self.runs / "fewer", "--shared", "--json").json()["comparisons"][0]
        self.assertEqual((one["shared"], one["only_a"], one["all"]["pairs"]), (72, 48, 72))
        shown = self.done("compare", self.runs / "strong", self.runs / "fewer", "--shared").out
        self.assertIn("Left out: 48 only in A", shown)

    def test_unpaired_where_asked(self):
        one = self.done("compare", self.runs / "strong", self.runs / "other", "--unpaired", "--json").json()["comparisons"][0]
        self.assertFalse(one["paired"])
        self.assertEqual(one["all"]["pairs"], 0)
        self.assertLess(one["all"]["difference"]["high"], 0)
        self.assertIn("not paired", one["verdict"])

    def test_what_more_samples_would_show(self):
        needed = [self.done("compare", self.runs / "strong", self.runs / "weak", "--want", want, "--json").json()["comparisons"][0]["all"]["needed"]
                  for want in ("0.1", "0.02")]
        self.assertGreater(needed[1], 20 * needed[0])

    def test_usage(self):
        for args, words in ((("compare", self.runs / "weak"), "two run folders"),
                            (("compare", self.runs / "weak", self.runs / "weak", "--shared", "--unpaired"), "one of them"),
                            (("compare", self.runs / "weak", self.runs / "weak", "--lengths", "8k"), "shared"),
                            (("compare", self.runs / "weak", self.runs / "weak", "--want", "0"), "--want")):
            with self.subTest(words=words):
                self.assertIn(words, self.refused(*args))
        self.assertEqual(fathom("compare", self.runs / "weak", self.folder / "nothing").code, 3)

    def test_widths(self):
        for width in (200, 80, 60, 40):
            shown = self.done("compare", self.runs / "strong", self.runs / "weak", env={"COLUMNS": str(width)}).out
            self.assertLessEqual(max(map(len, shown.splitlines())), width, shown)
            self.assertIn("B − A", shown)


class Gate(WithRuns):
    def gate(self, run: str, policy, *more, code=None):
        done = fathom("gate", self.runs / run, "--policy", policy, *more, cwd=self.folder)
        if code is not None:
            self.assertEqual(done.code, code, done.told())
        return done

    def test_names_the_rule_that_fails(self):
        done = self.gate("weak", "regression", "--baseline", self.runs / "strong", "-o", self.folder / "g", code=100)
        self.assertIn("FAIL: ", done.out)
        self.assertIn("not worse than the baseline by more than 5 points", done.out)
        for line in done.out.splitlines():
            self.assertLessEqual(len(line), 80, line)
        result = json.loads((self.folder / "g/gate.json").read_text())
        self.assertEqual((result["status"], result["exit_code"]), ("fail", 100))
        self.assertEqual(len(result["policy"]["sha256"]), 64)
        failing = [rule for rule in result["rules"] if rule["status"] == "fail"]
        self.assertIn("not_worse", {rule["rule"] for rule in failing})
        suite = xml.etree.ElementTree.parse(self.folder / "g/gate.junit.xml").getroot().find("testsuite")
        self.assertEqual(int(suite.get("tests")), len(result["rules"]))
        self.assertEqual(int(suite.get("failures")), len(suite.findall("testcase/failure")))
        self.assertEqual(len(suite.findall("testcase/failure")), len(failing))
        self.assertIn("| ❌ **fail** | not worse", (self.folder / "g/gate.md").read_text())

    def test_the_same_run_passes(self):
        done = self.gate("weak", "regression", "--baseline", self.runs / "weak", "--json", code=0)
        rules = {rule["title"]: rule["status"] for rule in done.json()["rules"]}
        self.assertNotIn("fail", rules.values())
        policy = self.policy("name: same\nunresolved: fail\nrules:\n  - not_worse: {margin: 0.1}\n  - completion: {at_least: 1}\n"
                             "  - output_tokens: {of_baseline: [0.99, 1.01]}\n")
        self.gate("weak", policy, "--baseline", self.runs / "weak", code=0)
        self.gate("strong", policy, "--baseline", self.runs / "weak", code=None)

    def test_better_is_not_worse(self):
        policy = self.policy("name: better\nunresolved: fail\nrules:\n  - not_worse: {margin: 0}\n")
        self.gate("strong", policy, "--baseline", self.runs / "weak", code=0)
        self.gate("weak", policy, "--baseline", self.runs / "strong", code=100)

    def test_unresolved_is_the_policys_word(self):
        macro = json.loads((self.runs / "weak/summary.json").read_text())["total"]["usability"]["value"]
        for head, code in (("", 0), ("unresolved: fail\n", 100), ("unresolved: {exit: 42}\n", 42)):
            policy = self.policy(f"name: open\n{head}rules:\n  - macro: {{at_least: {macro:.4f}}}\n")
            with self.subTest(head=head):
                done = self.gate("weak", policy, "--json", "-o", self.folder / "g", code=code)
                self.assertEqual(done.json()["status"], "unresolved")
                suite = xml.etree.ElementTree.parse(self.folder / "g/gate.junit.xml").getroot().find("testsuite")
                self.assertEqual(int(suite.get("skipped")), 1 if code == 0 else 0)
                self.assertEqual(int(suite.get("failures")), 0 if code == 0 else 1)

    def test_every_rule_of_the_form(self):
        """A policy with all kinds of rules, as its documentation has them."""
        policy = self.policy("""
name: everything
reading: official
confidence: 0.9
unresolved: {exit: 7}
prices: {input: 0.1, output: 0.4}
rules:
  - macro: {at_least: 0.01, lengths: 1k}
  - categories: {at_least: {retrieval: 0.01, tracking: 0.01}}
  - tasks: {at_least: 0, correction: bonferroni}
  - effective_length: {at_least: 1k, threshold: 0.05}
  - not_worse: {margin: 0.99, over: cell, correction: bonferroni}
  - completion: {at_least: 0.5}
  - strict_gap: {at_most: 1}
  - outcomes: {at_most: {output-cut: 1, input-truncated: 0}}
  - misses: {at_most: {wrong-binding: 1}}
  - output_tokens: {statistic: p95, between: [0, 100000]}
  - output_tokens: {of_baseline: [0, 1000]}
  - latency: {at_most_ms: {1k: 100000, 4k: 100000}, quantile: 0.5}
  - cost: {at_most: {input_tokens: 1000000, money: 1}}
""")
        done = self.gate("weak", policy, "--baseline", self.runs / "strong", "--json", code=0)
        self.assertEqual({rule["status"] for rule in done.json()["rules"]}, {"pass"}, done.out)

    def test_hostile_names_stay_text(self):
        evil = "</testcase><script>x</script> \\u001b[31m | `x` ]]> & \\u202e"
        policy = self.policy(f'name: "{evil}"\nrules:\n  - macro: {{at_least: 1, name: "{evil}"}}\n')
        done = self.gate("weak", policy, "-o", self.folder / "g", code=100)
        self.assertNotIn("\x1b", done.out)
        case = xml.etree.ElementTree.parse(self.folder / "g/gate.junit.xml").getroot().find("testsuite/testcase")
        self.assertIn("</testcase><script>", case.get("name"))
        self.assertNotIn("<script>", (self.folder / "g/gate.md").read_text())

    def test_broken_policies(self):
        """Q1: what is damaged → exit code 2 and one line that names file, place and remedy."""
        rule = "name: p\nrules:\n  - {}\n".format
        rows = [
            ("", "an empty file"),
            ("words", "must be a map"),
            ("rules: [", "not YAML"),
            ("\x00\x01", "NUL"),
            ("name: p\n", "needs the key 'rules'"),
            ("rules:\n  - macro: {at_least: 1}\n", "needs the key 'name'"),
            ("name: p\nrule: []\n", "2:1: unknown key 'rule' in a policy; did you mean 'rules'?"),
            ("name: p\nrules: []\n", "2:8"),
            ("name: p\nname: q\nrules: []\n", "2:1"),
            (rule("macros: {at_least: 1}"), "3:5: unknown rule 'macros'; did you mean 'macro'?"),
            (rule("macro: {atleast: 1}"), "did you mean 'at_least'?"),
            (rule("macro: {at_least: 85}"), "a share from 0 to 1"),
            (rule("macro: {at_least: .nan}"), "must be a number"),
            (rule("not_worse: {margin: -0.02}"), "'margin' must be a share from 0 to 1, not -0.02"),
            (rule("not_worse: {margin: 0.1, over: planets}"), "one of all, task"),
            (rule("outcomes: {at_most: {cut-output: 0.1}}"), "unknown name 'cut-output'"),
            (rule("cost: {at_most: {money: 1}}"), "needs 'prices'"),
            (rule("latency: {at_most_ms: {often: 1}}"), "often"),
            (rule("tasks: {at_least: {vt_1: 0.5}}"), "the run has no task 'vt_1'"),
            (rule("categories: {at_least: {retrievel: 0.5}}"), "did you mean 'retrieval'?"),
            (rule("effective_length: {at_least: 8k}"), "nothing was measured at 8K"),
            (rule("macro: {at_least: 0.5, lengths: 2k}"), "no samples of 2K tokens; its lengths: 1K, 4K"),
            (rule("not_worse: {margin: 0.1}"), "--baseline"),
            (rule("macro: {at_least: 1}") + "unresolved: {exit: 3}\n", "between 6 and 99"),
            (rule("macro: &a {at_least: 1}"), "3:"),
            ("a: " + "[" * 5000, "p.yaml"),
            ("#" * (2 << 20), "is this the right file?"),
        ]
        for text, words in rows:
            with self.subTest(text=text[:80]):
                message = self.refused("gate", self.runs / "weak", "--policy", self.policy(text, "p.yaml"))
                self.assertIn("p.yaml", message)
                self.assertIn(words, message)
        self.assertIn("did you mean 'regression'?", self.refused("gate", self.runs / "weak", "--policy", "regresion"))
        self.assertIn("a folder", self.refused("gate", self.runs / "weak", "--policy", self.folder))

    def test_unfinished_run(self):
        shutil.copytree(self.runs / "weak", self.folder / "half")
        journal = self.folder / "half/attempts.jsonl"
        lines = journal.read_text().splitlines(keepends=True)
        journal.write_text("".join(lines[:-20]))
        policy = self.policy("name: p\nrules:\n  - macro: {at_least: 0.01}\n")
        self.assertIn("20 of 120 samples have no answer yet", self.refused("gate", self.folder / "half", "--policy", policy))
        self.gate(self.folder / "half", policy, "--partial", code=0)


class RegressionSuite(WithRuns):
    RUNS = {"old": ("strong", ("regression",)), "new": ("weak", ("regression", "--lengths", "1k,8k,32k", "--samples", "3"))}

    def test_every_family_length_and_place(self):
        samples = [json.loads(line) for line in (self.runs / "old/samples.jsonl").read_text().splitlines()]
        self.assertEqual(len(samples), 216)
        self.assertEqual({sample["length"] for sample in samples}, {512, 1024, 2048})
        ids = {sample["id"] for sample in samples}
        self.assertIn("niah_multikey_1[depth=grid,depth_points=3]:512:0", ids)
        for sample in samples:
            if sample["task"] == "niah_multikey_1":
                place = (0, 0.5, 1)[sample["index"] % 3]
                self.assertAlmostEqual(sample["depth"], place, delta=0.1, msg=sample["id"])

    def test_gates_itself(self):
        done = fathom("gate", self.runs / "old", "--policy", "regression", "--baseline", self.runs / "old", "--json")
        self.assertEqual(done.code, 0, done.told())
        self.assertEqual({rule["status"] for rule in done.json()["rules"]}, {"pass"}, done.out)
        self.assertIn("do not have the same samples",
                      self.refused("gate", self.runs / "new", "--policy", "regression", "--baseline", self.runs / "old"))
