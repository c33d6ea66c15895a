// Where selectors lose: full attention, the evidence alone and the selector on the same samples, eight outcomes, to sparsity itself or to
// the selector.
import { armConditions, familyOf, focusArm } from "./arm_style";
import { selectorChoice } from "./arms";
import type { Cross, CrossGroup, PageData } from "./data";
import { h, lines, sheet } from "./dom";
import { figure, part, type Rows, scrolling } from "./figure";
import { count, percent, plural, points, pointsInterval, pValue } from "./format";
import { link } from "./selection";

interface Outcome {
  code: string; // full, oracle, selector: 1 right
  words: string;
  colour: string;
}

const kOutcomes: Outcome[] = [
  { code: "111", words: "kept: right in all three", colour: "var(--water-pale)" },
  { code: "101", words: "kept, though the evidence alone does not do", colour: "var(--water-pale)" },
  { code: "110", words: "lost to the selector: the evidence alone does", colour: "var(--land)" },
  { code: "100", words: "lost to sparsity itself: the evidence alone fails, too", colour: "var(--land-pale)" },
  { code: "011", words: "gained: reading little helps", colour: "var(--accent)" },
  { code: "001", words: "gained by the selector alone: luck", colour: "var(--accent)" },
  { code: "010", words: "only the evidence alone does", colour: "var(--line)" },
  { code: "000", words: "wrong in all three", colour: "var(--line)" },
];

const cell = (group: CrossGroup, code: string): number => group.cells[`full${code[0]} oracle${code[1]} real${code[2]}`] ?? 0;
const sum = (group: CrossGroup, codes: string[]): number => codes.reduce((total, code) => total + cell(group, code), 0);
const right = (group: CrossGroup, place: number): number => sum(group, kOutcomes.map(({ code }) => code).filter((code) => code[place] === "1"));
const kKinds: Record<string, string> = { length: "By length", task: "By task", evidence: "By pieces of evidence", span: "By how far the evidence lies apart" };

const armOf = (data: PageData, name: string): number => data.arms!.arms.findIndex((arm) => arm.arm.name === name);

// Of the samples that full attention answers: kept, lost to the selector, lost to sparsity.
function overview(data: PageData, chosen: number): HTMLElement {
  const rows = data.arms!.crosses.map((cross) => ({ cross, all: cross.groups[0]!, i: armOf(data, cross.real) })).sort((a, b) => sum(b.all, ["111", "101"]) - sum(a.all, ["111", "101"]));
  const parts: [string, string[], string, string][] = [
    ["kept", ["111", "101"], "var(--water-pale)", "1x1"],
    ["lost to the selector", ["110"], "var(--land)", "110"],
    ["lost to sparsity itself", ["100"], "var(--land-pale)", "100"],
  ];
  const total = Math.max(1, ...rows.map(({ all }) => right(all, 0)));
  const bars = rows.map(({ cross, all, i }) =>
    h("div", { class: `loss-row${i === chosen ? " chosen" : ""}` },
      h("a", { class: "loss-name", href: link({ run: i, at: "losses" }) }, cross.real),
      h("div", { class: "outcome-bar" }, ...parts.map(([name, codes, colour, pattern]) => {
        const n = sum(all, codes);
        return n === 0 ? null : h("a", { class: pattern === "110" ? "lost" : null, style: `--c:${colour};flex:${n}`, href: link({ run: i, cross: pattern, at: "samples" }), "aria-label": `${cross.real}, ${name}: ${count(n)}; show them`, "data-tip": `${cross.real}: ${name}\n${count(n)} of ${count(total)} that full attention answers` }, n / total > 0.04 ? count(n) : "");
      })),
      h("span", { class: "loss-text" }, right(all, 0) > 0 ? `${percent(sum(all, ["111", "101"]) / right(all, 0))} % kept` : "–")));
  const legend = h("ul", { class: "legend" }, ...parts.map(([name, , colour]) => h("li", {}, h("i", { style: `--c:${colour}` }), name)));
  return part("All selectors", `Of the ${plural(total, "sample")} that full attention answers.`, h("div", { class: "loss-rows" }, ...bars), legend);
}

function dot(on: boolean, name: string): HTMLElement {
  return h("td", { class: "mark-cell" }, h("span", { class: on ? "dot on" : "dot", role: "img", "aria-label": `${name} ${on ? "right" : "wrong"}` }));
}

function eightCells(cross: Cross, run: number): HTMLElement {
  const all = cross.groups[0]!;
  const most = Math.max(1, ...kOutcomes.map(({ code }) => cell(all, code)));
  const rows = kOutcomes.map(({ code, words, colour }) => {
    const n = cell(all, code);
    return {
      className: n === 0 ? "faded" : undefined,
      cells: [
        h("a", { href: link({ run, cross: code, at: "samples" }) }, words),
        dot(code[0] === "1", "full attention"),
        dot(code[1] === "1", "the evidence alone"),
        dot(code[2] === "1", cross.real),
        h("td", { class: "left bar-cell" }, h("span", { class: "cross-bar", style: `--c:${colour};width:${(100 * n) / most}%` })),
        h("td", {}, h("b", {}, count(n)), h("small", {}, all.n ? `${percent(n / all.n)} %` : "")),
      ],
    };
  });
  return scrolling("The eight outcomes", sheet("The eight outcomes", ["", "full", "evidence alone", cross.real, "", "samples"], rows, "cross-sheet"));
}

