// A figure with its title, its explanation, and its numbers and picture to take away.
import { button, h } from "./dom";
import { csv } from "./format";
import { link } from "./selection";
import { pngOf, snapshot } from "./snapshot";
import { copyImage, copyText, save } from "./take_away";

export type Rows = (string | number)[][];

export function figure(id: string, title: string, note: string, content: (Node | null)[], rows: (() => Rows) | null): HTMLElement {
  const body = h("div", { class: "figure-body" });
  for (const part of content) if (part) body.append(part);
  const section = h("section", { class: "figure", id, "aria-labelledby": id + "-title" });
  section.append(
    h("div", { class: "figure-head" }, h("h2", { id: id + "-title" }, title), menu(id, title, section, rows)),
    h("p", { class: "note" }, note),
    body,
  );
  return section;
}

function menu(id: string, title: string, section: HTMLElement, rows: (() => Rows) | null): HTMLElement {
  const status = h("span", { class: "copied", role: "status" });
  const box = h("details", { class: "menu" }) as HTMLDetailsElement;
  const say = (text: string): void => {
    status.textContent = text;
    setTimeout(() => (status.textContent = ""), 2500);
  };
  const item = (label: string, action: () => Promise<string> | string): HTMLElement =>
    button(label, () => {
      box.open = false;
      void Promise.resolve(action()).then(say, () => say("this browser cannot draw it"));
    });
  const svg = (): string => snapshot(section, false).svg;
  const png = (): Promise<Blob> => pngOf(snapshot(section, true));
  const address = (): string => location.href.replace(/#.*$/, "") + link({ run: Number(section.dataset.run ?? 0), at: id });
  box.append(
    h("summary", { "aria-label": `Take away: ${title}` }, "Copy"),
    h(
      "div",
      { class: "menu-items" },
      rows ? item("Copy CSV", () => copyText(csv(rows()))) : null,
      item("Copy PNG", () => copyImage(id + ".png", png())),
      item("Copy SVG", () => copyText(svg())),
      item("Save PNG", async () => save(id + ".png", await png())),
      item("Save SVG", () => save(id + ".svg", new Blob([svg()], { type: "image/svg+xml" }))),
      item("Copy link", () => copyText(address())),
    ),
  );
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    box.open = false;
    box.querySelector("summary")!.focus();
    event.stopPropagation();
  });
  document.addEventListener("click", (event) => {
    if (!box.contains(event.target as Node)) box.open = false;
  });
  return h("div", { class: "tools" }, status, box);
}

// A part of a figure below its main picture.
export function part(title: string, note: string, ...content: (Node | null)[]): HTMLElement {
  const box = h("div", { class: "part" }, h("h3", {}, title), note ? h("p", { class: "note" }, note) : null);
  for (const one of content) if (one) box.append(one);
  return box;
}

export function scrolling(label: string, content: Node): HTMLElement {
  const box = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label });
  box.append(content);
  return box;
}
