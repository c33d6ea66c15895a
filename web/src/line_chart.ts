// Lines over length with their bands, labelled at their ends.
import * as Plot from "@observablehq/plot";
import { finishChart, spread } from "./chart";
import type { PageData } from "./data";
import { percent } from "./format";

export interface LinePoint {
  tokens: number;
  value: number;
  low: number;
  high: number;
  href: string;
  label: string; // whole, for a screen reader
  tip: string;
  partial?: boolean; // of fewer parts than the others: shown, but no part of the line
}

// Where a line meets the threshold: tokens within the lengths shown, at a height of the chart.
export interface Crossing {
  at: number;
  low: number;
  high: number;
  height: number;
  tip: string;
}

export interface Line {
  name: string;
  colour: string;
  symbol: string;
  points: LinePoint[];
  dashed?: boolean;
  band?: boolean;
  crossing?: Crossing | null;
}

export interface LineChartOptions {
  label: string;
  width: number;
  height: number;
  yLabel: string;
  yDomain: [number, number];
  yTicks?: number[];
  yFormat: (value: number) => string;
  yLog?: boolean;
  threshold?: number;
  endLabels?: boolean;
}

const kLabelGap = 16;
const kWord = 6.6; // width of a letter, about

export function lineChart(data: PageData, lines: Line[], options: LineChartOptions): SVGElement {
  const { width, height } = options;
  const compact = width < 480;
  const ticks = data.lengths.map((length) => length.tokens);
  const names = new Map(data.lengths.map((length) => [length.tokens, length.name]));
  const endLabels = options.endLabels === true && !compact;
  const longest = Math.max(options.threshold === undefined ? 0 : 14, ...lines.map((line) => line.name.length));
  const margins = {
    marginTop: options.yLabel ? 26 : 10,
    marginBottom: 32,
    marginLeft: options.yLog ? 56 : compact ? 30 : 40,
    marginRight: endLabels ? Math.min(width * 0.3, 24 + longest * kWord) : 14,
  };
  const y: Plot.ScaleOptions = { type: options.yLog ? "log" : "linear", domain: options.yDomain, label: null, axis: null };
  const domain = ticks.length > 1 ? [ticks[0]!, ticks[ticks.length - 1]!] : [ticks[0]! / 2, ticks[0]! * 2];
  const plot = Plot.plot({
    width,
    height,
    ...margins,
    style: { background: "transparent", fontSize: "12px", overflow: "visible" },
    x: { type: "log", base: 2, domain, label: null, axis: null },
    y,
    symbol: { range: ["circle"] },
    marks: [...frame(ticks, names, options, compact), ...lines.flatMap((line) => marksOf(line, lines.length)), ...(endLabels ? ends(lines, domain[1]!, options, margins, height) : [])],
  });
  return finishChart(plot, options.label);
}

function frame(ticks: number[], names: Map<number, string>, options: LineChartOptions, compact: boolean): Plot.Markish[] {
  const marks: Plot.Markish[] = [];
  const [low] = options.yDomain;
  const yTicks = options.yTicks;
  if (options.threshold !== undefined) {
    marks.push(
      Plot.rect([0], { y1: low, y2: options.threshold, fill: "var(--land-soft)", fillOpacity: 0.34 }),
      Plot.ruleY([options.threshold], { stroke: "var(--land)", strokeDasharray: "2 3" }),
    );
  }
  marks.push(Plot.gridY(yTicks, { stroke: "var(--line)", strokeOpacity: 1 }));
  marks.push(
    Plot.axisY(yTicks, { label: null, tickSize: 0, tickFormat: (value: number) => options.yFormat(value), fill: "var(--quiet)", tickPadding: 8 }),
    Plot.axisX(compact && ticks.length > 5 ? ticks.filter((_, i) => i % 2 === 0) : ticks, { label: null, tickSize: 4, tickFormat: (tokens: number) => names.get(tokens) ?? String(tokens), stroke: "var(--strong-line)", fill: "var(--quiet)" }),
    Plot.text([options.yLabel], { frameAnchor: "top-left", dy: -20, dx: compact ? -28 : -32, textAnchor: "start", fill: "var(--quiet)" }),
  );
  return marks;
}

function marksOf(line: Line, of: number): Plot.Markish[] {
  const at = { x: "tokens", y: "value" };
  const marks: Plot.Markish[] = [];
  const whole = line.points.filter((point) => !point.partial);
  const partial = line.points.filter((point) => point.partial);
  if (line.band !== false) marks.push(Plot.areaY(whole, { x: "tokens", y1: "low", y2: "high", fill: line.colour, fillOpacity: of > 2 ? 0.1 : 0.15 }));
  if (line.crossing) {
    const { at: where, low, high, height, tip } = line.crossing;
    marks.push(
      Plot.link([0], { x1: low, x2: high, y1: height, y2: height, stroke: line.colour, strokeWidth: 5, strokeOpacity: 0.55, strokeLinecap: "round" }),
      Plot.dot([[where, height]], { r: 5.5, fill: "var(--paper)", stroke: line.colour, strokeWidth: 2.5, title: () => tip }),
    );
  }
  marks.push(
    Plot.lineY(whole, { ...at, stroke: line.colour, strokeWidth: 2.2, strokeDasharray: line.dashed ? "5 4" : undefined, strokeLinejoin: "round" }),
    Plot.dot(whole, { ...at, r: line.dashed ? 2.4 : 4.2, symbol: line.symbol as Plot.SymbolType, fill: line.colour, stroke: "var(--paper)", strokeWidth: 1.5, href: "href", ariaLabel: "label", title: "tip", className: "point" }),
    Plot.dot(partial, { ...at, r: 4, fill: "var(--paper)", stroke: line.colour, strokeWidth: 1.5, strokeDasharray: "2 2", href: "href", ariaLabel: "label", title: "tip", className: "point" }),
  );
  return marks;
}

function ends(lines: Line[], last: number, options: LineChartOptions, margins: { marginTop: number; marginBottom: number }, height: number): Plot.Markish[] {
  const shown: { name: string; colour: string; at: { tokens: number; value: number } }[] = lines.filter((line) => line.points.some((point) => !point.partial)).map((line) => ({ name: line.name, colour: line.colour, at: line.points.filter((point) => !point.partial).at(-1)! }));
  if (options.threshold !== undefined) shown.push({ name: `threshold ${percent(options.threshold)} %`, colour: "var(--land)", at: { tokens: last, value: options.threshold } });
  const [low, high] = options.yDomain;
  const place = (value: number): number => {
    const share = options.yLog ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low)) : (value - low) / (high - low);
    return height - margins.marginBottom - share * (height - margins.marginTop - margins.marginBottom);
  };
  const wanted = shown.map((one) => place(one.at.value));
  const given = spread(wanted, kLabelGap, margins.marginTop, height - margins.marginBottom);
  return shown.map(({ name, colour, at }, i) => Plot.text([at], { x: "tokens", y: "value", text: () => name, textAnchor: "start", dx: 12, dy: given[i]! - wanted[i]!, fill: colour, fontWeight: i < lines.length ? 600 : 400 }));
}
