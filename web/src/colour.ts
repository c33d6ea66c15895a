// Colours of numbers. Each value has a colour on white and one on black, and an ink that stands out on it (WCAG 2.1: 4.5 : 1).

type Colour = [number, number, number];

interface Ramp {
  below: Colour[]; // from 0 up to the threshold
  above: Colour[]; // from the threshold up to 1
}

const kLight: Ramp = {
  below: [[160, 105, 31], [219, 184, 120], [247, 237, 215]],
  above: [[221, 233, 243], [120, 170, 210], [20, 88, 143]],
};
const kDark: Ramp = {
  below: [[190, 137, 58], [110, 82, 40], [58, 47, 29]],
  above: [[27, 49, 67], [48, 104, 148], [125, 187, 234]],
};
const kInks: string[] = ["#14202b", "#fcfcfa", "#000000", "#ffffff"];

// Sand up to the threshold, water from it: the step between them is the verdict.
export function scoreStyle(value: number, threshold: number): string {
  const t = Math.min(Math.max(threshold, 0.02), 0.98);
  const side = value >= threshold ? "above" : "below";
  const place = side === "above" ? (value - t) / (1 - t) : value / t;
  return styleOf(along(kLight[side], place), along(kDark[side], place));
}

// Of a difference: sand for less, water for more, strongest from `most` on.
export function differenceStyle(value: number, most = 0.4): string {
  const place = Math.min(1, Math.abs(value) / most);
  if (value >= 0) return styleOf(along(kLight.above, place), along(kDark.above, place));
  return styleOf(along(kLight.below, 1 - place), along(kDark.below, 1 - place));
}

function styleOf(light: Colour, dark: Colour): string {
  return `--l:${css(light)};--li:${inkOn(light)};--d:${css(dark)};--di:${inkOn(dark)}`;
}

function along(stops: Colour[], place: number): Colour {
  const at = Math.min(1, Math.max(0, place)) * (stops.length - 1);
  const from = Math.min(stops.length - 2, Math.floor(at));
  const share = at - from;
  return [0, 1, 2].map((k) => Math.round(stops[from]![k]! + share * (stops[from + 1]![k]! - stops[from]![k]!))) as Colour;
}

const css = (colour: Colour): string => `rgb(${colour.join(" ")})`;

function inkOn(background: Colour): string {
  const contrasts = kInks.map((ink) => contrast(background, [1, 3, 5].map((i) => parseInt(ink.slice(i, i + 2), 16)) as Colour));
  const better = (a: number, b: number): number => (contrasts[a]! >= contrasts[b]! ? a : b);
  const soft = better(0, 1);
  return kInks[contrasts[soft]! >= 4.6 ? soft : better(2, 3)]!;
}

function contrast(a: Colour, b: Colour): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance([r, g, b]: Colour): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(channel: number): number {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

// Runs and categories; the shapes tell them apart without colour.
const kSeries = 6;
export const seriesColour = (i: number): string => `var(--series-${(i % kSeries) + 1})`;
export const kSymbols = ["circle", "square", "triangle", "diamond", "star", "wye"] as const;
export const seriesSymbol = (i: number): (typeof kSymbols)[number] => kSymbols[i % kSymbols.length]!;
