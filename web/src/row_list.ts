// A list of any length of which only what is seen is drawn; the arrow keys walk it.
import { h } from "./dom";

const kRowHeight = 46;
const kBeyond = 8; // rows drawn above and below what is seen

export interface ListedRow {
  className: string;
  sign: string;
  signName: string;
  title: string;
  detail: string;
  side: string;
  href: string;
}

export class RowList {
  readonly element = h("div", { class: "list", tabindex: "0", role: "listbox", "aria-label": "Samples" });
  private readonly spacer = h("div", { class: "spacer", role: "presentation" });
  private rows: Int32Array = new Int32Array(0);
  private open = -1;
  private drawn = "";

  constructor(
    private readonly show: (row: number) => ListedRow,
    private readonly choose: (row: number) => void,
  ) {
    this.element.append(this.spacer);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  set(rows: Int32Array, open: number): void {
    const changed = rows.length !== this.rows.length || rows.some((row, i) => row !== this.rows[i]);
    this.rows = rows;
    this.open = open;
    this.spacer.style.height = `${rows.length * kRowHeight}px`;
    this.drawn = "";
    const at = open < 0 ? -1 : rows.indexOf(open);
    if (at >= 0) this.bringIntoView(at);
    else if (changed) this.element.scrollTop = 0;
    this.draw();
  }

  private bringIntoView(at: number): void {
    const { scrollTop, clientHeight } = this.element;
    const top = at * kRowHeight;
    if (top < scrollTop || top + kRowHeight > scrollTop + clientHeight) this.element.scrollTop = Math.max(0, top - Math.max(0, clientHeight / 2 - kRowHeight));
  }

  private draw(): void {
    const seen = this.element.clientHeight || 600;
    const first = Math.max(0, Math.floor(this.element.scrollTop / kRowHeight) - kBeyond);
    const last = Math.min(this.rows.length, Math.ceil((this.element.scrollTop + seen) / kRowHeight) + kBeyond);
    const key = `${first}:${last}`;
    if (key === this.drawn) return;
    this.drawn = key;
    this.spacer.replaceChildren(...Array.from({ length: Math.max(0, last - first) }, (_, i) => this.rowElement(first + i)));
    const active = this.rows.indexOf(this.open);
    if (active >= first && active < last) this.element.setAttribute("aria-activedescendant", `row-${this.open}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  private rowElement(place: number): HTMLElement {
    const row = this.rows[place]!;
    const { className, sign, signName, title, detail, side, href } = this.show(row);
    return h(
      "a",
      {
        class: `row ${className}${row === this.open ? " open" : ""}`,
        id: `row-${row}`,
        role: "option",
        "aria-selected": String(row === this.open),
        "aria-setsize": this.rows.length,
        "aria-posinset": place + 1,
        tabindex: "-1",
        href,
        style: `top:${place * kRowHeight}px;height:${kRowHeight}px`,
      },
      h("span", { class: "sign", role: "img", "aria-label": signName }, sign),
      h("span", { class: "id" }, title, h("small", {}, detail)),
      h("span", { class: "has" }, side),
    );
  }

  private onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.element.clientHeight / kRowHeight) - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined || this.rows.length === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const at = this.rows.indexOf(this.open);
    const next = at < 0 ? (step === Infinity ? this.rows.length - 1 : 0) : Math.min(this.rows.length - 1, Math.max(0, at + step));
    this.open = this.rows[next]!; // at once: the next key may come before the page has followed
    this.choose(this.open);
  }
}
