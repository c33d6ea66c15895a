// What one arm read of one sample, layer by block, with the evidence marked; and the same sample as every other arm read it.
import { armConditions, fullArm, swatch } from "./arm_style";
import { chart, finishChart } from "./chart";
import { type ArmPicture, type PageData, sampleId } from "./data";
import { button, h, select } from "./dom";
import { figure, part, type Rows } from "./figure";
import { count, percent, plural } from "./format";
import { link } from "./selection";
import { svg } from "./svg";

const kLevels = 8; // shades

interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

const columnsOf = (picture: ArmPicture): number => Math.max(1, Math.ceil(picture.end / (picture.block * picture.merged)));
const columnAt = (picture: ArmPicture, token: number): number => token / (picture.block * picture.merged);

// One path a shade, so that a picture of thousands of cells is a handful of elements.
function cells(picture: ArmPicture, { left, top, width, height }: Frame): SVGElement[] {
  const columns = columnsOf(picture);
  const w = width / columns;
  const rowHeight = height / Math.max(1, picture.layers.length);
  const gap = rowHeight > 5 ? 1 : 0;
  const paths = new Array<string>(kLevels + 1).fill("");
  const n = (value: number): string => String(Math.round(value * 100) / 100);
  picture.layers.forEach(({ shares, dense }, row) => {
    const y = n(top + row * rowHeight);
    const high = n(rowHeight - gap);
    if (dense) {
      paths[kLevels] += `M${n(left)} ${y}h${n(width)}v${high}h${n(-width)}z`;
      return;
    }
    for (let from = 0; from < shares.length; ) {
      const level = Math.ceil(((shares[from] ?? -1) / 100) * kLevels);
      let to = from + 1;
      while (to < shares.length && Math.ceil(((shares[to] ?? -1) / 100) * kLevels) === level) ++to;
      if (level > 0) paths[level] += `M${n(left + from * w)} ${y}h${n((to - from) * w)}v${high}h${n(-(to - from) * w)}z`;
      from = to;
    }
  });
  return paths.flatMap((d, level) => (d ? [svg("path", { d, fill: "var(--accent)", "fill-opacity": Math.round((0.1 + (0.9 * level) / kLevels) * 100) / 100 })] : []));
}

function evidenceBands(picture: ArmPicture, { left, top, width, height }: Frame, numbered: boolean): SVGElement[] {
  const columns = columnsOf(picture);
  return picture.evidence.flatMap(({ begin, end }, i) => {
    const from = Math.floor(columnAt(picture, begin));
    const to = Math.max(from + 1, Math.ceil(columnAt(picture, end)));
    const x = left + (from / columns) * width;
    const wide = Math.max(2, ((to - from) / columns) * width);
    const parts = [svg("rect", { x, y: top - 2, width: wide, height: height + 4, fill: "none", stroke: "var(--series-2)", "stroke-width": numbered ? 1.6 : 1 })];
    if (numbered) parts.push(svg("text", { x: x + wide / 2, y: top - 8, "text-anchor": "middle", "font-size": 12, "font-weight": 650, fill: "var(--series-2)" }, picture.evidence.length > 1 ? String(i + 1) : "evidence"));
    return parts;
  });
}

// How a layer read each piece of evidence, as far as its columns say.
function layerWords(picture: ArmPicture, row: number): string {
  const { layer, dense, shares } = picture.layers[row]!;
  if (dense) return `Layer ${layer}\ndense: reads everything`;
  const read = picture.evidence.map(({ begin, end }, i) => {
    const own = shares.slice(Math.floor(columnAt(picture, begin)), Math.max(Math.floor(columnAt(picture, begin)) + 1, Math.ceil(columnAt(picture, end))));
    const least = Math.max(0, Math.min(...own));
    return `${picture.evidence.length > 1 ? `piece ${i + 1}` : "the evidence"}: its least read block in ${least} % of the steps`;
  });
  return [`Layer ${layer}`, ...(read.length ? read : ["the evidence’s place is not on this page"])].join("\n");
}

