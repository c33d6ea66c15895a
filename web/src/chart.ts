// What every chart has in common: it is drawn as wide as its place, named as a whole, and its points carry their notes.
import { h } from "./dom";

const kFirstWidth = 1056;
const kNarrowest = 280;

export function finishChart(plot: Element, label: string): SVGElement {
  const svg = plot instanceof SVGElement ? plot : plot.querySelector("svg")!;
  svg.setAttribute("class", "chart");
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", label);
  // A group without a role must have no name.
  for (const group of svg.querySelectorAll("g[aria-label]")) group.removeAttribute("aria-label");
  for (const group of svg.querySelectorAll("[aria-description]")) group.removeAttribute("aria-description");
  for (const style of svg.querySelectorAll("style")) style.remove();
  for (const title of svg.querySelectorAll("title")) {
    const mark = title.parentElement!;
    const holder = mark.closest("a") ?? mark;
    holder.setAttribute("data-tip", title.textContent ?? "");
    title.remove();
  }
  for (const anchor of svg.querySelectorAll("a")) {
    const named = anchor.querySelector("[aria-label]");
    if (!named) continue;
    anchor.setAttribute("aria-label", named.getAttribute("aria-label")!);
    named.removeAttribute("aria-label");
  }
  return svg;
}

// `draw` is called with the width there is, again whenever that changes.
export function chart(draw: (width: number) => SVGElement, firstWidth = kFirstWidth): HTMLElement {
  let drawn = firstWidth;
  const holder = h("div", { class: "chart-holder" });
  holder.append(draw(drawn));
  new ResizeObserver(([entry]) => {
    const width = Math.max(kNarrowest, Math.round(entry!.contentRect.width));
    if (entry!.contentRect.width === 0 || Math.abs(width - drawn) < 4) return;
    drawn = width;
    holder.replaceChildren(draw(width));
  }).observe(holder);
  return holder;
}

// Labels beside points, each at the first place where it hides no other: places of points in, moves down out; null: there is no room.
export function besidePoints(points: { x: number; y: number; name: string }[], letter = 6.4, height = 14): (number | null)[] {
  const taken: { left: number; right: number; y: number }[] = points.map(({ x, y }) => ({ left: x - 5, right: x + 5, y }));
  return points.map(({ x, y, name }, i) => {
    for (const move of [0, -height, height, -2 * height, 2 * height]) {
      const box = { left: x + 8, right: x + 12 + name.length * letter, y: y + move };
      if (taken.some((other, k) => k !== i && box.left < other.right && other.left < box.right && Math.abs(other.y - box.y) < height - 1)) continue;
      taken.push(box);
      return move;
    }
    return null;
  });
}

// Labels at the ends of lines, moved apart so that they do not overlap: places in, places out, in the same order.
export function spread(places: number[], gap: number, lowest: number, highest: number): number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]!);
  const out = [...places];
  order.forEach((i, k) => {
    out[i] = Math.max(places[i]!, k === 0 ? lowest : out[order[k - 1]!]! + gap);
  });
  let limit = highest;
  for (const i of [...order].reverse()) {
    out[i] = Math.min(out[i]!, limit);
    limit = out[i]! - gap;
  }
  return out;
}
