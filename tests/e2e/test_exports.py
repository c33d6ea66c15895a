"""V4: a run as lm-eval's and inspect's files, read by what reads those. inspect's own schema and reader are used where inspect_ai is
installed in the Python that runs this (a development check: pip install inspect-ai jsonschema)."""
import csv
import hashlib
import importlib.util
import json
import pathlib
import shutil
import tempfile
import unittest

from program import FathomTest, fathom, read_jsonl, tokenizer

TASKS = "niah_single_1,niah_multikey_1,vt,cwe,qa_encyclopaedia_1hop"


class WithRun(FathomTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.runs = pathlib.Path(tempfile.mkdtemp(prefix="fathom-e2e-exports-"))
        cls.addClassCleanup(shutil.rmtree, cls.runs, ignore_errors=True)
        done = fathom("run", "ruler", "-t", tokenizer("qwen3"), "-m", "simulated/weak", "--lengths", "1k,2k", "--samples", "4",
                      "--tasks", TASKS, "--controls", "no-context,needles-only", "-o", cls.runs / "r")
        assert done.code == 0, done.told()
        cls.run_folder = cls.runs / "r"
        cls.scores = {row["id"]: row for row in read_jsonl(cls.run_folder / "scores.jsonl")}
        cls.summary = json.loads((cls.run_folder / "summary.json").read_text())


class LmEval(WithRun):
    def exported(self, *more):
        lines = self.done("export", "lm-eval", self.run_folder, "-o", "out", *more).out.splitlines()
        results = json.loads((self.folder / lines[0]).read_text())
        return results, {path: read_jsonl(self.folder / path) for path in lines[1:]}

    def test_results(self):
        results, _ = self.exported()
        for task in ("niah_single_1", "ruler_vt", "ruler_cwe", "fathom_qa_encyclopaedia_1hop"):
            self.assertIn(task, results["results"])
            self.assertEqual(results["results"][task]["alias"], task)
            self.assertTrue(results["higher_is_better"][task]["1024"])
        for cell in self.summary["cells"]:
            name = {"vt": "ruler_vt", "cwe": "ruler_cwe"}.get(cell["cell"], cell["cell"])
            name = name if name.startswith(("niah", "ruler")) else "fathom_" + name
            self.assertAlmostEqual(results["results"][name][f"{cell['length']},none"], cell["usability"]["value"], 12)
            self.assertEqual(results["n-samples"][name]["effective"], sum(
                other["attempted"] for other in self.summary["cells"] if other["cell"] == cell["cell"]))
        self.assertNotIn("ruler", results["results"], "the group needs all thirteen tasks")
        for key in ("group_subtasks", "configs", "versions", "n-shot", "config", "git_hash", "date", "task_hashes", "model_source",
                    "model_name", "model_name_sanitized", "chat_template", "total_evaluation_time_seconds"):
            self.assertIn(key, results)

    def test_samples(self):
        results, files = self.exported()
        seen = 0
        for path, rows in files.items():
            task = pathlib.Path(path).name[len("samples_"):].rsplit("_", 1)[0]
            hashes = ""
            for row in rows:
                seen += 1
                score = self.scores[row["doc"]["fathom_id"]]
                self.assertEqual(row[str(score["length"])], score["official"] or 0)
                others = [length for length in row["metrics"] if length != str(score["length"])]
                self.assertTrue(all(row[length] == -1 for length in others))
                self.assertEqual(row["target"], row["doc"]["outputs"][0])
                prompt = row["arguments"]["gen_args_0"]["arg_0"]
                self.assertTrue(prompt.endswith(row["doc"]["gen_prefix"]))
                # lm-eval's own rules for its hashes
                own = [hashlib.sha256(text.encode()).hexdigest() for text in
                       (json.dumps(row["doc"], indent=2, ensure_ascii=False), prompt, row["target"])]
                self.assertEqual([row["doc_hash"], row["prompt_hash"], row["target_hash"]], own)
                hashes += "".join(own)
                self.assertEqual(row["filtered_resps"], row["resps"][0])
            matching = [name for name in results["task_hashes"] if "".join(c if c.isalnum() else "_" for c in name) == task]
            self.assertEqual([results["task_hashes"][name] for name in matching], [hashlib.sha256(hashes.encode()).hexdigest()])
        self.assertEqual(seen, len(self.scores))

    def test_prompts_can_stay_here(self):
        _, files = self.exported("--without-prompts")
        for rows in files.values():
            for row in rows:
                self.assertEqual(row["arguments"]["gen_args_0"]["arg_0"], "")
                self.assertEqual(row["doc"]["input"], "")

    def test_all_thirteen_are_a_group(self):
        squad = {"data": [{"title": "t", "paragraphs": [
            {"context": f"The colour of item {n} is shade {n * 7 + 1000}. " + "Nothing else is said of it here. " * 4,
             "qas": [{"id": str(n), "question": f"What is the colour of item {n}?", "is_impossible": False,
                      "answers": [{"text": f"shade {n * 7 + 1000}", "answer_start": len(f"The colour of item {n} is ")}]}]} for n in range(80)]}]}
        hotpot = [{"_id": str(n), "question": f"Who leads the town of river {n}?", "answer": f"Mayor {n + 500}",
                   "supporting_facts": [[f"River {n}", 0], [f"Town {n}", 0]],
                   "context": [[f"River {n}", [f"River {n} runs through town {n}.", " It is long and slow and much loved."]],
                               [f"Town {n}", [f"Town {n} is led by Mayor {n + 500}.", " It is old and small and quiet at night."]]]} for n in range(60)]
        (self.folder / "squad.json").write_text(json.dumps(squad))
        (self.folder / "hotpot.json").write_text(json.dumps(hotpot))
        self.done("run", "ruler", "-t", tokenizer("qwen3"), "-m", "simulated/weak", "--lengths", "4k", "--samples", "2",
                  "--corpus", "squad=squad.json", "--corpus", "hotpotqa=hotpot.json", "-o", "thirteen")
        path = self.done("export", "lm-eval", "thirteen", "-o", "out").out.splitlines()[0]
        results = json.loads((self.folder / path).read_text())["results"]
        parts = [value["4096,none"] for name, value in results.items() if name != "ruler"]
        self.assertEqual(len(parts), 13)
        self.assertAlmostEqual(results["ruler"]["4096,none"], sum(parts) / 13, 12)
        summary = (self.folder / "thirteen/ruler/4096/summary.csv").read_text().splitlines()
        self.assertEqual(len(next(csv.reader(summary[1:2]))), 14)


class Inspect(WithRun):
    def exported(self, *more):
        self.done("export", "inspect", self.run_folder, "-o", "logs/r.json", *more)
        return json.loads((self.folder / "logs/r.json").read_text())

    def test_holds_the_run(self):
        log = self.exported()
        self.assertEqual((log["version"], log["status"]), (2, "success"))
        self.assertEqual(sorted(s["id"] for s in log["samples"]), sorted(self.scores))
        official, strict = log["results"]["scores"]
        self.assertAlmostEqual(official["metrics"]["mean"]["value"], self.summary["total"]["usability"]["value"], 12)
        self.assertAlmostEqual(strict["metrics"]["mean"]["value"], self.summary["total"]["strict"]["value"], 12)
        for sample in log["samples"]:
            score = self.scores[sample["id"]]
            self.assertEqual(sample["scores"]["official"]["value"], score["official"] or 0)
            self.assertEqual(sample["metadata"]["outcome"], score["outcome"])
            for message in sample["messages"]:
                content = message["content"]
                if isinstance(content, str) and content.startswith("attachment://"):
                    self.assertIn(content[len("attachment://"):], sample["attachments"])

    def test_prompts_can_stay_here(self):
        self.exported()
        whole = (self.folder / "logs/r.json").stat().st_size
        log = self.exported("--without-prompts")
        self.assertLess((self.folder / "logs/r.json").stat().st_size, whole * 0.6)
        self.assertIn("left out", log["samples"][0]["input"][0]["content"])

    @unittest.skipUnless(importlib.util.find_spec("inspect_ai") and importlib.util.find_spec("jsonschema"),
                         "inspect_ai and jsonschema are not installed in this Python: its schema and reader are not tried")
    def test_validates_and_loads(self):
        import inspect_ai
        import jsonschema
        from inspect_ai.log import read_eval_log
        self.exported()
        path = self.folder / "logs/r.json"
        schema = json.loads((pathlib.Path(inspect_ai.__file__).parent / "_view/inspect-openapi.json").read_text())
        validator = jsonschema.Draft202012Validator({"$ref": "#/components/schemas/EvalLog", "components": schema["components"]})
        errors = [f"{list(error.absolute_path)}: {error.message[:200]}" for error in validator.iter_errors(json.loads(path.read_text()))]
        self.assertEqual(errors, [])
        log = read_eval_log(str(path), resolve_attachments=True)
        self.assertEqual(len(log.samples), len(self.scores))
        for sample in log.samples:
            self.assertFalse(str(sample.messages[0].content).startswith("attachment://"))
        self.assertEqual(read_eval_log(str(path), header_only=True).eval.task, log.eval.task)


class Controls(WithRun):
    def test_say_what_was_known_and_what_could_be(self):
        """G9, S8: without the text nothing is right; the evidence alone is easier than any length."""
        without = [row["official"] for name, row in self.scores.items() if "control=no-context" in name and row["official"] is not None]
        alone = [row["official"] for name, row in self.scores.items() if "control=needles-only" in name and row["official"] is not None]
        self.assertGreater(len(without), 10)
        self.assertLess(sum(without) / len(without), 0.2)
        self.assertGreater(sum(alone) / len(alone), 0.5)
        shown = self.done("score", self.run_folder).out
        self.assertIn("without the context", " ".join(shown.split()))
        self.assertNotIn("control=", shown)

    def test_datasets_with_them_pass_the_audit(self):
        suite = self.folder / "s.yaml"
        suite.write_text("name: s\nlengths: [1k, 2k]\nsamples: 3\ntasks: [niah_single_1, vt, fwe, qa_encyclopaedia_2hop]\n"
                         "controls: [no-context, needles-only]\nvariants:\n  wordings: [question_first]\n  seeds: [43]\n"
                         "  entity_sets: 1\n  instruction: [before, after, both]\n  lengths: 2k\n")
        hashes = set()
        for threads in ("1", "2"):
            self.done("generate", suite, "-t", tokenizer("qwen3"), "-o", f"d{threads}", "--threads", threads)
            hashes.add(json.loads((self.folder / f"d{threads}/manifest.json").read_text())["samples_hash"])
            audit = self.done("audit", f"d{threads}", "-t", tokenizer("qwen3"), "--json").json()
            self.assertTrue(audit["passed"], audit["findings"])
        self.assertEqual(len(hashes), 1)
        rows = read_jsonl(self.folder / "d1/samples.jsonl")
        self.assertEqual(len({row["id"] for row in rows}), len(rows))
        controls = [row for row in rows if row["length"] == 0]
        self.assertEqual(len(controls), 24)
        self.assertTrue(all(row["variant"]["axis"] == "control" and row["off_by"] == 0 for row in controls))


if __name__ == "__main__":
    unittest.main()