function numbers(cross: Cross): HTMLElement {
  const all = cross.groups[0]!;
  const d = all.full_minus_real;
  const big = (label: string, n: number, detail: string): HTMLElement => h("div", { class: "glance-item" }, h("span", { class: "label" }, label), h("span", { class: "big" }, count(n)), h("span", { class: "detail" }, detail));
  return h("div", { class: "glance" },
    big("Sparsity loss", all.sparsity_loss, "full attention right, the evidence alone wrong"),
    big("Selector loss", all.selector_loss, "the evidence alone right, the selector wrong"),
    big("Luck", all.luck, "full attention wrong, the selector right"),
    h("div", { class: "glance-item" }, h("span", { class: "label" }, "Full − selector"), h("span", { class: "big" }, d ? points(d.value) : "–"), h("span", { class: "detail" }, d ? `points (${pointsInterval(d)}), exact p ${pValue(all.p_full_real)}` : "")));
}

function groupTable(cross: Cross, kind: string): HTMLElement | null {
  const groups = cross.groups.filter((group) => group.kind === kind);
  if (groups.length < 2) return null;
  const share = (n: number, of: number): string => (of ? percent(n / of) : "–");
  const loss = (n: number, of: number): HTMLElement => h("td", {}, count(n), h("small", {}, of ? `${percent(n / of)} %` : ""));
  const rows = groups.map((group) => ({
    cells: [
      group.name, count(group.n), share(right(group, 0), group.n), share(right(group, 1), group.n), share(right(group, 2), group.n),
      loss(group.sparsity_loss, group.n), loss(group.selector_loss, group.n), loss(group.luck, group.n),
      group.full_minus_real ? lines(points(group.full_minus_real.value), pointsInterval(group.full_minus_real)) : "–",
      pValue(group.p_full_real_holm),
    ],
  }));
  const title = kKinds[kind] ?? kind;
  return part(title, "", scrolling(title, sheet(title, ["", "n", "full", "evidence alone", cross.real, "sparsity loss", "selector loss", "luck", "full − selector", "p, Holm"], rows)));
}

export function losses(data: PageData, run: number): HTMLElement | null {
  const study = data.arms!;
  if (study.crosses.length === 0) return null;
  const of = (i: number): Cross | undefined => study.crosses.find((one) => one.real === study.arms[i]?.arm.name);
  const cross = of(run) ?? of(focusArm(study, run)) ?? study.crosses[0]!;
  const chosen = armOf(data, cross.real);
  const kinds = [...new Set(cross.groups.map((group) => group.kind))].filter((kind) => kind !== "all");
  const oracle = study.arms.find((arm) => arm.arm.name === cross.oracle);
  const shown = study.arms.filter((arm) => familyOf(arm) === familyOf(study.arms[chosen]!));
  return figure(
    "losses",
    "Where the selectors lose",
    "A sample that full attention answers and the evidence alone does not is lost to sparsity itself; one that the evidence alone keeps and the selector loses is the selector’s. Right is a score of 1. Choose a part to see its samples.",
    [
      overview(data, chosen),
      h("h3", {}, `${cross.real} against full attention and the evidence alone`),
      selectorChoice(data, chosen, "losses", (i) => of(i) !== undefined),
      numbers(cross),
      eightCells(cross, chosen),
      cross.left_out > 0 ? h("p", { class: "note" }, `${plural(cross.left_out, "sample")} left out: not answered in all three yet.`) : null,
      ...kinds.map((kind) => groupTable(cross, kind)),
      armConditions(data, oracle ? [oracle, ...shown] : shown),
    ],
    () => rowsOf(data),
  );
}

function rowsOf(data: PageData): Rows {
  const rows: Rows = [["selector", "kind", "group", "n", ...kOutcomes.map(({ code }) => `full${code[0]}_oracle${code[1]}_real${code[2]}`), "sparsity_loss", "selector_loss", "luck", "full_minus_real", "low", "high", "p", "p_holm"]];
  for (const cross of data.arms!.crosses)
    for (const group of cross.groups)
      rows.push([cross.real, group.kind, group.name, group.n, ...kOutcomes.map(({ code }) => cell(group, code)), group.sparsity_loss, group.selector_loss, group.luck, group.full_minus_real?.value ?? "", group.full_minus_real?.low ?? "", group.full_minus_real?.high ?? "", group.p_full_real, group.p_full_real_holm]);
  return rows;
}
