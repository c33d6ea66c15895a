// The list of samples behind every figure: filtered by the page's address, drawn only as far as it is seen.
import { type PageData, type Run, sampleId } from "./data";
import { button, h, replaceChildren, select } from "./dom";
import { count, percent } from "./format";
import { everything, link, type Selection } from "./selection";
import { sampleView } from "./sample_view";

const kRowHeight = 34;

export function matches(data: PageData, run: Run, row: number, want: Selection): boolean {
  const { samples } = run;
  const cell = run.cells[samples.cell[row]!]!;
  if (want.task >= 0 && cell.task !== want.task) return false;
  if (want.length >= 0 && cell.length !== want.length) return false;
  if (want.category !== "" && data.tasks[cell.task]!.category !== want.category) return false;
  const depth = samples.depth[row]!;
  if (want.bin >= 0 && (depth < 0 || Math.min(data.depth_bins - 1, Math.floor((depth * data.depth_bins) / 1000)) !== want.bin)) return false;
  const outcome = samples.outcome[row]!;
  if (want.outcome === -2 ? outcome !== -1 : want.outcome >= 0 && outcome !== want.outcome) return false;
  if (want.result !== "" && result(samples.score[row]!, outcome) !== want.result) return false;
  return want.search === "" || sampleId(data, run, row).toLowerCase().includes(want.search.toLowerCase());
}

function result(score: number, outcome: number): string {
  if (outcome === -1) return "not run";
  if (score < 0) return "incomplete";
  return score === 1000 ? "right" : score === 0 ? "wrong" : "partly";
}

function resultText(score: number, outcome: number): string {
  const kind = result(score, outcome);
  return kind === "partly" ? `${percent(score / 1000)} %` : kind;
}

export class SampleBrowser {
  readonly element = h("section", { class: "figure", id: "samples", "aria-labelledby": "samples-title" });
  private rows: number[] = [];
  private selection: Selection = everything(0);
  private readonly cases = new Map<number, number>();
  private readonly list = h("div", { class: "list", tabindex: "0", role: "listbox", "aria-label": "Samples" });
  private readonly spacer = h("div", { class: "spacer" });
  private readonly detail = h("div", { class: "detail-pane", "aria-live": "polite" });
  private readonly filters = h("div", { class: "filters" });
  private readonly status = h("p", { class: "note", role: "status" });

  constructor(private readonly data: PageData) {
    this.list.append(this.spacer);
    this.list.addEventListener("scroll", () => this.draw());
    this.list.addEventListener("keydown", (event) => this.onKey(event));
    this.element.append(
      h("div", { class: "figure-head" }, h("h2", { id: "samples-title" }, "Samples")),
      this.filters,
      this.status,
      h("div", { class: "browser" }, this.list, this.detail),
    );
  }

  private get run(): Run {
    return this.data.runs[this.selection.run]!;
  }

  show(selection: Selection): void {
    const newRun = selection.run !== this.selection.run || this.cases.size === 0;
    this.selection = selection;
    if (newRun) {
      this.cases.clear();
      this.run.cases.forEach((one, i) => this.cases.set(one.sample, i));
    }
    this.rows = [];
    for (let row = 0; row < this.run.samples.count; ++row) if (matches(this.data, this.run, row, selection)) this.rows.push(row);
    // Those that can be read in full come first, in the order of the casebook.
    this.rows.sort((a, b) => (this.cases.get(a) ?? Infinity) - (this.cases.get(b) ?? Infinity) || a - b);
    this.drawFilters();
    this.spacer.style.height = `${this.rows.length * kRowHeight}px`;
    const open = this.rows.indexOf(selection.sample);
    if (open >= 0 && (open * kRowHeight < this.list.scrollTop || (open + 1) * kRowHeight > this.list.scrollTop + this.list.clientHeight))
      this.list.scrollTop = Math.max(0, (open - 3) * kRowHeight);
    this.draw();
    this.drawDetail();
  }

  private change(part: Partial<Selection>): void {
    location.hash = link({ ...this.selection, sample: -1, ...part });
  }

