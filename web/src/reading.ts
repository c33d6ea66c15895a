// What was read of the evidence: coverage against accuracy, arm by arm and sample by sample, and coverage by layer.
import * as Plot from "@observablehq/plot";
import { armConditions, armStyle, families, familyOf, fullArm, roleOf, type ArmStyle } from "./arm_style";
import { besidePoints, chart, finishChart } from "./chart";
import type { ArmCoverage, PageData, Study, StudyArm } from "./data";
import { choice, h } from "./dom";
import { estimateFields, namedFields } from "./estimate_rows";
import { figure, part, type Rows } from "./figure";
import { count, interval, percent, tokens } from "./format";
import { link } from "./selection";

type Measure = "joint" | "recall" | "path";
const kMeasures: [Measure, string, string][] = [
  ["joint", "joint", "steps and layers that read all evidence at once"],
  ["recall", "recall", "share of the evidence read"],
  ["path", "path", "steps whose layers read the evidence in order"],
];
const kMeasureNames = Object.fromEntries(kMeasures.map(([key, , words]) => [key, words])) as Record<Measure, string>;
const kTicks = [0, 0.25, 0.5, 0.75, 1];

export interface ArmPoint extends ArmStyle {
  x: number;
  y: number;
  low: number;
  high: number;
  name: string;
  hollow: boolean;
  faded: boolean;
  href: string;
  label: string;
  tip: string;
}

export interface Axis {
  label: string; // of the whole picture
  x: Plot.ScaleOptions;
  xTicks: number[];
  xFormat: (value: number) => string;
  xLabel: string;
  toPlace: (x: number) => number; // share of the width
  lines?: { x: number; y: number; z: string; colour: string }[];
  steps?: { x: number; y: number }[];
}

