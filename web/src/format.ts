// Numbers and marks as people read them.
import type { Estimate, PageData, Cell } from "./data";

export const percent = (share: number): string => (share * 100).toFixed(share === 1 || share === 0 ? 0 : 1);

export const interval = (estimate: Estimate): string => `${percent(estimate.low)}–${percent(estimate.high)}`;

export function words(estimate: Estimate | null): string {
  if (estimate === null) return "not measured";
  return `${percent(estimate.value)} % (95 % interval ${interval(estimate)}, n = ${estimate.n}, ${estimate.method})`;
}

export const count = (n: number): string => n.toLocaleString("en-US");

export function duration(ms: number): string {
  if (ms <= 0) return "";
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

// Different signs for different reasons of having no score, beside their words in the legend.
const kSigns: Record<string, string> = {
  score: "",
  zero: "0",
  "not-run": "·",
  "no-samples": "",
  "out-of-memory": "M",
  "timed-out": "T",
  "over-window": "W",
  failed: "✕",
};

export function cellSign(data: PageData, cell: Cell): string {
  return kSigns[data.marks[cell.mark]?.kind ?? "score"] ?? "?";
}

export const markSigns = (): [string, string][] => Object.entries(kSigns).filter(([, sign]) => sign !== "");

// Black and white stand out equally (4.6 : 1) from this luminance; each wins on its side (WCAG 2.1).
const kEqualContrast = Math.sqrt(1.05 * 0.05) - 0.05;

type Colour = [number, number, number];

// Rust for failing, sand at the threshold, teal for right: told apart by every common kind of colour sight, and each cell carries
// its number too.
function stops(threshold: number): [number, Colour][] {
  return [
    [0, [140, 45, 25]],
    [threshold * 0.6, [217, 121, 66]],
    [threshold, [240, 222, 184]],
    [1, [20, 110, 105]],
  ];
}

export function scoreColour(value: number, threshold: number): { background: string; ink: string } {
  const scale = stops(Math.min(Math.max(threshold, 0.05), 0.98));
  let [r, g, b]: Colour = scale[scale.length - 1]![1];
  for (let i = 1; i < scale.length; ++i) {
    const [from, low] = scale[i - 1]!;
    const [to, high] = scale[i]!;
    if (value > to && i + 1 < scale.length) continue;
    const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
    [r, g, b] = [0, 1, 2].map((k) => Math.round(low[k]! + share * (high[k]! - low[k]!))) as Colour;
    break;
  }
  const luminance = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  return { background: `rgb(${r} ${g} ${b})`, ink: luminance > kEqualContrast ? "#000" : "#fff" };
}

function linear(channel: number): number {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

export function csv(rows: (string | number)[][]): string {
  const field = (value: string | number): string => {
    const text = String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join(",")).join("\n") + "\n";
}
