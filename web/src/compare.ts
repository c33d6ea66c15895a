// Two runs on the same samples: what differs in how they were made, who wins where, and how sure that is.
import * as Plot from "@observablehq/plot";
import { chart, finishChart } from "./chart";
import { differenceStyle } from "./colour";
import { type Comparison, type Group, type PageData, runName } from "./data";
import { choice, h, lines, sheet } from "./dom";
import { figure, part, type Rows, scrolling } from "./figure";
import { count, interval, percent, plural, points, pointsInterval, pValue } from "./format";
import { heatTable, type HeatCell } from "./heat";
import { link } from "./selection";

const kSignificant = 0.05;

export function compare(data: PageData): HTMLElement | null {
  const first = data.arms ? data.comparisons.find((one) => data.arms!.arms[one.b]?.selector) ?? data.comparisons[0] : data.comparisons[0];
  if (!first) return null;
  const holder = h("div", {});
  let shown = first;
  const draw = (): void => holder.replaceChildren(...body(data, shown));
  draw();
  const options = data.comparisons.map((one, i): [string, string] => [String(i), `${sideName(data, one, "a")} → ${sideName(data, one, "b")}`]);
  return figure(
    "compare",
    data.arms ? "Each arm against full attention, in full" : "The runs against each other",
    `Paired: both runs answered the same prompts, byte for byte. Differences are in points, the second run minus the first, with 95 % intervals that see samples of one haystack, and one sample at several lengths, as one cluster.`,
    [options.length > 1 ? choice("Which runs", "chips", options, String(data.comparisons.indexOf(first)), (value) => ((shown = data.comparisons[Number(value)]!), draw())) : null, holder],
    () => csvRows(data, shown),
  );
}

export function sideName(data: PageData, comparison: Comparison, side: "a" | "b"): string {
  const run = data.runs[comparison[side]]!;
  const other = data.runs[comparison[side === "a" ? "b" : "a"]]!;
  return run.model === other.model && runName(run) !== run.name ? `${runName(run)} (${run.name})` : runName(run);
}

function body(data: PageData, one: Comparison): (Node | string)[] {
  return [h("p", { class: "note said" }, one.verdict), winLoss(one), differing(data, one), forest(data, one), cells(data, one), table(data, one)].filter((part) => part !== null);
}

function winLoss(one: Comparison): HTMLElement | null {
  const { both, only_a, only_b, neither } = one.all.counts;
  const total = both + only_a + only_b + neither;
  if (total === 0) return null;
  const entries: [string, number, string, string][] = [
    ["both right", both, "var(--water-pale)", "both-right"],
    ["gained", only_b, "var(--accent)", "gained"],
    ["lost", only_a, "var(--land)", "lost"],
    ["both wrong", neither, "var(--land-pale)", "both-wrong"],
  ];
  const bar = h("div", { class: "outcome-bar" }, ...entries.filter(([, n]) => n > 0).map(([name, n, colour, pair]) =>
    h("a", { class: pair, style: `--c:${colour};flex:${n}`, href: link({ run: one.b, pair }), "aria-label": `${name}: ${count(n)}; show them`, "data-tip": `${name}\n${count(n)} of ${count(total)}` }, n / total > 0.06 ? count(n) : ""),
  ));
  const legend = h("ul", { class: "legend" }, ...entries.map(([name, n, colour]) => h("li", {}, h("i", { style: `--c:${colour}` }), h("b", {}, count(n)), name)));
  const left: string[] = [];
  if (one.not_run > 0) left.push(`${plural(one.not_run, "shared sample")} not answered in both yet`);
  if (one.changed > 0) left.push(`${plural(one.changed, "sample")} with the same id and another prompt`);
  if (one.only_a + one.only_b > 0) left.push(`${count(one.only_a)} only in the first run, ${count(one.only_b)} only in the second`);
  return part("Won and lost", `${plural(one.shared, "shared sample")}${left.length ? `; left out: ${left.join("; ")}` : ""}.`, bar, legend);
}

