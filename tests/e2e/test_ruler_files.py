"""T17: RULER's files, there and back: the same prompts, and scores by the reference's two rules."""
import json

from program import FathomTest, fathom, read_jsonl, tokenizer

TASKS = ("niah_single_1", "niah_multivalue", "vt", "cwe", "fwe")


def match_all(prediction: str, references: list) -> float:
    return sum(reference.lower() in prediction.lower() for reference in references) / len(references)


def match_part(prediction: str, references: list) -> float:
    return max(float(reference.lower() in prediction.lower()) for reference in references)


class RulerFiles(FathomTest):
    def setUp(self):
        super().setUp()
        self.done("generate", "ruler", "-t", tokenizer("qwen3"), "--lengths", "1k,2k", "--samples", "3", "--tasks", ",".join(TASKS), "-o", "d")
        self.done("export", "ruler", "d", "-o", "files")

    def test_there_and_back(self):
        self.done("import", "ruler", "files", "-t", tokenizer("qwen3"), "-o", "back")
        key = lambda row: (row["task"], row["length"], row["index"])
        rows = {key(row): row for row in read_jsonl(self.folder / "d/samples.jsonl")}
        back = {key(row): row for row in read_jsonl(self.folder / "back/samples.jsonl")}
        self.assertEqual(set(back), set(rows))
        for place, row in rows.items():
            for field in ("prompt", "answer_prefix", "references", "metric"):
                self.assertEqual(back[place][field], row[field], f"{place} {field}")
            for field in ("prompt", "reserve", "total"):
                self.assertEqual(back[place]["tokens"][field], row["tokens"][field], f"{place} {field}")

    def test_audit_of_the_import(self):
        """G11: what passes the audit passes it after the way there and back."""
        self.done("audit", "d")
        self.done("import", "ruler", "files", "-t", tokenizer("qwen3"), "-o", "back")
        self.done("audit", "back")

    def test_form(self):
        """The fields that RULER's own scripts read."""
        for length in (1024, 2048):
            for task in TASKS:
                rows = read_jsonl(self.folder / f"files/{length}/{task}/validation.jsonl")
                self.assertEqual([row["index"] for row in rows], [0, 1, 2])
                for row in rows:
                    self.assertLessEqual({"index", "input", "outputs", "length", "answer_prefix"}, set(row))
                    self.assertEqual(row["length"], length)

    def test_scores_of_predictions(self):
        """J1: equal to RULER's rules, computed here."""
        predictions = self.folder / "pred"
        predictions.mkdir()
        wanted = {}
        for task, rule in (("niah_single_1", match_all), ("vt", match_all), ("qa_1", match_part)):
            rows = []
            for index in range(7):
                references = ["Alpha", "beta two", "GAMMA"][: 1 + index % 3]
                said = [" ".join(references), references[0].upper(), "nothing", ", ".join(r.lower() for r in references[1:]), "",
                        "alp ha beta", references[-1] + "\x00\x1b[31m"][index]
                rows.append({"index": index, "pred": said, "input": "x", "outputs": references, "others": {}})
            (predictions / f"{task}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
            wanted[task] = sum(rule(row["pred"], row["outputs"]) for row in rows) / len(rows) * 100
        self.done("score", "--ruler-predictions", "pred", "-o", "scores")
        [table] = self.folder.rglob("summary.csv")
        text = table.read_text()
        rows = {line.split(",")[0]: line.split(",")[1:] for line in text.splitlines()}
        found = dict(zip(rows["Tasks"], rows["Score"]))
        self.assertEqual({task: f"{float(found[task]):.2f}" for task in wanted}, {task: f"{score:.2f}" for task, score in wanted.items()}, text)

    def test_broken_export_target(self):
        other = fathom("export", "ruler", "d", "-o", "d/samples.jsonl", cwd=self.folder)
        self.assertEqual(other.code, 3, other.told())
        self.assertEqual(len(other.error_lines()), 1, other.told())
