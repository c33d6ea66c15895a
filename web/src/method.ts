// How the numbers were made, and under which conditions they hold.
import type { PageData, Run } from "./data";
import { h } from "./dom";
import { figure } from "./figure";
import { percent } from "./format";

export function conditions(data: PageData, runIndex: number): HTMLElement {
  const run: Run = data.runs[runIndex]!;
  const groups = new Map<string, [string, string][]>();
  for (const { group, name, value } of run.conditions) groups.set(group, [...(groups.get(group) ?? []), [name, value]]);
  const tables = [...groups].map(([group, rows]) =>
    h("table", { class: "plain" }, h("caption", {}, group), h("tbody", {}, ...rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value))))),
  );
  return figure("conditions", "Conditions", `Everything that was set or found when ${run.name} was made. Another value of any of these is another measurement.`, [h("div", { class: "columns" }, ...tables)], () => [
    ["group", "name", "value"],
    ...run.conditions.map(({ group, name, value }) => [group, name, value]),
  ]);
}

export function method(data: PageData): HTMLElement {
  const used = new Set<string>();
  for (const run of data.runs) for (const cell of run.cells) if (cell.tally.usability) used.add(cell.tally.usability.method);
  const [run] = data.runs;
  const entries: [string, string][] = [
    ["Length", "Every prompt has exactly its length in the model's own tokens, template and answer reserve included. The sample of one index keeps its evidence and its question at every length, so lengths are compared on the same content."],
    ["Score", "Answers are graded by the benchmark's own metric (lenient: the right string occurs) and by a strict reading beside it. A request that fails is neither dropped nor taken for a wrong answer: it counts as 0 in the score and is listed by its reason."],
    ["Intervals", `All hold at ${percent(data.confidence)} %. Cells: ${[...used].sort().join(", ") || "none"}. Means over tasks combine the tasks' own intervals; averages over lengths take the sum of the limits, which holds however the lengths depend on each other.`],
    ["Effective length", `The last tested length at which the mean over tasks is at least ${percent(data.threshold)} %; and, between tested lengths, where a falling fit (isotonic, on log2 length) crosses it. The intervals draw whole samples across all their lengths. What they leave open is called unresolved.`],
    ["Other readings", `Relative: against ${percent(run?.relative ?? 0)} % of the score at the shortest length. Robust: every category above its own threshold. Risk: mistakes weighted by what they cost whoever relies on the answer, at most ${percent(run?.risk_limit ?? 0)} % on average.`],
  ];
  if (data.comparisons.length) entries.push(["Comparison", "Exact McNemar test where each cluster holds one pair of 0/1 scores, else a permutation of the clusters' signs; p-values after Holm and after Benjamini–Hochberg within groups of one kind."]);
  return figure("method", "Method", "What stands behind every number of this page.", [h("dl", { class: "prose" }, ...entries.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]))], null);
}
