// Task × length and depth × length, as real tables: each cell is a link to its samples and says its number.
import type { Cell, PageData, Run, Tally } from "./data";
import { h, select } from "./dom";
import { figure, type Rows } from "./figure";
import { cellSign, interval, markSigns, percent, scoreColour, words } from "./format";
import { link } from "./selection";

function scoreCell(data: PageData, tally: Tally, href: string, label: string, sign: string): HTMLElement {
  const score = tally.usability;
  if (score === null || (sign !== "" && sign !== "0")) {
    return h("td", { class: "empty" }, h("a", { href, "aria-label": label }, sign || "·"));
  }
  const { background, ink } = scoreColour(score.value, data.threshold);
  const incomplete = tally.completed < tally.attempted;
  return h(
    "td",
    { style: `background:${background};color:${ink}` },
    h(
      "a",
      { href, "aria-label": label, title: label },
      h("b", {}, percent(score.value)),
      h("small", {}, interval(score)),
      incomplete ? h("sup", { title: "some requests did not complete" }, "†") : null,
    ),
  );
}

function cellLabel(data: PageData, cell: Cell): string {
  const { tally } = cell;
  const mark = data.marks[cell.mark]!;
  const where = `${data.tasks[cell.task]!.cell} at ${data.lengths[cell.length]!.name}`;
  const what = tally.usability && mark.kind !== "not-run" ? words(tally.usability) : mark.label;
  return `${where}: ${what}; ${tally.completed} of ${tally.attempted} completed; show its samples`;
}

