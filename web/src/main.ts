// Puts the page together and follows its address: #run=0&task=3&length=1&sample=17 shows that cell and sample.
import { conditions, method } from "./conditions";
import { curves, runName } from "./curves";
import { type PageData, readPageData } from "./data";
import { append, h, replaceChildren, select } from "./dom";
import { depthHeatmap, taskHeatmap } from "./heatmap";
import { outcomes } from "./outcomes";
import { SampleBrowser } from "./samples";
import { everything, link, readSelection, type Selection } from "./selection";
import { verdict } from "./verdict";

function jumpTo(id: string): EventListener {
  return (event) => {
    event.preventDefault();
    document.getElementById(id)?.scrollIntoView();
  };
}

function navigation(): HTMLElement {
  const parts: [string, string][] = [
    ["curves", "Curve"],
    ["tasks", "Tasks"],
    ["depth", "Depth"],
    ["outcomes", "Outcomes"],
    ["samples", "Samples"],
    ["conditions", "Conditions"],
    ["method", "Method"],
  ];
  return h("nav", { "aria-label": "Parts of the report" }, ...parts.map(([id, name]) => h("a", { href: "#", onclick: jumpTo(id) }, name)));
}

function header(data: PageData, run: number): HTMLElement {
  const chosen = data.runs[run]!;
  const choice =
    data.runs.length > 1
      ? select("Run", data.runs.map((one, i): [string, string] => [String(i), `${runName(one)} · ${one.name}`]), String(run), (v) => (location.hash = link(everything(Number(v)))))
      : null;
  return h(
    "header",
    {},
    h("a", { class: "skip", href: "#", onclick: jumpTo("samples") }, "Skip to the samples"),
    h("div", { class: "brand" }, h("span", { class: "mark", "aria-hidden": "true" }), "fathom"),
    h("h1", {}, runName(chosen)),
    h("p", { class: "note" }, [chosen.suite, chosen.settings, chosen.started.slice(0, 10)].filter(Boolean).join(" · ")),
    choice,
    navigation(),
  );
}

class Page {
  private readonly root = document.getElementById("page")!;
  private readonly browser: SampleBrowser;
  private drawnRun = -1;

  constructor(private readonly data: PageData) {
    this.browser = new SampleBrowser(data);
    document.title = `${data.title} – fathom`;
  }

  show(): void {
    const selection = readSelection();
    if (selection.run < 0 || selection.run >= this.data.runs.length) selection.run = 0;
    if (selection.run !== this.drawnRun) this.draw(selection.run);
    this.browser.show(selection);
    if (isNarrowed(selection)) this.browser.element.scrollIntoView({ block: "start" });
  }

  private draw(run: number): void {
    this.drawnRun = run;
    replaceChildren(this.root, header(this.data, run));
    const main = h("main", {});
    append(main, [
      verdict(this.data, run),
      curves(this.data, run),
      taskHeatmap(this.data, run),
      depthHeatmap(this.data, run),
      outcomes(this.data, run),
      this.browser.element,
      conditions(this.data.runs[run]!),
      method(this.data),
    ]);
    this.root.append(main);
  }
}

function isNarrowed(selection: Selection): boolean {
  return JSON.stringify(selection) !== JSON.stringify(everything(selection.run)) && location.hash !== "";
}

try {
  const page = new Page(readPageData());
  page.show();
  window.addEventListener("hashchange", () => page.show());
} catch (error) {
  document.getElementById("page")!.append(h("p", { class: "warning" }, `This report cannot be shown: ${String(error)}`));
}
