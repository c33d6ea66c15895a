"""The program under test, where the things it needs lie, and the rules every call of it must keep.

FATHOM_BINARY       the program (default: build/release/bin/fathom of this checkout)
FATHOM_DEPS         what `./dev setup` fetched (default: ~/.cache/fathom/deps, or deps in FATHOM_CACHE)
FATHOM_SHARED_DATA  sample data with licences of their own; tests that need it skip where it is unset
FATHOM_LONG         1: also the tests that take many minutes
"""
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("FATHOM_BINARY", REPOSITORY / "build/release/bin/fathom")).resolve()
CACHE = pathlib.Path(os.environ.get("FATHOM_CACHE", pathlib.Path.home() / ".cache/fathom"))
DEPS = pathlib.Path(os.environ.get("FATHOM_DEPS", CACHE / "deps"))
LONG = os.environ.get("FATHOM_LONG") == "1"
MODEL = DEPS / "models/smollm2.gguf"

# Variables that would change what the program does; a test sets them where it wants them.
HIDDEN = ("OPENAI_", "http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_COLOR", "COLUMNS")


def shared_data() -> pathlib.Path:
    folder = os.environ.get("FATHOM_SHARED_DATA")
    if not folder:
        raise unittest.SkipTest("FATHOM_SHARED_DATA is not set: the licensed sample data is not here")
    return pathlib.Path(folder)


def tokenizer(name: str) -> pathlib.Path:
    path = DEPS / "tokenizers" / name / "tokenizer.json"
    if not path.exists():
        raise unittest.SkipTest(f"{path} is missing: ./dev setup fetches it")
    return path


def environment(**more: str) -> dict:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(HIDDEN)}
    return {**kept, "LC_ALL": "C.UTF-8", **more}


@dataclasses.dataclass
class Finished:
    command: list
    code: int
    out: str
    err: str

    def told(self) -> str:
        return f"\n$ {' '.join(map(str, self.command))}\nexit {self.code}\nstdout: {self.out[-2000:]}\nstderr: {self.err[-3000:]}"

    def json(self):
        return json.loads(self.out)

    def error_lines(self) -> list:
        return [line for line in self.err.splitlines() if line.startswith("fathom: ")]


def start(*args, cwd=None, env=None, **popen) -> subprocess.Popen:
    return subprocess.Popen([BINARY, *map(str, args)], cwd=cwd, env=environment(**(env or {})), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **popen)


def fathom(*args, cwd=None, env=None, stdin=b"", timeout=120) -> Finished:
    """Runs the program to its end. Output must be UTF-8; a hang ends the test."""
    command = [BINARY, *map(str, args)]
    done = subprocess.run(command, cwd=cwd, env=environment(**(env or {})), input=stdin, capture_output=True,
                          timeout=timeout, check=False)
    return Finished(command, done.returncode, done.stdout.decode(), done.stderr.decode())


class FathomTest(unittest.TestCase):
    """A test with an empty folder of its own, removed afterwards."""

    longMessage = True
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        if not BINARY.exists():
            raise AssertionError(f"{BINARY} is missing: ./dev build makes it, FATHOM_BINARY names another")

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fathom-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def done(self, *args, **options) -> Finished:
        """Runs the program in this test's folder; it must succeed."""
        finished = fathom(*args, cwd=self.folder, **options)
        self.assertEqual(finished.code, 0, finished.told())
        return finished


def read_jsonl(path) -> list:
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
