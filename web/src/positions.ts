// Where the evidence lay: depth × length, first, middle and last fifths, spans and distances, block edges.
import { scoreStyle } from "./colour";
import type { BlockEdge, Estimate, PageData, PositionGap, Run, TokenBucket } from "./data";
import { h, lines, select, sheet } from "./dom";
import { figure, part, type Rows, scrolling } from "./figure";
import { count, interval, percent, plural, points, pointsInterval, short, tokens } from "./format";
import { heatTable, type HeatCell } from "./heat";
import { link } from "./selection";

const kAllTasks = "all tasks";

interface Pooled {
  right: number;
  n: number;
  only: [number, number] | null; // the interval where one bin alone is shown
}

export function positions(data: PageData, runIndex: number): HTMLElement | null {
  const run = data.runs[runIndex]!;
  const withDepth = data.tasks.map((task, t) => ({ task, t })).filter(({ t }) => run.depth.some((bin) => bin[0] === t));
  const parts = [fifths(data, run.positions.gaps), buckets(data, run.positions.spans, "How far the pieces of evidence lie apart", "Tokens from the start of the first piece to the end of the last, for samples that need several."), buckets(data, run.positions.distances, "How far the evidence is from the question", "Tokens from the end of the last piece to the end of the prompt."), edges(data, run.positions.edges)].filter((one) => one !== null);
  if (withDepth.length === 0 && parts.length === 0) return null;
  const holder = h("div", {});
  const draw = (chosen: number): void => holder.replaceChildren(depthTable(data, run, runIndex, chosen, new Set(chosen < 0 ? withDepth.map(({ t }) => t) : [chosen])));
  if (withDepth.length) draw(-1);
  const options: [string, string][] = [["-1", "all tasks with one place"], ...withDepth.map(({ task, t }): [string, string] => [String(t), task.cell])];
  return figure(
    "depth",
    "Where the evidence lay",
    "0 % is the start of the context. Each cell shows the percent right and, after n, the samples it rests on; with few samples it says little.",
    [withDepth.length ? h("div", { class: "filters" }, select("Task", options, "-1", (value) => draw(Number(value)))) : null, holder, ...parts],
    () => csvRows(data, run),
  );
}

function depthTable(data: PageData, run: Run, runIndex: number, chosen: number, tasks: Set<number>): HTMLElement {
  const pooled = new Map<string, Pooled>();
  for (const [task, length, bin, n, value, low, high] of run.depth) {
    if (!tasks.has(task) || n === 0) continue;
    const sum = pooled.get(`${length}:${bin}`) ?? { right: 0, n: 0, only: null };
    pooled.set(`${length}:${bin}`, { right: sum.right + value * n, n: sum.n + n, only: tasks.size === 1 ? [low, high] : null });
  }
  const rows = Array.from({ length: data.depth_bins }, (_, bin) => ({
    head: `${Math.round((bin * 100) / data.depth_bins)}–${Math.round(((bin + 1) * 100) / data.depth_bins)} %`,
    cells: data.lengths.map((length, l): HeatCell | null => {
      const sum = pooled.get(`${l}:${bin}`);
      if (!sum) return null;
      const value = sum.right / sum.n;
      const where = `Depth ${Math.round((bin * 100) / data.depth_bins)} to ${Math.round(((bin + 1) * 100) / data.depth_bins)} % at ${length.name}`;
      const range = sum.only ? ` (${percent(sum.only[0])}–${percent(sum.only[1])})` : "";
      return {
        style: scoreStyle(value, data.threshold),
        text: short(value),
        small: `n ${count(sum.n)}`,
        href: link({ run: runIndex, task: chosen, length: l, bin }),
        label: `${where}: ${percent(value)} % of ${plural(sum.n, "sample")}; show them`,
        tip: `${where}\n${percent(value)} %${range}, n = ${count(sum.n)}`,
      };
    }),
  }));
  return scrolling("Score by depth and length", heatTable({ label: "Score by the evidence's depth and by length", corner: "depth", columns: data.lengths.map((length) => length.name), rows, className: "low" }));
}

