// How an arm of a study is drawn everywhere, and what it was run under.
import { seriesColour, seriesSymbol } from "./colour";
import type { PageData, Study, StudyArm } from "./data";
import { h } from "./dom";
import { count, tokens } from "./format";

export type ArmRole = "full" | "oracle" | "knockout" | "selector";

const kOracles = new Set(["oracle", "oracle-random", "mass-oracle", "forced"]);

export function roleOf({ arm }: StudyArm): ArmRole {
  if (arm.kind === "full") return "full";
  if (arm.kind === "knockout") return "knockout";
  return kOracles.has(arm.kind) ? "oracle" : "selector";
}

// Arms of one kind that differ in their budget or seed.
export const familyOf = ({ arm }: StudyArm): string => (arm.kind === "forced" || arm.kind === "knockout" ? `${arm.kind}:${arm.base}` : arm.kind);

export function families(study: Study): string[] {
  return [...new Set(study.arms.filter((arm) => roleOf(arm) === "selector").map(familyOf))];
}

export interface ArmStyle {
  colour: string;
  symbol: string;
}

export function armStyle(study: Study, i: number): ArmStyle {
  const arm = study.arms[i]!;
  switch (roleOf(arm)) {
    case "full":
      return { colour: "var(--ink)", symbol: "circle" };
    case "oracle":
      return { colour: "var(--quiet)", symbol: "diamond" };
    case "knockout":
      return { colour: "var(--land)", symbol: "times" };
    case "selector": {
      const place = families(study).indexOf(familyOf(arm));
      return { colour: seriesColour(place), symbol: seriesSymbol(place) };
    }
  }
}

// Of any page: a run's colour among the runs.
export const runStyle = (data: PageData, i: number): ArmStyle => (data.arms ? armStyle(data.arms, i) : { colour: seriesColour(i), symbol: seriesSymbol(i) });

export const swatch = (data: PageData, i: number): HTMLElement => h("span", { class: "swatch", style: `--c:${runStyle(data, i).colour}`, "aria-hidden": "true" });

export const fullArm = (study: Study): number => Math.max(0, study.arms.findIndex((arm) => arm.arm.kind === "full"));
export const oracleArm = (study: Study): number => study.arms.findIndex((arm) => arm.arm.kind === "oracle");

// The selector that the page's address asks for, else the one that loses most.
export function focusArm(study: Study, run: number): number {
  if (study.arms[run]?.selector) return run;
  const lost = (i: number): number => study.arms[i]!.against_full?.lost ?? 0;
  const selectors = study.arms.map((_, i) => i).filter((i) => study.arms[i]!.selector);
  return selectors.reduce((best, i) => (best < 0 || lost(i) > lost(best) ? i : best), -1);
}

const different = <T>(values: T[]): T[] => [...new Set(values)];

// The line below a figure that says what it holds for.
export function armConditions(data: PageData, arms?: StudyArm[]): HTMLElement {
  const study = data.arms!;
  const shown = (arms ?? study.arms).filter((arm) => arm.arm.kind !== "full");
  const of = (pick: (arm: StudyArm) => number | string): string => different(shown.map(pick)).join(" or ");
  const cells = different(data.tasks.map((task) => task.cell));
  const budgets = different(shown.filter((arm) => arm.arm.budget > 0 && roleOf(arm) !== "knockout").map((arm) => arm.arm.budget)).sort((a, b) => a - b);
  const models = different(data.runs.map((run) => run.model));
  const dense = different(shown.map(({ arm }) => [arm.dense_every ? `every ${arm.dense_every}th` : "", arm.dense_layers.join(", ")].filter(Boolean).join("; ")).filter(Boolean));
  const words = [
    models.join(", "),
    cells.length > 6 ? `${cells.length} tasks` : cells.join(", "),
    data.lengths.map((length) => length.name).join(", ") + " tokens",
    `n = ${count(study.arms[fullArm(study)]?.score?.n ?? 0)}`,
  ];
  if (budgets.length) words.push(`budget ${budgets.map(tokens).join(", ")}`);
  if (shown.length) words.push(`blocks of ${of((arm) => arm.arm.block)}`, `${of((arm) => arm.arm.sinks)} sinks`, `window ${of((arm) => arm.arm.window)}`, `scope ${of((arm) => arm.arm.scope)}`, `sharing ${of((arm) => arm.arm.sharing)}`);
  if (dense.length) words.push(`dense layers ${dense.join(" or ")}`);
  return h("p", { class: "figure-conditions" }, words.join(" · "));
}
