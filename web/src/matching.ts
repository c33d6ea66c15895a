// Which samples of a run a selection asks for: over 100,000 of them between two key strokes, so everything is a typed array.
import { kNone, type Samples } from "./columns";
import { type Comparison, type PageData, type Run, sampleId } from "./data";
import { CrossRows } from "./cross_rows";
import type { Selection } from "./selection";

export const kResults = ["right", "lenient", "partly", "wrong", "failed", "not-run"] as const;
export type Result = (typeof kResults)[number];
export const kPairs = ["both-right", "gained", "lost", "both-wrong", "unsure"] as const;
export type Pair = (typeof kPairs)[number];

const kWhole = 1000; // scores are thousandths

// The samples of one run with what is derived from them, each made when first asked for.
export class RunSamples {
  readonly cases: Map<number, number>; // row to its place in Run::cases
  private resultCodes: Uint8Array | null = null;
  private searchTexts: string[] | null = null;
  private rows: Map<string, number> | null = null; // by id

  constructor(
    readonly data: PageData,
    readonly run: Run,
  ) {
    this.cases = new Map(run.cases.map((one, place) => [one.sample, place]));
  }

  get count(): number {
    return this.run.samples.count;
  }

  // -1: the run has no such sample.
  rowOf(id: string): number {
    this.rows ??= new Map(Array.from({ length: this.count }, (_, row) => [sampleId(this.data, this.run, row), row]));
    return this.rows.get(id) ?? -1;
  }

  result(row: number): Result {
    return kResults[this.results()[row]!]!;
  }

  private results(): Uint8Array {
    if (this.resultCodes) return this.resultCodes;
    const { samples } = this.run;
    const [outcome, score, strict] = ["outcome", "score", "strict"].map((name) => samples.column(name)) as [Int32Array, Int32Array, Int32Array];
    const codes = new Uint8Array(samples.count);
    for (let row = 0; row < codes.length; ++row) codes[row] = resultCode(outcome[row]!, score[row]!, strict[row]!);
    return (this.resultCodes = codes);
  }

  // Counts by the order of kResults, of the rows given.
  counts(rows: Int32Array): number[] {
    const codes = this.results();
    const counts = new Array<number>(kResults.length).fill(0);
    for (const row of rows) counts[codes[row]!]!++;
    return counts;
  }

  // The rows that a selection asks for, in order. `results: false`: whatever its result.
  matching(selection: Selection, pairs: Pairs | null, options: { results: boolean; pairs: boolean } = { results: true, pairs: true }): Int32Array {
    const { data, run } = this;
    const { samples } = run;
    const wantedCells = run.cells.map((cell) => (selection.task < 0 || cell.task === selection.task) && (selection.length < 0 || cell.length === selection.length) && (selection.category === "" || data.tasks[cell.task]!.category === selection.category));
    const allCells = wantedCells.every(Boolean);
    const cell = samples.column("cell");
    const outcome = samples.column("outcome");
    const depth = samples.column("depth");
    const miss = samples.column("miss");
    const wantedOutcome = selection.outcome === -2 ? kNone : selection.outcome;
    const codes = this.results();
    const wantedResult = options.results ? kResults.indexOf(selection.result as Result) : -1;
    const wantedPair = options.pairs && pairs ? kPairs.indexOf(selection.pair as Pair) : -1;
    const crossed = selection.cross ? CrossRows.of(data, run) : null;
    const words = selection.search.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = words.length ? this.texts() : [];
    const rows = new Int32Array(samples.count);
    let found = 0;
    for (let row = 0; row < samples.count; ++row) {
      if (!allCells && !wantedCells[cell[row]!]) continue;
      if (wantedResult >= 0 && codes[row] !== wantedResult) continue;
      if (selection.outcome !== -1 && outcome[row] !== wantedOutcome) continue;
      if (selection.miss >= 0 && miss[row] !== selection.miss) continue;
      if (selection.bin >= 0 && binOf(depth[row]!, data.depth_bins) !== selection.bin) continue;
      if (wantedPair >= 0 && !pairs!.is(row, wantedPair)) continue;
      if (crossed && !crossed.is(row, selection.cross)) continue;
      if (selection.shown === 1 && !this.cases.has(row)) continue;
      if (words.length && !words.every((word) => texts[row]!.includes(word))) continue;
      rows[found++] = row;
    }
    return rows.subarray(0, found);
  }

