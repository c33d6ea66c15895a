// A grid of coloured cells as a real table: each cell is a link to its samples and says its number. One stop for the Tab key; the arrow
// keys walk inside.
import { type Child, h } from "./dom";

export interface HeatCell {
  style?: string; // of colour.ts
  className?: string;
  text: string;
  small?: string;
  sup?: string;
  href: string | null;
  label: string; // whole, for a screen reader
  tip: string;
}

export interface HeatRow {
  head: Child;
  group?: string; // a head of its own stands above the first row of a group
  cells: (HeatCell | null)[]; // null: there is no such cell
  side?: string;
}

export interface Heat {
  label: string;
  corner: string;
  columns: string[];
  rows: HeatRow[];
  sideLabel?: string;
  className?: string;
}

export function heatTable({ label, corner, columns, rows, sideLabel, className }: Heat): HTMLElement {
  const side = sideLabel !== undefined;
  const narrowest = `--columns:${columns.length}`;
  const table = h("table", { class: `heat ${className ?? ""}`.trim(), role: "grid", "aria-label": label, style: narrowest });
  table.append(
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "names" }, corner || h("span", { class: "offscreen" }, "row")), ...columns.map((name) => h("th", { scope: "col" }, name)), side ? h("th", { scope: "col", class: "side" }, sideLabel) : null)),
  );
  let group: string | undefined;
  let body: HTMLElement | null = null;
  for (const row of rows) {
    if (body === null || row.group !== group) {
      group = row.group;
      body = h("tbody", {});
      if (group !== undefined) body.append(h("tr", { class: "group" }, h("th", { colspan: columns.length + 1 + (side ? 1 : 0), scope: "rowgroup" }, group)));
      table.append(body);
    }
    body.append(h("tr", {}, h("th", { scope: "row" }, row.head), ...row.cells.map(cellOf), side ? h("td", { class: "side" }, row.side ?? "") : null));
  }
  walkable(table);
  return table;
}

function cellOf(cell: HeatCell | null): HTMLElement {
  if (cell === null) return h("td", { class: "cell hole" }, h("span", { class: "offscreen" }, "no such cell"));
  const inside = [h("b", {}, cell.text), cell.small ? h("small", {}, cell.small) : null, cell.sup ? h("sup", {}, cell.sup) : null];
  const attributes = { "aria-label": cell.label, "data-tip": cell.tip, tabindex: "-1" };
  return h("td", { class: `cell ${cell.className ?? ""}`, style: cell.style ?? null }, cell.href === null ? h("a", { ...attributes, role: "img" }, ...inside) : h("a", { ...attributes, href: cell.href }, ...inside));
}

function walkable(table: HTMLElement): void {
  const rows = [...table.querySelectorAll("tr")].map((row) => [...row.querySelectorAll<HTMLElement>("td.cell")].map((cell) => cell.querySelector<HTMLElement>("a"))).filter((row) => row.length > 0);
  const first = rows.flat().find((link) => link !== null);
  if (first) first.tabIndex = 0;
  table.addEventListener("focusin", (event) => {
    const link = (event.target as Element).closest<HTMLElement>(".cell a");
    if (!link) return;
    for (const other of table.querySelectorAll<HTMLElement>(".cell a[tabindex='0']")) other.tabIndex = -1;
    link.tabIndex = 0;
  });
  table.addEventListener("keydown", (event) => {
    const link = (event.target as Element).closest<HTMLElement>(".cell a");
    const step: [number, number] | undefined = ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -1e6], End: [0, 1e6] } as Record<string, [number, number]>)[event.key];
    if (!link || !step) return;
    event.preventDefault();
    let row = rows.findIndex((one) => one.includes(link));
    let column = rows[row]!.indexOf(link);
    const width = rows[row]!.length;
    if (Math.abs(step[1]) > 1) column = step[1] < 0 ? -1 : width;
    const direction: [number, number] = Math.abs(step[1]) > 1 ? [0, -Math.sign(step[1])] : step;
    for (row += direction[0], column += direction[1]; row >= 0 && row < rows.length && column >= 0 && column < width; row += direction[0], column += direction[1]) {
      const next = rows[row]![column];
      if (!next) continue;
      next.focus();
      return;
    }
  });
}