function large(picture: ArmPicture, label: string): HTMLElement {
  const rows = picture.layers.length;
  return chart((width) => {
    const frame = { left: 46, top: 26, width: width - 56, height: Math.max(80, rows * (width < 480 ? 8 : 12)) };
    const height = frame.top + frame.height + 40;
    const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
    const at = (tokens: number): number => frame.left + (columnAt(picture, tokens) / columnsOf(picture)) * frame.width;
    root.append(svg("rect", { x: frame.left, y: frame.top, width: frame.width, height: frame.height, fill: "var(--panel)" }), ...cells(picture, frame), ...evidenceBands(picture, frame, true));
    picture.layers.forEach(({ layer }, row) => {
      const y = frame.top + (row * frame.height) / rows;
      if (layer % 5 === 0) root.append(svg("text", { x: frame.left - 8, y: y + frame.height / rows / 2 + 4, "text-anchor": "end", "font-size": 11, fill: "var(--quiet)" }, layer === 0 ? "layer 0" : String(layer)));
      root.append(svg("rect", { x: frame.left, y, width: frame.width, height: frame.height / rows, fill: "transparent", "data-tip": layerWords(picture, row) }));
    });
    const marks: [number, string, string][] = [[0, "0", "start"], [picture.context_tokens, "question", "middle"], [picture.end, `${count(picture.end)} tokens`, "end"]];
    if (picture.prompt_tokens < picture.end && at(picture.end) - at(picture.context_tokens) > 190) marks.push([picture.prompt_tokens, "answer", "middle"]);
    for (const [tokens, words, anchor] of marks) {
      if (words === "question" && (tokens <= 0 || at(picture.end) - at(tokens) < 100)) {
        if (tokens > 0) root.append(svg("line", { x1: at(tokens), x2: at(tokens), y1: frame.top, y2: frame.top + frame.height + 5, stroke: "var(--strong-line)" }));
        continue;
      }
      root.append(
        svg("line", { x1: at(tokens), x2: at(tokens), y1: words === "question" || words === "answer" ? frame.top : frame.top + frame.height, y2: frame.top + frame.height + 5, stroke: "var(--strong-line)" }),
        svg("text", { x: at(tokens), y: frame.top + frame.height + 19, "text-anchor": anchor, "font-size": 11.5, fill: "var(--quiet)" }, words),
      );
    }
    return finishChart(root, label);
  });
}

function thumbnail(data: PageData, picture: ArmPicture, chosen: boolean): HTMLElement {
  const arm = data.arms!.arms[picture.arm]!;
  const frame = { left: 0, top: 2, width: 220, height: 74 };
  const root = svg("svg", { class: "chart", viewBox: "0 0 220 78", "aria-hidden": "true" });
  root.append(svg("rect", { x: 0, y: 2, width: 220, height: 74, fill: "var(--panel)" }), ...cells(picture, frame), ...evidenceBands(picture, frame, false));
  const control = button("", () => (location.hash = link({ run: picture.arm, picture: picture.row, at: "picture" })), { class: "thumb", "aria-pressed": String(chosen), "aria-label": `${arm.arm.name}, ${resultOf(data, picture.arm, picture.row)}` });
  control.append(root, h("span", { class: "thumb-name" }, swatch(data, picture.arm), arm.arm.name), h("span", { class: "thumb-result" }, resultOf(data, picture.arm, picture.row)));
  return control;
}

function rowOf(data: PageData, from: number, row: number, to: number): number {
  const id = sampleId(data, data.runs[from]!, row);
  const { samples } = data.runs[to]!;
  for (let other = 0; other < samples.count; ++other) if (sampleId(data, data.runs[to]!, other) === id) return other;
  return -1;
}

function resultOf(data: PageData, run: number, row: number): string {
  const score = row < 0 ? -1 : data.runs[run]!.samples.column("score")[row]!;
  return score >= 1000 ? "right" : score < 0 ? "no answer" : score === 0 ? "wrong" : `${percent(score / 1000)} % right`;
}

function shareWords(data: PageData, picture: ArmPicture): string {
  const { samples } = data.arms!.arms[picture.arm]!;
  const at = samples.row.indexOf(picture.row);
  if (at < 0) return "";
  const missing = samples.first_missing[at]!;
  const steps = `${plural(picture.steps, "step")}`;
  return ` Over its ${steps} it read ${percent(samples.recall[at]! / 1000)} % of the evidence, all of it at once in ${percent(samples.joint[at]! / 1000)} % of steps and layers${missing >= 0 && picture.evidence.length > 1 ? `; no step’s layers got past piece ${missing + 1} in order` : ""}.`;
}

