"""R2, Q3, C2: killed at any moment, a run loses nothing that was finished; the same command goes on, and ends."""
import collections
import json
import random
import re
import resource
import signal
import subprocess
import time

from model_server import NAME, ModelServer
from program import FathomTest, fathom, read_jsonl, start, tokenizer

KILLS = 20
SEED = 20  # of the moments of the kills
FINAL = {"answered", "output-cut", "thinking-cut", "over-window", "input-truncated", "refused", "out-of-memory", "timed-out"}

# The built-in weak reader is done in milliseconds; this one makes the same mistakes and takes its time.
SLOW_READER = """
name: weak
about: weak, and slow enough to be killed
window_tokens: 131072
accuracy: {top: 0.95, half_length: 8192, steepness: 1.4, dip: 0.5, worst: 0.55, width: 0.25}
mistakes: {partial: 3, wrong_binding: 4, empty: 1, truncated: 1}
latency: {first_token_ms: 60, ms_per_1000_tokens: 20}
"""


def files_end_at(size: int):
    """In the child: writes beyond this size fail, as on a full disk, without a signal."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def finished_attempts(folder) -> dict:
    """Final attempts by sample, as a reader of docs/formats/run.md finds them: a torn last line is not there."""
    found = collections.Counter()
    for path in folder.glob("attempts*.jsonl"):
        data = path.read_bytes()
        for line in data[:data.rfind(b"\n") + 1].splitlines()[1:]:
            row = json.loads(line)
            if row["outcome"] in FINAL:
                found[(row["sample"], row["attempt"])] += 1
    return found


def comparable(folder) -> tuple:
    """What must not depend on interruptions: answers by sample, and scores."""
    answers = {row["sample"]: (row["hash"], row["attempt"], row["outcome"], row["text"], row["usage"])
               for row in read_jsonl(folder / "attempts.jsonl")[1:]}
    return answers, (folder / "scores.jsonl").read_text(), (folder / "samples.jsonl").read_text()


class Killed(FathomTest):
    def setUp(self):
        super().setUp()
        (self.folder / "slow.yaml").write_text(SLOW_READER)
        self.command = ("run", "ruler", "-m", "simulated/slow.yaml", "-t", tokenizer("qwen3"), "--lengths", "512,1024",
                        "--tasks", "niah_single_1,niah_multikey_1,vt,fwe", "--samples", "12", "--concurrency", "3")
        self.samples = 4 * 2 * 12

    def test_killed_twenty_times(self):
        whole = self.done(*self.command, "-o", "whole")
        moments = random.Random(SEED)
        folder = self.folder / "killed"
        survived = in_the_middle = 0
        for _ in range(KILLS):
            before = finished_attempts(folder) if folder.exists() else {}
            process = start(*self.command, "-o", "killed", cwd=self.folder)
            # So many more answers, then a moment: however fast the machine is, the kills fall all over the run.
            wanted = len(before) + moments.randint(0, 4)
            while process.poll() is None and (len(finished_attempts(folder)) if folder.exists() else 0) < wanted:
                time.sleep(0.002)
            time.sleep(moments.uniform(0, 0.03))
            survived += process.poll() is not None
            process.kill()
            process.communicate()
            after = finished_attempts(folder) if folder.exists() else {}
            self.assertEqual({key: n for key, n in after.items() if n > 1}, {}, "asked again after it was finished")
            self.assertLessEqual(set(before), set(after), "a finished attempt was lost")
            in_the_middle += 0 < len(after) < self.samples
        self.assertGreater(in_the_middle, KILLS // 2, f"the kills came too early or too late; {survived} runs ended by themselves")
        last = self.done(*self.command, "-o", "killed")
        self.assertEqual(len(finished_attempts(folder)), self.samples)
        self.assertEqual(comparable(folder), comparable(self.folder / "whole"))
        self.assertEqual(last.out, whole.out)

    def test_signals(self):
        """C2: Ctrl-C is 130, SIGTERM is 5; both say how to go on, and the same command does."""
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 5)):
            with self.subTest(signal=number.name):
                name = number.name
                folder = self.folder / name
                process = start(*self.command, "-o", name, cwd=self.folder)
                self.wait_for(lambda: folder.exists() and len(finished_attempts(folder)) > 3, process)
                process.send_signal(number)
                out, err = (data.decode() for data in process.communicate(timeout=20))
                self.assertEqual(process.returncode, code, err)
                self.assertEqual(out, "")
                self.assertEqual(len([line for line in err.splitlines() if line.startswith("fathom: ")]), 1, err)
                self.assertLess(len(finished_attempts(folder)), self.samples)
                resumed = self.done(*self.command, "-o", name)
                self.assertIn("resumed", resumed.err)
                counts = finished_attempts(folder)
                self.assertEqual((len(counts), max(counts.values())), (self.samples, 1))

    def wait_for(self, true, process, seconds=60):
        until = time.monotonic() + seconds
        while not true():
            self.assertIsNone(process.poll(), "the run ended early")
            self.assertLess(time.monotonic(), until, "nothing was finished")
            time.sleep(0.02)

    def test_torn_last_line(self):
        """A line without its end is not there; what was whole stays."""
        self.done(*self.command, "-o", "torn")
        journal = self.folder / "torn/attempts.jsonl"
        whole = journal.read_bytes()
        for keep in (len(whole) - 1, len(whole) - 40, whole.find(b"\n") + 10):
            with self.subTest(bytes=keep):
                journal.write_bytes(whole[:keep])
                self.done(*self.command, "-o", "torn")
                self.assertEqual(sorted(finished_attempts(self.folder / "torn").values()), [1] * self.samples)

    def test_full_disk(self):
        """Q3: a file that cannot grow any more stops the run with a line that says so; with room again it goes on."""
        for kilobytes in (1, 6, 20):
            with self.subTest(kilobytes=kilobytes):
                name = f"full{kilobytes}"
                process = start(*self.command, "-o", name, cwd=self.folder, preexec_fn=lambda: files_end_at(kilobytes * 1024))
                out, err = (data.decode() for data in process.communicate(timeout=60))
                self.assertEqual(process.returncode, 3, err)
                lines = [line for line in err.splitlines() if line.startswith("fathom: ")]
                self.assertEqual(len(lines), 1, err)
                self.assertIn(name, lines[0], "the line names the file")
                self.assertEqual(out, "")
                self.done(*self.command, "-o", name)
                self.assertEqual(sorted(finished_attempts(self.folder / name).values()), [1] * self.samples)

    def test_two_at_once(self):
        """A run that is being made cannot be joined by accident."""
        process = start(*self.command, "-o", "busy", cwd=self.folder)
        folder = self.folder / "busy"
        self.wait_for(lambda: folder.exists() and len(finished_attempts(folder)) > 1, process)
        second = fathom(*self.command, "-o", "busy", cwd=self.folder)
        process.communicate()
        self.assertIn(second.code, (2, 3), second.told())
        self.assertEqual(len(second.error_lines()), 1, second.told())
        self.assertIn(str(process.pid), second.err, "the message names the process that holds the run")


class Requests(FathomTest):
    """The same, counted at the other end of the wire."""

    def command(self, url: str, name: str) -> tuple:
        return ("run", "ruler", "-m", f"openai/{NAME}", "--base-url", url, "--api", "completions", "-t", tokenizer("qwen3"),
                "--template", "none", "--lengths", "512,1024", "--tasks", "niah_single_1,vt", "--samples", "8", "--concurrency", "2",
                "-o", name)

    SAMPLES = 2 * 2 * 8

    def test_no_request_twice(self):
        with ModelServer(tokenizer("qwen3"), delay=0.05) as server:
            command = self.command(server.url, "run")
            moments = random.Random(SEED)
            most_lost = 0
            for _ in range(6):
                process = start(*command, cwd=self.folder)
                try:
                    process.communicate(timeout=moments.uniform(0.1, 0.8))
                    break
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    most_lost += 2  # those in flight
            self.done(*command)
            asked = collections.Counter(server.asked)
            self.assertEqual(len(asked), self.SAMPLES)
            self.assertLessEqual(sum(asked.values()), self.SAMPLES + most_lost)
            finished = finished_attempts(self.folder / "run")
            self.assertEqual((len(finished), max(finished.values())), (self.SAMPLES, 1))

            requests = len(server.asked)
            again = self.done(*command)
            self.assertIn("nothing is left to ask", again.err)
            self.assertEqual(len(server.asked), requests, "a finished run asked again")
            self.done("score", "run")
            self.assertEqual(len(server.asked), requests, "score asked a model")

    def test_failures_are_asked_again(self):
        """Errors are not final: the next call asks those, and only those, again."""
        broken = {"on": True}

        def fault(handler, body):
            if broken["on"] and len(body["prompt"]) % 2:
                return handler.send(500, {"error": {"message": "the machine is on fire"}})
            return handler.stream(body, handler.server_of_test.count(body["prompt"]))

        with ModelServer(tokenizer("qwen3"), fault=fault) as server:
            command = (*self.command(server.url, "run"), "--tries", "1", "--failed-share", "1")
            first = fathom(*command, cwd=self.folder)
            self.assertIn(first.code, (0, 4), first.told())
            finished = finished_attempts(self.folder / "run")
            self.assertLess(len(finished), self.SAMPLES)
            self.assertGreater(len(finished), 0)
            self.assertRegex(first.out, re.compile("completed", re.I))
            broken["on"] = False
            server.asked.clear()
            self.done(*command)
            self.assertEqual(len(server.asked), self.SAMPLES - len(finished))
            self.assertEqual(len(finished_attempts(self.folder / "run")), self.SAMPLES)
