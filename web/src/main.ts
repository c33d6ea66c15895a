// Puts the page together and follows its address: #run=0&task=3&length=1&sample=17 shows that cell and sample, #at=cost a figure.
import { runStyle } from "./arm_style";
import { agreement } from "./agreement";
import { arms } from "./arms";
import { budgets } from "./budgets";
import { Casebook } from "./casebook";
import { compare } from "./compare";
import { cost } from "./cost";
import { curves } from "./curves";
import { type PageData, readPageData, runName } from "./data";
import { append, button, h, replaceChildren } from "./dom";
import { effective } from "./effective";
import { failures } from "./failures";
import { frontier } from "./frontier";
import { losses } from "./losses";
import { masthead } from "./masthead";
import { conditions, method } from "./method";
import { navigation, watchSections } from "./navigation";
import { picture } from "./picture";
import { positions } from "./positions";
import { layers, reading } from "./reading";
import { robustness } from "./robustness";
import { asksForSamples, link, readSelection, type Selection } from "./selection";
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
  private readonly losses = h("div", {});
  private readonly picture = h("div", {});
  private drawnRun = -1;
  private drawnPicture = -2;

  constructor(private readonly data: PageData) {
    this.casebook = new Casebook(data);
    document.title = `${data.title} – fathom`;
    const main = h("main", {});
    append(main, data.arms
      ? [masthead(data), arms(data), this.losses, reading(data), frontier(data), budgets(data), layers(data), agreement(data), this.picture, this.casebook.element, curves(data), compare(data), this.perRun, this.perRunEnd, method(data)]
      : [masthead(data), curves(data), compare(data), this.perRun, structure(data), this.casebook.element, this.perRunEnd, method(data)]);
    main.append(h("footer", {}, `Made by ${data.made.by}${data.made.at ? `, ${data.made.at.replace("T", " ").replace("Z", " UTC")}` : ""}. One file; it asks the network for nothing.`));
    replaceChildren(this.root, main);
  }

  show(): void {
    const selection = readSelection();
    if (selection.run < 0 || selection.run >= this.data.runs.length) selection.run = 0;
    if (selection.run !== this.drawnRun || selection.picture !== this.drawnPicture) this.draw(selection);
    this.casebook.show(selection);
    const target = selection.at ? document.getElementById(selection.at) : asksForSamples(selection) ? this.casebook.element : null;
    if (!target?.closest("section.figure")) return;
    const casebookSeen = this.casebook.element.contains(document.activeElement);
    if (!(target === this.casebook.element && casebookSeen)) target.scrollIntoView({ block: "start" });
  }

  private draw({ run, picture: row }: Selection): void {
    if (this.data.arms) {
      replaceChildren(this.losses, losses(this.data, run));
      replaceChildren(this.picture, picture(this.data, run, row));
    }
    this.drawnRun = run;
    this.drawnPicture = row;
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
      h("p", {}, this.data.arms ? "The figures below show one arm:" : "The figures below show one run:"),
      h("div", { class: "runs", role: "group", "aria-label": this.data.arms ? "Arm in full" : "Run" }, ...this.data.runs.map((one, i) => {
        const control = button("", () => (location.hash = link({ run: i, at: "tasks" })), { "aria-pressed": String(i === run) });
        control.append(h("span", { class: "swatch", style: `--c:${runStyle(this.data, i).colour}`, "aria-hidden": "true" }), runName(one), runName(one) !== one.name && this.data.runs.filter((other) => other.model === one.model).length > 1 ? ` (${one.name})` : "");
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
