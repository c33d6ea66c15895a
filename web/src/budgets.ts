// Which budget suffices: chosen on one half of the haystacks, judged on the other, so that the choice does not flatter the result.
import * as Plot from "@observablehq/plot";
import { armConditions } from "./arm_style";
import { chart, finishChart } from "./chart";
import type { BudgetStudy, PageData } from "./data";
import { type Child, h, lines, sheet } from "./dom";
import { figure, scrolling } from "./figure";
import { count, points, pointsInterval, pValue, tokens } from "./format";

const name = (one: BudgetStudy): string => (one.chosen === null ? one.selector : `${one.selector} ${tokens(one.chosen)}`);

function picture(studies: BudgetStudy[]): HTMLElement | null {
  const shown = studies.filter((one) => one.held_out_difference).map((one) => {
    const d = one.held_out_difference!;
    return { name: name(one), value: d.value * 100, low: d.low * 100, high: d.high * 100, bound: (one.bound ?? 0) * 100, colour: one.holds ? "var(--accent)" : "var(--land)", text: `${points(d.value)}  (${pointsInterval(d)})`, tip: `${name(one)}\n${points(d.value)} points (${pointsInterval(d)}) on the other half\none-sided limit ${points(one.bound ?? 0)}: ${one.holds ? "holds" : "not shown to hold"}` };
  });
  if (shown.length === 0) return null;
  const margin = studies[0]!.margin * 100;
  const reach = Math.max(margin * 1.5, ...shown.flatMap((row) => [Math.abs(row.low), Math.abs(row.high)]));
  const longest = Math.max(...shown.map((row) => row.name.length));
  return chart((width) => finishChart(Plot.plot({
    width,
    height: 56 + 27 * shown.length,
    marginLeft: Math.min(width * 0.4, 20 + longest * 7),
    marginRight: width < 480 ? 12 : 170,
    marginTop: 24,
    marginBottom: 22,
    style: { background: "transparent", fontSize: "12px", overflow: "visible" },
    x: { domain: [-reach, reach], label: null, ticks: 5, tickSize: 0, tickFormat: (value: number) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0") },
    y: { domain: shown.map((row) => row.name), label: null, tickSize: 0 },
    marks: [
      Plot.rect([0], { x1: -reach, x2: -margin, fill: "var(--land-soft)", fillOpacity: 0.4 }),
      Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1, ticks: 5 }),
      Plot.ruleX([0], { stroke: "var(--strong-line)" }),
      Plot.ruleX([-margin], { stroke: "var(--land)", strokeDasharray: "2 3" }),
      Plot.link(shown, { x1: "low", x2: "high", y1: "name", y2: "name", stroke: "colour", strokeWidth: 2 }),
      Plot.dot(shown, { x: "value", y: "name", r: 4.5, fill: "colour", title: "tip" }),
      ...(width < 480 ? [] : [Plot.text(shown, { frameAnchor: "right", y: "name", text: "text", textAnchor: "start", dx: 12, fill: "var(--ink)" })]),
      Plot.text([`a loss of ${margin} points`], { x: -margin, frameAnchor: "top", dy: -18, textAnchor: "middle", fill: "var(--land)" }),
    ],
  }), "Chosen budgets on the other half, against full attention"));
}

function row(one: BudgetStudy): { cells: Child[] } {
  const d = one.held_out_difference ?? null;
  return {
    cells: [
      one.selector,
      one.budgets.map(tokens).join(", "),
      one.chosen === null ? "none" : tokens(one.chosen),
      `${count(one.development)} / ${count(one.held_out)}`,
      one.development_difference === undefined ? "–" : points(one.development_difference),
      d ? lines(points(d.value), pointsInterval(d)) : "–",
      one.lost === undefined ? "–" : `${count(one.lost)} / ${count(one.gained ?? 0)}`,
      one.p === undefined ? "–" : pValue(one.p),
      one.bound === undefined ? "–" : points(one.bound),
      one.chosen === null ? "no budget is near enough" : h("td", { class: one.holds ? "better" : null }, one.holds ? "holds" : "not shown"),
    ],
  };
}

export function budgets(data: PageData): HTMLElement | null {
  const studies = data.arms!.budgets;
  if (studies.length === 0) return null;
  const margin = (studies[0]!.margin * 100).toFixed(0);
  const shown = data.arms!.arms.filter((arm) => arm.selector);
  return figure(
    "budgets",
    "Which budget suffices",
    `The smallest budget that is at most ${margin} points below full attention on one half of the haystacks, judged on the other half, which had no say in the choice. It holds where the one-sided 95 % limit there rules a loss of ${margin} points out.`,
    [
      picture(studies),
      scrolling("Budgets", sheet("Budgets", ["selector", "tried", "chosen", "samples", "first half", "other half", "lost / gained", "p", "limit", ""], studies.map(row))),
      armConditions(data, shown),
    ],
    () => [
      ["selector", "budgets", "chosen", "margin", "development", "held_out", "development_difference", "difference", "low", "high", "lost", "gained", "p", "bound", "holds"],
      ...studies.map((one) => [one.selector, one.budgets.join(" "), one.chosen ?? "", one.margin, one.development, one.held_out, one.development_difference ?? "", one.held_out_difference?.value ?? "", one.held_out_difference?.low ?? "", one.held_out_difference?.high ?? "", one.lost ?? "", one.gained ?? "", one.p ?? "", one.bound ?? "", one.holds === undefined ? "" : String(one.holds)]),
    ],
  );
}
