// Score against length: the mean over tasks with its band, the categories, the threshold. Several runs are drawn over each other.
import * as Plot from "@observablehq/plot";
import { finishChart } from "./chart";
import { type Curve, type CurvePoint, type PageData, type Run } from "./data";
import { h } from "./dom";
import { figure, type Rows } from "./figure";
import { percent, words } from "./format";
import { link } from "./selection";

interface Point {
  tokens: number;
  name: string;
  value: number;
  low: number;
  high: number;
  href: string;
  label: string;
}

const kRunColours = ["var(--series-1)", "var(--series-2)", "var(--series-3)", "var(--series-4)", "var(--series-5)", "var(--series-6)"];

export const seriesColour = (i: number): string => kRunColours[i % kRunColours.length]!;

function points(data: PageData, runIndex: number, curve: Curve, name: string): Point[] {
  const shown: Point[] = [];
  for (const point of curve.points) {
    if (point.usability === null) continue;
    const length = data.lengths[point.length]!;
    const category = curve.name === "all tasks" ? "" : curve.name;
    shown.push({
      tokens: length.tokens,
      name,
      value: point.usability.value,
      low: point.usability.low,
      high: point.usability.high,
      href: link({ run: runIndex, length: point.length, category }),
      label: `${name} at ${length.name}: ${words(point.usability)}; show its samples`,
    });
  }
  return shown;
}

function lines(shown: Point[], colour: string, strong: boolean): Plot.Markish[] {
  const tip = { x: "tokens", y: "value", title: "label" };
  const marks: Plot.Markish[] = [
    Plot.lineY(shown, { x: "tokens", y: "value", stroke: colour, strokeWidth: strong ? 2.5 : 1.4, strokeOpacity: strong ? 1 : 0.8 }),
    Plot.dot(shown, {
      x: "tokens",
      y: "value",
      r: strong ? 4.5 : 3,
      fill: colour,
      stroke: "var(--paper)",
      href: "href",
      ariaLabel: "label",
    }),
    Plot.tip(shown, Plot.pointer(tip)),
  ];
  if (strong) marks.unshift(Plot.areaY(shown, { x: "tokens", y1: "low", y2: "high", fill: colour, fillOpacity: 0.16 }));
  return marks;
}

function chart(data: PageData, marks: Plot.Markish[], label: string): SVGElement {
  const ticks = data.lengths.map((length) => length.tokens);
  const names = new Map(data.lengths.map((length) => [length.tokens, length.name]));
  const svg = Plot.plot({
    width: 900,
    height: 390,
    marginTop: 30,
    marginLeft: 56,
    marginRight: 24,
    marginBottom: 42,
    className: "chart",
    style: { background: "transparent", fontSize: "13px", overflow: "visible" },
    x: {
      type: "log",
      base: 2,
      label: "length, tokens",
      ticks,
      tickFormat: (tokens: number) => names.get(tokens) ?? String(tokens),
      domain: ticks.length > 1 ? [ticks[0]!, ticks[ticks.length - 1]!] : [ticks[0]! / 2, ticks[0]! * 2],
    },
    y: { label: "score", domain: [0, 1], tickFormat: (share: number) => `${Math.round(share * 100)}`, grid: true },
    marks: [
      Plot.ruleY([data.threshold], { stroke: "var(--accent)", strokeDasharray: "5 4" }),
      Plot.text([[ticks[0]!, data.threshold]], {
        text: () => `threshold ${percent(data.threshold)}`,
        textAnchor: "start",
        dy: 12,
        dx: 6,
        fill: "var(--accent)",
      }),
      ...marks,
    ],
  });
  return finishChart(svg, label);
}

function legend(entries: [string, string][]): HTMLElement {
  return h("ul", { class: "legend" }, ...entries.map(([name, colour]) => h("li", {}, h("i", { style: `background:${colour}` }), name)));
}

function rowsOf(data: PageData, runs: [Run, number][], wanted: (curve: Curve) => boolean): Rows {
  const rows: Rows = [["run", "curve", "length", "score", "low", "high", "n", "method", "completion"]];
  for (const [run] of runs)
    for (const curve of run.curves.filter(wanted))
      for (const point of curve.points) rows.push(rowOf(data, run, curve, point));
  return rows;
}

function rowOf(data: PageData, run: Run, curve: Curve, point: CurvePoint): (string | number)[] {
  const score = point.usability;
  const numbers = score ? [score.value, score.low, score.high, score.n, score.method] : ["", "", "", 0, ""];
  return [run.name, curve.name, data.lengths[point.length]!.tokens, ...numbers, point.pool.completion?.value ?? ""];
}

export function curves(data: PageData, selected: number): HTMLElement {
  const several = data.runs.length > 1;
  const marks: Plot.Markish[] = [];
  const entries: [string, string][] = [];
  if (several) {
    data.runs.forEach((run, i) => {
      marks.push(...lines(points(data, i, run.curves[0]!, runName(run)), seriesColour(i), true));
      entries.push([runName(run), seriesColour(i)]);
    });
  } else {
    data.runs[selected]!.curves.forEach((curve, i) => {
      const colour = i === 0 ? "var(--ink)" : seriesColour(i - 1);
      marks.push(...lines(points(data, selected, curve, curve.name), colour, i === 0));
      entries.push([curve.name, colour]);
    });
  }
  const runs = data.runs.map((run, i): [Run, number] => [run, i]);
  return figure(
    "curves",
    "Score by length",
    several
      ? "Mean over tasks, a failed request counting as 0; the band is the 95 % interval. Choose a point to see its samples."
      : "Mean over tasks with its 95 % band, and each category. A failed request counts as 0. Choose a point to see its samples.",
    [chart(data, marks, "Score by length"), legend(entries)],
    () => rowsOf(data, runs, (curve) => !several || curve.name === "all tasks"),
  );
}

export const runName = (run: Run): string => (run.simulated ? `${run.model} (simulated)` : run.model);