  // Ids of all; of the samples that the page shows in full also their question, references and answer.
  private texts(): string[] {
    if (this.searchTexts) return this.searchTexts;
    const { data, run } = this;
    const texts = Array.from({ length: this.count }, (_, row) => sampleId(data, run, row).toLowerCase());
    for (const one of run.cases) {
      const prompt = data.prompts[one.prompt]!;
      texts[one.sample] += "\n" + [prompt.question, ...prompt.references, one.answer, one.thinking, one.detail].join("\n").toLowerCase();
    }
    return (this.searchTexts = texts);
  }
}

function resultCode(outcome: number, score: number, strict: number): number {
  if (outcome === kNone) return 5;
  if (score === kNone) return 4;
  if (score <= 0) return 3;
  if (score < kWhole) return 2;
  return strict === kNone || strict >= kWhole ? 0 : 1;
}

const binOf = (depth: number, bins: number): number => (depth < 0 ? -1 : Math.min(bins - 1, Math.floor((depth * bins) / kWhole)));

// A run's samples beside those of the run it is compared with.
export class Pairs {
  private readonly other: Int32Array; // row in the other run; -1: none
  private readonly codes: Uint8Array; // into kPairs; 255: no pair
  private readonly unsure: Uint8Array;

  constructor(
    data: PageData,
    readonly comparison: Comparison,
    readonly side: "a" | "b",
  ) {
    const own = data.runs[comparison[side]]!;
    const others = data.runs[comparison[side === "a" ? "b" : "a"]]!;
    const ownRows = comparison.samples.column(side === "a" ? "row_a" : "row_b");
    const otherRows = comparison.samples.column(side === "a" ? "row_b" : "row_a");
    const outcomes = comparison.samples.column("outcome");
    const place = data.pair_outcomes.map((kind) => kPairs.indexOf(kind as Pair));
    this.other = new Int32Array(own.samples.count).fill(kNone);
    this.codes = new Uint8Array(own.samples.count).fill(255);
    this.unsure = new Uint8Array(own.samples.count);
    for (let i = 0; i < ownRows.length; ++i) {
      const row = ownRows[i]!;
      this.other[row] = otherRows[i]!;
      this.codes[row] = place[outcomes[i]!]!;
      if (open(own.samples, row) || open(others.samples, otherRows[i]!)) this.unsure[row] = 1;
    }
  }

  get otherRun(): number {
    return this.comparison[this.side === "a" ? "b" : "a"];
  }

  otherRow(row: number): number {
    return this.other[row]!;
  }

  kind(row: number): Pair | null {
    return kPairs[this.codes[row]!] ?? null;
  }

  is(row: number, pair: number): boolean {
    return kPairs[pair] === "unsure" ? this.unsure[row] === 1 : this.codes[row] === pair;
  }

  counts(rows: Int32Array): number[] {
    const counts = new Array<number>(kPairs.length).fill(0);
    for (const row of rows) {
      const code = this.codes[row]!;
      if (code < kPairs.length) counts[code]!++;
      if (this.unsure[row]) counts[kPairs.length - 1]!++;
    }
    return counts;
  }
}

// Not decided by the answer alone: the request failed, or the strict reading disagrees with the lenient one.
function open(samples: Samples, row: number): boolean {
  const score = samples.column("score")[row]!;
  const strict = samples.column("strict")[row]!;
  return score === kNone || (strict !== kNone && strict < score);
}

// The comparison that a run belongs to, seen from its side; null: it has none.
export function pairsOf(data: PageData, run: number): Pairs | null {
  for (const side of ["b", "a"] as const) {
    const comparison = data.comparisons.find((one) => one[side] === run);
    if (comparison && comparison.samples.count > 0) return new Pairs(data, comparison, side);
  }
  return null;
}