function differing(data: PageData, one: Comparison): HTMLElement {
  if (one.conditions.length === 0) return part("What differs in how they were made", "Nothing that was recorded.");
  const rows = one.conditions.map(({ name, a, b, decides }) => ({ className: decides ? undefined : "dim", cells: [name, a || "–", b || "–", decides ? "can change answers" : "cannot change answers"] }));
  return part("What differs in how they were made", "", scrolling("Differing conditions", sheet("Differing conditions", ["", sideName(data, one, "a"), sideName(data, one, "b"), ""], rows, "words")));
}

// Pooled differences with their intervals around zero.
function forest(data: PageData, one: Comparison): HTMLElement | null {
  const groups = [one.all, ...one.categories, ...one.lengths].filter((group) => group.difference);
  if (groups.length === 0) return null;
  const shown = groups.map((group, i) => ({
    name: i === 0 ? "all samples" : group.name,
    value: group.difference!.value * 100,
    low: group.difference!.low * 100,
    high: group.difference!.high * 100,
    text: `${points(group.difference!.value)}  (${pointsInterval(group.difference!)})`,
    tip: tipOf(group),
    colour: group.difference!.low > 0 ? "var(--accent)" : group.difference!.high < 0 ? "var(--land)" : "var(--quiet)",
  }));
  const reach = Math.max(5, ...shown.flatMap((row) => [Math.abs(row.low), Math.abs(row.high)]));
  const longest = Math.max(...shown.map((row) => row.name.length));
  const picture = chart((width) => finishChart(Plot.plot({
    width,
    height: 46 + 25 * shown.length,
    marginLeft: Math.min(width * 0.34, 18 + longest * 6.8),
    marginRight: width < 480 ? 12 : 170,
    marginTop: 22,
    marginBottom: 20,
    style: { background: "transparent", fontSize: "12px", overflow: "visible" },
    x: { domain: [-reach, reach], label: null, ticks: 5, tickSize: 0, tickFormat: (value: number) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0") },
    y: { domain: shown.map((row) => row.name), label: null, tickSize: 0 },
    marks: [
      Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1, ticks: 5 }),
      Plot.ruleX([0], { stroke: "var(--strong-line)" }),
      Plot.link(shown, { x1: "low", x2: "high", y1: "name", y2: "name", stroke: "colour", strokeWidth: 2 }),
      Plot.dot(shown, { x: "value", y: "name", r: 4.5, fill: "colour", title: "tip" }),
      ...(width < 480 ? [] : [Plot.text(shown, { frameAnchor: "right", y: "name", text: "text", textAnchor: "start", dx: 12, fill: "var(--ink)" })]),
      Plot.text([`← ${width < 480 ? "first" : sideName(data, one, "a")} better`], { frameAnchor: "top-left", dy: -18, textAnchor: "start", fill: "var(--land)" }),
      Plot.text([`${width < 480 ? "second" : sideName(data, one, "b")} better →`], { frameAnchor: "top-right", dy: -18, textAnchor: "end", fill: "var(--accent)" }),
    ],
  }), "Differences by category and length"));
  return part("Where the difference lies", "", picture);
}

function tipOf(group: Group): string {
  const d = group.difference!;
  const { only_a, only_b } = group.counts;
  const out = [group.name, `${points(d.value)} points (${pointsInterval(d)})`];
  if (group.a && group.b) out.push(`${percent(group.a.value)} % → ${percent(group.b.value)} %`);
  out.push(`gained ${count(only_b)}, lost ${count(only_a)} of ${plural(group.pairs, "pair")}`);
  if (group.test !== "none") out.push(`p = ${pValue(group.p)}, after Holm ${pValue(group.p_holm)} (${group.test})`);
  if (group.detectable > 0) out.push(`would show a difference of ${(group.detectable * 100).toFixed(1)} points four times in five`);
  return out.join("\n");
}

