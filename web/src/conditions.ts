// Under which conditions the numbers hold, and how they were computed.
import type { PageData, Run } from "./data";
import { h } from "./dom";

export function conditions(run: Run): HTMLElement {
  const groups = new Map<string, [string, string][]>();
  for (const { group, name, value } of run.conditions) groups.set(group, [...(groups.get(group) ?? []), [name, value]]);
  const tables = [...groups].map(([group, rows]) =>
    h(
      "table",
      { class: "plain conditions" },
      h("caption", {}, group),
      h("tbody", {}, ...rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value)))),
    ),
  );
  return h(
    "section",
    { class: "figure", id: "conditions", "aria-labelledby": "conditions-title" },
    h("div", { class: "figure-head" }, h("h2", { id: "conditions-title" }, "Conditions")),
    h("div", { class: "columns" }, ...tables),
  );
}

export function method(data: PageData): HTMLElement {
  const methods = new Set<string>();
  for (const run of data.runs) for (const cell of run.cells) if (cell.tally.usability) methods.add(cell.tally.usability.method);
  const percentText = `${Math.round(data.confidence * 100)} %`;
  return h(
    "section",
    { class: "figure", id: "method", "aria-labelledby": "method-title" },
    h("div", { class: "figure-head" }, h("h2", { id: "method-title" }, "Method")),
    h(
      "p",
      {},
      "Every prompt has exactly its length in the model's own tokens, template and answer reserve included. The same index keeps its needles and question at every length. ",
      "Answers are graded by the benchmark's own metric. A request that fails counts as 0 in the score and is listed by its reason. ",
      `Intervals hold at ${percentText}; their methods here: ${[...methods].sort().join(", ") || "none"}. `,
      "The effective length is the longest tested length up to which the mean over tasks stays above the threshold at every shorter length, too; where the intervals leave it open, it is called unresolved.",
    ),
    h("p", { class: "note" }, `Made by ${data.made.by}${data.made.at ? ` at ${data.made.at}` : ""}.`),
  );
}