export function taskHeatmap(data: PageData, runIndex: number): HTMLElement {
  const run = data.runs[runIndex]!;
  const table = h("table", { class: "heat" });
  table.append(
    h("caption", {}, `Score by task and length: ${run.model}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "task"), ...data.lengths.map((l) => h("th", { scope: "col" }, l.name)))),
  );
  for (const category of data.categories) {
    const body = h("tbody", {});
    data.tasks.forEach((task, t) => {
      if (task.category !== category) return;
      const cells = data.lengths.map((_, l) => {
        const cell = run.cells.find((c) => c.task === t && c.length === l);
        if (!cell) return h("td", { class: "hole" });
        return scoreCell(data, cell.tally, link({ run: runIndex, task: t, length: l }), cellLabel(data, cell), cellSign(data, cell));
      });
      body.append(h("tr", {}, h("th", { scope: "row" }, h("a", { href: link({ run: runIndex, task: t }) }, task.cell)), ...cells));
    });
    if (body.childElementCount) {
      const head = h("tr", { class: "group" }, h("th", { colspan: data.lengths.length + 1, scope: "colgroup" }, category));
      body.prepend(head);
      table.append(body);
    }
  }
  const rows = (): Rows => [
    ["task", "length", "score", "low", "high", "n", "method", "completed", "attempted", "ruler", "mark"],
    ...run.cells.map((cell) => {
      const s = cell.tally.usability;
      return [
        data.tasks[cell.task]!.cell,
        data.lengths[cell.length]!.tokens,
        ...(s ? [s.value, s.low, s.high, s.n, s.method] : ["", "", "", 0, ""]),
        cell.tally.completed,
        cell.tally.attempted,
        cell.ruler,
        data.marks[cell.mark]!.kind,
      ];
    }),
  ];
  return figure(
    "tasks",
    "Every task at every length",
    `Percent right with the 95 % interval; colours turn at the threshold of ${percent(data.threshold)}. Choose a cell to see its samples.`,
    [h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Score by task and length" }, table), marksLegend(data, run)],
    rows,
  );
}

function marksLegend(data: PageData, run: Run): HTMLElement | Text {
  const kinds = new Set(run.cells.map((cell) => data.marks[cell.mark]!.kind));
  const entries = markSigns()
    .filter(([kind]) => kinds.has(kind))
    .map(([kind, sign]) => h("li", {}, h("b", {}, sign), data.marks.find((mark) => mark.kind === kind)?.label ?? kind));
  if (run.cells.some((cell) => cell.tally.completed < cell.tally.attempted)) entries.push(h("li", {}, h("b", {}, "†"), "some requests did not complete"));
  return entries.length ? h("ul", { class: "legend" }, ...entries) : document.createTextNode("");
}

interface Pooled {
  right: number;
  attempted: number;
}

// Several tasks in one cell: their scores pooled, weighted by attempts.
function pool(run: Run, tasks: Set<number>): Map<string, Pooled> {
  const pooled = new Map<string, Pooled>();
  for (const { task, length, bin, tally } of run.depth) {
    if (!tasks.has(task) || tally.usability === null) continue;
    const key = `${length}:${bin}`;
    const sum = pooled.get(key) ?? { right: 0, attempted: 0 };
    sum.right += tally.usability.value * tally.attempted;
    sum.attempted += tally.attempted;
    pooled.set(key, sum);
  }
  return pooled;
}

const binName = (bin: number, bins: number): string => `${Math.round((bin * 100) / bins)}–${Math.round(((bin + 1) * 100) / bins)} %`;

export function depthHeatmap(data: PageData, runIndex: number): HTMLElement | null {
  const run = data.runs[runIndex]!;
  const withDepth = data.tasks.map((task, t) => ({ task, t })).filter(({ t }) => run.depth.some((bin) => bin.task === t));
  if (withDepth.length === 0) return null;
  const holder = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Score by depth and length" });
  let chosen = -1;
  const draw = (): void => {
    const tasks = new Set(chosen < 0 ? withDepth.map(({ t }) => t) : [chosen]);
    const pooled = pool(run, tasks);
    const table = h(
      "table",
      { class: "heat depth" },
      h("caption", {}, "Score by the evidence's depth and by length"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "depth"), ...data.lengths.map((l) => h("th", { scope: "col" }, l.name)))),
    );
    const body = h("tbody", {});
    for (let bin = 0; bin < data.depth_bins; ++bin) {
      const cells = data.lengths.map((length, l) => depthCell(data, pooled.get(`${l}:${bin}`), link({ run: runIndex, task: chosen, length: l, bin }),
        `depth ${binName(bin, data.depth_bins)} at ${length.name}`));
      body.append(h("tr", {}, h("th", { scope: "row" }, binName(bin, data.depth_bins)), ...cells));
    }
    table.append(body);
    holder.replaceChildren(table);
  };
  draw();
  const options: [string, string][] = [["-1", "all tasks with a depth"], ...withDepth.map(({ task, t }): [string, string] => [String(t), task.cell])];
  return figure(
    "depth",
    "Where the evidence lay",
    "0 % is the start of the context. Each cell shows the share right and how many samples it rests on; with few samples it says little.",
    [select("Task", options, "-1", (value) => ((chosen = Number(value)), draw())), holder],
    () => [
      ["task", "length", "depth_from", "depth_to", "score", "low", "high", "n", "method"],
      ...run.depth.map(({ task, length, bin, tally }) => {
        const s = tally.usability;
        return [
          data.tasks[task]!.cell,
          data.lengths[length]!.tokens,
          bin / data.depth_bins,
          (bin + 1) / data.depth_bins,
          ...(s ? [s.value, s.low, s.high, s.n, s.method] : ["", "", "", 0, ""]),
        ];
      }),
    ],
  );
}

function depthCell(data: PageData, sum: Pooled | undefined, href: string, where: string): HTMLElement {
  if (!sum || sum.attempted === 0) return h("td", { class: "hole" });
  const value = sum.right / sum.attempted;
  const { background, ink } = scoreColour(value, data.threshold);
  const label = `${where}: ${percent(value)} % of ${sum.attempted} samples; show them`;
  return h(
    "td",
    { style: `background:${background};color:${ink}` },
    h("a", { href, "aria-label": label, title: label }, h("b", {}, percent(value)), h("small", {}, `n ${sum.attempted}`)),
  );
}
