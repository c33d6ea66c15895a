"""C1, V1, V2, Q2: what the program shows: help, tables, colours, completions, JSON, and the report page."""
import fcntl
import html.parser
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import unicodedata

from program import BINARY, FathomTest, environment, fathom, tokenizer

COMMANDS = ("run", "generate", "score", "report", "compare", "gate", "coverage", "replay", "audit", "plan", "probe", "import", "export", "tokens", "tasks", "completion")
SUBCOMMANDS = {"import": ("ruler",), "export": ("ruler", "lm-eval", "inspect"), "tokens": ("count", "encode", "decode"), "tasks": ("show",)}
ESCAPE = "\x1b"


def columns(line: str) -> int:
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def widest(text: str) -> int:
    return max((columns(line) for line in text.splitlines()), default=0)


def on_terminal(args: list, cwd, width: int, seconds=120, **env) -> str:
    """Runs the program on a terminal of this width; returns what it wrote there."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    process = subprocess.Popen([BINARY, *map(str, args)], cwd=cwd, stdin=slave, stdout=slave, stderr=slave,
                               env=environment(TERM="xterm-256color", **env))
    os.close(slave)
    data = b""
    while select.select([master], [], [], seconds)[0]:
        try:
            piece = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        data += piece
    process.wait(10)
    os.close(master)
    return data.decode()


class Help(FathomTest):
    def test_every_command(self):
        overview = self.done("--help").out
        for command in COMMANDS:
            self.assertRegex(overview, rf"(?m)^  {command} ")
            for more in ((), *((sub,) for sub in SUBCOMMANDS.get(command, ()))):
                with self.subTest(command=(command, *more)):
                    shown = self.done(command, *more, "--help")
                    self.assertIn("Usage: ", shown.out)
                    self.assertEqual(shown.err, "")
                    self.assertNotIn(ESCAPE, shown.out)
                    if not more:
                        self.assertRegex(shown.out, rf"(?m)Examples:\n(.*\n)*?.*fathom {command}")
                        self.assertIn("Exit codes:", shown.out)

    def test_listed_commands_are_these(self):
        """No command without a test of its help."""
        overview = self.done("--help").out
        listed = re.findall(r"(?m)^  ([a-z]+) {2,}", overview[overview.index("Subcommands:"):overview.index("Start here")])
        self.assertEqual(sorted(listed), sorted(COMMANDS))

    def test_examples_are_understood(self):
        """Every flag in an example exists: the example fails, if at all, on its files."""
        for command in COMMANDS:
            text = self.done(command, "--help").out
            flags = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text[text.index("Examples:"):text.index("Exit codes:")]))
            known = set(re.findall(r"--[a-z][a-z-]*", text[:text.index("Examples:")]))
            for sub in SUBCOMMANDS.get(command, ()):
                known |= set(re.findall(r"--[a-z][a-z-]*", self.done(command, sub, "--help").out))
            self.assertLessEqual(flags, known, command)

    def test_version(self):
        self.assertRegex(self.done("--version").out, r"^fathom \d+\.\d+\.\d+\n$")


class Tasks(FathomTest):
    def test_list_and_show(self):
        names = [task["name"] for task in self.tasks_json()]
        self.assertGreaterEqual(len(names), 13)
        plain = self.done("tasks").out
        for name in names:
            with self.subTest(task=name):
                self.assertIn(name, plain)
                self.assertIn(name, self.done("tasks", "show", name).out)
                json.loads(self.done("tasks", "show", name, "--json").out)

    def tasks_json(self) -> list:
        found = self.done("tasks", "--json").json()
        return found["tasks"] if isinstance(found, dict) else found

    def test_example_prompt(self):
        shown = self.done("tasks", "show", "vt", "--length", 512, "-t", tokenizer("qwen3"))
        self.assertRegex(shown.out, r"VAR [A-Z]{5} = \d{5}")


class Completion(FathomTest):
    def test_scripts_parse(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.done("completion", shell).out
            for command in COMMANDS:
                self.assertIn(command, script)
            if shell == "bash":
                parsed = subprocess.run(["bash", "-n"], input=script.encode(), capture_output=True, check=False)
                self.assertEqual(parsed.returncode, 0, parsed.stderr)

    def test_bash_completes(self):
        """The script does what it is for: 'fathom ge' becomes generate, '--sam' becomes --samples."""
        script = self.done("completion", "bash").out
        for words, wanted in ((["fathom", "ge"], "generate"), (["fathom", "generate", "--sam"], "--samples"),
                              (["fathom", "run", "--temp"], "--temperature"), (["fathom", "tokens", "enc"], "encode")):
            with self.subTest(words=words):
                ask = f"""{script}
COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; COMP_LINE="${{COMP_WORDS[*]}}"; COMP_POINT=${{#COMP_LINE}}
function=$(complete -p fathom | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
$function fathom {words[-1]} {words[-2]}; printf '%s\\n' "${{COMPREPLY[@]}}" """
                done = subprocess.run(["bash", "-c", ask], capture_output=True, check=False)
                self.assertIn(wanted, [line.strip() for line in done.stdout.decode().split()], done.stderr)


class Tables(FathomTest):
    RUN = ("run", "ruler", "-m", "simulated/weak", "-t", tokenizer("qwen3"), "--lengths", "1k..4k+512", "--samples", "1",
           "--tasks", "niah_single_1,niah_multikey_1,vt,qa_1")

    def test_widths(self):
        """V1: a table is never wider than the terminal, and no number is lost on a narrow one."""
        whole = self.done(*self.RUN, "-o", "r")
        self.assertLessEqual(widest(whole.out), 80, whole.out)
        for width in (120, 80, 60, 40):
            for name, shown in (("COLUMNS", self.done("score", "r", env={"COLUMNS": str(width)}).out),
                                ("terminal", on_terminal(["score", "r"], self.folder, width).replace("\r", ""))):
                with self.subTest(width=width, by=name):
                    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
                    self.assertLessEqual(widest(plain), width, plain)
                    for word in ("niah_multikey_1", "average", "4K", "1K"):
                        self.assertIn(word, plain)

    def test_no_escapes_in_pipes(self):
        for args in (self.RUN + ("-o", "r"), ("score", "r"), ("report", "r"), ("tasks",), ("plan", *self.RUN[1:])):
            with self.subTest(command=args[0]):
                shown = self.done(*args)
                self.assertNotIn(ESCAPE, shown.out + shown.err)
                self.assertNotIn("\r", shown.out + shown.err)

    def test_no_color(self):
        """NO_COLOR: no colours on a terminal either."""
        shown = on_terminal([*self.RUN, "-o", "r"], self.folder, 80, NO_COLOR="1")
        self.assertNotRegex(shown, r"\x1b\[[0-9;]*m")
        error = on_terminal(["run", "nope"], self.folder, 80, NO_COLOR="1")
        self.assertNotRegex(error, r"\x1b\[[0-9;]*m")
        self.assertIn("fathom: ", error)

    def test_control_bytes_of_names(self):
        """Q2: a name cannot speak to the terminal."""
        shown = fathom("run", "no\x1b[2Jsuite", "-m", "simulated/weak", cwd=self.folder)
        self.assertEqual(shown.code, 2, shown.told())
        self.assertNotIn(ESCAPE, shown.err)

    def test_full_output(self):
        """Results that cannot be written are an error, not a success."""
        with open("/dev/full", "wb") as full:
            done = subprocess.run([BINARY, "tasks"], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr.decode(), "(?m)^fathom: .*No space left")


class Json(FathomTest):
    def test_valid(self):
        """C1: with --json, standard output is one JSON document and nothing else."""
        suite = ("smoke", "-t", tokenizer("qwen3"))
        model = ("-m", "simulated/weak")
        self.done("generate", *suite, "-o", "d")
        self.done("run", *suite, *model, "-o", "r")
        for args in (("generate", *suite, "-o", "d2", "--json"), ("run", *suite, *model, "-o", "r2", "--json"), ("score", "r", "--json"),
                     ("report", "r", "--json"), ("audit", "d", "--json"), ("plan", *suite, *model, "--json"), ("probe", *model, "--json"),
                     ("tasks", "--json"), ("tasks", "show", "vt", "--json")):
            with self.subTest(command=" ".join(map(str, args))):
                json.loads(self.done(*args).out)

    def test_summary_is_the_file(self):
        suite = ("run", "smoke", "-t", tokenizer("qwen3"), "-m", "simulated/perfect", "-o", "r", "--json")
        shown = self.done(*suite).json()
        self.assertEqual(shown, json.loads((self.folder / "r/summary.json").read_text()))
        self.assertEqual(shown["total"]["quality"]["value"], 1.0, "the perfect reader is right")
        self.assertTrue(shown["simulated"])

    def test_tokens(self):
        """G2: counts, ids and back, as lines too."""
        qwen = ("-t", tokenizer("qwen3"))
        text = "Höhle, 東京 and \U0001f9ed"
        ids = self.done("tokens", "encode", *qwen, stdin=text.encode()).out.split()
        self.assertEqual(self.done("tokens", "count", *qwen, stdin=text.encode()).out.strip(), str(len(ids)))
        self.assertEqual(self.done("tokens", "decode", *qwen, stdin=" ".join(ids).encode()).out.rstrip("\n"), text)
        lines = "".join(json.dumps({"id": str(n), "text": text * n}) + "\n" for n in range(3))
        rows = [json.loads(line) for line in self.done("tokens", "encode", *qwen, "--jsonl", stdin=lines.encode()).out.splitlines()]
        self.assertEqual([row["id"] for row in rows], ["0", "1", "2"])
        self.assertEqual(rows[1]["ids"], [int(i) for i in ids])
        self.assertEqual(rows[0]["ids"], [])


class Page(html.parser.HTMLParser):
    """Addresses and embedded things of a page."""

    def __init__(self):
        super().__init__()
        self.addresses, self.tags = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href", "action", "data", "srcset") and value]


class Report(FathomTest):
    def test_one_file_of_two_runs(self):
        """V2: one HTML file that asks nothing of the network."""
        suite = ("ruler", "-t", tokenizer("qwen3"), "--lengths", "512,1k", "--samples", "4", "--tasks", "niah_single_1,vt")
        for name, reader in (("a", "weak"), ("b", "perfect")):
            self.done("run", *suite, "-m", f"simulated/{reader}", "-o", name)
        self.done("report", "a", "b", "-o", "both.html")
        text = (self.folder / "both.html").read_text(encoding="utf-8")
        self.assertTrue(text.lower().startswith("<!doctype html>"))
        page = Page()
        page.feed(text)
        outside = [address for address in page.addresses if not address.startswith(("#", "data:"))]
        self.assertEqual(outside, [])
        self.assertNotRegex(text, r"url\(\s*['\"]?https?:|@import|fetch\(\s*['\"`]https?:|import\(\s*['\"`]https?:")
        for word in ("weak", "perfect", "niah_single_1"):
            self.assertIn(word, text)
        self.assertIn("imulated", text, "a simulated reader is labelled")

    def test_hostile_answers_stay_text(self):
        """Q2: what a model says cannot become markup."""
        self.done("run", "smoke", "-t", tokenizer("qwen3"), "-m", "simulated/perfect", "-o", "r")
        journal = self.folder / "r/attempts.jsonl"
        rows = [json.loads(line) for line in journal.read_text().splitlines()]
        evil = "</script><script>window.pwned=1</script><img src=x onerror=alert(1)><!--"
        for row in rows[1:]:
            row["text"] = evil + row["text"] + "\u2028\x1b[31m"
        journal.write_text("".join(json.dumps(row) + "\n" for row in rows))
        shown = self.done("score", "r")
        self.assertNotIn(ESCAPE, shown.out)
        self.done("report", "r", "-o", "r.html")
        text = (self.folder / "r.html").read_text(encoding="utf-8")
        self.assertNotIn("<script>window.pwned", text)
        self.assertNotIn("<img src=x", text)
        page = Page()
        page.feed(text)
        self.assertNotIn("img", page.tags)
