// Puts the page together and follows its address: #run=0&task=3&length=1&sample=17 shows that cell and sample, #at=cost a figure.
import { Casebook } from "./casebook";
import { seriesColour } from "./colour";
import { compare } from "./compare";
import { cost } from "./cost";
import { curves } from "./curves";
import { type PageData, readPageData, runName } from "./data";
import { append, button, h, replaceChildren } from "./dom";
import { effective } from "./effective";
import { failures } from "./failures";
import { masthead } from "./masthead";
import { conditions, method } from "./method";
import { navigation, watchSections } from "./navigation";
import { positions } from "./positions";
import { robustness } from "./robustness";
import { asksForSamples, link, readSelection } from "./selection";
import { startKeys } from "./shortcuts";
import { structure } from "./structure";
import { tasks } from "./tasks";
import { startTheme } from "./theme";
import { startTips } from "./tip";

class Page {
  private readonly root = document.getElementById("page")!;
  private readonly casebook: Casebook;
  private readonly perRun = h("div", { class: "per-run" });
  private readonly perRunEnd = h("div", { class: "per-run" });
  private drawnRun = -1;

  constructor(private readonly data: PageData) {
    this.casebook = new Casebook(data);
    document.title = `${data.title} – fathom`;
    const main = h("main", {});
    append(main, [masthead(data), curves(data), compare(data), this.perRun, structure(data), this.casebook.element, this.perRunEnd, method(data)]);
    main.append(h("footer", {}, `Made by ${data.made.by}${data.made.at ? `, ${data.made.at.replace("T", " ").replace("Z", " UTC")}` : ""}. One file; it asks the network for nothing.`));
    replaceChildren(this.root, main);
  }

  show(): void {
    const selection = readSelection();
    if (selection.run < 0 || selection.run >= this.data.runs.length) selection.run = 0;
    if (selection.run !== this.drawnRun) this.draw(selection.run);
    this.casebook.show(selection);
    const target = selection.at ? document.getElementById(selection.at) : asksForSamples(selection) ? this.casebook.element : null;
    if (!target?.closest("section.figure")) return;
    const casebookSeen = this.casebook.element.contains(document.activeElement);
    if (!(target === this.casebook.element && casebookSeen)) target.scrollIntoView({ block: "start" });
  }

  private draw(run: number): void {
    this.drawnRun = run;
    replaceChildren(this.perRun, this.runChoice(run), tasks(this.data, run), effective(this.data, run), positions(this.data, run), failures(this.data, run), cost(this.data, run), robustness(this.data, run));
    replaceChildren(this.perRunEnd, conditions(this.data, run));
    for (const section of document.querySelectorAll<HTMLElement>("section.figure")) section.dataset.run = String(run);
    document.querySelector(".bar")?.remove();
    this.root.before(navigation());
    watchSections();
  }

  // Which run the figures below are of.
  private runChoice(run: number): HTMLElement | null {
    if (this.data.runs.length < 2) return null;
    return h(
      "div",
      { class: "run-choice" },
      h("p", {}, "The figures below show one run:"),
      h("div", { class: "runs", role: "group", "aria-label": "Run" }, ...this.data.runs.map((one, i) => {
        const control = button("", () => (location.hash = link({ run: i, at: "tasks" })), { "aria-pressed": String(i === run) });
        control.append(h("span", { class: "swatch", style: `--c:${seriesColour(i)}`, "aria-hidden": "true" }), runName(one), this.data.runs.filter((other) => other.model === one.model).length > 1 ? ` (${one.name})` : "");
        return control;
      })),
    );
  }
}

startTheme();
try {
  const page = new Page(readPageData());
  page.show();
  window.addEventListener("hashchange", () => page.show());
  startTips();
  startKeys();
} catch (error) {
  document.getElementById("page")!.append(h("p", { class: "simulated" }, `This report cannot be shown: ${String(error)}`));
}
