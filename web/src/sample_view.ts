// One sample: what was asked, where the evidence lay, what each run answered and why it counts as it does, and how to make it again.
import { type Case, type PageData, type Piece, type Prompt, type Run, runName, sampleId } from "./data";
import { h } from "./dom";
import { count, duration, percent, visible } from "./format";
import { svg } from "./svg";
import { copyButton } from "./take_away";

// A run's view of the sample: its row, and its case where the page holds it.
export interface Side {
  runIndex: number;
  run: Run;
  row: number;
  shown: Case | null;
}

const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
export const remakeCommand = (run: Run, id: string): string => run.remake.replaceAll("{id}", shellWord(id));

export function sampleView(data: PageData, sides: Side[]): HTMLElement {
  const [first] = sides;
  const { run, row } = first!;
  const id = sampleId(data, run, row);
  const { samples } = run;
  const cell = run.cells[samples.column("cell")[row]!]!;
  const shown = sides.find((side) => side.shown)?.shown ?? null;
  const prompt = shown ? data.prompts[shown.prompt]! : null;
  const view = h(
    "article",
    { class: "sample" },
    h("div", { class: "sample-head" }, h("h3", {}, `${data.tasks[cell.task]!.cell}, ${data.lengths[cell.length]!.name}, number ${samples.column("index")[row]}`), copyButton("Copy link", location.href)),
    h("p", { class: "facts" }, facts(data, first!, prompt)),
  );
  if (prompt) {
    if (prompt.question) view.append(h("h4", {}, "Question"), h("p", {}, visible(prompt.question)));
    view.append(h("h4", {}, "Right answer"), references(prompt, sides));
  }
  view.append(h("div", { class: "sides" }, ...sides.map((side) => answerOf(data, side, prompt, sides.length > 1))));
  if (prompt) view.append(h("h4", {}, "Prompt around the evidence"), ribbon(prompt), excerpt(prompt));
  else view.append(h("p", { class: "empty-state" }, "The prompt and the answer are in the run's folder; this page keeps those of the most telling samples. The command below makes the prompt again."));
  for (const note of prompt?.notes ?? []) view.append(h("p", { class: "facts" }, visible(note)));
  if (run.remake) {
    const command = remakeCommand(run, id);
    view.append(h("h4", {}, "Make it again"), h("div", { class: "command" }, h("code", {}, command), copyButton("Copy", command)));
  }
  return view;
}

function facts(data: PageData, { run, row }: Side, prompt: Prompt | null): string {
  const cell = run.cells[run.samples.column("cell")[row]!]!;
  const depth = run.samples.column("depth")[row]!;
  return [
    sampleId(data, run, row),
    prompt ? `${count(prompt.expected_prompt_tokens)} prompt tokens` : "",
    depth >= 0 ? `evidence at ${percent(depth / 1000)} % of the context` : "",
    `graded by ${data.tasks[cell.task]!.metric.replaceAll("_", " ")}`,
  ].filter(Boolean).join(" · ");
}

function references(prompt: Prompt, sides: Side[]): HTMLElement {
  const graded = sides.length === 1 ? sides[0]!.shown : null;
  const list = h("ul", { class: "references" });
  prompt.references.forEach((reference, i) => {
    const state = !graded || graded.found.length === 0 ? "" : graded.found[i] ? "found" : "missing";
    list.append(h("li", { class: state || null }, visible(reference), state ? h("span", { class: "offscreen" }, ` ${state}`) : null));
  });
  return list;
}

// What the sample is worth in this run, in words.
export function resultWords(data: PageData, { run, row }: { run: Run; row: number }): string {
  const { samples } = run;
  const outcome = samples.column("outcome")[row]!;
  if (outcome < 0) return "Not run yet.";
  const score = samples.column("score")[row]!;
  const label = data.outcomes[outcome]!.label;
  if (score < 0) return `No answer: ${label}.`;
  const strict = samples.column("strict")[row]!;
  const grade = score >= 1000 ? "Right" : score <= 0 ? "Wrong" : `${percent(score / 1000)} % right`;
  const reading = strict >= 0 && strict < score ? `, by the strict reading ${strict <= 0 ? "wrong" : `${percent(strict / 1000)} %`}` : "";
  return `${grade}${reading}${label === "answered" ? "" : `; ${label}`}.`;
}

// Of a study: what the arm read of this sample's evidence.
function coverageWords(data: PageData, { runIndex, row }: Side): string {
  const arm = data.arms?.arms[runIndex];
  const at = arm && arm.arm.kind !== "full" ? arm.samples.row.indexOf(row) : -1;
  if (!arm || at < 0) return "";
  return `Read ${percent(arm.samples.recall[at]! / 1000)} % of the evidence, all at once in ${percent(arm.samples.joint[at]! / 1000)} % of steps and layers.`;
}