export function picture(data: PageData, run: number, wanted: number): HTMLElement | null {
  const study = data.arms!;
  const { pictures } = study;
  if (pictures.length === 0) return null;
  const idOf = (one: ArmPicture): string => sampleId(data, data.runs[one.arm]!, one.row);
  const ids = [...new Set(pictures.map(idOf))];
  const asked = pictures.find((one) => one.row === wanted && one.arm === run) ?? pictures.find((one) => one.row === wanted);
  const fits = pictures.filter((one) => one.arm === run);
  const full = fullArm(study);
  const lost = (one: ArmPicture): boolean => resultOf(data, one.arm, one.row) !== "right" && resultOf(data, full, rowOf(data, one.arm, one.row, full)) === "right";
  const chosen = asked ?? fits.find(lost) ?? fits[0] ?? pictures.find((one) => study.arms[one.arm]!.selector && lost(one)) ?? pictures[0]!;
  const id = idOf(chosen);
  const same = pictures.filter((one) => idOf(one) === id);
  const name = study.arms[chosen.arm]!.arm.name;
  const inFull = rowOf(data, chosen.arm, chosen.row, full);
  const cell = data.runs[chosen.arm]!.cells[data.runs[chosen.arm]!.samples.column("cell")[chosen.row]!]!;
  const title = `${name} on ${data.tasks[cell.task]!.cell}, ${data.lengths[cell.length]!.name}, number ${data.runs[chosen.arm]!.samples.column("index")[chosen.row]}`;
  const column = chosen.merged > 1 ? `${chosen.merged} blocks of ${chosen.block} tokens, by the one most read` : `a block of ${plural(chosen.block, "token")}`;
  return figure(
    "picture",
    "What was read",
    "Rows are layers, columns the tokens of the prompt and of the answer in order: the stronger the colour, the more of the steps read it. Where the column of the evidence stays pale, the layer did not see it.",
    [
      h("div", { class: "filters" }, select("Sample", ids.map((one): [string, string] => [one, one]), id, (value) => {
        const next = pictures.find((one) => idOf(one) === value && one.arm === chosen.arm) ?? pictures.find((one) => idOf(one) === value)!;
        location.hash = link({ run: next.arm, picture: next.row, at: "picture" });
      })),
      h("h3", {}, title),
      h("p", { class: "note said" }, `Full attention: ${resultOf(data, full, inFull)}. ${name}: ${resultOf(data, chosen.arm, chosen.row)}.${shareWords(data, chosen)} `, h("a", { href: link({ run: chosen.arm, sample: chosen.row }) }, "Its prompt and answers")),
      large(chosen, `${title}: share of the steps that read each block, by layer`),
      h("ul", { class: "legend" },
        h("li", {}, h("span", { class: "scale" }, "read in none of the steps", h("span", { class: "ramp shades", "aria-hidden": "true" }, ...Array.from({ length: kLevels + 1 }, (_, level) => h("span", { style: `opacity:${level === 0 ? 0 : 0.1 + (0.9 * level) / kLevels}` }))), "in all")),
        h("li", {}, h("i", { class: "frame-key" }), "the evidence"),
        h("li", {}, `a column is ${column}`)),
      same.length > 1 ? part("The same sample, every arm", "Choose one to see it large.", h("div", { class: "thumbs" }, ...same.map((one) => thumbnail(data, one, one === chosen)))) : null,
      armConditions(data, [study.arms[chosen.arm]!]),
    ],
    () => rowsOf(chosen),
  );
}

function rowsOf(picture: ArmPicture): Rows {
  const rows: Rows = [["layer", "from_token", "to_token", "percent_of_steps"]];
  const wide = picture.block * picture.merged;
  for (const { layer, dense, shares } of picture.layers) {
    if (dense) rows.push([layer, 0, picture.end, 100]);
    shares.forEach((share, column) => share >= 0 && rows.push([layer, column * wide, Math.min(picture.end, (column + 1) * wide), share]));
  }
  return rows;
}
