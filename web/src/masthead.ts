// The head of the page: what was found, in words, and the few numbers behind it.
import { studyGlance, studyVerdict } from "./arms";
import { seriesColour } from "./colour";
import { type Estimate, type PageData, type Run, runName } from "./data";
import { type Child, h, lines, sheet } from "./dom";
import { big, count, duration, interval, lengthDetail, lengthText, percent, plural, quantile } from "./format";
import { link } from "./selection";

function item(label: string, value: string, detail: string, href: string): HTMLElement {
  return h("a", { class: "glance-item", href }, h("span", { class: "label" }, label), h("span", { class: "big" }, value), h("span", { class: "detail" }, detail));
}

const share = (estimate: Estimate | null): [string, string] => (estimate === null ? ["–", "not measured"] : [`${percent(estimate.value)} %`, `95 %: ${interval(estimate)}`]);

// What the run took, where the server said so.
function cost(run: Run): [string, string] | null {
  const all = run.spending?.all;
  if (!all || (all.input.n === 0 && all.total_ms.n === 0)) return null;
  const middle = quantile(all.total_ms, "p50");
  const time = middle === null ? "" : `median ${duration(middle)} an answer`;
  if (all.input.n === 0) return [duration(all.total_ms.sum), time];
  return [`${big(all.input.sum + all.output.sum)}`, [`tokens, ${big(all.output.sum)} of them written`, time].filter(Boolean).join("; ")];
}

function sampleText(run: Run): [string, string] {
  const { samples, attempted, completed } = run.total;
  const open = samples - attempted;
  return [count(samples), open > 0 ? `${count(open)} not run yet` : `${count(completed)} answered`];
}

function glance(data: PageData, run: Run): HTMLElement {
  const [average, averageDetail] = share(run.averages.average);
  const [completion, completionDetail] = share(run.total.completion);
  const [samples, sampleDetail] = sampleText(run);
  const spent = cost(run);
  const range = lengthDetail(data, run.effective);
  return h(
    "div",
    { class: "glance" },
    item("Effective length", lengthText(data, run.effective), ["tokens", range].filter(Boolean).join("; "), link({ at: "effective" })),
    item("Mean over lengths", average, averageDetail, link({ at: "curves" })),
    item("Requests completed", completion, completionDetail, link({ result: "failed" })),
    item("Samples", samples, sampleDetail, link({ at: "samples" })),
    spent ? item("Tokens spent", spent[0], spent[1], link({ at: "cost" })) : null,
  );
}

function glanceTable(data: PageData): HTMLElement {
  const cells = data.runs.map((run, i) => {
    const [average, averageDetail] = share(run.averages.average);
    const [completion, completionDetail] = share(run.total.completion);
    const [samples, sampleDetail] = sampleText(run);
    const spent = cost(run);
    const name: Child = h("a", { href: link({ run: i, at: "tasks" }) }, h("span", { class: "swatch", style: `--c:${seriesColour(i)}`, "aria-hidden": "true" }), runName(run));
    return {
      cells: [
        h("span", {}, name, h("small", {}, run.settings)),
        lines(h("b", {}, lengthText(data, run.effective)), lengthDetail(data, run.effective)),
        lines(average, averageDetail),
        lines(completion, completionDetail),
        lines(samples, sampleDetail),
        lines(spent?.[0] ?? "–", spent?.[1] ?? "not reported"),
      ],
    };
  });
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "At a glance" }, sheet("At a glance", ["run", "effective length", "mean over lengths", "requests completed", "samples", "tokens spent"], cells));
}

export function masthead(data: PageData): HTMLElement {
  const study = data.arms;
  const several = data.runs.length > 1;
  const suites = [...new Set(data.runs.map((run) => run.suite))].join(", ");
  const dates = [...new Set(data.runs.map((run) => run.started.slice(0, 10)).filter(Boolean))].sort().join(", ");
  const [only] = data.runs;
  const facts = [`suite ${suites}`, study ? `study of ${plural(data.runs.length, "arm")}` : several ? plural(data.runs.length, "run") : only!.settings, study ? only!.settings : "", dates].filter(Boolean).join(" · ");
  const names = study ? [data.title] : [...new Set(data.runs.map(runName))];
  const head = names.length === 2 ? names.join(" against ") : names.join(", ");
  return h(
    "div",
    { class: "masthead" },
    h("h1", {}, head),
    h("p", { class: "settings" }, facts),
    h(
      "div",
      { class: "verdicts", role: "group", "aria-label": "Verdict" },
      data.runs.some((run) => run.simulated) ? h("p", { class: "simulated" }, "Simulated reader: no real model gave these answers.") : null,
      study ? studyVerdict(study) : several
        ? h("ul", {}, ...data.runs.map((run, i) => h("li", {}, h("span", { class: "swatch", style: `--c:${seriesColour(i)}`, "aria-hidden": "true" }), h("div", {}, h("p", { class: "verdict" }, run.headline), h("p", { class: "verdict-details" }, run.details)))))
        : h("div", {}, h("p", { class: "verdict" }, only!.headline), h("p", { class: "verdict-details" }, only!.details)),
    ),
    study ? studyGlance(data) : several ? glanceTable(data) : glance(data, only!),
  );
}
