// The page's data: the types of docs/formats/page.md, and reading it from the page.
import { type PackedSamples, type Samples, unpackSamples } from "./columns";

export interface Estimate {
  value: number;
  low: number;
  high: number;
  n: number;
  method: string;
}

export interface Tally {
  samples: number;
  attempted: number;
  completed: number;
  nulls: number;
  clusters: number;
  strictly_right: number;
  outcomes: number[];
  misses: [number, number][]; // kind, count
  quality: Estimate | null;
  completion: Estimate | null;
  usability: Estimate | null;
  strict: Estimate | null;
}

export interface Cell {
  task: number;
  length: number;
  tally: Tally;
  ruler: number;
  mark: number;
}

export interface CurvePoint {
  length: number;
  edge: boolean; // a length at a block's border, beside the main curve
  quality: Estimate | null;
  usability: Estimate | null;
  strict: Estimate | null;
  tasks_with_quality: number;
  tasks_with_usability: number;
  pool: Tally;
}

export interface Effective {
  kind: string;
  rule: string;
  threshold: number;
  length: number;
  low: number;
  high: number;
  first_failing: number;
  words: string;
  limited_by: string;
  rises: boolean;
  crossing: { length: number | null; low: number | null; high: number | null; words: string } | null;
}

export interface Curve {
  name: string;
  effective: Effective;
  points: CurvePoint[];
}

// task, length, bin, attempted, value, low, high
export type DepthBin = [number, number, number, number, number, number, number];

export interface CurveSummary {
  name: string;
  curve: number; // -1: none
  task: number; // -1: none
  absolute: Effective;
  relative: Effective;
  strict: Effective;
  risk: Effective;
  slope: Estimate | null;
  area: Estimate | null;
}

export interface RobustLength {
  effective: Effective;
  none_breaks: number;
  parts: { category: string; effective: Effective; breaks_first: number }[];
}

export interface Region {
  task: string;
  parameter: string;
  fixed: string;
  levels: number[];
  tasks: number[];
  effective: Effective[];
  area: number;
  contours: [number, number][][]; // length in tokens, level
}

export interface PositionGap {
  cell: string; // "all tasks": the mean over tasks
  length: number; // -1: all lengths
  first: Estimate | null;
  middle: Estimate | null;
  last: Estimate | null;
  first_minus_middle: Estimate | null;
  last_minus_middle: Estimate | null;
  pairs: number;
  tasks: number;
}

export interface TokenBucket {
  task: number;
  length: number;
  from: number;
  below: number;
  score: Estimate | null;
}

export interface BlockEdge {
  boundary: number;
  length: number;
  offset: number;
  at_boundary: Estimate | null;
  score: Estimate | null;
  difference: Estimate | null;
  pairs: number;
}

export interface Quantiles {
  p50: Estimate | null;
  p95: Estimate | null;
  mean: number;
  sum: number;
  largest: number;
  n: number;
}

export interface LengthSpending {
  length: number; // -1: the whole run
  attempted: number;
  first_token_ms: Quantiles;
  cold_first_token_ms: Quantiles; // no token from a cache
  warm_first_token_ms: Quantiles;
  total_ms: Quantiles;
  input: Quantiles;
  cached: Quantiles;
  output: Quantiles;
  thinking: Quantiles;
  input_per_second: Quantiles;
  output_per_second: Quantiles;
  kv_bytes: Quantiles;
  peak_bytes: Quantiles;
  output_cut: Estimate | null;
  thinking_cut: Estimate | null;
  retried: number;
  requests: number;
}

export interface Spread {
  axis: string;
  arms: string[];
  rows: {
    cell: string;
    length: number; // tokens; -1: all
    arms: (Estimate | null)[];
    lowest: number;
    highest: number;
    deviation: number;
    sampling_deviation: number;
    arm_deviation: Estimate | null;
    p: number;
    shared: number;
  }[];
}

