"""Renders chat templates with Python Jinja2, set up as Hugging Face does it, and writes tests/data/chat_templates/golden.jsonl.

    python chat_template_oracle.py DATA_FOLDER DEPS_FOLDER   # DATA_FOLDER: tests/data/chat_templates

Own templates give their whole output; templates of fetched models give only its SHA-256, because their text is not ours to keep.
Needs jinja2 and gguf.
"""

import datetime
import hashlib
import json
import pathlib
import sys

import jinja2
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

TODAY = datetime.datetime(2026, 1, 1, 12)


def environment():
    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    made.filters["tojson"] = tojson
    made.globals["raise_exception"] = raise_exception
    made.globals["strftime_now"] = lambda form: TODAY.strftime(form)
    return made


def token_text(value):
    return value["content"] if isinstance(value, dict) else value


def from_config(path):
    config = json.loads(path.read_text(encoding="utf-8"))
    template = config.get("chat_template")
    if isinstance(template, list):
        template = {entry["name"]: entry["template"] for entry in template}["default"]
    names = ("bos_token", "eos_token", "unk_token", "pad_token")
    tokens = {name: token_text(config[name]) for name in names if config.get(name)}
    return template, tokens


def from_gguf(path):
    import gguf

    reader = gguf.GGUFReader(str(path))
    texts = reader.fields["tokenizer.ggml.tokens"]
    token = lambda key: bytes(texts.parts[texts.data[int(reader.fields[key].parts[-1][0])]]).decode()
    tokens = {
        name: token(f"tokenizer.ggml.{key}_token_id")
        for name, key in (("bos_token", "bos"), ("eos_token", "eos"), ("unk_token", "unknown"), ("pad_token", "padding"))
        if f"tokenizer.ggml.{key}_token_id" in reader.fields
    }
    return bytes(reader.fields["tokenizer.chat_template"].parts[-1]).decode(), tokens


def render(template, tokens, case):
    try:
        return environment().from_string(template).render(
            messages=case["messages"],
            tools=None,
            documents=None,
            add_generation_prompt=case.get("add_generation_prompt", True),
            **{**tokens, **case.get("variables", {})},
        )
    except jinja2.exceptions.TemplateError:
        return None


def main(data, deps):
    cases = json.loads((data / "cases.json").read_text(encoding="utf-8"))
    sources = [(f"own/{path.name}", path.read_text(encoding="utf-8"), {"bos_token": "<s>", "eos_token": "</s>"})
               for path in sorted(data.glob("*.jinja"))]
    for path in sorted((deps / "tokenizers").glob("*/tokenizer_config.json")):
        template, tokens = from_config(path)
        if template:
            sources.append((f"tokenizers/{path.parent.name}", template, tokens))
    sources.append(("models/smollm2.gguf", *from_gguf(deps / "models/smollm2.gguf")))
    with open(data / "golden.jsonl", "w", encoding="utf-8") as out:
        for name, template, tokens in sources:
            for case in cases:
                text = render(template, tokens, case)
                row = {"template": name, "case": case["name"]}
                if text is None:
                    row["refused"] = True
                elif name.startswith("own/"):
                    row["output"] = text
                else:
                    row["sha256"] = hashlib.sha256(text.encode()).hexdigest()
                    row["bytes"] = len(text.encode())
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
