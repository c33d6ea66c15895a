// The page's data: the types of docs/formats/page.md, and reading it from the page.

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
  outcomes: number[];
  quality: Estimate | null;
  completion: Estimate | null;
  usability: Estimate | null;
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
  quality: Estimate | null;
  usability: Estimate | null;
  tasks_with_quality: number;
  tasks_with_usability: number;
  pool: Tally;
}

export interface Effective {
  kind: string;
  threshold: number;
  length: number;
  low: number;
  high: number;
  first_failing: number;
  words: string;
}

export interface Curve {
  name: string;
  effective: Effective;
  points: CurvePoint[];
}

export interface DepthBin {
  task: number;
  length: number;
  bin: number;
  tally: Tally;
}

export interface Piece {
  text: string;
  role?: string;
  distractor?: boolean;
  answer?: boolean;
}

export interface Case {
  sample: number;
  question: string;
  references: string[];
  found: boolean[];
  answer: string;
  answer_cut: boolean;
  thinking: string;
  detail: string;
  notes: string[];
  total_ms: number;
  output_tokens: number;
  prompt_tokens: number;
  expected_prompt_tokens: number;
  excerpt: { offset: number; pieces: Piece[] }[];
}

export interface Run {
  name: string;
  model: string;
  provider: string;
  suite: string;
  started: string;
  settings: string;
  simulated: boolean;
  verdict: string;
  effective: Effective;
  averages: { average: Estimate | null; increasing: Estimate | null; decreasing: Estimate | null };
  conditions: { group: string; name: string; value: string }[];
  total: Tally;
  cells: Cell[];
  curves: Curve[];
  depth: DepthBin[];
  samples: {
    count: number;
    cell: number[];
    index: number[];
    outcome: number[];
    score: number[];
    depth: number[];
    ids: Record<string, string>;
  };
  cases: Case[];
  cases_left_out: number;
  remake: string;
}

export interface PageData {
  format: string;
  version: number;
  made: { by: string; at: string };
  title: string;
  threshold: number;
  confidence: number;
  lengths: { tokens: number; name: string }[];
  tasks: { cell: string; task: string; category: string; metric: string; has_depth: boolean }[];
  categories: string[];
  outcomes: { kind: string; label: string; complete: boolean }[];
  marks: { kind: string; label: string }[];
  depth_bins: number;
  runs: Run[];
}

const kVersion = 1;

export function readPageData(): PageData {
  const text = document.getElementById("fathom-data")?.textContent ?? "";
  const data = JSON.parse(text) as PageData;
  if (data.format !== "fathom-page") throw new Error("this page holds no fathom data");
  if (data.version > kVersion) throw new Error(`this page's data is version ${data.version}; it can show up to ${kVersion}`);
  return data;
}

export function sampleId(data: PageData, run: Run, row: number): string {
  const own = run.samples.ids[String(row)];
  if (own !== undefined) return own;
  const cell = run.cells[run.samples.cell[row]!]!;
  return `${data.tasks[cell.task]!.cell}:${data.lengths[cell.length]!.tokens}:${run.samples.index[row]}`;
}
