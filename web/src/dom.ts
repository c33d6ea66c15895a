// Building elements. Texts always become text nodes, so untrusted text stays text.

type Child = Node | string | null | undefined | false;
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
