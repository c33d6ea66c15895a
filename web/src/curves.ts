// Score against length: the mean over tasks with its band and where it meets the threshold, then each category. Runs are drawn over each other.
import { families, familyOf, roleOf, runStyle } from "./arm_style";
import { chart } from "./chart";
import { type Curve, type CurvePoint, type Effective, type PageData, runName } from "./data";
import { h, replaceChildren } from "./dom";
import { estimateFields, namedFields } from "./estimate_rows";
import { figure, type Rows } from "./figure";
import { count, interval, lengthText, percent, words } from "./format";
import { type Crossing, type Line, lineChart, type LinePoint } from "./line_chart";
import { link } from "./selection";

const kAllTasks = "all tasks";
const kReadable = 6; // lines in one figure

function points(data: PageData, runIndex: number, curve: Curve, name: string, reading: "usability" | "strict" = "usability"): LinePoint[] {
  const shown: LinePoint[] = [];
  const most = Math.max(0, ...curve.points.map((point) => point.tasks_with_usability));
  for (const point of curve.points) {
    const score = point[reading];
    if (score === null || point.edge) continue;
    const length = data.lengths[point.length]!;
    shown.push({
      tokens: length.tokens,
      value: score.value,
      low: score.low,
      high: score.high,
      href: link({ run: runIndex, length: point.length, category: curve.name === kAllTasks ? "" : curve.name }),
      label: `${name} at ${length.name}: ${words(score)}; show its samples`,
      tip: `${name} at ${length.name}\n${percent(score.value)} % (${interval(score)}), n = ${count(score.n)}\nmean over ${point.tasks_with_usability}${point.tasks_with_usability < most ? ` of ${most}` : ""} tasks, ${score.method}${completion(point)}`,
      partial: point.tasks_with_usability < most,
    });
  }
  return shown;
}

function completion(point: CurvePoint): string {
  const { attempted, completed } = point.pool;
  return completed < attempted ? `\n${count(attempted - completed)} of ${count(attempted)} requests failed` : "";
}

// Inside the lengths that were tried; an end beyond them is drawn up to the edge.
function crossing(data: PageData, effective: Effective): Crossing | null {
  const { crossing: found } = effective;
  if (!found || !found.length) return null;
  const first = data.lengths[0]!.tokens;
  const last = data.lengths[data.lengths.length - 1]!.tokens;
  const inside = (tokens: number | null): number => Math.min(last, Math.max(first, tokens ?? last));
  return { at: inside(found.length), low: inside(found.low), high: inside(found.high), height: effective.threshold, tip: `Meets the threshold at\n${found.words}` };
}

function line(data: PageData, runIndex: number, curve: Curve, name: string, of: number): Line {
  const style = of === 1 ? { colour: "var(--accent)", symbol: "circle" } : runStyle(data, runIndex);
  return { name, ...style, points: points(data, runIndex, curve, name), crossing: crossing(data, curve.effective) };
}

// The same answers read strictly; left out where it would lie on the line beside it.
function strictLine(data: PageData, curve: Curve): Line | null {
  const strict = points(data, 0, curve, "strict score", "strict");
  const apart = curve.points.some((point) => point.strict && point.usability && point.usability.value - point.strict.value > 0.005);
  return apart ? { name: "strict score", colour: "var(--quiet)", symbol: "circle", points: strict, dashed: true, band: false } : null;
}

function plot(data: PageData, drawn: Line[], label: string, height: (width: number) => number, options: { firstWidth?: number; small?: boolean } = {}): HTMLElement {
  return chart((width) => lineChart(data, drawn, {
    label,
    width,
    height: height(width),
    yLabel: options.small ? "" : "% right",
    yDomain: [0, 1],
    yTicks: options.small ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1],
    yFormat: (share) => String(Math.round(share * 100)),
    threshold: data.threshold,
    endLabels: !options.small,
  }), options.firstWidth);
}

function panel(data: PageData, runs: number[], category: string): HTMLElement | null {
  const found = runs.map((i) => ({ run: data.runs[i]!, i })).flatMap(({ run, i }) => run.curves.filter((curve) => curve.name === category).map((curve) => ({ run, i, curve })));
  if (found.length === 0) return null;
  const drawn = found.map(({ run, i, curve }) => line(data, i, curve, runName(run), data.runs.length));
  const holds = found.map(({ curve }) => lengthText(data, curve.effective)).join(" · ");
  return h("div", { class: "panel" }, h("h3", {}, category, h("span", {}, holds)), plot(data, drawn.map((one) => ({ ...one, crossing: null })), `Score by length: ${category}`, () => 150, { firstWidth: 250, small: true }));
}

