// The casebook: every sample of a run, filtered and searched, and one of them in full.
import { focusArm, fullArm, oracleArm } from "./arm_style";
import { type Case, type PageData, type Run, runName, sampleId } from "./data";
import { button, h, replaceChildren, select } from "./dom";
import { count, plural } from "./format";
import { kPairs, kResults, type Pair, Pairs, pairsOf, type Result, RunSamples } from "./matching";
import { type ListedRow, RowList } from "./row_list";
import { sampleView, type Side } from "./sample_view";
import { asksForSamples, everything, link, type Selection } from "./selection";
import { sideName } from "./compare";

const kResultNames: Record<Result, [string, string]> = {
  right: ["right", "●"],
  lenient: ["right, not strictly", "◉"],
  partly: ["partly right", "◐"],
  wrong: ["wrong", "○"],
  failed: ["no answer", "✕"],
  "not-run": ["not run", "·"],
};
const kPairNames: Record<Pair, [string, string]> = {
  "both-right": ["both right", "●"],
  gained: ["gained", "▲"],
  lost: ["lost", "▼"],
  "both-wrong": ["both wrong", "○"],
  unsure: ["unsure", "?"],
};

const crossWords = (code: string): string => [...code].map((one) => (one === "1" ? "right" : one === "0" ? "wrong" : "either")).join(", ");

export class Casebook {
  readonly element: HTMLElement;
  private readonly runs: RunSamples[];
  private readonly pairs = new Map<number, Pairs | null>();
  private readonly chips = h("div", {});
  private readonly filters = h("div", { class: "filters" });
  private readonly status = h("p", { class: "note", role: "status" });
  private readonly detail = h("div", { class: "detail-pane", role: "region", "aria-label": "The chosen sample", tabindex: "-1" });
  private readonly list: RowList;
  private selection: Selection = everything(0);
  private filtersFor = "";

  constructor(private readonly data: PageData) {
    this.runs = data.runs.map((run) => new RunSamples(data, run));
    this.list = new RowList((row) => this.listed(row), (row) => (location.hash = link({ ...this.selection, at: "", sample: row })));
    this.element = h(
      "section",
      { class: "figure", id: "samples", "aria-labelledby": "samples-title" },
      h("div", { class: "figure-head" }, h("h2", { id: "samples-title" }, "Casebook")),
      h("p", { class: "note" }, "Every sample behind the numbers. ", h("kbd", {}, "/"), " searches, the arrow keys walk the list, ", h("kbd", {}, "Esc"), " goes back to all."),
      this.chips,
      this.filters,
      this.status,
      h("div", { class: "browser" }, this.list.element, this.detail),
    );
  }

  show(selection: Selection): void {
    this.selection = this.focused(selection);
    const own = this.own();
    const pairs = this.pairsOf(this.selection.run);
    if (!pairs && this.selection.pair) this.selection = { ...this.selection, pair: "" };
    this.drawFilters();
    const rows = own.matching(this.selection, pairs);
    this.drawChips(own, pairs);
    const total = own.count;
    const shown = own.run.cases.length;
    this.status.textContent = `${count(rows.length)} of ${plural(total, "sample")}${shown < total ? `; ${count(shown)} of all have prompt and answer on this page (¶)` : ""}.`;
    this.list.set(rows, this.selection.sample);
    this.drawDetail(own, pairs, rows);
  }

  // Of a study: where no arm is asked for, the selector that loses most is shown beside full attention.
  private focused(selection: Selection): Selection {
    const { arms } = this.data;
    if (!arms || new URLSearchParams(location.hash.slice(1)).has("run") || asksForSamples(selection)) return selection;
    return { ...selection, run: Math.max(0, focusArm(arms, selection.run)) };
  }

  private own(): RunSamples {
    return this.runs[this.selection.run]!;
  }

  private pairsOf(run: number): Pairs | null {
    if (!this.pairs.has(run)) this.pairs.set(run, pairsOf(this.data, run));
    return this.pairs.get(run)!;
  }

  private go(change: Partial<Selection>): void {
    location.hash = link({ ...this.selection, at: "samples", sample: -1, ...change });
  }

