// What the recorded selections say step by step, and which arms read the same.
import { armConditions } from "./arm_style";
import { differenceStyle } from "./colour";
import type { ArmReading, PageData, Readings } from "./data";
import { h, lines, sheet } from "./dom";
import { figure, part, type Rows, scrolling } from "./figure";
import { count, percent, plural } from "./format";
import { heatTable } from "./heat";

const kSteps: [string, string][] = [["question", "the question"], ["first", "first token of the answer"], ["later", "later tokens"]];

export function agreement(data: PageData): HTMLElement | null {
  const { arms, pairs } = data.arms!.readings;
  if (arms.length === 0) return null;
  const samples = Math.max(...arms.map((arm) => arm.samples));
  return figure(
    "agreement",
    "When it is read, and who reads the same",
    `From the recorded selections of the first samples of each cell, ${plural(samples, "sample")} an arm. Joint: percent of the layers that read all of the evidence at once, while the question is taken in and while the answer is written.`,
    [
      scrolling("Evidence read by step", sheet("Evidence read by step", ["arm", ...kSteps.map(([, name]) => name)], arms.map((arm) => ({ cells: [arm.arm, ...kSteps.map(([key]) => stepCell(arm, key))] })))),
      words(arms),
      variants(arms),
      overlap(arms, pairs),
      armConditions(data),
    ],
    () => rowsOf(data.arms!.readings),
  );
}

function stepCell(arm: ArmReading, key: string): HTMLElement {
  const step = arm.steps.find((one) => one.step === key);
  return step ? lines(`${percent(step.joint)} %`, `recall ${percent(step.recall)} %`) : h("td", {}, "–");
}

// Tasks that ask for the most frequent words: does what is read still say which they are?
function words(arms: ArmReading[]): HTMLElement | null {
  const counting = arms.filter((arm) => arm.words);
  if (counting.length === 0) return null;
  return part(
    "Counted words",
    "Of tasks that ask for the most frequent words: how much of all occurrences is read, of the answer’s words, how well counts of what is read rank the words, and how often the answer still follows from them.",
    scrolling("Counted words", sheet("Counted words", ["arm", "occurrences read", "of the answer’s", "rank correlation", "still told apart"], counting.map(({ arm, words }) => ({ cells: [arm, `${percent(words!.seen)} %`, `${percent(words!.seen_wanted)} %`, words!.rank_correlation === null ? "–" : words!.rank_correlation.toFixed(2), `${percent(words!.told_apart)} %`] })))),
  );
}

function variants(arms: ArmReading[]): HTMLElement | null {
  const rows = arms.flatMap((arm) => arm.variants.map((one) => ({ cells: [arm.arm, one.variant, percent(one.jaccard), count(one.samples)] })));
  if (rows.length === 0) return null;
  return part("The same context, asked in another way", "Positions that the ordinary sample and its variant both read, in percent of those that either reads.", scrolling("Agreement with variants", sheet("Agreement with variants", ["arm", "variant", "read by both", "samples"], rows)));
}

function overlap(arms: ArmReading[], pairs: Readings["pairs"]): HTMLElement | null {
  if (pairs.length === 0) return null;
  const names = arms.map((arm) => arm.arm);
  const of = (a: string, b: string) => pairs.find((one) => (one.a === a && one.b === b) || (one.a === b && one.b === a));
  const rows = names.map((a) => ({
    head: a,
    cells: names.map((b) => {
      const pair = of(a, b);
      if (a === b || !pair) return null;
      const said = `${percent(pair.jaccard)} %`;
      return { style: differenceStyle(pair.jaccard, 1), text: String(Math.round(pair.jaccard * 100)), href: null, label: `${a} and ${b}: ${said}`, tip: `${a} and ${b}\n${said} of what either reads\n${plural(pair.samples, "sample")}` };
    }),
  }));
  return part("Arm against arm", "Positions of the context that both read while they write the answer, in percent of those that either reads. Sinks and the local window, which all share, count too.", scrolling("Agreement of arms", heatTable({ label: "Agreement of arms", corner: "", columns: names, rows, className: "matrix" })));
}

function rowsOf({ arms, pairs }: Readings): Rows {
  const rows: Rows = [["arm", "what", "other", "samples", "recall", "joint", "union_joint", "hops", "jaccard"]];
  for (const { arm, steps, variants } of arms) {
    for (const one of steps) rows.push([arm, `step ${one.step}`, "", one.samples, one.recall, one.joint, one.union_joint, one.hops, ""]);
    for (const one of variants) rows.push([arm, "variant", one.variant, one.samples, "", "", "", "", one.jaccard]);
  }
  for (const one of pairs) rows.push([one.a, "arm", one.b, one.samples, "", "", "", "", one.jaccard]);
  return rows;
}
