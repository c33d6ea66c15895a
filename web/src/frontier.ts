// What a point of quality costs: scores against what was read, dominated arms dimmed.
import { armConditions, armStyle, families, familyOf, fullArm, roleOf } from "./arm_style";
import { chart } from "./chart";
import type { PageData, Study, StudyArm } from "./data";
import { choice, h } from "./dom";
import { estimateFields, namedFields } from "./estimate_rows";
import { figure } from "./figure";
import { bytes, percent } from "./format";
import { armPoint, armScatter, type Axis } from "./reading";

type Cost = "read_share" | "kv_bytes";

const known = (arm: StudyArm, cost: Cost): boolean => arm.score !== null && (cost === "read_share" ? arm.read_share !== null : arm.kv_bytes > 0);
const costOf = (arm: StudyArm, cost: Cost): number => (cost === "read_share" ? (arm.read_share ?? 0) : arm.kv_bytes);
const words = (arm: StudyArm, cost: Cost): string => (cost === "read_share" ? `reads ${percent(arm.read_share ?? 0)} % of full attention’s pairs` : `reads ${bytes(arm.kv_bytes)} of keys and values an answer`);

// Of the selectors: from each cost on, the best score to be had.
function bestSoFar(study: Study, cost: Cost): { x: number; y: number }[] {
  const real = study.arms.filter((arm) => arm.selector && known(arm, cost)).sort((a, b) => costOf(a, cost) - costOf(b, cost));
  const steps: { x: number; y: number }[] = [];
  for (const arm of real) if (arm.score!.value > (steps.at(-1)?.y ?? -1)) steps.push({ x: costOf(arm, cost), y: arm.score!.value });
  const last = real.at(-1);
  if (last && steps.length) steps.push({ x: costOf(last, cost), y: steps.at(-1)!.y });
  return steps;
}

function budgetLines(study: Study, cost: Cost): { x: number; y: number; z: string; colour: string }[] {
  return families(study).flatMap((family) => study.arms
    .map((arm, i) => ({ arm, i }))
    .filter(({ arm }) => familyOf(arm) === family && known(arm, cost) && !/-s\d+$/.test(arm.arm.name))
    .sort((a, b) => costOf(a.arm, cost) - costOf(b.arm, cost))
    .map(({ arm, i }) => ({ x: costOf(arm, cost), y: arm.score!.value, z: family, colour: armStyle(study, i).colour })));
}

function axisOf(study: Study, cost: Cost): Axis {
  const shared = { lines: budgetLines(study, cost), steps: bestSoFar(study, cost) };
  if (cost === "read_share") {
    const most = Math.max(1, ...study.arms.filter((arm) => known(arm, cost)).map((arm) => costOf(arm, cost)));
    const end = Math.ceil(most * 10 - 1e-9) / 10;
    const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].filter((tick) => tick <= end);
    return { ...shared, label: "Score by share of the pairs read", x: { domain: [0, end] }, xTicks: ticks, xFormat: (value) => String(Math.round(value * 100)), xLabel: "key-value pairs read, percent of full attention’s", toPlace: (x) => x / end };
  }
  const values = study.arms.filter((arm) => known(arm, cost)).map((arm) => costOf(arm, cost));
  const low = 2 ** Math.floor(Math.log2(Math.min(...values)));
  const high = 2 ** Math.ceil(Math.log2(Math.max(...values) * 1.001));
  const ticks: number[] = [];
  for (let tick = low; tick <= high * 1.001; tick *= 2) ticks.push(tick);
  return { ...shared, label: "Score by bytes read", x: { type: "log", base: 2, domain: [low, high] }, xTicks: ticks, xFormat: (value) => bytes(value).replace(".0 ", " "), xLabel: "keys and values read for one answer", toPlace: (x) => Math.log(x / low) / Math.log(high / low) };
}

export function frontier(data: PageData): HTMLElement | null {
  const study = data.arms!;
  const shownFor = (cost: Cost): number[] => study.arms.map((_, i) => i).filter((i) => known(study.arms[i]!, cost) && (i === fullArm(study) || study.arms[i]!.arm.kind !== "full"));
  if (!shownFor("read_share").some((i) => study.arms[i]!.selector)) return null;
  const holder = h("div", {});
  const draw = (cost: Cost): void => holder.replaceChildren(chart((width) => armScatter(shownFor(cost).map((i) => armPoint(data, i, costOf(study.arms[i]!, cost), words(study.arms[i]!, cost))), axisOf(study, cost), width)));
  draw("read_share");
  const legend = h("ul", { class: "legend" },
    h("li", {}, h("i", { class: "line-key dashed", style: "--c:var(--strong-line)" }), "the best that a selector does from there on"),
    study.arms.some((arm) => arm.dominated) ? h("li", {}, h("b", {}, "faded"), "dominated: another selector does at least as well and reads no more") : null,
    study.arms.some((arm) => roleOf(arm) === "oracle") ? h("li", {}, h("b", {}, "◇"), "told the evidence, or every key’s weight: a bound, no way to attend") : null,
    study.arms.some((arm) => arm.arm.kind === "knockout") ? h("li", {}, h("b", {}, "×"), "the evidence knocked out") : null);
  return figure(
    "frontier",
    "What a point costs",
    "Reads count what a group’s heads read together, dense layers in full, and what a selector reads to decide. Lines join one selector’s budgets. Bars are the scores’ 95 % intervals: neighbours whose bars overlap are not told apart here.",
    [
      choice("Cost", "chips", [["read_share", "share of pairs"], ["kv_bytes", "bytes an answer"]], "read_share", (value) => draw(value as Cost)),
      holder,
      legend,
      armConditions(data),
    ],
    () => [["arm", "read_share", "kv_bytes", ...namedFields("score"), "dominated", "surely_dominated"], ...study.arms.map(({ arm, read_share, kv_bytes, score, dominated, surely_dominated }) => [arm.name, read_share ?? "", kv_bytes, ...estimateFields(score), String(dominated), String(surely_dominated)])],
  );
}