  private drawFilters(): void {
    const focused = document.activeElement?.id === "search";
    const { data, selection } = this;
    const all: [string, string] = ["-1", "all"];
    const search = h("input", { id: "search", type: "search", value: selection.search, placeholder: "id contains …" }) as HTMLInputElement;
    search.addEventListener("input", () => this.change({ search: search.value }));
    const named = (names: string[]): [string, string][] => [all, ...names.map((name, i): [string, string] => [String(i), name])];
    replaceChildren(
      this.filters,
      select("Task", named(data.tasks.map((task) => task.cell)), String(selection.task), (v) => this.change({ task: Number(v) })),
      select("Length", named(data.lengths.map((length) => length.name)), String(selection.length), (v) => this.change({ length: Number(v) })),
      select(
        "Result",
        ["", "right", "partly", "wrong", "incomplete", "not run"].map((name): [string, string] => [name, name || "all"]),
        selection.result,
        (v) => this.change({ result: v }),
      ),
      select("Outcome", named(data.outcomes.map((outcome) => outcome.label)), String(selection.outcome), (v) => this.change({ outcome: Number(v) })),
      h("label", { class: "field" }, h("span", {}, "Search"), search),
      button("Show all", () => (location.hash = link(everything(selection.run)))),
    );
    if (focused) {
      search.focus();
      search.setSelectionRange(search.value.length, search.value.length);
    }
    const extra = [
      selection.category ? `category ${selection.category}` : "",
      selection.bin >= 0 ? `depth ${(selection.bin * 100) / data.depth_bins}–${((selection.bin + 1) * 100) / data.depth_bins} %` : "",
    ].filter(Boolean);
    const shown = this.rows.filter((row) => this.cases.has(row)).length;
    this.status.textContent =
      `${count(this.rows.length)} of ${count(this.run.samples.count)} samples${extra.length ? ` (${extra.join(", ")})` : ""}; ` +
      `${count(shown)} with prompt and answer on this page.`;
  }

  private draw(): void {
    const first = Math.max(0, Math.floor(this.list.scrollTop / kRowHeight) - 5);
    const last = Math.min(this.rows.length, first + Math.ceil((this.list.clientHeight || 480) / kRowHeight) + 10);
    this.spacer.replaceChildren();
    for (let place = first; place < last; ++place) this.spacer.append(this.rowElement(this.rows[place]!, place));
  }

  private rowElement(row: number, place: number): HTMLElement {
    const { samples } = this.run;
    const score = samples.score[row]!;
    const outcome = samples.outcome[row]!;
    const kind = result(score, outcome);
    return h(
      "a",
      {
        class: `row ${kind.replace(" ", "-")}${row === this.selection.sample ? " open" : ""}`,
        role: "option",
        "aria-selected": row === this.selection.sample ? "true" : "false",
        tabindex: "-1",
        href: link({ ...this.selection, sample: row }),
        style: `top:${place * kRowHeight}px;height:${kRowHeight}px`,
      },
      h("span", { class: "id" }, sampleId(this.data, this.run, row)),
      h("span", { class: "why" }, kind === "incomplete" ? this.data.outcomes[outcome]!.label : ""),
      h("span", { class: "badge" }, resultText(score, outcome)),
      h("span", { class: "has" }, this.cases.has(row) ? "▸" : ""),
    );
  }

  private drawDetail(): void {
    const row = this.selection.sample;
    if (row < 0 || row >= this.run.samples.count) {
      replaceChildren(this.detail, h("p", { class: "note" }, "Choose a sample to see its evidence, the answer, and the command that makes it again."));
      return;
    }
    const place = this.cases.get(row);
    replaceChildren(this.detail, sampleView(this.data, this.run, row, place === undefined ? null : this.run.cases[place]!));
  }

  private onKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step === undefined || this.rows.length === 0) return;
    event.preventDefault();
    const at = this.rows.indexOf(this.selection.sample);
    const next = Math.min(this.rows.length - 1, Math.max(0, at < 0 ? 0 : at + step));
    location.hash = link({ ...this.selection, sample: this.rows[next]! });
  }
}
