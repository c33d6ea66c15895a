// A figure with its title, its explanation, and its numbers to take away.
import { button, h } from "./dom";
import { csv } from "./format";

export type Rows = (string | number)[][];

export function figure(id: string, title: string, note: string, content: Node[], rows: () => Rows): HTMLElement {
  const status = h("span", { class: "copied", role: "status" });
  const say = (text: string): void => {
    status.textContent = text;
    setTimeout(() => (status.textContent = ""), 2500);
  };
  const body = h("div", { class: "figure-body" });
  body.append(...content);
  const tools = h("div", { class: "tools" }, status, button("Copy CSV", () => void copy(csv(rows())).then(say)));
  if (body.querySelector("svg.chart")) {
    tools.append(button("Save SVG", () => save(id + ".svg", new Blob([svgText(body)], { type: "image/svg+xml" }))));
    tools.append(button("Save PNG", () => void savePng(id + ".png", body).catch(() => say("this browser cannot draw it"))));
  }
  return h(
    "section",
    { class: "figure", id, "aria-labelledby": id + "-title" },
    h("div", { class: "figure-head" }, h("h2", { id: id + "-title" }, title), tools),
    h("p", { class: "note" }, note),
    body,
  );
}

async function copy(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    const area = h("textarea", { class: "offscreen", "aria-hidden": "true" }) as HTMLTextAreaElement;
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done ? "copied" : "this browser does not allow copying";
  }
}

export function copyButton(label: string, text: string): HTMLElement {
  const control = button(label, () => void copy(text).then((said) => {
    control.textContent = said;
    setTimeout(() => (control.textContent = label), 1500);
  }));
  return control;
}

// The chart alone, with the colours it has now written into it.
function svgText(body: Element): string {
  const svg = body.querySelector("svg.chart")!.cloneNode(true) as SVGElement;
  const style = getComputedStyle(body);
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("color", style.color);
  svg.setAttribute("style", `background:${getComputedStyle(document.body).backgroundColor};font-family:sans-serif`);
  return new XMLSerializer().serializeToString(svg).replace(/var\((--[a-z0-9-]+)\)/g, (_, name: string) => style.getPropertyValue(name).trim());
}

async function savePng(name: string, body: Element): Promise<void> {
  const svg = body.querySelector("svg.chart")!;
  const scale = 2;
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svgText(body));
  await image.decode();
  const canvas = h("canvas", { width: svg.clientWidth * scale, height: svg.clientHeight * scale }) as HTMLCanvasElement;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
  if (blob) save(name, blob);
}

function save(name: string, blob: Blob): void {
  const anchor = h("a", { href: URL.createObjectURL(blob), download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL((anchor as HTMLAnchorElement).href), 1000);
}
