// What became of the requests, by length: bars to see it, a table to read it.
import * as Plot from "@observablehq/plot";
import { finishChart } from "./chart";
import type { PageData, Run } from "./data";
import { h } from "./dom";
import { figure } from "./figure";
import { count } from "./format";
import { link } from "./selection";

const kColours: Record<string, string> = {
  answered: "var(--good)",
  "output-cut": "var(--soft)",
};
const kFailures = ["var(--series-1)", "var(--series-2)", "var(--series-3)", "var(--series-4)", "var(--series-5)", "var(--series-6)", "var(--ink)", "var(--accent)"];

interface Bar {
  length: string;
  label: string;
  n: number;
  title: string;
  href: string;
}

export function outcomes(data: PageData, runIndex: number): HTMLElement {
  const run: Run = data.runs[runIndex]!;
  const points = run.curves[0]?.points ?? [];
  const present = data.outcomes.map((outcome, k) => ({ outcome, k })).filter(({ k }) => points.some((point) => point.pool.outcomes[k]! > 0));
  const colours = new Map(present.map(({ outcome }, i) => [outcome.label, kColours[outcome.kind] ?? kFailures[i % kFailures.length]!]));
  const bars: Bar[] = points.flatMap((point) =>
    present
      .filter(({ k }) => point.pool.outcomes[k]! > 0)
      .map(({ outcome, k }) => ({
        length: data.lengths[point.length]!.name,
        label: outcome.label,
        n: point.pool.outcomes[k]!,
        title: `${data.lengths[point.length]!.name}: ${outcome.label}, ${point.pool.outcomes[k]}`,
        href: link({ run: runIndex, length: point.length, outcome: k }),
      })),
  );
  const chart = Plot.plot({
    width: 900,
    height: 40 + 34 * Math.max(1, points.length),
    marginLeft: 70,
    className: "chart",
    style: { background: "transparent", fontSize: "13px" },
    x: { label: "requests", grid: true },
    y: { label: null, domain: data.lengths.map((length) => length.name) },
    color: { domain: [...colours.keys()], range: [...colours.values()] },
    marks: [Plot.barX(bars, { y: "length", x: "n", fill: "label", href: "href", title: "title", ariaLabel: "title", insetTop: 3, insetBottom: 3 })],
  });
  const svg = finishChart(chart, "Outcomes by length");
  const legend = h("ul", { class: "legend" }, ...[...colours].map(([label, colour]) => h("li", {}, h("i", { style: `background:${colour}` }), label)));
  return figure(
    "outcomes",
    "What became of the requests",
    "A failed request is neither dropped nor silently wrong: it counts as 0 in the score and stands here by its reason.",
    [svg, legend, h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Outcomes as numbers" }, table(data, runIndex, present))],
    () => [
      ["length", ...data.outcomes.map((outcome) => outcome.kind)],
      ...points.map((point) => [data.lengths[point.length]!.tokens, ...point.pool.outcomes]),
    ],
  );
}

function table(data: PageData, runIndex: number, present: { outcome: PageData["outcomes"][number]; k: number }[]): HTMLElement {
  const points = data.runs[runIndex]!.curves[0]?.points ?? [];
  return h(
    "table",
    { class: "plain" },
    h("caption", {}, "Requests by length and outcome"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "length"), ...present.map(({ outcome }) => h("th", { scope: "col" }, outcome.label)), h("th", { scope: "col" }, "not run"))),
    h(
      "tbody",
      {},
      ...points.map((point) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, data.lengths[point.length]!.name),
          ...present.map(({ k }) =>
            h("td", {}, point.pool.outcomes[k]! > 0 ? h("a", { href: link({ run: runIndex, length: point.length, outcome: k }) }, count(point.pool.outcomes[k]!)) : "0"),
          ),
          h("td", {}, count(point.pool.samples - point.pool.attempted)),
        ),
      ),
    ),
  );
}
