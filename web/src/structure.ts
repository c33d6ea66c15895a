// Which tasks measure the same thing: rank correlations between tasks over the runs, as a matrix in the order of their tree.
import { chart, finishChart } from "./chart";
import { differenceStyle } from "./colour";
import type { PageData, Structure } from "./data";
import { figure, type Rows, scrolling } from "./figure";
import { plural } from "./format";
import { heatTable } from "./heat";
import { svg } from "./svg";

const kRow = 22;

export function structure(data: PageData): HTMLElement | null {
  const found = data.structure;
  if (!found || found.tasks.length < 2) return null;
  const names = found.order.map((i) => found.tasks[i]!);
  const rows = found.order.map((i) => ({
    head: found.tasks[i]!,
    cells: found.order.map((j) => {
      const [value, low, high] = found.correlations[i]![j]!;
      const text = value.toFixed(2).replace("-", "−");
      return { style: differenceStyle(value, 1), text: i === j ? "" : text.replace("0.", "."), href: null, label: `${found.tasks[i]} and ${found.tasks[j]}: ${text}`, tip: `${found.tasks[i]} and ${found.tasks[j]}\nrank correlation ${text}${high > low ? ` (${low.toFixed(2)} to ${high.toFixed(2)})` : ""}` };
    }),
  }));
  const subset = found.subset.map((i) => found.tasks[i]!);
  const predicted = subset.length ? ` ${subset.join(", ")} together predict the mean of all tasks with an error of ${(found.subset_error * 100).toFixed(1)} points, each run left out in turn.` : "";
  const sure = `They rest on ${plural(found.runs.length, "run")}${found.runs.length < 10 ? ": single correlations may be chance" : ""}.`;
  const left = found.left_out.length ? ` Left out, for want of a score or of differences: ${found.left_out.join(", ")}.` : "";
  return figure(
    "structure",
    "Which tasks measure the same thing",
    `Rank correlations between tasks over the runs (Spearman), joined by average linkage. ${sure}${predicted}${left}`,
    [chart((width) => tree(found, width)), scrolling("Correlations between tasks", heatTable({ label: "Rank correlations between tasks", corner: "", columns: names, rows, className: "matrix" }))],
    () => csvRows(found),
  );
}

// Leaves on the left, joins to the right at their distance.
function tree(found: Structure, width: number): SVGElement {
  const left = Math.min(width * 0.36, 20 + Math.max(...found.tasks.map((name) => name.length)) * 6.9);
  const most = Math.max(0.05, ...found.steps.map((step) => step.distance));
  const x = (distance: number): number => left + (Math.max(0, distance) / most) * (width - left - 30);
  const height = found.order.length * kRow + 30;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "font-size": 12 });
  const places: [number, number][] = found.tasks.map((_, i) => [x(0), found.order.indexOf(i) * kRow + kRow / 2]);
  found.tasks.forEach((name, i) => picture.append(svg("text", { x: left - 10, y: places[i]![1] + 4, "text-anchor": "end", fill: found.subset.includes(i) ? "var(--accent)" : "var(--ink)", "font-weight": found.subset.includes(i) ? 650 : 400 }, name)));
  for (const merge of found.steps) {
    const [ax, ay] = places[merge.left]!;
    const [bx, by] = places[merge.right]!;
    const at = x(merge.distance);
    picture.append(svg("path", { d: `M${ax},${ay}H${at}V${by}H${bx}`, fill: "none", stroke: "var(--accent)", "stroke-width": 1.6, "data-tip": `Joined at a correlation of ${(1 - merge.distance).toFixed(2)}\n${merge.size} tasks` }));
    places.push([at, (ay + by) / 2]);
  }
  for (const share of [0, 0.5, 1]) picture.append(svg("text", { x: x(share * most), y: height - 6, "text-anchor": "middle", fill: "var(--quiet)" }, `${share === 0 ? "correlation " : ""}${(1 - share * most).toFixed(2)}`));
  return finishChart(picture, "Tree of tasks by their correlation");
}

function csvRows(found: Structure): Rows {
  return [["task", ...found.tasks], ...found.tasks.map((name, i): (string | number)[] => [name, ...found.correlations[i]!.map(([value]) => value)])];
}

