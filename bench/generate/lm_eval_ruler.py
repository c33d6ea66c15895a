#!/usr/bin/env python3
"""lm_eval_ruler.py TASK LENGTH SAMPLES TOKENIZER_DIR: times lm-evaluation-harness (PyPI lm-eval) making samples of one RULER task.

Its own generators are called with their own parameters; only the number of samples is lowered. Prints one JSON object.
"""
import json
import os
import resource
import sys
import time
from importlib.metadata import version

os.environ["HF_HUB_OFFLINE"] = "1"


class Counter:
    """What the generators ask of a tokenizer: an object whose call gives input_ids."""

    def __init__(self, folder):
        from tokenizers import Tokenizer

        self.tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")

    def __call__(self, text):
        ids = self.tokenizer.encode(text).ids
        return type("Encoding", (), {"input_ids": ids})()


def make(task, length, samples, tokenizer):
    if task.startswith("niah"):
        from lm_eval.tasks.ruler import niah_utils, prepare_niah

        prepare_niah.download_nltk_resources = lambda: None
        settings = {
            "niah_single_1": ("repeat", "words", "numbers"),
            "niah_multikey_2": ("needle", "words", "numbers"),
            "niah_multikey_3": ("needle", "uuids", "uuids"),
        }
        haystack, key, value = settings[task]
        return prepare_niah.generate_samples(prepare_niah.get_haystack(type_haystack=haystack), max_seq_length=length, template=niah_utils.TEMPLATE,
                                             type_haystack=haystack, type_needle_k=key, type_needle_v=value, num_samples=samples, TOKENIZER=tokenizer)
    if task == "vt":
        from lm_eval.tasks.ruler.vt_utils import sys_vartrack_w_noise_random

        example = sys_vartrack_w_noise_random(tokenizer=tokenizer, num_samples=1, max_seq_length=500, incremental=5)[0]
        return sys_vartrack_w_noise_random(tokenizer=tokenizer, num_samples=samples, max_seq_length=length, icl_example=example)
    if task == "cwe":
        from lm_eval.tasks.ruler.cwe_utils import sys_word_pair_random

        return sys_word_pair_random(num_samples=samples, max_seq_length=length, tokenizer=tokenizer)
    from lm_eval.tasks.ruler.fwe_utils import sys_kwext

    return sys_kwext(num_samples=samples, tokenizer=tokenizer, max_seq_length=length)


def main():
    task, length, samples, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    tokenizer = Counter(folder)
    start = time.monotonic()
    made = list(make(task, length, samples, tokenizer))
    seconds = time.monotonic() - start
    lengths = [row["length"] for row in made]
    print(json.dumps({"task": task, "version": version("lm-eval"), "samples": len(made), "seconds": seconds, "exact": sum(n == length for n in lengths),
                      "mean_length": sum(lengths) / len(lengths), "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


main()