function cells(data: PageData, one: Comparison): HTMLElement | null {
  if (one.cells.length === 0) return null;
  const found = new Map(one.cells.map((group) => [`${group.task}:${group.length}`, group]));
  const rows = data.categories.flatMap((category) => data.tasks.map((task, t) => ({ task, t })).filter(({ task, t }) => task.category === category && one.cells.some((group) => group.task === t)).map(({ task, t }) => ({
    head: task.cell,
    group: category,
    cells: data.lengths.map((_, l): HeatCell | null => {
      const group = found.get(`${t}:${l}`);
      if (!group?.difference) return null;
      const sure = group.p_holm < kSignificant;
      return {
        style: Math.abs(group.difference.value) < 5e-4 ? undefined : differenceStyle(group.difference.value),
        className: Math.abs(group.difference.value) < 5e-4 ? "even" : undefined,
        text: points(group.difference.value),
        small: `+${count(group.counts.only_b)} −${count(group.counts.only_a)}`,
        sup: sure ? "★" : undefined,
        href: link({ run: one.b, task: t, length: l, pair: group.difference.value < 0 ? "lost" : "gained" }),
        label: `${tipOf(group).replaceAll("\n", "; ")}; show its samples`,
        tip: tipOf(group),
      };
    }),
  })));
  const legend = h("ul", { class: "legend" }, h("li", {}, h("b", {}, "★"), `differs at 5 % after Holm's correction over ${plural(one.cells.length, "cell")}`), h("li", {}, h("b", {}, "+4 −1"), "samples gained and lost"));
  return part("Cell by cell", "", scrolling("Difference by task and length", heatTable({ label: "Difference by task and length", corner: "", columns: data.lengths.map((length) => length.name), rows })), legend);
}

function table(data: PageData, one: Comparison): HTMLElement {
  const groups = [one.all, ...one.categories, ...one.tasks].filter((group) => group.pairs > 0 || group.difference);
  const rows = groups.map((group, i) => ({
    className: i === 0 ? "strong" : undefined,
    cells: [
      i === 0 ? "all samples" : group.name,
      group.a ? lines(percent(group.a.value), interval(group.a)) : "–",
      group.b ? lines(percent(group.b.value), interval(group.b)) : "–",
      group.difference ? h("td", { class: group.p_holm < kSignificant ? (group.difference.value < 0 ? "worse" : "better") : null }, points(group.difference.value), h("small", {}, pointsInterval(group.difference))) : "–",
      `${count(group.counts.only_b)} / ${count(group.counts.only_a)}`,
      lines(pValue(group.p), group.test === "none" ? "" : group.test),
      pValue(group.p_holm),
      pValue(group.p_bh),
      group.detectable > 0 ? `${(group.detectable * 100).toFixed(1)}` : "–",
      group.needed > 0 ? count(group.needed) : "–",
    ],
  }));
  const wanted = `pairs for ${(one.wanted * 100).toFixed(0)} points`;
  return part("In numbers", "", scrolling("Comparison in numbers", sheet("Comparison in numbers", ["", sideName(data, one, "a"), sideName(data, one, "b"), "difference", "gained / lost", "p", "p, Holm", "p, BH", "detectable", wanted], rows)));
}

function csvRows(data: PageData, one: Comparison): Rows {
  const rows: Rows = [["task", "length", "pairs", "clusters", "both", "lost", "gained", "neither", "a", "b", "difference", "low", "high", "test", "p", "p_holm", "p_bh", "detectable", "needed"]];
  for (const group of [one.all, ...one.categories, ...one.lengths, ...one.tasks, ...one.cells])
    rows.push([
      group.task >= 0 ? data.tasks[group.task]!.cell : group.name,
      group.length >= 0 ? data.lengths[group.length]!.tokens : "",
      group.pairs,
      group.clusters,
      group.counts.both,
      group.counts.only_a,
      group.counts.only_b,
      group.counts.neither,
      group.a?.value ?? "",
      group.b?.value ?? "",
      group.difference?.value ?? "",
      group.difference?.low ?? "",
      group.difference?.high ?? "",
      group.test,
      group.p,
      group.p_holm,
      group.p_bh,
      group.detectable,
      group.needed,
    ]);
  return rows;
}