export interface Control {
  task: number; // -1: the mean over tasks
  length: number;
  score: Estimate | null;
  no_context: Estimate | null;
  needles_only: Estimate | null;
  above_no_context: Estimate | null;
  below_needles_only: Estimate | null;
}

export interface Piece {
  text: string;
  role?: string;
  distractor?: boolean;
  answer?: boolean;
}

export interface Prompt {
  question: string;
  references: string[];
  notes: string[];
  expected_prompt_tokens: number;
  bytes: number;
  places: { at: number; role: string; distractor: boolean }[];
  excerpt: { offset: number; pieces: Piece[] }[];
}

export interface Case {
  sample: number;
  prompt: number;
  found: boolean[];
  answer: string;
  answer_cut: boolean;
  thinking: string;
  detail: string;
  misses: { kind: number; detail: string }[];
  first_token_ms: number;
  total_ms: number;
  output_tokens: number;
  thinking_tokens: number;
  prompt_tokens: number;
  tries: number;
}

export interface Run {
  label: string; // made when the page is read: what people call it here
  name: string;
  model: string;
  provider: string;
  suite: string;
  started: string;
  settings: string;
  simulated: boolean;
  headline: string;
  details: string;
  effective: Effective;
  averages: { average: Estimate | null; increasing: Estimate | null; decreasing: Estimate | null };
  conditions: { group: string; name: string; value: string }[];
  relative: number;
  risk_limit: number;
  total: Tally;
  cells: Cell[];
  curves: Curve[];
  summaries: CurveSummary[];
  robust: RobustLength | null;
  regions: Region[];
  depth: DepthBin[];
  positions: { gaps: PositionGap[]; spans: TokenBucket[]; distances: TokenBucket[]; edges: BlockEdge[] };
  spending: { all: LengthSpending; lengths: LengthSpending[] } | null;
  controls: Control[];
  variants: Spread[];
  samples: Samples;
  cases: Case[];
  cases_left_out: number;
  remake: string;
}

export interface Group {
  task: number; // -1: pooled
  length: number; // -1: pooled
  name: string;
  pairs: number;
  clusters: number;
  counts: { both: number; only_a: number; only_b: number; neither: number };
  a: Estimate | null;
  b: Estimate | null;
  difference: Estimate | null;
  test: string;
  p: number;
  p_holm: number;
  p_bh: number;
  detectable: number;
  needed: number;
}

export interface Comparison {
  a: number;
  b: number;
  verdict: string;
  reading: string;
  wanted: number;
  conditions: { name: string; a: string; b: string; decides: boolean }[];
  shared: number;
  only_a: number;
  only_b: number;
  changed: number;
  not_run: number;
  all: Group;
  tasks: Group[];
  categories: Group[];
  lengths: Group[];
  cells: Group[];
  samples: Samples; // columns row_a, row_b, outcome
}

export interface Structure {
  runs: string[];
  tasks: string[];
  left_out: string[];
  correlations: [number, number, number][][]; // value, low, high
  steps: { left: number; right: number; distance: number; size: number }[];
  order: number[];
  groups: number[];
  subset: number[];
  subset_error: number;
}

export interface ArmCoverage {
  recall: number;
  joint: number;
  joint_best_layer: number;
  joint_answer: number;
  union_recall: number;
  path: number;
  precision: number;
  density: number;
  kept: number;
  layers: { layer: number; recall: number; joint: number; precision: number; density: number; kept: number }[];
}

export interface StudyArm {
  arm: { name: string; kind: string; base: string; budget: number; only_failed?: string; block: number; sinks: number; window: number; scope: string; sharing: string; dense_layers: number[]; dense_every: number };
  score: Estimate | null;
  against_full?: { difference: Estimate | null; both: number; lost: number; gained: number; neither: number; p: number; p_holm: number };
  read_share: number | null;
  kv_bytes: number;
  dominated: boolean;
  surely_dominated: boolean;
  covered: number;
  coverage: ArmCoverage | null;
  standing: string;
  selector: boolean;
  samples: { row: number[]; joint: number[]; recall: number[]; path: number[]; first_missing: number[] };
}

