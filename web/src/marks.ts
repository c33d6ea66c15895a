// Marks of cells (V5): each reason for having no score has its own sign, word and pattern, and a score says how it stands to the threshold.
import type { Cell, Estimate, PageData, Run } from "./data";
import { h } from "./dom";
import { scoreStyle } from "./colour";

const kSigns: Record<string, [string, string]> = {
  "not-run": ["·", "not run"],
  "out-of-memory": ["▤", "memory"],
  "timed-out": ["◷", "time"],
  "over-window": ["⊘", "window"],
  failed: ["✕", "failed"],
};

// Sign and word of a cell without a score; null where it has one.
export function blankMark(data: PageData, cell: Cell): { kind: string; sign: string; word: string; label: string } | null {
  const mark = data.marks[cell.mark];
  const sign = mark ? kSigns[mark.kind] : undefined;
  if (!mark || !sign) return cell.tally.usability === null ? { kind: "not-run", sign: "·", word: "not run", label: "not run" } : null;
  return { kind: mark.kind, sign: sign[0], word: sign[1], label: mark.label };
}

export const isZero = (data: PageData, cell: Cell): boolean => data.marks[cell.mark]?.kind === "zero";

// ▾: the whole interval is below; ≈: the interval holds the threshold; nothing: the whole interval is above.
export function standing(score: Estimate, threshold: number): { sign: string; words: string } {
  if (score.high < threshold) return { sign: "▾", words: "below the threshold with its whole interval" };
  if (score.low < threshold) return { sign: "≈", words: "unresolved: the interval holds the threshold" };
  return { sign: "", words: "above the threshold with its whole interval" };
}

export function marksLegend(data: PageData, run: Run): HTMLElement {
  const kinds = new Set(run.cells.map((cell) => blankMark(data, cell)?.kind));
  const entries = [entry("≈", "unresolved: interval holds the threshold"), entry("▾", "below it with its whole interval")];
  if (run.cells.some((cell) => isZero(data, cell))) entries.push(entry("○", "zero: every answer wrong"));
  for (const [kind, [sign]] of Object.entries(kSigns)) if (kinds.has(kind)) entries.push(entry(sign, data.marks.find((mark) => mark.kind === kind)?.label ?? kind));
  if (run.cells.some((cell) => cell.tally.completed < cell.tally.attempted && !blankMark(data, cell))) entries.push(entry("†", "some requests did not complete"));
  return h("ul", { class: "legend" }, h("li", {}, ramp(data.threshold)), ...entries);
}

const entry = (sign: string, words: string): HTMLElement => h("li", {}, h("b", {}, sign), words);

function ramp(threshold: number): HTMLElement {
  const steps = Array.from({ length: 24 }, (_, i) => h("span", { style: scoreStyle(i / 23, threshold) }));
  return h("span", { class: "scale" }, "0", h("span", { class: "ramp", "aria-hidden": "true" }, ...steps), "100 %");
}
