// Numbers as people read them.
import type { Effective, Estimate, PageData, Quantiles } from "./data";

export const percent = (share: number): string => (share * 100).toFixed(share === 1 || share === 0 ? 0 : 1);

// For small places: whole percent, except where rounding would claim a perfect score or none at all.
export function short(share: number): string {
  const whole = Math.round(share * 100);
  return (whole === 100 && share < 1) || (whole === 0 && share > 0) ? (share * 100).toFixed(1) : String(whole);
}

export const interval = (estimate: Estimate): string => `${percent(estimate.low)}–${percent(estimate.high)}`;
export const shortInterval = (estimate: Estimate): string => `${short(estimate.low)}–${short(estimate.high)}`;

export function words(estimate: Estimate | null): string {
  if (estimate === null) return "not measured";
  return `${percent(estimate.value)} % (95 % interval ${interval(estimate)}, n = ${estimate.n}, ${estimate.method})`;
}

// Differences in points of a hundred, with their sign.
export const points = (share: number): string => {
  const value = (Math.abs(share) * 100).toFixed(1);
  return value === "0.0" ? "0.0" : `${share < 0 ? "−" : "+"}${value}`;
};
export const pointsInterval = (estimate: Estimate): string => `${points(estimate.low)} to ${points(estimate.high)}`;

export const count = (n: number): string => Math.round(n).toLocaleString("en-US");
export const plural = (n: number, one: string, many = one + "s"): string => `${count(n)} ${n === 1 ? one : many}`;

export function tokens(n: number): string {
  if (n < 1024 || n % 1024 !== 0) return count(n);
  return n % (1024 * 1024) === 0 ? `${n / 1024 / 1024}M` : `${n / 1024}K`;
}

export function big(n: number): string {
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)} B`;
  return n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : count(n);
}

export function bytes(n: number): string {
  if (n >= 2 ** 30) return `${(n / 2 ** 30).toFixed(1)} GiB`;
  return n >= 2 ** 20 ? `${(n / 2 ** 20).toFixed(1)} MiB` : `${(n / 1024).toFixed(1)} KiB`;
}

export function duration(ms: number): string {
  if (ms <= 0) return "";
  if (ms < 1) return `${ms.toPrecision(2)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return ms < 7_200_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

export function pValue(p: number): string {
  if (p < 0.001) return "< 0.001";
  return p >= 0.995 ? "1" : p.toFixed(p < 0.1 ? 3 : 2);
}

export const quantile = (q: Quantiles, which: "p50" | "p95"): number | null => (q.n > 0 ? (q[which]?.value ?? null) : null);

// The length in as few letters as a headline allows.
export function lengthText(data: PageData, effective: Effective): string {
  if (effective.kind === "above longest") return `≥ ${tokens(effective.length)}`;
  if (effective.kind === "below shortest") return `< ${data.lengths[0]?.name ?? ""}`;
  if (effective.kind === "not measured") return "–";
  if (effective.length === 0) return `< ${data.lengths[0]?.name ?? ""}`;
  return effective.kind === "unresolved" ? `≈ ${tokens(effective.length)}` : tokens(effective.length);
}

// From where to where the intervals leave the length open.
export function lengthRange(data: PageData, effective: Effective): string {
  if (effective.kind === "not measured") return "not measured";
  const name = (length: number): string => (length === 0 ? `below ${data.lengths[0]?.name ?? ""}` : tokens(length));
  const longest = data.lengths[data.lengths.length - 1]?.tokens ?? 0;
  const high = effective.high >= longest ? `${tokens(longest)} or more` : name(effective.high);
  return effective.low === effective.high ? name(effective.low) : `${name(effective.low)} to ${high}`;
}

// What stands below the length: where the fit crosses, or else what the intervals leave; nothing where it would say the same again.
export function lengthDetail(data: PageData, effective: Effective): string {
  const words = effective.crossing?.words ?? lengthRange(data, effective);
  return words === lengthText(data, effective) || words === lengthText(data, effective).replace("≥", ">") ? "" : words;
}

export function csv(rows: (string | number)[][]): string {
  const field = (value: string | number): string => {
    const text = String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join(",")).join("\n") + "\n";
}

// Control characters and marks that turn the writing direction would act unseen: they are shown by name.
export function visible(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => `⟨${c.charCodeAt(0).toString(16).padStart(2, "0")}⟩`);
}
