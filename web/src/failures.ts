// What went wrong: kinds of wrong answers with their sentences, and what became of the requests.
import * as Plot from "@observablehq/plot";
import { chart, finishChart } from "./chart";
import type { PageData, Run } from "./data";
import { h, sheet } from "./dom";
import { figure, part, type Rows, scrolling } from "./figure";
import { count, percent, plural } from "./format";
import { link } from "./selection";

interface Kind {
  miss: number;
  n: number;
  byCategory: Map<string, number>;
}

function kindsOf(data: PageData, run: Run): Kind[] {
  const kinds = new Map<number, Kind>();
  for (const cell of run.cells)
    for (const [miss, n] of cell.tally.misses) {
      const kind = kinds.get(miss) ?? { miss, n: 0, byCategory: new Map() };
      const category = data.tasks[cell.task]!.category;
      kind.n += n;
      kind.byCategory.set(category, (kind.byCategory.get(category) ?? 0) + n);
      kinds.set(miss, kind);
    }
  return [...kinds.values()].sort((a, b) => b.n - a.n);
}

export function failures(data: PageData, runIndex: number): HTMLElement | null {
  const run = data.runs[runIndex]!;
  const kinds = kindsOf(data, run);
  const wrong = kinds.reduce((sum, kind) => sum + kind.n, 0);
  const strictly = run.total.completed - run.total.strictly_right;
  const missing = run.total.attempted - run.total.completed;
  const note = wrong > 0 ? `Of ${plural(run.total.completed, "complete answer")} ${count(strictly)} ${strictly === 1 ? "is" : "are"} not strictly right, each counted once by its main reason. ` : "";
  return figure(
    "failures",
    "What went wrong",
    `${note}${missing > 0 ? `${plural(missing, "request")} did not complete: neither dropped nor silently wrong, each counts as 0 in the score and stands below by its reason.` : "Every request that was sent completed."}`,
    [wrong > 0 ? kindList(data, run, kinds, runIndex) : null, wrong > 0 ? kindTable(data, kinds, runIndex) : null, outcomes(data, run, runIndex)],
    () => csvRows(data, run, kinds),
  );
}

function kindList(data: PageData, run: Run, kinds: Kind[], runIndex: number): HTMLElement {
  const most = kinds[0]!.n;
  return h("div", { class: "misses" }, ...kinds.map(({ miss, n }) => {
    const kind = data.misses[miss]!;
    return h(
      "div",
      { class: "miss" },
      h("a", { href: link({ run: runIndex, miss }) }, kind.label),
      h("div", {}, bar(n / most, `${count(n)} · ${percent(n / Math.max(1, run.total.completed))} %`), h("p", {}, kind.sentence)),
    );
  }));
}

function bar(share: number, text: string): HTMLElement {
  return h("div", { class: "bar-row" }, h("span", { class: "bar-mark", style: `width:${Math.max(0.6, share * 70)}%`, "aria-hidden": "true" }), h("span", { class: "bar-text" }, text));
}

function kindTable(data: PageData, kinds: Kind[], runIndex: number): HTMLElement | null {
  const categories = data.categories.filter((category) => kinds.some((kind) => kind.byCategory.has(category)));
  if (categories.length < 2) return null;
  return part("By family of tasks", "", scrolling("Kinds of wrong answers by family", sheet("Kinds of wrong answers by family", ["", ...categories, "all"], kinds.map((kind) => ({
    cells: [
      data.misses[kind.miss]!.label,
      ...categories.map((category) => {
        const n = kind.byCategory.get(category) ?? 0;
        return n > 0 ? h("a", { href: link({ run: runIndex, miss: kind.miss, category }) }, count(n)) : h("td", { class: "dim" }, "·");
      }),
      count(kind.n),
    ],
  })))));
}

