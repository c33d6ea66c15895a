// What should not matter: controls without the context or the haystack, and the spread over wordings, seeds and runs.
import type { Control, Estimate, PageData, Spread } from "./data";
import { type Child, h, lines, sheet } from "./dom";
import { estimateFields, namedFields } from "./estimate_rows";
import { figure, part, type Rows, scrolling } from "./figure";
import { interval, percent, points, pointsInterval, pValue, tokens } from "./format";

const share = (e: Estimate | null): Child => (e ? lines(percent(e.value), interval(e)) : h("td", { class: "dim" }, "–"));
const gap = (e: Estimate | null): Child => (e ? lines(points(e.value), pointsInterval(e)) : h("td", { class: "dim" }, "–"));

export function robustness(data: PageData, runIndex: number): HTMLElement | null {
  const run = data.runs[runIndex]!;
  const spreads = [...run.variants, ...(data.robustness ? [data.robustness] : [])].filter((one) => one.rows.length > 0);
  const parts = [controls(data, run.controls), ...spreads.map(spreadPart)].filter((one) => one !== null);
  if (parts.length === 0) return null;
  return figure("robustness", "What should not matter", "How far the score rests on the context at all, and how much it moves with things that should leave it alone.", parts, () => csvRows(data, run.controls, spreads));
}

function controls(data: PageData, rows: Control[]): HTMLElement | null {
  if (rows.length === 0) return null;
  const mean = rows.filter((row) => row.task < 0);
  const shown = mean.length ? mean : rows;
  const name = (row: Control): string => [row.task < 0 ? "" : data.tasks[row.task]!.cell, data.lengths[row.length]?.name ?? ""].filter(Boolean).join(", ");
  return part(
    "Controls",
    "No context: what the model guesses or knows by heart. Needles only: what it can do when nothing has to be found. Differences are paired where the samples are.",
    scrolling("Controls", sheet("Controls", ["", "score", "no context", "needles only", "above no context", "below needles only"], shown.map((row) => ({
      cells: [name(row), share(row.score), share(row.no_context), share(row.needles_only), gap(row.above_no_context), gap(row.below_needles_only)],
    })))),
  );
}

const kMostRows = 12;

function spreadPart(spread: Spread): HTMLElement {
  const rows = spread.rows.slice(0, kMostRows);
  const between = (row: Spread["rows"][number]): Child => (row.arm_deviation ? lines((row.arm_deviation.value * 100).toFixed(1), `${(row.arm_deviation.low * 100).toFixed(1)}–${(row.arm_deviation.high * 100).toFixed(1)}`) : h("td", { class: "dim" }, "–"));
  return part(
    spread.axis === "runs" || spread.axis === "" ? "Spread over the runs" : `Spread over ${spread.axis}`,
    "The last columns are the standard deviation between the arms in points, as seen and beyond what sampling explains; where its interval starts at 0, sampling may explain all of it.",
    scrolling(`Spread over ${spread.axis}`, sheet(`Spread over ${spread.axis}`, ["", ...spread.arms, "range", "deviation", "beyond sampling", "p"], rows.map((row, i) => ({
      className: i === 0 ? "strong" : undefined,
      cells: [
        row.length < 0 ? row.cell : `${row.cell}, ${tokens(row.length)}`,
        ...row.arms.map((arm) => share(arm)),
        `${((row.highest - row.lowest) * 100).toFixed(1)}`,
        (row.deviation * 100).toFixed(1),
        between(row),
        pValue(row.p),
      ],
    })))),
  );
}

function csvRows(data: PageData, controlRows: Control[], spreads: Spread[]): Rows {
  const rows: Rows = [["axis", "arm", "task", "length", ...namedFields("score")]];
  for (const row of controlRows)
    for (const [name, value] of [["score", row.score], ["no context", row.no_context], ["needles only", row.needles_only]] as const)
      rows.push(["control", name, row.task < 0 ? "mean of tasks" : data.tasks[row.task]!.cell, data.lengths[row.length]?.tokens ?? "", ...estimateFields(value)]);
  for (const spread of spreads)
    for (const row of spread.rows) row.arms.forEach((arm, i) => rows.push([spread.axis, spread.arms[i]!, row.cell, row.length < 0 ? "" : row.length, ...estimateFields(arm)]));
  return rows;
}
