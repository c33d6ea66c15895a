// Every task at every length.
import { scoreStyle } from "./colour";
import type { Cell, Estimate, PageData, Run, Tally } from "./data";
import { choice, h } from "./dom";
import { estimateFields, namedFields } from "./estimate_rows";
import { figure, type Rows, scrolling } from "./figure";
import { count, interval, lengthText, short, shortInterval, words } from "./format";
import { heatTable, type HeatCell, type HeatRow } from "./heat";
import { blankMark, isZero, marksLegend, standing } from "./marks";
import { link } from "./selection";

type Measure = "usability" | "strict" | "quality" | "completion";

const kMeasures: [Measure, string][] = [
  ["usability", "Score"],
  ["strict", "Strict score"],
  ["quality", "Of answered"],
  ["completion", "Completed"],
];

export function tasks(data: PageData, runIndex: number): HTMLElement {
  const run = data.runs[runIndex]!;
  const holder = h("div", {});
  const draw = (measure: Measure): void => {
    holder.replaceChildren(scrolling("Score by task and length", heatTable({
      label: `Score by task and length: ${run.model}`,
      corner: "",
      columns: data.lengths.map((length) => length.name),
      rows: rowsOf(data, run, runIndex, measure),
      sideLabel: run.summaries.some((one) => one.task >= 0) ? "holds to" : undefined,
    })));
  };
  draw("usability");
  const measures = kMeasures.filter(([key]) => run.cells.some((cell) => cell.tally[key] !== null));
  return figure(
    "tasks",
    "Every task at every length",
    "Percent right with its 95 % interval: water where the threshold holds, sand where it does not. Choose a cell to see its samples.",
    [choice("What the cells show", "chips", measures.map(([key, name]): [string, string] => [key, name]), "usability", (value) => draw(value as Measure)), holder, marksLegend(data, run)],
    () => csvRows(data, run),
  );
}

function rowsOf(data: PageData, run: Run, runIndex: number, measure: Measure): HeatRow[] {
  const cells = new Map(run.cells.map((cell) => [cell.task * data.lengths.length + cell.length, cell]));
  const holds = new Map(run.summaries.filter((one) => one.task >= 0).map((one) => [one.task, one.absolute]));
  const present = new Set(run.cells.map((cell) => cell.task));
  const groups = [...data.categories.map((name) => ({ name, variants: false })), { name: "variants, in no mean", variants: true }];
  return groups.flatMap(({ name, variants }) =>
    data.tasks
      .map((task, t) => ({ task, t }))
      .filter(({ task, t }) => present.has(t) && (task.variant !== "") === variants && (variants || task.category === name))
      .map(({ task, t }) => ({
        head: h("a", { href: link({ run: runIndex, task: t }) }, task.cell),
        group: name,
        cells: data.lengths.map((_, l) => {
          const cell = cells.get(t * data.lengths.length + l);
          return cell ? cellOf(data, cell, runIndex, measure) : null;
        }),
        side: holds.has(t) ? lengthText(data, holds.get(t)!) : "",
      })),
  );
}

function cellOf(data: PageData, cell: Cell, runIndex: number, measure: Measure): HeatCell {
  const { tally } = cell;
  const where = `${data.tasks[cell.task]!.cell} at ${data.lengths[cell.length]!.name}`;
  const href = link({ run: runIndex, task: cell.task, length: cell.length });
  const blank = blankMark(data, cell);
  const state = `${count(tally.completed)} of ${count(tally.attempted)} requests completed${tally.samples > tally.attempted ? `, ${count(tally.samples - tally.attempted)} not run` : ""}`;
  if (blank && measure !== "completion") return { className: `blank ${blank.kind}`, text: blank.sign, small: blank.word, href, label: `${where}: ${blank.label}; ${state}; show its samples`, tip: `${where}\n${blank.label}\n${state}` };
  const score = tally[measure];
  if (score === null) return { className: "blank not-run", text: "·", small: "not known", href, label: `${where}: not known; show its samples`, tip: `${where}\nnot known` };
  const stands = standing(score, data.threshold);
  const zero = isZero(data, cell) && measure !== "completion";
  return {
    style: scoreStyle(score.value, data.threshold),
    text: zero ? "○ 0" : short(score.value),
    small: `${shortInterval(score)}${stands.sign ? " " + stands.sign : ""}`,
    sup: tally.completed < tally.attempted ? "†" : undefined,
    href,
    label: `${where}: ${words(score)}; ${stands.words}; ${state}; show its samples`,
    tip: tipOf(where, tally, score, stands.words, state),
  };
}

function tipOf(where: string, tally: Tally, score: Estimate, stands: string, state: string): string {
  const lines = [where, `${short(score.value)} % (${interval(score)}), n = ${count(score.n)}, ${score.method}`];
  if (tally.strict && tally.usability) lines.push(`strict ${short(tally.strict.value)} %, lenient ${short(tally.usability.value)} %`);
  return [...lines, state, stands].join("\n");
}

function csvRows(data: PageData, run: Run): Rows {
  return [
    ["task", "category", "length", ...namedFields("score"), ...namedFields("strict"), "completed", "attempted", "ruler", "mark"],
    ...run.cells.map((cell) => [
      data.tasks[cell.task]!.cell,
      data.tasks[cell.task]!.category,
      data.lengths[cell.length]!.tokens,
      ...estimateFields(cell.tally.usability),
      ...estimateFields(cell.tally.strict),
      cell.tally.completed,
      cell.tally.attempted,
      cell.ruler,
      data.marks[cell.mark]!.kind,
    ]),
  ];
}