  private drawChips(own: RunSamples, pairs: Pairs | null): void {
    const focused = document.activeElement?.closest(".chips button")?.getAttribute("data-key");
    const results = own.counts(own.matching(this.selection, pairs, { results: false, pairs: true }));
    const group = (label: string, chips: (HTMLElement | null)[]): HTMLElement => h("div", { class: "chips", role: "group", "aria-label": label }, ...chips);
    const chip = (key: string, text: string, n: number, pressed: boolean, change: Partial<Selection>): HTMLElement =>
      h("button", { type: "button", "aria-pressed": String(pressed), "data-key": key, onclick: () => this.go(change) }, text, h("span", {}, count(n)));
    const all = results.reduce((sum, n) => sum + n, 0);
    const groups = [group("Result", [
      chip("all", "all", all, this.selection.result === "", { result: "" }),
      ...kResults.map((key, i) => (results[i]! > 0 || this.selection.result === key ? chip(key, kResultNames[key].join(" ").replace(/^(.*) (\S+)$/, "$2 $1"), results[i]!, this.selection.result === key, { result: this.selection.result === key ? "" : key }) : null)),
    ])];
    if (pairs) {
      const counts = pairs.counts(own.matching(this.selection, pairs, { results: true, pairs: false }));
      const other = sideName(this.data, pairs.comparison, pairs.side === "a" ? "b" : "a");
      groups.push(group(`Against ${other}`, [
        h("span", { class: "chips-label" }, pairs.side === "b" ? `against ${other}` : `beside ${other}`),
        ...kPairs.map((key, i) => (counts[i]! > 0 || this.selection.pair === key ? chip("pair-" + key, `${kPairNames[key][1]} ${kPairNames[key][0]}`, counts[i]!, this.selection.pair === key, { pair: this.selection.pair === key ? "" : key }) : null)),
      ]));
    }
    replaceChildren(this.chips, ...groups);
    if (focused) this.chips.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  // Drawn again only when another choice was made elsewhere, so that typing is never interrupted.
  private drawFilters(): void {
    const { selection, data } = this;
    const run: Run = data.runs[selection.run]!;
    const search = this.filters.querySelector<HTMLInputElement>("#search");
    if (search && search.value !== selection.search && document.activeElement !== search) search.value = selection.search;
    const key = JSON.stringify([selection.run, selection.task, selection.length, selection.category, selection.bin, selection.outcome, selection.miss, selection.shown, selection.cross]);
    if (key === this.filtersFor) return;
    this.filtersFor = key;
    const held = search && document.activeElement === search;
    const misses = [...new Set(run.cells.flatMap((cell) => cell.tally.misses.map(([miss]) => miss)))].sort((a, b) => a - b);
    const outcomes = data.outcomes.map((_, k) => k).filter((k) => run.total.outcomes[k]! > 0);
    const usedTasks = new Set(run.cells.map((cell) => cell.task));
    const usedLengths = new Set(run.cells.map((cell) => cell.length));
    const every: [string, string] = ["-1", "all"];
    const pick = (label: string, options: [string, string][], value: number, change: (n: number) => Partial<Selection>): HTMLElement | null =>
      options.length > 1 || value !== -1 ? select(label, [every, ...options], String(value), (v) => this.go(change(Number(v)))) : null;
    replaceChildren(
      this.filters,
      data.runs.length > 1 ? select(data.arms ? "Arm" : "Run", data.runs.map((one, i): [string, string] => [String(i), runName(one)]), String(selection.run), (v) => this.go({ run: Number(v) })) : null,
      pick("Task", data.tasks.map((task, t): [string, string] => [String(t), task.cell]).filter(([t]) => usedTasks.has(Number(t))), selection.task, (task) => ({ task })),
      pick("Length", data.lengths.map((length, l): [string, string] => [String(l), length.name]).filter(([l]) => usedLengths.has(Number(l))), selection.length, (length) => ({ length })),
      misses.length ? pick("What went wrong", misses.map((miss): [string, string] => [String(miss), data.misses[miss]!.label]), selection.miss, (miss) => ({ miss })) : null,
      pick("Request", [...outcomes.map((k): [string, string] => [String(k), data.outcomes[k]!.label]), ...(run.total.samples > run.total.attempted ? [["-2", "not run"] as [string, string]] : [])], selection.outcome, (outcome) => ({ outcome })),
      selection.bin >= 0 ? select("Depth", [every, [String(selection.bin), `${selection.bin * 10}–${selection.bin * 10 + 10} %`]], String(selection.bin), (v) => this.go({ bin: Number(v) })) : null,
      selection.cross && data.arms ? select("Full, evidence alone, arm", [["", "all"], [selection.cross, crossWords(selection.cross)]], selection.cross, (cross) => this.go({ cross })) : null,
      selection.category ? select("Family", [["", "all"], [selection.category, selection.category]], selection.category, (category) => this.go({ category })) : null,
      run.cases.length < run.samples.count ? select("Text on this page", [["0", "all samples"], ["1", "¶ with prompt and answer"]], String(selection.shown), (v) => this.go({ shown: Number(v) })) : null,
      this.searchField(search?.value ?? selection.search),
      button("Show all", () => this.go({ ...everything(selection.run), at: "samples" })),
    );
    if (held) this.filters.querySelector<HTMLElement>("#search")?.focus();
  }

  private searchField(value: string): HTMLElement {
    const field = h("input", { id: "search", type: "search", value, placeholder: "ids, questions, answers", autocomplete: "off", spellcheck: "false" }) as HTMLInputElement;
    field.addEventListener("input", () => {
      this.selection = { ...this.selection, search: field.value, sample: -1, at: "samples" };
      history.replaceState(null, "", link(this.selection));
      this.show(this.selection);
    });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      this.list.element.focus();
    });
    return h("label", { class: "field search" }, h("span", {}, "Search"), field);
  }

  private listed(row: number): ListedRow {
    const own = this.own();
    const { run } = own;
    const pairs = this.pairsOf(this.selection.run);
    const result = own.result(row);
    const pair = pairs?.kind(row) ?? null;
    const named: [string, string] = this.selection.pair && pair ? kPairNames[pair] : kResultNames[result];
    const cell = run.cells[run.samples.column("cell")[row]!]!;
    const miss = run.samples.column("miss")[row]!;
    const outcome = run.samples.column("outcome")[row]!;
    const reason = result === "failed" ? this.data.outcomes[outcome]!.label : miss >= 0 ? this.data.misses[miss]!.label : kResultNames[result][0];
    return {
      className: this.selection.pair && pair ? pair : result,
      sign: named[1],
      signName: named[0],
      title: run.samples.ids[String(row)] !== undefined ? sampleId(this.data, run, row) : `${this.data.tasks[cell.task]!.cell} · ${this.data.lengths[cell.length]!.name} · ${run.samples.column("index")[row]}`,
      detail: reason,
      side: own.cases.has(row) && own.cases.size < own.count ? "¶" : "",
      href: link({ ...this.selection, at: "", sample: row }),
    };
  }

  private sides(own: RunSamples, pairs: Pairs | null, row: number): Side[] {
    const shown = (samples: RunSamples, at: number): Case | null => {
      const place = samples.cases.get(at);
      return place === undefined ? null : samples.run.cases[place]!;
    };
    const first: Side = { runIndex: this.selection.run, run: own.run, row, shown: shown(own, row) };
    const sides = [first];
    const otherRow = pairs ? pairs.otherRow(row) : -1;
    if (pairs && otherRow >= 0) {
      const other = this.runs[pairs.otherRun]!;
      sides.push({ runIndex: pairs.otherRun, run: other.run, row: otherRow, shown: shown(other, otherRow) });
    }
    if (this.data.arms) return this.studySides(sides);
    // Further runs that were given the very same prompt.
    if (first.shown)
      this.runs.forEach((samples, i) => {
        if (sides.some((side) => side.runIndex === i)) return;
        const same = samples.run.cases.find((one) => one.prompt === first.shown!.prompt);
        if (same) sides.push({ runIndex: i, run: samples.run, row: same.sample, shown: same });
      });
    return sides.sort((a, b) => a.runIndex - b.runIndex);
  }

  // Full attention, the evidence alone, and the arm: more answers beside each other than that are not read.
  private studySides(sides: Side[]): Side[] {
    const study = this.data.arms!;
    const [{ run, row }] = sides as [Side, ...Side[]];
    const id = sampleId(this.data, run, row);
    const wanted = [fullArm(study), oracleArm(study), this.selection.run];
    for (const i of wanted) {
      const samples = this.runs[i];
      if (!samples || sides.some((side) => side.runIndex === i)) continue;
      const other = samples.rowOf(id);
      const place = samples.cases.get(other);
      if (other >= 0) sides.push({ runIndex: i, run: samples.run, row: other, shown: place === undefined ? null : samples.run.cases[place]! });
    }
    return sides.filter((side) => wanted.includes(side.runIndex)).sort((a, b) => wanted.indexOf(a.runIndex) - wanted.indexOf(b.runIndex));
  }

  private drawDetail(own: RunSamples, pairs: Pairs | null, rows: Int32Array): void {
    const row = this.selection.sample;
    if (row >= 0 && row < own.count) {
      replaceChildren(this.detail, sampleView(this.data, this.sides(own, pairs, row)));
      return;
    }
    if (rows.length === 0) return replaceChildren(this.detail, h("p", { class: "empty-state" }, "No sample is like this."));
    // None is chosen: the most telling one of the list is shown.
    const listed = new Set(rows);
    const telling = own.run.cases.find((one) => listed.has(one.sample))?.sample ?? rows[0]!;
    replaceChildren(this.detail, h("p", { class: "hint" }, "For example"), sampleView(this.data, this.sides(own, pairs, telling)));
  }
}