export interface CrossGroup {
  kind: string;
  name: string;
  n: number;
  cells: Record<string, number>; // "full1 oracle1 real0"
  sparsity_loss: number;
  selector_loss: number;
  luck: number;
  full_minus_real: Estimate | null;
  p_full_real: number;
  p_full_real_holm: number;
  p_oracle_real_holm: number;
}

export interface Cross {
  full: string;
  oracle: string;
  real: string;
  left_out: number;
  groups: CrossGroup[];
}

export interface BudgetStudy {
  selector: string;
  budgets: number[];
  margin: number;
  left_out: number;
  development: number;
  held_out: number;
  chosen: number | null;
  development_difference?: number;
  held_out_difference?: Estimate | null;
  lost?: number;
  gained?: number;
  p?: number;
  bound?: number;
  holds?: boolean;
}

export interface ArmPicture {
  arm: number;
  row: number;
  block: number;
  merged: number; // blocks a column
  context_tokens: number;
  prompt_tokens: number;
  end: number;
  steps: number;
  evidence: { begin: number; end: number; role: string }[];
  layers: { layer: number; dense: boolean; shares: number[] }[]; // percent; -1: seen by no query
}

export interface ArmReading {
  arm: string;
  samples: number;
  steps: { step: string; samples: number; recall: number; joint: number; union_joint: number; hops: number }[];
  words: { samples: number; seen: number; seen_wanted: number; rank_correlation: number | null; gap: number; true_gap: number; told_apart: number } | null;
  variants: { variant: string; samples: number; jaccard: number }[];
}

export interface Readings {
  arms: ArmReading[];
  pairs: { a: string; b: string; samples: number; jaccard: number }[];
}

// The runs of the page are the arms of a study, in their order.
export interface Study {
  arms: StudyArm[];
  budgets: BudgetStudy[];
  crosses: Cross[];
  noise_floor: { samples: number; differ: number } | null;
  verdict: { headline: string; sentences: string[] };
  covered: { measure: string; from: number; below: number; score: Estimate }[];
  pictures: ArmPicture[];
  readings: Readings;
}

export interface PageData {
  format: string;
  version: number;
  made: { by: string; at: string };
  title: string;
  threshold: number;
  confidence: number;
  lengths: { tokens: number; name: string }[];
  tasks: { cell: string; task: string; category: string; metric: string; has_depth: boolean; variant: string }[];
  categories: string[];
  outcomes: { kind: string; label: string; complete: boolean }[];
  marks: { kind: string; label: string }[];
  misses: { kind: string; label: string; sentence: string }[];
  pair_outcomes: string[];
  depth_bins: number;
  prompts: Prompt[];
  runs: Run[];
  comparisons: Comparison[];
  robustness: Spread | null;
  structure: Structure | null;
  arms: Study | null;
}

const kVersion = 2;

export function readPageData(): PageData {
  const holder = document.getElementById("fathom-data");
  const data = JSON.parse(holder?.textContent ?? "") as PageData;
  holder?.replaceChildren();
  if (data.format !== "fathom-page") throw new Error("this page holds no fathom data");
  if (data.version !== kVersion) throw new Error(`this page's data is version ${data.version}; it shows version ${kVersion}`);
  for (const part of [...data.runs, ...data.comparisons]) part.samples = unpackSamples(part.samples as unknown as PackedSamples);
  for (const run of data.runs) run.label = data.arms ? run.name : run.simulated ? `${run.model} (simulated)` : run.model;
  return data;
}

export function sampleId(data: PageData, run: Run, row: number): string {
  const own = run.samples.ids[String(row)];
  if (own !== undefined) return own;
  const cell = run.cells[run.samples.column("cell")[row]!]!;
  return `${data.tasks[cell.task]!.cell}:${data.lengths[cell.length]!.tokens}:${run.samples.column("index")[row]}`;
}

export const runName = (run: Run): string => run.label;
