// How long each part of the suite holds, by every reading; strict beside lenient; regions of length × complexity.
import type { CurveSummary, Effective, Estimate, PageData, Run } from "./data";
import { type Child, h, lines, sheet } from "./dom";
import { figure, part, type Rows, scrolling } from "./figure";
import { interval, lengthDetail, lengthRange, lengthText, percent, points, pointsInterval } from "./format";
import { region } from "./region";
import { link } from "./selection";

const kReadings: [keyof Pick<CurveSummary, "absolute" | "relative" | "strict" | "risk">, (data: PageData, run: Run) => [string, string]][] = [
  ["absolute", (data) => ["absolute", `score ≥ ${percent(data.threshold)} %`]],
  ["relative", (_, run) => ["relative", `≥ ${percent(run.relative)} % of the shortest length's`]],
  ["strict", (data) => ["strict", `strict score ≥ ${percent(data.threshold)} %`]],
  ["risk", (_, run) => ["risk", `mean cost of mistakes ≤ ${percent(run.risk_limit)} %`]],
];

export function effective(data: PageData, runIndex: number): HTMLElement | null {
  const run = data.runs[runIndex]!;
  const shown = run.summaries.filter((one) => one.curve >= 0);
  if (shown.length === 0) return null;
  const head: Child[] = [
    "",
    ...kReadings.map(([, name]) => {
      const [word, rule] = name(data, run);
      return h("span", {}, word, h("small", {}, rule));
    }),
    h("span", {}, "slope", h("small", {}, "points per doubling")),
    h("span", {}, "usable area", h("small", {}, "100 = right everywhere")),
  ];
  const rows = shown.map((one, i) => ({
    className: i === 0 ? "strong" : undefined,
    cells: [
      h("a", { href: link({ run: runIndex, category: i === 0 ? "" : one.name, ...(i === 0 ? { at: "samples" } : {}) }) }, one.name),
      ...kReadings.map(([key]) => effectiveCell(data, one[key])),
      one.slope ? lines(points(one.slope.value), pointsInterval(one.slope)) : h("td", { class: "dim" }, "–"),
      one.area ? lines(percent(one.area.value), interval(one.area)) : h("td", { class: "dim" }, "–"),
    ],
  }));
  return figure(
    "effective",
    "Up to which length it holds",
    "The last tested length whose mean passes (RULER's reading); below it, where a falling fit crosses the threshold, with its 95 % interval. ≈ marks what the intervals leave open.",
    [
      scrolling("Effective lengths by category", sheet("Effective lengths by category", head, rows)),
      robust(data, run),
      strictBeside(data, run),
      ...run.regions.map((one) => region(data, run, one, runIndex)),
    ],
    () => csvRows(run),
  );
}

function effectiveCell(data: PageData, one: Effective): HTMLElement {
  if (one.kind === "not measured") return h("td", { class: "dim" }, "–");
  return lines(lengthText(data, one), lengthDetail(data, one));
}

function robust(data: PageData, run: Run): HTMLElement | null {
  if (!run.robust || run.robust.parts.length < 2) return null;
  const { effective: whole, parts } = run.robust;
  const breaking = whole.limited_by ? `; ${whole.limited_by} breaks first` : "";
  const often = parts.filter((one) => one.breaks_first >= 0.05).sort((a, b) => b.breaks_first - a.breaks_first);
  const said = often.length > 1 ? ` Redrawing the samples, ${often.map((one) => `${one.category} ends first in ${Math.round(one.breaks_first * 100)} %`).join(", ")} of the draws.` : "";
  return h("p", { class: "note said" }, h("b", {}, `Robust: ${lengthText(data, whole)}`), `, the length up to which every category holds its own threshold (${lengthRange(data, whole)} by the intervals)${breaking}.${said}`);
}

// The same answers by both readings.
function strictBeside(data: PageData, run: Run): HTMLElement | null {
  const pools = run.curves[0]?.points.filter((point) => point.pool.strict && point.pool.usability) ?? [];
  if (pools.length === 0) return null;
  const cell = (e: Estimate): HTMLElement => lines(percent(e.value), interval(e));
  return part(
    "Strict beside lenient",
    "Lenient: the right string occurs in the answer (the benchmark's own metric). Strict: also no denial or hedge, and no wrong candidate beside it. All samples of a length as one pool.",
    scrolling("Strict beside lenient by length", sheet("Strict beside lenient by length", ["length", "lenient", "strict", "difference", "strictly right"], pools.map(({ length, pool }) => ({
      cells: [data.lengths[length]!.name, cell(pool.usability!), cell(pool.strict!), points(pool.strict!.value - pool.usability!.value), `${pool.strictly_right} of ${pool.attempted}`],
    })))),
  );
}

function csvRows(run: Run): Rows {
  const rows: Rows = [["curve", "reading", "kind", "length", "low", "high", "crossing", "crossing_low", "crossing_high", "threshold"]];
  for (const one of run.summaries)
    for (const [key] of kReadings) {
      const e = one[key];
      rows.push([one.name, key, e.kind, e.length, e.low, e.high, e.crossing?.length ?? "", e.crossing?.low ?? "", e.crossing?.high ?? "", e.threshold]);
    }
  return rows;
}
