// What every chart needs after it is drawn: one name for the whole, none on its inner groups (a group without a role must have none).
export function finishChart(plot: Element, label: string): SVGElement {
  const svg = plot instanceof SVGElement ? plot : plot.querySelector("svg")!;
  svg.classList.add("chart");
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", label);
  for (const group of svg.querySelectorAll("g[aria-label]")) group.removeAttribute("aria-label");
  for (const group of svg.querySelectorAll("[aria-description]")) group.removeAttribute("aria-description");
  return svg;
}
