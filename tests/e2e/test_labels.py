"""J2, J3: the grader held against labels, and a run of an older fathom graded with all that is known today."""
import json

from program import REPOSITORY, FathomTest, tokenizer

REPLIES = REPOSITORY / "tests/data/grade/labelled_replies.jsonl"


class Labels(FathomTest):
    def make_run(self):
        self.done("run", "ruler", "--lengths", "1k", "--samples", "4", "--tasks", "niah_multikey_1,vt", "-t", tokenizer("qwen3"),
                  "-m", "simulated/weak", "-o", "r")
        return self.folder / "r"

    def test_a_file_with_answers_needs_no_run(self):
        whole = self.done("score", "--labels", REPLIES, "--json").json()
        self.assertEqual(whole["labels"], len(REPLIES.read_text().splitlines()))
        self.assertGreaterEqual(whole["strict"]["accuracy"]["value"], 0.95)
        counted = sum(sum(row.values()) for row in whole["strict"]["confusion"].values())
        self.assertEqual(counted, whole["labels"])
        shown = self.done("score", "--labels", REPLIES).out
        self.assertIn("strict reading: agrees in", shown)

    def test_labels_of_a_run(self):
        self.make_run()
        scores = [json.loads(line) for line in (self.folder / "r/scores.jsonl").read_text().splitlines()]
        names = {0: "wrong", 1: "right"}
        labels = [{"id": row["id"], "label": names.get(row["strict"], "partly")} for row in scores]
        labels[0]["label"] = "wrong" if labels[0]["label"] != "wrong" else "right"
        (self.folder / "labels.jsonl").write_text("".join(json.dumps(label) + "\n" for label in labels))
        shown = self.done("score", "r", "--labels", "labels.jsonl").out
        self.assertIn(f"{len(labels)} labelled replies", shown)
        self.assertIn(labels[0]["id"], shown, "the reply on which they differ is listed")
        self.assertNotIn(labels[1]["id"] + " ", shown)

    def test_an_older_run_is_graded_in_full(self):
        run = self.make_run()
        scores = (run / "scores.jsonl").read_bytes()
        index = (run / "samples.jsonl").read_bytes()
        older = [json.loads(line) for line in index.splitlines()]
        for line in older:
            del line["expects"]
        (run / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in older))
        self.done("score", "r")
        self.assertEqual((run / "samples.jsonl").read_bytes(), index)
        self.assertEqual((run / "scores.jsonl").read_bytes(), scores)
