// The arms of a study side by side: what each scores against full attention, reads, and keeps of the evidence.
import { armConditions, armStyle, focusArm, fullArm, oracleArm, roleOf, runStyle, swatch } from "./arm_style";
import type { Estimate, PageData, Study, StudyArm } from "./data";
import { type Child, h, lines, sheet } from "./dom";
import { estimateFields, namedFields } from "./estimate_rows";
import { figure, type Rows, scrolling } from "./figure";
import { count, interval, percent, plural, points, pointsInterval, pValue } from "./format";
import { link } from "./selection";
import { svg } from "./svg";

const kSignificant = 0.05;

export function studyVerdict({ verdict }: Study): HTMLElement {
  return h("div", {}, h("p", { class: "verdict" }, verdict.headline), h("ul", { class: "findings" }, ...verdict.sentences.map((sentence) => h("li", {}, sentence))));
}

function item(label: string, estimate: Estimate | null | undefined, detail: string, href: string): HTMLElement {
  return h("a", { class: "glance-item", href }, h("span", { class: "label" }, label), h("span", { class: "big" }, estimate ? `${percent(estimate.value)} %` : "–"), h("span", { class: "detail" }, detail));
}

export function studyGlance(data: PageData): HTMLElement {
  const study = data.arms!;
  const of = (i: number): StudyArm | undefined => study.arms[i];
  const full = of(fullArm(study));
  const oracle = of(oracleArm(study));
  const knockout = study.arms.findIndex((arm) => arm.arm.kind === "knockout");
  const selectors = study.arms.map((arm, i) => ({ arm, i })).filter(({ arm }) => arm.selector && arm.score).sort((a, b) => b.arm.score!.value - a.arm.score!.value);
  const [best] = selectors;
  const worst = selectors.length > 1 ? selectors.at(-1) : undefined;
  const range = (arm: StudyArm | undefined): string => (arm?.score ? `95 %: ${interval(arm.score)}` : "did not run");
  const read = (arm: StudyArm): string => (arm.read_share === null ? "" : `, reads ${percent(arm.read_share)}\u00a0%`);
  return h(
    "div",
    { class: "glance" },
    item("Full attention", full?.score, range(full), link({ run: fullArm(study), at: "tasks" })),
    item("The evidence alone", oracle?.score, range(oracle), link({ at: "losses" })),
    best ? item("Best selector", best.arm.score, `${best.arm.arm.name}${read(best.arm)}`, link({ run: best.i, at: "losses" })) : null,
    worst ? item("Worst selector", worst.arm.score, `${worst.arm.arm.name}${read(worst.arm)}`, link({ run: worst.i, at: "losses" })) : null,
    item("Without the evidence", of(knockout)?.score, range(of(knockout)), link({ at: "arms" })),
  );
}

// The score on a line from 0 to 100 %, its interval, and full attention's score as a rule.
function scorePicture(score: Estimate, colour: string, hollow: boolean, full: Estimate | null): Element {
  const width = 150;
  const x = (share: number): number => 5 + share * (width - 10);
  const picture = svg("svg", { class: "chart whisker", viewBox: `0 0 ${width} 20`, width, height: 20, role: "img", "aria-label": `${percent(score.value)} %, 95 % interval ${interval(score)}` });
  picture.append(svg("line", { x1: x(0), x2: x(1), y1: 10, y2: 10, stroke: "var(--line)" }));
  if (full) picture.append(svg("line", { x1: x(full.value), x2: x(full.value), y1: 1, y2: 19, stroke: "var(--strong-line)" }));
  picture.append(
    svg("line", { x1: x(score.low), x2: x(score.high), y1: 10, y2: 10, stroke: colour, "stroke-width": 2.4 }),
    svg("circle", { cx: x(score.value), cy: 10, r: 4.5, fill: hollow ? "var(--paper)" : colour, stroke: colour, "stroke-width": 1.8 }),
  );
  return picture;
}