function fifths(data: PageData, gaps: PositionGap[]): HTMLElement | null {
  const mean = gaps.filter((gap) => gap.cell === kAllTasks);
  const shown = mean.length ? mean : gaps;
  if (shown.length === 0) return null;
  const share = (e: Estimate | null): HTMLElement => (e ? lines(percent(e.value), interval(e)) : h("td", { class: "dim" }, "–"));
  const gap = (e: Estimate | null): HTMLElement => {
    if (!e) return h("td", { class: "dim" }, "–");
    const clear = e.low > 0 || e.high < 0;
    return h("td", { class: clear ? (e.value > 0 ? "worse" : "better") : null }, points(e.value), h("small", {}, pointsInterval(e)));
  };
  const name = (one: PositionGap): string => {
    const where = one.length < 0 ? "all lengths" : data.lengths[one.length]!.name;
    return mean.length ? where : `${one.cell}, ${where}`;
  };
  return part(
    "First, middle and last fifth",
    "What the middle of the context loses against either end, in points; a gap whose interval leaves out 0 stands out. Pairs share their haystack.",
    scrolling("Score by fifth of the context", sheet("Score by fifth of the context", ["", "first fifth", "middle fifth", "last fifth", "first − middle", "last − middle", "pairs"], shown.map((one) => ({
      className: one.length < 0 ? "strong" : undefined,
      cells: [name(one), share(one.first), share(one.middle), share(one.last), gap(one.first_minus_middle), gap(one.last_minus_middle), one.pairs > 0 ? count(one.pairs) : "two groups"],
    })))),
  );
}

function buckets(data: PageData, all: TokenBucket[], title: string, note: string): HTMLElement | null {
  const shown = all.filter((one) => one.task < 0 && one.length >= 0 && one.score);
  if (shown.length === 0) return null;
  const bounds = [...new Map(shown.map((one) => [one.from, one.below])).entries()].sort(([a], [b]) => a - b);
  if (bounds.length < 2) return null;
  const found = new Map(shown.map((one) => [`${one.from}:${one.length}`, one]));
  const name = ([from, below]: [number, number]): string => (from === 0 ? `under ${tokens(below)}` : below > 1e12 ? `${tokens(from)} or more` : `${tokens(from)}–${tokens(below)}`);
  const rows = bounds.map((bound) => ({
    head: name(bound),
    cells: data.lengths.map((length, l): HeatCell | null => {
      const score = found.get(`${bound[0]}:${l}`)?.score;
      if (!score) return null;
      return { style: scoreStyle(score.value, data.threshold), text: short(score.value), small: `n ${count(score.n)}`, href: null, label: `${name(bound)} tokens at ${length.name}: ${percent(score.value)} % of ${score.n}`, tip: `${name(bound)} tokens at ${length.name}\n${percent(score.value)} % (${interval(score)}), n = ${count(score.n)}` };
    }),
  }));
  return part(title, note, scrolling(title, heatTable({ label: title, corner: "tokens", columns: data.lengths.map((length) => length.name), rows, className: "low" })));
}

function edges(data: PageData, all: BlockEdge[]): HTMLElement | null {
  if (all.length === 0) return null;
  const share = (e: Estimate | null): HTMLElement => (e ? lines(percent(e.value), interval(e)) : h("td", { class: "dim" }, "–"));
  return part(
    "At the edges of memory blocks",
    "A length just off a block's border beside the border itself, on the same samples.",
    scrolling("Scores at block edges", sheet("Scores at block edges", ["length", "beside", "score there", "score at the border", "difference", "pairs"], all.map((edge) => ({
      cells: [
        data.lengths[edge.length]!.name,
        `${data.lengths[edge.boundary]!.name} ${edge.offset < 0 ? "−" : "+"} ${Math.abs(edge.offset)}`,
        share(edge.score),
        share(edge.at_boundary),
        edge.difference ? lines(points(edge.difference.value), pointsInterval(edge.difference)) : h("td", { class: "dim" }, "–"),
        count(edge.pairs),
      ],
    })))),
  );
}

function csvRows(data: PageData, run: Run): Rows {
  return [
    ["task", "length", "depth_from", "depth_to", "n", "score", "low", "high"],
    ...run.depth.map(([task, length, bin, n, value, low, high]) => [data.tasks[task]!.cell, data.lengths[length]!.tokens, bin / data.depth_bins, (bin + 1) / data.depth_bins, n, value, low, high]),
  ];
}
