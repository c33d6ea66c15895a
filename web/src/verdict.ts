// The head of the page: what was found, in words, and the few numbers behind it.
import type { Estimate, PageData, Run } from "./data";
import { h } from "./dom";
import { count, interval, percent } from "./format";
import { link } from "./selection";

function number(label: string, value: string, detail: string, href: string | null = null): HTMLElement {
  const body = [h("span", { class: "big" }, value), h("span", { class: "label" }, label), h("span", { class: "detail" }, detail)];
  return href ? h("a", { class: "number", href }, ...body) : h("div", { class: "number" }, ...body);
}

const share = (estimate: Estimate | null): [string, string] =>
  estimate === null ? ["–", "not measured"] : [`${percent(estimate.value)} %`, `95 %: ${interval(estimate)}`];

function lengthText(data: PageData, run: Run): string {
  const { kind, length } = run.effective;
  const name = (tokens: number): string => data.lengths.find((l) => l.tokens === tokens)?.name ?? count(tokens);
  if (kind === "above longest") return `≥ ${name(length)}`;
  if (kind === "below shortest") return `< ${data.lengths[0]?.name ?? ""}`;
  if (kind === "not measured" || length === 0) return "–";
  return kind === "unresolved" ? `≈ ${name(length)}` : name(length);
}

export function verdict(data: PageData, index: number): HTMLElement {
  const run = data.runs[index]!;
  const [average, averageDetail] = share(run.averages.average);
  const [completion, completionDetail] = share(run.total.completion);
  const notRun = run.total.samples - run.total.attempted;
  const samples = notRun > 0 ? `${count(notRun)} not run yet` : `${count(run.total.completed)} completed`;
  return h(
    "section",
    { class: "verdict", "aria-label": "Verdict" },
    run.simulated ? h("p", { class: "warning" }, "Simulated reader: no real model gave these answers.") : null,
    h("p", { class: "sentence" }, run.verdict),
    h(
      "div",
      { class: "numbers" },
      number("effective length", lengthText(data, run), run.effective.words),
      number("mean over lengths", average, averageDetail),
      number("requests completed", completion, completionDetail, link({ run: index, result: "incomplete" })),
      number("samples", count(run.total.samples), samples, link({ run: index })),
    ),
  );
}
