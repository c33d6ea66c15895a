// What answers took, by length: time, tokens and memory.
import { runStyle } from "./arm_style";
import { chart } from "./chart";
import { type Estimate, type LengthSpending, type PageData, type Quantiles, type Run, runName } from "./data";
import { h, lines as twoLines, sheet } from "./dom";
import { figure, part, type Rows, scrolling } from "./figure";
import { big, bytes, count, duration, percent, quantile } from "./format";
import { runLegend } from "./curves";
import { type Line, lineChart, type LinePoint } from "./line_chart";
import { link } from "./selection";

type Timing = "total_ms" | "first_token_ms";

export function cost(data: PageData, runIndex: number): HTMLElement | null {
  const runs = data.runs.filter((run) => run.spending);
  const run = data.runs[runIndex]!;
  if (runs.length === 0 || !run.spending) return null;
  const panels = (["total_ms", "first_token_ms"] as Timing[]).map((timing) => panel(data, data.arms ? [runIndex] : data.runs.map((_, i) => i), timing)).filter((one) => one !== null);
  if (panels.length === 0 && run.spending.all.input.n === 0) return null;
  return figure(
    "cost",
    "What an answer costs",
    data.arms ? "Attention is computed in full and then masked: these are not the times of a sparse kernel." : panels.length ? "Median time of an answer by length with its interval, and the tokens read and written, as they were reported." : "Tokens read and written by length, as they were reported.",
    [panels.length ? h("div", { class: "panels wide" }, ...panels) : null, panels.length && !data.arms ? runLegend(data) : null, table(data, run)],
    () => csvRows(data),
  );
}

function timePoints(data: PageData, runIndex: number, timing: Timing): LinePoint[] {
  const run = data.runs[runIndex]!;
  const shown: LinePoint[] = [];
  for (const one of run.spending?.lengths ?? []) {
    const { p50, p95, n } = one[timing];
    if (!p50 || n === 0 || p50.value <= 0) continue;
    const length = data.lengths[one.length]!;
    const tail = p95 ? `\n95th percentile ${duration(p95.value)}` : "";
    shown.push({
      tokens: length.tokens,
      value: p50.value,
      low: Math.max(p50.low, p50.value / 100),
      high: p50.high,
      href: link({ run: runIndex, length: one.length }),
      label: `${runName(run)} at ${length.name}: median ${duration(p50.value)}; show its samples`,
      tip: `${runName(run)} at ${length.name}\nmedian ${duration(p50.value)} (${duration(p50.low)}–${duration(p50.high)})${tail}\nn = ${count(n)}`,
    });
  }
  return shown;
}

// The arms of a study are timed with their masks, which no sparse kernel computes: they are not drawn over each other.
function panel(data: PageData, runs: number[], timing: Timing): HTMLElement | null {
  const title = timing === "total_ms" ? "Whole answer" : "First token";
  const drawn: Line[] = runs.map((i) => ({ name: runName(data.runs[i]!), ...(runs.length > 1 ? runStyle(data, i) : { colour: "var(--accent)", symbol: "circle" }), points: timePoints(data, i, timing) })).filter((line) => line.points.length > 0);
  if (drawn.length === 0) return null;
  const values = drawn.flatMap((line) => line.points.flatMap((point) => [point.low, point.high, point.value]));
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values) * 1.01));
  const ticks: number[] = [];
  for (let tick = low; tick <= high * 1.001; tick *= 10) ticks.push(tick);
  return h("div", { class: "panel" }, h("h3", {}, title, h("span", {}, "median")), chart((width) => lineChart(data, drawn, {
    label: `${title}: median time by length`,
    width,
    height: 210,
    yLabel: "",
    yDomain: [low, high],
    yTicks: ticks,
    yFormat: (ms) => duration(ms).replace(".00", ""),
    yLog: true,
  }), 500));
}

const number = (q: Quantiles, which: "p50" | "p95", format: (n: number) => string): string => {
  const value = quantile(q, which);
  return value === null ? "–" : format(value);
};

function table(data: PageData, run: Run): HTMLElement {
  const all = run.spending!.all;
  const has = (pick: (s: LengthSpending) => Quantiles): boolean => pick(all).n > 0;
  const share = (e: Estimate | null): string => (e ? `${percent(e.value)} %` : "–");
  type Column = [string, (s: LengthSpending) => HTMLElement | string];
  const columns: Column[] = [];
  const timing = (name: string, pick: (s: LengthSpending) => Quantiles): void => {
    if (has(pick)) columns.push([name, (s) => twoLines(number(pick(s), "p50", duration), `p95 ${number(pick(s), "p95", duration)}`)]);
  };
  timing("whole answer", (s) => s.total_ms);
  timing("first token", (s) => s.first_token_ms);
  if (has((s) => s.warm_first_token_ms)) {
    timing("first token, nothing cached", (s) => s.cold_first_token_ms);
    timing("first token, prefix cached", (s) => s.warm_first_token_ms);
  }
  const summed = (name: string, pick: (s: LengthSpending) => Quantiles): void => {
    if (has(pick) && pick(all).sum > 0) columns.push([name, (s) => twoLines(big(pick(s).sum), pick(s).n ? `${number(pick(s), "p50", count)} each` : "")]);
  };
  summed("tokens read", (s) => s.input);
  summed("of them cached", (s) => s.cached);
  summed("tokens written", (s) => s.output);
  summed("of them thinking", (s) => s.thinking);
  if (has((s) => s.input_per_second)) columns.push(["read per second", (s) => number(s.input_per_second, "p50", count)]);
  if (has((s) => s.output_per_second)) columns.push(["written per second", (s) => number(s.output_per_second, "p50", (n) => (n < 10 ? n.toFixed(1) : count(n)))]);
  if (has((s) => s.kv_bytes)) columns.push(["keys and values", (s) => number(s.kv_bytes, "p50", bytes)]);
  if (has((s) => s.peak_bytes)) columns.push(["most memory", (s) => (s.peak_bytes.n > 0 ? bytes(s.peak_bytes.largest) : "–")]);
  columns.push(["cut at the output limit", (s) => share(s.output_cut)]);
  if (all.thinking_cut && all.thinking_cut.value > 0) columns.push(["cut while thinking", (s) => share(s.thinking_cut)]);
  if (all.retried > 0) columns.push(["retried", (s) => count(s.retried)]);
  const rows = [...run.spending!.lengths.filter((one) => one.attempted > 0), all].map((one) => ({
    className: one.length < 0 ? "strong" : undefined,
    cells: [one.length < 0 ? "whole run" : data.lengths[one.length]!.name, ...columns.map(([, show]) => show(one))],
  }));
  return part(data.runs.length > 1 ? `By length: ${runName(run)}` : "By length", "", scrolling("Time and tokens by length", sheet("Time and tokens by length", ["length", ...columns.map(([name]) => name)], rows)));
}

function csvRows(data: PageData): Rows {
  const fields = [
    "total_ms", "first_token_ms", "cold_first_token_ms", "warm_first_token_ms", "input", "cached", "output", "thinking", "kv_bytes", "peak_bytes",
  ] as const;
  const rows: Rows = [["run", "length", "quantity", "p50", "p95", "mean", "sum", "largest", "n"]];
  for (const run of data.runs)
    for (const one of run.spending?.lengths ?? [])
      for (const field of fields) {
        const q = one[field];
        if (q.n > 0) rows.push([run.name, data.lengths[one.length]!.tokens, field, q.p50?.value ?? "", q.p95?.value ?? "", q.mean, q.sum, q.largest, q.n]);
      }
  return rows;
}
