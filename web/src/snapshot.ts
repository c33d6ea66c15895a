// A figure as one SVG image, drawn from what the browser shows: backgrounds, rules, texts and charts at their places.

const kMargin = 28;
const kSkipped = ".tools, .offscreen, .runs, .chips, .filters, select, button, input, label, .tip, [hidden], .export-skip";
const kNs = "http://www.w3.org/2000/svg";

interface Canvas {
  root: SVGSVGElement;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Snapshot {
  svg: string;
  width: number;
  height: number;
}

export function snapshot(figure: Element, withFonts: boolean): Snapshot {
  const box = figure.getBoundingClientRect();
  const root = document.createElementNS(kNs, "svg");
  const canvas: Canvas = { root, left: box.left - kMargin, top: box.top - kMargin, right: box.right, bottom: box.top };
  const paper = element(root, "rect", { width: "100%", height: "100%", fill: resolved("var(--paper)") });
  void paper;
  draw(figure, canvas);
  const width = Math.ceil(canvas.right - canvas.left + kMargin);
  const height = Math.ceil(canvas.bottom - canvas.top + kMargin);
  for (const [name, value] of Object.entries({ xmlns: kNs, width, height, viewBox: `0 0 ${width} ${height}` })) root.setAttribute(name, String(value));
  if (withFonts) root.prepend(Object.assign(document.createElementNS(kNs, "style"), { textContent: fontRules() }));
  return { svg: new XMLSerializer().serializeToString(root), width, height };
}

function draw(node: Element, canvas: Canvas): void {
  if (node.matches(kSkipped)) return;
  const style = getComputedStyle(node);
  if (style.display === "none" || style.visibility === "hidden") return;
  if (node instanceof SVGSVGElement) return drawChart(node, canvas);
  const box = node.getBoundingClientRect();
  if (box.width > 0 && box.height > 0) drawBox(box, style, canvas);
  for (const child of node.childNodes) {
    if (child instanceof Element) draw(child, canvas);
    else if (child.nodeType === Node.TEXT_NODE && child.textContent!.trim() !== "") drawText(child, style, canvas);
  }
}

function extend(canvas: Canvas, box: { right: number; bottom: number }): void {
  canvas.right = Math.max(canvas.right, box.right);
  canvas.bottom = Math.max(canvas.bottom, box.bottom);
}

function drawBox(box: DOMRect, style: CSSStyleDeclaration, canvas: Canvas): void {
  const filled = !/rgba\(.*, 0\)|transparent/.test(style.backgroundColor);
  const place = { x: box.left - canvas.left, y: box.top - canvas.top, width: box.width, height: box.height, rx: parseFloat(style.borderTopLeftRadius) || 0 };
  if (filled) element(canvas.root, "rect", { ...place, fill: style.backgroundColor });
  const ring = /inset/.test(style.boxShadow) || style.borderTopStyle === "dashed";
  if (ring) element(canvas.root, "rect", { ...place, fill: "none", stroke: resolved("var(--strong-line)"), "stroke-dasharray": style.borderTopStyle === "dashed" ? "4 3" : "none" });
  if (style.borderBottomStyle === "solid" && parseFloat(style.borderBottomWidth) > 0 && style.borderTopStyle !== "dashed") {
    const y = box.bottom - canvas.top - 0.5;
    element(canvas.root, "line", { x1: place.x, x2: place.x + place.width, y1: y, y2: y, stroke: style.borderBottomColor });
  }
  if (filled || ring) extend(canvas, box);
}

// Word by word, so that lines break where the browser broke them.
function drawText(node: Node, style: CSSStyleDeclaration, canvas: Canvas): void {
  const text = node.textContent!;
  const range = document.createRange();
  const ascent = ascentOf(style);
  for (const word of text.matchAll(/\S+/g)) {
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue;
    const upright = !style.writingMode.startsWith("vertical");
    const x = box.left - canvas.left;
    const y = box.top - canvas.top;
    const place: Record<string, string | number> = upright ? { x, y: y + ascent } : { transform: `translate(${x + box.width * 0.75} ${y + box.height}) rotate(-90)` };
    const put = element(canvas.root, "text", {
      ...place,
      fill: style.color,
      "font-family": style.fontFamily,
      "font-size": style.fontSize,
      "font-weight": style.fontWeight,
      "font-style": style.fontStyle,
    });
    put.textContent = word[0];
    extend(canvas, box);
  }
}

const measuring = document.createElement("canvas").getContext("2d");

function ascentOf(style: CSSStyleDeclaration): number {
  const size = parseFloat(style.fontSize);
  if (!measuring) return size * 0.95;
  measuring.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  return measuring.measureText("x").fontBoundingBoxAscent || size * 0.95;
}

function drawChart(chart: SVGSVGElement, canvas: Canvas): void {
  const box = chart.getBoundingClientRect();
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const style = getComputedStyle(chart);
  const place = { x: box.left - canvas.left, y: box.top - canvas.top, width: box.width, height: box.height };
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value));
  copy.setAttribute("color", style.color);
  copy.setAttribute("font-family", style.fontFamily);
  copy.style.overflow = "visible";
  for (const one of [copy, ...copy.querySelectorAll("*")])
    for (const attribute of [...one.attributes])
      if (attribute.value.includes("var(--")) one.setAttribute(attribute.name, resolved(attribute.value));
  canvas.root.append(copy);
  extend(canvas, box);
}

function resolved(value: string): string {
  const style = getComputedStyle(document.documentElement);
  return value.replace(/var\((--[a-z0-9-]+)\)/g, (_, name: string) => style.getPropertyValue(name).trim());
}

function element(parent: Element, tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(kNs, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, typeof value === "number" ? String(Math.round(value * 10) / 10) : value);
  parent.append(made);
  return made;
}

function fontRules(): string {
  const rules: string[] = [];
  for (const sheet of document.styleSheets) for (const rule of sheet.cssRules) if (rule instanceof CSSFontFaceRule) rules.push(rule.cssText);
  return rules.join("\n");
}

export async function pngOf({ svg, width, height }: Snapshot, scale = 2): Promise<Blob> {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no image"))), "image/png"));
}
