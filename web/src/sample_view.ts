// One sample: the prompt around its evidence, the answer with what was found in it, and how to make it again.
import { type Case, type PageData, type Piece, type Run, sampleId } from "./data";
import { h } from "./dom";
import { copyButton } from "./figure";
import { count, duration, percent } from "./format";

const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export function remakeCommand(run: Run, id: string): string {
  return run.remake.replaceAll("{id}", shellWord(id));
}

// Control characters would be invisible: they are shown by name.
function visible(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (c) => `⟨${c.charCodeAt(0).toString(16).padStart(2, "0")}⟩`);
}

function piece(one: Piece): Node {
  if (one.role === undefined) return document.createTextNode(visible(one.text));
  const kind = one.distractor ? "distractor" : one.answer ? "answer-text" : "evidence";
  return h("mark", { class: kind, title: one.distractor ? `${one.role} (distractor)` : one.role }, visible(one.text));
}

function excerpt(one: Case): HTMLElement {
  const box = h("div", { class: "text prompt", tabindex: "0", role: "region", "aria-label": "Prompt around the evidence" });
  let end = 0;
  for (const part of one.excerpt) {
    if (part.offset > end) box.append(h("span", { class: "gap" }, `… ${count(part.offset - end)} bytes …`));
    for (const text of part.pieces) box.append(piece(text));
    end = part.offset + part.pieces.reduce((sum, p) => sum + new TextEncoder().encode(p.text).length, 0);
  }
  return box;
}

// The references that were found, marked where they stand.
function answer(one: Case): HTMLElement {
  const box = h("div", { class: "text", tabindex: "0", role: "region", "aria-label": "Answer" });
  const found = one.references.filter((reference, i) => one.found[i] && reference.length > 0);
  if (one.answer === "") box.append(h("i", {}, "nothing"));
  let rest = one.answer;
  while (rest !== "") {
    const lower = rest.toLowerCase();
    let at = -1;
    let size = 0;
    if (lower.length === rest.length) {
      for (const reference of found) {
        const place = lower.indexOf(reference.toLowerCase());
        if (place >= 0 && (at < 0 || place < at)) [at, size] = [place, reference.length];
      }
    }
    if (at < 0) break;
    box.append(visible(rest.slice(0, at)), h("mark", { class: "found" }, visible(rest.slice(at, at + size))));
    rest = rest.slice(at + size);
  }
  box.append(visible(rest));
  if (one.answer_cut) box.append(h("span", { class: "gap" }, "… cut for this page"));
  return box;
}

function facts(data: PageData, run: Run, row: number, one: Case | null): HTMLElement {
  const { samples } = run;
  const cell = run.cells[samples.cell[row]!]!;
  const outcome = samples.outcome[row]!;
  const pairs: [string, string][] = [
    ["Outcome", outcome < 0 ? "not run" : data.outcomes[outcome]!.label],
    ["Score", samples.score[row]! < 0 ? "none" : `${percent(samples.score[row]! / 1000)} % by ${data.tasks[cell.task]!.metric}`],
  ];
  if (samples.depth[row]! >= 0) pairs.push(["Depth of the evidence", `${percent(samples.depth[row]! / 1000)} %`]);
  if (one) {
    const server = one.prompt_tokens >= 0 ? `, ${count(one.prompt_tokens)} by the model` : "";
    pairs.push(["Prompt", `${count(one.expected_prompt_tokens)} tokens by fathom${server}`]);
    if (one.output_tokens >= 0) pairs.push(["Answer", `${count(one.output_tokens)} tokens`]);
    if (one.total_ms > 0) pairs.push(["Time", duration(one.total_ms)]);
    if (one.detail) pairs.push(["Why it failed", visible(one.detail)]);
    for (const note of one.notes) pairs.push(["Note", note]);
  }
  return h("dl", {}, ...pairs.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

export function sampleView(data: PageData, run: Run, row: number, one: Case | null): HTMLElement {
  const id = sampleId(data, run, row);
  const view = h("article", { class: "sample" }, h("h3", {}, id), facts(data, run, row, one));
  if (one) {
    const references = h("ul", { class: "references" });
    one.references.forEach((reference, i) => {
      const state = one.found.length === 0 ? "not graded" : one.found[i] ? "found" : "missing";
      references.append(h("li", { class: state.replace(" ", "-") }, visible(reference), h("small", {}, ` ${state}`)));
    });
    view.append(h("h4", {}, "Question"), h("p", {}, visible(one.question)), h("h4", {}, "Right answer"), references);
    view.append(h("h4", {}, "Model's answer"), answer(one));
    if (one.thinking) view.append(h("details", {}, h("summary", {}, "Thinking"), h("div", { class: "text" }, visible(one.thinking))));
    view.append(h("h4", {}, "Prompt around the evidence"), excerpt(one));
  } else {
    view.append(h("p", { class: "note" }, "Its prompt and answer are in the run's folder; this page keeps those of the most telling samples."));
  }
  if (run.remake) {
    const command = remakeCommand(run, id);
    view.append(h("h4", {}, "Make it again"), h("div", { class: "command" }, h("code", {}, command), copyButton("Copy", command)));
  }
  return view;
}
