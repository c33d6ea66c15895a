// The bar at the top: the parts of the page, and which one is being read.
import { h } from "./dom";
import { svg } from "./svg";
import { themeToggle } from "./theme";

const kNames: Record<string, string> = {
  arms: "Arms",
  losses: "Losses",
  coverage: "Coverage",
  frontier: "Frontier",
  budgets: "Budgets",
  layers: "Layers",
  agreement: "Agreement",
  picture: "Picture",
  curves: "Curve",
  compare: "Compared",
  tasks: "Tasks",
  effective: "Length",
  depth: "Position",
  failures: "Failures",
  cost: "Cost",
  robustness: "Robustness",
  structure: "Structure",
  samples: "Casebook",
  conditions: "Conditions",
  method: "Method",
};

function jumpTo(id: string): EventListener {
  return (event) => {
    event.preventDefault();
    const target = document.getElementById(id);
    target?.scrollIntoView();
    target?.querySelector<HTMLElement>("a, button, summary, [tabindex]")?.focus({ preventScroll: true });
  };
}

export function navigation(): HTMLElement {
  const present = [...document.querySelectorAll("section.figure")].map((section) => section.id).filter((id) => id in kNames);
  const mark = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" });
  mark.append(svg("path", { d: "M1 3h14v2.4H1zm2.6 4.4h8.8v2.4H3.6zm2.6 4.4h3.6v2.4H6.2z", fill: "currentColor" }));
  const brand = h("a", { class: "brand", href: "#", onclick: (event) => (event.preventDefault(), scrollTo({ top: 0 })) });
  brand.append(mark, "fathom");
  return h(
    "header",
    { class: "bar" },
    h("a", { class: "skip", href: "#", onclick: jumpTo("samples") }, "Skip to the casebook"),
    h("div", { class: "bar-inner" }, brand, h("nav", { "aria-label": "Parts of the report" }, ...present.map((id) => h("a", { href: "#", "data-part": id, onclick: jumpTo(id) }, kNames[id]!))), themeToggle()),
  );
}

let watching: IntersectionObserver | null = null;

export function watchSections(): void {
  watching?.disconnect();
  watching = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of document.querySelectorAll(".bar nav a")) {
        if (link.getAttribute("data-part") === entry.target.id) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    }
  }, { rootMargin: "-12% 0px -80% 0px" });
  for (const section of document.querySelectorAll("section.figure")) watching.observe(section);
}
