"""V2, V3, S4: the report page as a file: what its data holds of real runs, and that its commands make its samples again."""
import base64
import json
import pathlib
import re
import shlex
import struct

from program import FathomTest, tokenizer

DATA = re.compile(r'<script id="fathom-data" type="application/json">(.*?)</script>', re.S)
WIDTHS = {"u8": "B", "u16": "H", "u32": "I"}


def page_data(path: pathlib.Path) -> dict:
    found = DATA.findall(path.read_text(encoding="utf-8"))
    assert len(found) == 1, f"{path} holds {len(found)} data scripts"
    return json.loads(found[0])


def column(samples: dict, name: str) -> list:
    packed = samples["columns"][name]
    kind = WIDTHS[packed["type"]]
    data = base64.b64decode(packed["data"], validate=True)
    none = 2 ** (8 * struct.calcsize("<" + kind)) - 1
    values = struct.unpack(f"<{samples['count']}{kind}", data)
    return [-1 if value == none else value for value in values]


def sample_id(data: dict, run: dict, row: int) -> str:
    cell = run["cells"][column(run["samples"], "cell")[row]]
    usual = f"{data['tasks'][cell['task']]['cell']}:{data['lengths'][cell['length']]['tokens']}:{column(run['samples'], 'index')[row]}"
    return run["samples"]["ids"].get(str(row), usual)


class ReportPage(FathomTest):
    def run_reader(self, reader: str, folder: str) -> None:
        self.done("run", "ruler", "-t", tokenizer("qwen3"), "--lengths", "512,1k", "--samples", "6", "--tasks", "niah_single_1,niah_multikey_1,vt,fwe",
                  "-m", f"simulated/{reader}", "-o", folder)

    def scores(self, folder: str) -> dict:
        lines = (self.folder / folder / "scores.jsonl").read_text().splitlines()
        return {line["id"]: line for line in map(json.loads, lines)}

    def test_page_of_one_run_holds_every_score(self):
        self.run_reader("weak", "a")
        data = page_data(self.folder / "a/report.html")
        self.assertEqual((data["format"], data["version"]), ("fathom-page", 2))
        [run] = data["runs"]
        self.assertTrue(run["simulated"])
        self.assertIn("imulated", run["headline"])
        scores = self.scores("a")
        samples = run["samples"]
        official, strict, miss = (column(samples, name) for name in ("score", "strict", "miss"))
        self.assertEqual(samples["count"], len(scores))
        for row in range(samples["count"]):
            score = scores[sample_id(data, run, row)]
            self.assertAlmostEqual(official[row], score["official"] * 1000, delta=0.51)
            self.assertAlmostEqual(strict[row], score["strict"] * 1000, delta=0.51)
            kind = data["misses"][miss[row]]["kind"] if miss[row] >= 0 else None
            self.assertEqual(kind, score["misses"][0]["kind"] if "misses" in score else None)
        self.assertEqual(len(run["cases"]) + run["cases_left_out"], len(scores), "a small run is shown whole")
        self.assertEqual(run["total"]["samples"], len(scores))
        self.assertIsNone(data["structure"])
        self.assertEqual(data["comparisons"], [])

    def test_a_sample_is_made_again_by_its_command(self):
        """V3: the prompt that the page shows is the one that its command makes."""
        self.run_reader("weak", "a")
        data = page_data(self.folder / "a/report.html")
        [run] = data["runs"]
        case = run["cases"][0]
        name = sample_id(data, run, case["sample"])
        words = shlex.split(run["remake"].replace("{id}", shlex.quote(name)))
        self.assertEqual(words[0], "fathom")
        target = words[words.index("-o") + 1]
        self.done(*words[1:])
        made = json.loads((self.folder / target / "sample.json").read_text())
        shown = data["prompts"][case["prompt"]]
        self.assertEqual(made["id"], name)
        self.assertEqual(shown["references"], made["references"])
        text = (self.folder / target / "prompt.txt").read_bytes()
        for part in shown["excerpt"]:
            excerpt = "".join(piece["text"] for piece in part["pieces"]).encode()
            self.assertEqual(text[part["offset"]:part["offset"] + len(excerpt)], excerpt)

    def test_page_of_several_runs_pairs_their_samples(self):
        for reader, folder in (("weak", "a"), ("strong", "b"), ("weak", "c")):
            self.run_reader(reader, folder)
        self.done("report", "a", "b", "c", "-o", "all/report.html")
        data = page_data(self.folder / "all/report.html")
        self.assertEqual([(one["a"], one["b"]) for one in data["comparisons"]], [(0, 1), (0, 2)])
        self.assertIsNotNone(data["robustness"])
        a, b = self.scores("a"), self.scores("b")
        first, same = data["comparisons"]
        lost = sum(a[name]["official"] > b[name]["official"] for name in a)
        gained = sum(a[name]["official"] < b[name]["official"] for name in a)
        counts = [data["pair_outcomes"][kind] for kind in column(first["samples"], "outcome")]
        self.assertEqual((counts.count("lost"), counts.count("gained")), (lost, gained))
        same_counts = {data["pair_outcomes"][kind] for kind in column(same["samples"], "outcome")}
        self.assertLessEqual(same_counts, {"both-right", "both-wrong"}, "the same reader twice never differs")
        prompts = {case["prompt"] for run in data["runs"] for case in run["cases"]}
        self.assertEqual(len(data["prompts"]), len(prompts))
        self.assertLess(len(prompts), sum(len(run["cases"]) for run in data["runs"]), "a prompt is written once")
