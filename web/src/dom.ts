// Building elements. Texts always become text nodes, so untrusted text stays text.

export type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | EventListener | null | undefined>;

export function h(tag: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(element: Element, children: Child[]): void {
  for (const child of children) if (child) element.append(child);
}

export function replaceChildren(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

export function button(label: string, onclick: () => void, attributes: Attributes = {}): HTMLElement {
  return h("button", { type: "button", onclick: () => onclick(), ...attributes }, label);
}

export function select(label: string, options: [string, string][], value: string, onchange: (value: string) => void): HTMLElement {
  const control = h("select", { onchange: (event) => onchange((event.target as HTMLSelectElement).value) }) as HTMLSelectElement;
  for (const [key, text] of options) control.append(h("option", { value: key, selected: key === value }, text));
  return h("label", { class: "field" }, h("span", {}, label), control);
}

// Buttons of which one is chosen.
export function choice(label: string, className: string, options: [string, string, string?][], value: string, onchange: (value: string) => void): HTMLElement {
  const box = h("div", { class: className, role: "group", "aria-label": label });
  for (const [key, text, extra] of options) {
    const control = button(text, () => {
      for (const other of box.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === control));
      onchange(key);
    }, { "aria-pressed": String(key === value) });
    if (extra) control.append(h("span", {}, extra));
    box.append(control);
  }
  return box;
}

// A table: head row, then rows whose first cell is their head.
export function sheet(caption: string, head: Child[], rows: { className?: string; cells: Child[] }[], className = ""): HTMLElement {
  return h(
    "table",
    { class: `sheet ${className}`.trim() },
    h("caption", { class: "offscreen" }, caption),
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text || h("span", { class: "offscreen" }, "row"))))),
    h(
      "tbody",
      {},
      ...rows.map(({ className, cells: [first, ...rest] }) =>
        h("tr", { class: className ?? null }, h("th", { scope: "row" }, first), ...rest.map((cell) => (cell instanceof HTMLTableCellElement ? cell : h("td", {}, cell)))),
      ),
    ),
  );
}

export const lines = (first: Child, second: Child): HTMLElement => h("td", {}, first, second ? h("small", {}, second) : null);