export function runLegend(data: PageData, runs = data.runs.map((_, i) => i)): HTMLElement | null {
  if (data.runs.length < 2) return null;
  return h("ul", { class: "legend" }, ...runs.map((i) => h("li", {}, h("i", { style: `--c:${runStyle(data, i).colour}` }), runName(data.runs[i]!))));
}

function rowsOf(data: PageData): Rows {
  const rows: Rows = [["run", "curve", "length", ...namedFields("score"), "completion", "tasks"]];
  for (const run of data.runs)
    for (const curve of run.curves)
      for (const point of curve.points)
        rows.push([run.name, curve.name, data.lengths[point.length]!.tokens, ...estimateFields(point.usability), point.pool.completion?.value ?? "", point.tasks_with_usability]);
  return rows;
}

// Of a study with many arms: full attention, the evidence alone, and each selector's greatest budget.
function firstShown(data: PageData): number[] {
  const all = data.runs.map((_, i) => i);
  const study = data.arms;
  if (!study || all.length <= kReadable) return all;
  const greatest = families(study).map((family) => all.filter((i) => familyOf(study.arms[i]!) === family).reduce((best, i) => (study.arms[i]!.arm.budget > study.arms[best]!.arm.budget ? i : best)));
  const others = all.filter((i) => roleOf(study.arms[i]!) !== "selector" && ["full", "oracle"].includes(study.arms[i]!.arm.name));
  return [...others, ...greatest].slice(0, kReadable).sort((a, b) => a - b);
}

function toggles(data: PageData, first: number[], draw: (runs: number[]) => void): HTMLElement {
  const shown = new Set(first);
  return h("div", { class: "runs", role: "group", "aria-label": "Arms in this figure" }, ...data.runs.map((run, i) =>
    h("button", { type: "button", "aria-pressed": String(shown.has(i)), onclick: (event) => {
      if (!shown.delete(i)) shown.add(i);
      (event.currentTarget as Element).setAttribute("aria-pressed", String(shown.has(i)));
      draw([...shown].sort((a, b) => a - b));
    } }, h("span", { class: "swatch", style: `--c:${runStyle(data, i).colour}`, "aria-hidden": "true" }), runName(run))));
}

export function curves(data: PageData): HTMLElement {
  const several = data.runs.length > 1;
  const lineOf = (i: number): Line => line(data, i, data.runs[i]!.curves[0]!, several ? runName(data.runs[i]!) : "score", data.runs.length);
  const main = data.runs.map((_, i) => lineOf(i));
  const strict = several ? null : strictLine(data, data.runs[0]!.curves[0]!);
  const body = h("div", {});
  const draw = (runs: number[]): void => {
    const panels = data.categories.map((category) => panel(data, runs, category)).filter((one) => one !== null);
    replaceChildren(
      body,
      plot(data, [...runs.map((i) => main[i]!), ...(strict ? [strict] : [])], "Score by length", (width) => (width < 480 ? 250 : 400)),
      runLegend(data, runs),
      panels.length ? h("div", { class: "panels" }, ...panels) : null,
    );
  };
  const first = firstShown(data);
  draw(first);
  const rising = data.runs.filter((run) => run.curves[0]?.effective.rises);
  const notes = [
    "Mean over tasks, each weighing the same; a failed request counts as 0. Bands are 95 % intervals.",
    main.some((one) => one.crossing) ? "The ring on the threshold is where a falling fit crosses it, the bar its interval." : "",
    strict ? "Strict score: no denial or hedge, and no wrong candidate beside the right one." : "",
    main.some((one) => one.points.some((point) => point.partial)) ? "Hollow points rest on some of the tasks only and are no part of the line." : "",
    "Choose a point to see its samples.",
  ];
  return figure(
    "curves",
    "How the score falls with length",
    notes.filter(Boolean).join(" "),
    [
      data.arms ? toggles(data, first, draw) : null,
      body,
      rising.length ? h("p", { class: "note said" }, `${rising.map(runName).join(", ")}: the score clearly rises between two neighbouring lengths, so the curve does not simply fall; the points are shown as measured.`) : null,
    ],
    () => rowsOf(data),
  );
}