// One point an arm with the interval of its score; a point leads to the arm's samples.
export function armScatter(points: ArmPoint[], axis: Axis, width: number): SVGElement {
  const height = width < 480 ? 300 : 420;
  const margins = { marginLeft: 42, marginRight: width < 480 ? 16 : 120, marginTop: 26, marginBottom: 46 };
  const place = points.map(({ x, y, name }) => ({
    x: margins.marginLeft + axis.toPlace(x) * (width - margins.marginLeft - margins.marginRight),
    y: height - margins.marginBottom - y * (height - margins.marginTop - margins.marginBottom),
    name,
  }));
  const moves = besidePoints(place);
  const fits = (i: number): boolean => place[i]!.x + 12 + place[i]!.name.length * 6.4 < width + 20;
  const named = points.map((point, i) => ({ point, move: fits(i) ? (moves[i] ?? null) : null })).filter(({ move }) => move !== null);
  return finishChart(Plot.plot({
    width,
    height,
    ...margins,
    style: { background: "transparent", fontSize: "12px", overflow: "visible" },
    x: { ...axis.x, label: null, axis: null },
    y: { domain: [0, 1], label: null, axis: null },
    marks: [
      Plot.gridY(kTicks, { stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.gridX(axis.xTicks, { stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.axisY(kTicks, { label: null, tickSize: 0, tickFormat: (value: number) => String(Math.round(value * 100)), fill: "var(--quiet)", tickPadding: 8 }),
      Plot.axisX(axis.xTicks, { label: null, tickSize: 4, tickFormat: axis.xFormat, stroke: "var(--strong-line)", fill: "var(--quiet)" }),
      Plot.text(["% right"], { frameAnchor: "top-left", dy: -20, dx: -34, textAnchor: "start", fill: "var(--quiet)" }),
      Plot.text([axis.xLabel], { frameAnchor: "bottom", dy: 40, fill: "var(--quiet)" }),
      ...(axis.steps ? [Plot.line(axis.steps, { x: "x", y: "y", stroke: "var(--strong-line)", strokeWidth: 1.6, curve: "step-after", strokeDasharray: "5 4" })] : []),
      ...(axis.lines ? [Plot.line(axis.lines, { x: "x", y: "y", z: "z", stroke: "colour", strokeWidth: 1.4, strokeOpacity: 0.55 })] : []),
      Plot.link(points, { x1: "x", x2: "x", y1: "low", y2: "high", stroke: "colour", strokeWidth: 1.6, strokeOpacity: (point: ArmPoint) => (point.faded ? 0.22 : 0.6) }),
      ...points.map((point) => Plot.dot([point], { x: "x", y: "y", r: 5.2, symbol: point.symbol as Plot.SymbolType, fill: point.hollow ? "var(--paper)" : point.colour, fillOpacity: point.faded ? 0.4 : 1, stroke: point.colour, strokeOpacity: point.faded ? 0.45 : 1, strokeWidth: point.symbol === "times" ? 2.4 : 1.8, href: "href", ariaLabel: "label", title: "tip", className: "point" })),
      ...named.map(({ point, move }) => Plot.text([point], { x: "x", y: "y", text: "name", textAnchor: "start", dx: 10, dy: move ?? 0, fill: point.faded ? "var(--quiet)" : point.colour, fontWeight: point.faded ? 400 : 600 })),
    ],
  }), axis.label);
}

export function armPoint(data: PageData, i: number, x: number, said: string): ArmPoint {
  const study = data.arms!;
  const arm = study.arms[i]!;
  const score = arm.score!;
  const role = roleOf(arm);
  return {
    ...armStyle(study, i),
    x,
    y: score.value,
    low: score.low,
    high: score.high,
    name: arm.arm.name,
    hollow: role === "oracle",
    faded: arm.dominated && role === "selector",
    href: link({ run: i, at: "samples" }),
    label: `${arm.arm.name}: ${percent(score.value)} % right, ${said}; show its samples`,
    tip: `${arm.arm.name}\n${percent(score.value)} % right (${interval(score)}), n = ${count(score.n)}\n${said}${arm.dominated ? "\ndominated: another selector does as well and reads no more" : ""}`,
  };
}

function coverageScatter(data: PageData, measure: Measure): HTMLElement {
  const study = data.arms!;
  const points = study.arms.flatMap((arm, i) => (arm.coverage && arm.score && i !== fullArm(study) && arm.arm.kind !== "full" ? [armPoint(data, i, arm.coverage[measure], `${percent(arm.coverage[measure])} % ${measure}`)] : []));
  return chart((width) => armScatter(points, {
    label: `Score by ${measure}: one point an arm`,
    x: { domain: [0, 1] },
    xTicks: kTicks,
    xFormat: (value) => String(Math.round(value * 100)),
    xLabel: `${measure}: percent of ${kMeasureNames[measure].replace("share of ", "")}`,
    toPlace: (x) => x,
  }, width));
}

// Of the samples that full attention answers, how many the selectors answer, by how much of their evidence was read.
function bucketPicture(study: Study, measure: Measure): HTMLElement | null {
  const buckets = study.covered.filter((one) => one.measure === measure);
  if (buckets.length === 0) return null;
  const shown = buckets.map(({ from, below, score }) => ({
    from, below, middle: (from + below) / 2, value: score.value, low: score.low, high: score.high, n: `n ${count(score.n)}`,
    tip: `${Math.round(from * 100)}–${Math.round(below * 100)} % ${measure}\n${percent(score.value)} % still right (${interval(score)}), n = ${count(score.n)}`,
  }));
  const picture = chart((width) => finishChart(Plot.plot({
    width,
    height: 250,
    marginLeft: 42,
    marginRight: 14,
    marginTop: 26,
    marginBottom: 46,
    style: { background: "transparent", fontSize: "12px", overflow: "visible" },
    x: { domain: [0, 1], label: null, axis: null },
    y: { domain: [0, 1], label: null, axis: null },
    marks: [
      Plot.gridY(kTicks, { stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.axisY(kTicks, { label: null, tickSize: 0, tickFormat: (value: number) => String(Math.round(value * 100)), fill: "var(--quiet)", tickPadding: 8 }),
      Plot.axisX([0, 0.2, 0.4, 0.6, 0.8, 1], { label: null, tickSize: 4, tickFormat: (value: number) => String(Math.round(value * 100)), stroke: "var(--strong-line)", fill: "var(--quiet)" }),
      Plot.rect(shown, { x1: "from", x2: "below", y1: 0, y2: "value", fill: "var(--water-pale)", insetLeft: 2, insetRight: 2, title: "tip" }),
      Plot.link(shown, { x1: "middle", x2: "middle", y1: "low", y2: "high", stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.dot(shown, { x: "middle", y: "value", r: 4, fill: "var(--accent)", title: "tip" }),
      Plot.text(shown, { x: "middle", y: 0, dy: -8, text: "n", fill: "var(--ink)" }),
      Plot.text(["% still right"], { frameAnchor: "top-left", dy: -20, dx: -34, textAnchor: "start", fill: "var(--quiet)" }),
      Plot.text([`${measure} of the sample, percent`], { frameAnchor: "bottom", dy: 40, fill: "var(--quiet)" }),
    ],
  }), `Answers kept by ${measure} of the sample`));
  return part("Sample by sample", "All selectors together, only samples that full attention answers: how many are still right, by how much of their own evidence was read. Intervals take the arms of a sample as one cluster.", picture);
}

export function reading(data: PageData): HTMLElement | null {
  const study = data.arms!;
  if (!study.arms.some((arm) => arm.selector && arm.coverage)) return null;
  const holder = h("div", {});
  const draw = (measure: Measure): void => holder.replaceChildren(...[coverageScatter(data, measure), bucketPicture(study, measure)].filter((one) => one !== null));
  draw("joint");
  return figure(
    "coverage",
    "Does reading the evidence decide?",
    `Joint: ${kMeasureNames.joint}. Recall: ${kMeasureNames.recall}. Path: ${kMeasureNames.path}. Means over steps, layers and samples. Where points rise to the right, what is lost is lost in the selection.`,
    [choice("Measure of coverage", "chips", kMeasures.map(([key, name]): [string, string] => [key, name]), "joint", (value) => draw(value as Measure)), holder, armConditions(data)],
    () => coverageRows(study),
  );
}

function coverageRows(study: Study): Rows {
  const rows: Rows = [["arm", "measure", "from", "below", "coverage", ...namedFields("score")]];
  for (const { arm, coverage, score } of study.arms) if (coverage) for (const [measure] of kMeasures) rows.push([arm.name, measure, "", "", coverage[measure], ...estimateFields(score)]);
  for (const { measure, from, below, score } of study.covered) rows.push(["all selectors", measure, from, below, "", ...estimateFields(score)]);
  return rows;
}

type LayerMeasure = "recall" | "joint" | "kept";
const kLayerMeasures: [LayerMeasure, string][] = [["recall", "recall"], ["joint", "joint"], ["kept", "all that is read"]];

interface LayerLine {
  arm: StudyArm;
  colour: string;
  dash: string;
  layers: ArmCoverage["layers"];
}

const kDashes = ["", "6 3", "2 3", "8 3 2 3"];

function layerPanel(title: string, lines: LayerLine[], measure: LayerMeasure, last: number): HTMLElement {
  const points = lines.flatMap(({ arm, layers, colour, dash }) => layers.map((layer) => ({ x: layer.layer, y: layer[measure], z: arm.arm.name, colour, dash, tip: `${arm.arm.name}, layer ${layer.layer}\nrecall ${percent(layer.recall)} %, joint ${percent(layer.joint)} %\nreads ${percent(layer.kept)} % of what it sees` })));
  const legend = h("ul", { class: "legend tight" }, ...lines.map(({ arm, colour, dash }) => h("li", {}, h("i", { class: `line-key${dash ? " dashed" : ""}`, style: `--c:${colour}` }), arm.arm.budget > 0 && lines.length > 1 ? tokens(arm.arm.budget) + (lines.filter((one) => one.arm.arm.budget === arm.arm.budget).length > 1 ? ` ${arm.arm.name}` : "") : arm.arm.name)));
  return h("div", { class: "panel" }, h("h3", {}, title), chart((width) => finishChart(Plot.plot({
    width,
    height: 150,
    marginLeft: 30,
    marginRight: 6,
    marginTop: 8,
    marginBottom: 24,
    style: { background: "transparent", fontSize: "11px", overflow: "visible" },
    x: { domain: [0, Math.max(1, last)], label: null, axis: null },
    y: { domain: [0, 1], label: null, axis: null },
    marks: [
      Plot.gridY([0, 0.5, 1], { stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.axisY([0, 0.5, 1], { label: null, tickSize: 0, tickFormat: (value: number) => String(Math.round(value * 100)), fill: "var(--quiet)" }),
      Plot.axisX([0, Math.round(last / 2), last], { label: null, tickSize: 3, fill: "var(--quiet)", stroke: "var(--strong-line)", tickFormat: (value: number) => (value === 0 ? "layer 0" : String(value)) }),
      ...lines.map(({ arm, dash }) => Plot.line(points.filter((point) => point.z === arm.arm.name), { x: "x", y: "y", stroke: "colour", strokeWidth: 2, strokeDasharray: dash || undefined })),
      Plot.dot(points, { x: "x", y: "y", r: 5, fill: "transparent", title: "tip" }),
    ],
  }), `${title}: ${measure} by layer`), 250), lines.length > 1 ? legend : null);
}

export function layers(data: PageData): HTMLElement | null {
  const study = data.arms!;
  const shown = study.arms.map((arm, i) => ({ arm, i })).filter(({ arm }) => roleOf(arm) !== "full" && (arm.coverage?.layers.length ?? 0) > 0);
  if (shown.length === 0) return null;
  const last = Math.max(...shown.flatMap(({ arm }) => arm.coverage!.layers.map((layer) => layer.layer)));
  const groups = [...families(study), ...new Set(shown.filter(({ arm }) => roleOf(arm) !== "selector").map(({ arm }) => familyOf(arm)))];
  const holder = h("div", { class: "panels" });
  const draw = (measure: LayerMeasure): void => holder.replaceChildren(...groups.flatMap((group) => {
    const own = shown.filter(({ arm }) => familyOf(arm) === group);
    if (own.length === 0) return [];
    return [layerPanel(group.replace(/:full$/, ""), own.map(({ arm, i }, place) => ({ arm, colour: armStyle(study, i).colour, dash: kDashes[(own.length - 1 - place) % kDashes.length]!, layers: arm.coverage!.layers })), measure, last)];
  }));
  draw("recall");
  return figure(
    "layers",
    "Which layers read it",
    "By layer, mean over steps and samples: recall is the share of the evidence that the layer reads, joint how often it reads all of it at once. Dense layers are left out. The greatest budget is the whole line.",
    [choice("Measure by layer", "chips", kLayerMeasures.map(([key, name]): [string, string] => [key, name]), "recall", (value) => draw(value as LayerMeasure)), holder, armConditions(data)],
    () => [["arm", "layer", "recall", "joint", "precision", "density", "kept"], ...shown.flatMap(({ arm }) => arm.coverage!.layers.map((layer) => [arm.arm.name, layer.layer, layer.recall, layer.joint, layer.precision, layer.density, layer.kept]))],
  );
}