// Complete ones in water; every failure in its own pattern of sand, with its sign in the table.
const kSigns: Record<string, string> = {
  answered: "●",
  "output-cut": "◐",
  "thinking-cut": "◔",
  "over-window": "⊘",
  "input-truncated": "✂",
  refused: "⊝",
  "out-of-memory": "▤",
  "timed-out": "◷",
  "error-permanent": "✕",
  "error-transient": "↯",
};
const kColours: Record<string, string> = { answered: "var(--accent)", "output-cut": "var(--series-6)" };
const kFailures = ["var(--series-2)", "var(--series-5)", "var(--series-4)", "var(--land)", "var(--series-3)", "var(--faint)", "var(--ink)", "var(--strong-line)"];

function outcomes(data: PageData, run: Run, runIndex: number): HTMLElement | null {
  const pools = run.curves[0]?.points ?? [];
  const present = data.outcomes.map((outcome, k) => ({ outcome, k })).filter(({ k }) => pools.some((point) => point.pool.outcomes[k]! > 0));
  if (present.length === 0) return null;
  const failing = present.filter(({ outcome }) => !outcome.complete);
  const colours = new Map(present.map(({ outcome }) => [outcome.label, kColours[outcome.kind] ?? kFailures[failing.findIndex((one) => one.outcome === outcome) % kFailures.length]!]));
  const bars = pools.flatMap(({ length, pool }) => present.filter(({ k }) => pool.outcomes[k]! > 0).map(({ outcome, k }) => ({
    length: data.lengths[length]!.name,
    label: outcome.label,
    share: pool.outcomes[k]! / Math.max(1, pool.samples),
    title: `${data.lengths[length]!.name}\n${outcome.label}: ${count(pool.outcomes[k]!)} of ${count(pool.samples)}`,
    name: `${data.lengths[length]!.name}: ${outcome.label}, ${pool.outcomes[k]} of ${pool.samples}; show its samples`,
    href: link({ run: runIndex, length, outcome: k }),
  })));
  const picture = chart((width) => finishChart(Plot.plot({
    width,
    height: 28 + 27 * pools.length,
    marginLeft: 52,
    marginRight: 2,
    marginTop: 4,
    marginBottom: 24,
    style: { background: "transparent", fontSize: "12px", overflow: "visible" },
    x: { label: null, tickFormat: (share: number) => `${Math.round(share * 100)} %`, ticks: 4, tickSize: 0, domain: [0, 1] },
    y: { label: null, domain: pools.map(({ length }) => data.lengths[length]!.name), tickSize: 0 },
    color: { domain: [...colours.keys()], range: [...colours.values()] },
    marks: [Plot.barX(bars, { y: "length", x: "share", fill: "label", href: "href", title: "title", ariaLabel: "name", insetTop: 4, insetBottom: 4, insetRight: 1 })],
  }), "Outcomes by length"));
  const head = ["length", ...present.map(({ outcome }) => h("span", {}, h("span", { style: `color:${colours.get(outcome.label)}`, "aria-hidden": "true" }, kSigns[outcome.kind] ?? "?"), ` ${outcome.label}`)), "not run", "completed"];
  const rows = pools.map(({ length, pool }) => ({
    cells: [
      data.lengths[length]!.name,
      ...present.map(({ k }) => (pool.outcomes[k]! > 0 ? h("a", { href: link({ run: runIndex, length, outcome: k }) }, count(pool.outcomes[k]!)) : h("td", { class: "dim" }, "·"))),
      pool.samples > pool.attempted ? h("a", { href: link({ run: runIndex, length, outcome: -2 }) }, count(pool.samples - pool.attempted)) : h("td", { class: "dim" }, "·"),
      pool.completion ? `${percent(pool.completion.value)} %` : "–",
    ],
  }));
  return part("What became of the requests", "", picture, scrolling("Outcomes by length", sheet("Requests by length and outcome", head, rows)));
}

function csvRows(data: PageData, run: Run, kinds: Kind[]): Rows {
  const rows: Rows = [["what", "kind", "where", "count"]];
  for (const kind of kinds) for (const [category, n] of kind.byCategory) rows.push(["wrong answer", data.misses[kind.miss]!.kind, category, n]);
  for (const { length, pool } of run.curves[0]?.points ?? []) data.outcomes.forEach((outcome, k) => rows.push(["outcome", outcome.kind, data.lengths[length]!.tokens, pool.outcomes[k]!]));
  return rows;
}
