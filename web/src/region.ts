// The plane of length × a task's parameter: the score of each cell and the line where it crosses the threshold.
import * as Plot from "@observablehq/plot";
import { chart, finishChart } from "./chart";
import { scoreStyle } from "./colour";
import type { PageData, Region, Run } from "./data";
import { part, scrolling } from "./figure";
import { interval, lengthText, percent, short, tokens } from "./format";
import { heatTable, type HeatCell } from "./heat";
import { link } from "./selection";

export function region(data: PageData, run: Run, one: Region, runIndex: number): HTMLElement {
  const title = `${one.task}: length × ${one.parameter}${one.fixed ? ` (${one.fixed})` : ""}`;
  const note = `The threshold holds in ${percent(one.area)} % of this plane's cells.${one.contours.length ? " The line is where the score, made to fall along both axes, crosses it." : ""}`;
  return part(title, note, scrolling(title, table(data, run, one, runIndex)), one.contours.length ? contour(data, one) : null);
}

function table(data: PageData, run: Run, one: Region, runIndex: number): HTMLElement {
  const cells = new Map(run.cells.map((cell) => [`${cell.task}:${cell.length}`, cell]));
  const rows = one.levels.map((level, i) => ({
    head: `${one.parameter} = ${level}`,
    cells: data.lengths.map((length, l): HeatCell | null => {
      const score = cells.get(`${one.tasks[i]}:${l}`)?.tally.usability;
      if (!score) return null;
      const where = `${one.parameter} ${level} at ${length.name}`;
      return {
        style: scoreStyle(score.value, data.threshold),
        text: short(score.value),
        small: `n ${score.n}`,
        href: link({ run: runIndex, task: one.tasks[i]!, length: l }),
        label: `${where}: ${percent(score.value)} % of ${score.n}; show its samples`,
        tip: `${where}\n${percent(score.value)} % (${interval(score)}), n = ${score.n}`,
      };
    }),
    side: one.effective[i] ? lengthText(data, one.effective[i]!) : "",
  }));
  return heatTable({ label: `${one.task} by length and ${one.parameter}`, corner: "", columns: data.lengths.map((length) => length.name), rows, sideLabel: "holds to", className: "low" });
}

function contour(data: PageData, one: Region): HTMLElement {
  const lengths = data.lengths.map((length) => length.tokens);
  const points = one.contours.flatMap((line, z) => line.map(([length, level]) => ({ length, level, z })));
  return chart((width) => finishChart(Plot.plot({
    width,
    height: 220,
    marginLeft: 56,
    marginTop: 24,
    marginBottom: 30,
    style: { background: "transparent", fontSize: "12px", overflow: "visible" },
    x: { type: "log", base: 2, domain: lengths.length > 1 ? [lengths[0]!, lengths[lengths.length - 1]!] : [lengths[0]! / 2, lengths[0]! * 2], ticks: lengths, tickFormat: (n: number) => tokens(n), label: null, tickSize: 4 },
    y: { domain: [one.levels[0]!, one.levels[one.levels.length - 1]!], ticks: one.levels, tickFormat: (n: number) => String(n), label: null, tickSize: 0 },
    marks: [
      Plot.gridX(lengths, { stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.gridY(one.levels, { stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.line(points, { x: "length", y: "level", z: "z", stroke: "var(--accent)", strokeWidth: 2.4, clip: true }),
      Plot.text([one.parameter], { frameAnchor: "top-left", dy: -18, dx: -46, textAnchor: "start", fill: "var(--quiet)" }),
    ],
  }), `Where ${one.task} crosses the threshold, by length and ${one.parameter}`));
}