function row(data: PageData, i: number): { className?: string; cells: Child[] } {
  const study = data.arms!;
  const arm = study.arms[i]!;
  const against = arm.against_full;
  const again = arm.arm.only_failed;
  const covered = arm.coverage !== null && arm.arm.kind !== "full" ? arm.coverage : null;
  const share = (value: number | undefined): string => (value === undefined ? "–" : percent(value));
  const d = again ? null : against?.difference;
  const difference = d && against
    ? h("td", { class: against.p_holm < kSignificant ? (d.value < 0 ? "worse" : "better") : null }, h("a", { href: link({ run: i, pair: d.value > 0 ? "gained" : "lost", at: "samples" }), "aria-label": `${arm.arm.name}: ${points(d.value)} points; show its samples` }, points(d.value)), h("small", {}, pointsInterval(d)))
    : "–";
  const note = again ? `asked only what ${again} failed` : arm.arm.kind === "full" && i !== fullArm(study) ? "full attention once more" : arm.surely_dominated ? "dominated, surely" : arm.dominated ? "dominated" : arm.selector ? "" : roleOf(arm) === "full" ? "" : roleOf(arm) === "knockout" ? "control" : arm.arm.kind === "mass-oracle" ? "reads every key’s weight" : "told the evidence";
  return {
    className: arm.dominated ? "faded" : undefined,
    cells: [
      h("span", { class: "arm-name" }, swatch(data, i), arm.arm.name),
      h("td", { class: "left" }, arm.score ? scorePicture(arm.score, armStyle(study, i).colour, !arm.selector && arm.arm.kind !== "full", study.arms[fullArm(study)]?.score ?? null) : "–"),
      arm.score ? lines(percent(arm.score.value), interval(arm.score)) : "–",
      difference,
      against && !again ? pValue(against.p_holm) : "–",
      arm.read_share === null ? "–" : percent(arm.read_share),
      share(covered?.joint),
      share(covered?.recall),
      share(covered?.path),
      h("td", { class: "left note-cell" }, note),
    ],
  };
}

export function arms(data: PageData): HTMLElement {
  const study = data.arms!;
  const head = ["arm", h("span", { class: "whisker-head" }, "0", h("span", {}, "percent right"), "100"), "right", "− full", "p, Holm", "read", "joint", "recall", "path", ""];
  const noise = study.noise_floor;
  return figure(
    "arms",
    "The arms side by side",
    "Every arm answered the same samples. Right: percent of all samples, a failed request counting as wrong; − full: against full attention, paired, in points, with its interval; read: key-value pairs read, in percent of full attention’s, those read to select included; joint, recall, path: percent of steps and layers that read all evidence at once, share of it read, steps whose layers read it in order.",
    [
      scrolling("Table of the arms", sheet("The arms side by side", head, study.arms.map((_, i) => row(data, i)), "arms-sheet")),
      noise ? h("p", { class: "note said" }, `Noise floor: full attention twice differs on ${count(noise.differ)} of ${plural(noise.samples, "sample")}${noise.differ === 0 ? ", so that no difference here is chance of the computation" : ""}.`) : null,
      armConditions(data),
    ],
    () => rowsOf(study),
  );
}

function rowsOf(study: Study): Rows {
  const rows: Rows = [["arm", "kind", "budget", ...namedFields("score"), ...namedFields("difference"), "lost", "gained", "p", "p_holm", "standing", "read_share", "kv_bytes", "joint", "recall", "path", "dominated", "surely_dominated"]];
  for (const { arm, score, against_full, standing, read_share, kv_bytes, coverage, dominated, surely_dominated } of study.arms)
    rows.push([arm.name, arm.kind, arm.budget, ...estimateFields(score), ...estimateFields(against_full?.difference ?? null), against_full?.lost ?? "", against_full?.gained ?? "", against_full?.p ?? "", against_full?.p_holm ?? "", standing, read_share ?? "", kv_bytes, coverage?.joint ?? "", coverage?.recall ?? "", coverage?.path ?? "", String(dominated), String(surely_dominated)]);
  return rows;
}

// Chips of the selectors; the address remembers which one is chosen, for the whole page.
export function selectorChoice(data: PageData, run: number, at: string, only?: (i: number) => boolean): HTMLElement | null {
  const study = data.arms!;
  const chosen = only?.(run) ? run : focusArm(study, run);
  const offered = study.arms.map((_, i) => i).filter((i) => (only ? only(i) : study.arms[i]!.selector));
  if (offered.length < 2) return null;
  return h("div", { class: "runs", role: "group", "aria-label": "Arm" }, ...offered.map((i) =>
    h("button", { type: "button", "aria-pressed": String(i === chosen), "data-arm": i, onclick: () => (location.hash = link({ run: i, at })) }, h("span", { class: "swatch", style: `--c:${runStyle(data, i).colour}`, "aria-hidden": "true" }), study.arms[i]!.arm.name),
  ));
}