function answerOf(data: PageData, side: Side, prompt: Prompt | null, named: boolean): HTMLElement {
  const { run, shown, row } = side;
  const box = h("div", { class: "side-answer" }, named ? h("h4", {}, runName(run)) : null);
  const missCode = run.samples.column("miss")[row]!;
  const misses = shown?.misses ?? (missCode >= 0 ? [{ kind: missCode, detail: "" }] : []);
  const read = coverageWords(data, side);
  box.append(h("p", { class: "why" }, [resultWords(data, side), ...misses.map((miss) => data.misses[miss.kind]?.sentence ?? "")].join(" ")));
  for (const { detail } of misses) if (detail) box.append(h("p", { class: "facts" }, visible(detail)));
  if (read) box.append(h("p", { class: "facts" }, read));
  if (!shown) {
    if (named) box.append(h("p", { class: "facts" }, "Its answer is in the run's folder."));
    return box;
  }
  if (shown.detail) box.append(h("p", { class: "facts" }, visible(shown.detail)));
  box.append(h("h4", {}, "Answer"), answerText(shown, prompt, named ? `Answer of ${runName(run)}, run ${side.runIndex + 1}` : "Answer"));
  if (shown.thinking) box.append(h("details", {}, h("summary", {}, "Thinking"), h("div", { class: "text" }, visible(shown.thinking))));
  const server = shown.prompt_tokens >= 0 && prompt && shown.prompt_tokens !== prompt.expected_prompt_tokens ? `${count(shown.prompt_tokens)} prompt tokens by the server` : "";
  const took = [server, shown.output_tokens >= 0 ? `${count(shown.output_tokens)} tokens written` : "", shown.thinking_tokens > 0 ? `${count(shown.thinking_tokens)} of them thinking` : "", duration(shown.total_ms), shown.tries > 1 ? `${shown.tries} requests` : ""].filter(Boolean).join(" · ");
  if (took) box.append(h("p", { class: "facts" }, took));
  return box;
}

// The references that were found, marked where they stand.
function answerText(one: Case, prompt: Prompt | null, label: string): HTMLElement {
  const box = h("div", { class: "text", tabindex: "0", role: "region", "aria-label": label });
  const found = (prompt?.references ?? []).filter((reference, i) => one.found[i] && reference.length > 0);
  if (one.answer === "") box.append(h("i", {}, "nothing"));
  let rest = one.answer;
  while (rest !== "") {
    const lower = rest.toLowerCase();
    let at = -1;
    let size = 0;
    if (lower.length === rest.length)
      for (const reference of found) {
        const place = lower.indexOf(reference.toLowerCase());
        if (place >= 0 && (at < 0 || place < at)) [at, size] = [place, reference.length];
      }
    if (at < 0) break;
    box.append(visible(rest.slice(0, at)), h("mark", { class: "found" }, visible(rest.slice(at, at + size))));
    rest = rest.slice(at + size);
  }
  box.append(visible(rest));
  if (one.answer_cut) box.append(h("span", { class: "gap" }, "… cut for this page"));
  return box;
}

// The context as a line, the evidence and its look-alikes at their places.
function ribbon(prompt: Prompt): Element {
  if (prompt.places.length === 0) return h("span", {});
  const words = prompt.places.map(({ at, role, distractor }) => `${distractor ? `${role} (distractor)` : role} at ${percent(at)} %`).join(", ");
  const picture = svg("svg", { class: "ribbon", viewBox: "0 0 1000 30", preserveAspectRatio: "none", role: "img", "aria-label": `The context from start to end: ${words}` });
  picture.append(svg("line", { x1: 0, x2: 1000, y1: 15, y2: 15, stroke: "var(--strong-line)", "stroke-width": 6, "vector-effect": "non-scaling-stroke" }));
  for (const { at, role, distractor } of [...prompt.places].sort((a, b) => Number(b.distractor) - Number(a.distractor)))
    picture.append(svg("line", { x1: 2 + at * 996, x2: 2 + at * 996, y1: distractor ? 9 : 4, y2: distractor ? 21 : 26, stroke: distractor ? "var(--land)" : "var(--accent)", "stroke-width": distractor ? 2 : 4, "vector-effect": "non-scaling-stroke", "data-tip": `${distractor ? `${role} (distractor)` : role}\nat ${percent(at)} % of the context` }));
  return picture;
}

function piece(one: Piece): Node {
  if (one.role === undefined) return document.createTextNode(visible(one.text));
  const kind = one.distractor ? "distractor" : one.answer ? "answer-text" : "evidence";
  return h("mark", { class: kind, title: one.distractor ? `${one.role} (distractor)` : one.role }, visible(one.text));
}

function excerpt(prompt: Prompt): HTMLElement {
  const box = h("div", { class: "text prompt", tabindex: "0", role: "region", "aria-label": "Prompt around the evidence" });
  const bytes = new TextEncoder();
  let end = 0;
  for (const part of prompt.excerpt) {
    if (part.offset > end) box.append(h("span", { class: "gap" }, `… ${count(part.offset - end)} bytes …`));
    for (const text of part.pieces) box.append(piece(text));
    end = part.offset + part.pieces.reduce((sum, one) => sum + bytes.encode(one.text).length, 0);
  }
  return box;
}
