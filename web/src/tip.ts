// One small floating note for whatever carries `data-tip`: shown while it is pointed at or has the focus.
import { h } from "./dom";

const kGap = 10;

export function startTips(): void {
  const tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  document.body.append(tip);
  let holder: Element | null = null;
  const show = (target: EventTarget | null): void => {
    const next = target instanceof Element ? target.closest("[data-tip]") : null;
    if (next === holder) return;
    holder = next;
    tip.hidden = next === null;
    if (next === null) return;
    const [head = "", ...rest] = (next.getAttribute("data-tip") ?? "").split("\n");
    tip.replaceChildren(h("b", {}, head), rest.length ? "\n" + rest.join("\n") : "");
    place(tip, next.getBoundingClientRect());
  };
  document.addEventListener("pointerover", (event) => show(event.target));
  document.addEventListener("focusin", (event) => show(event.target));
  document.addEventListener("focusout", () => show(null));
  document.addEventListener("scroll", () => show(null), { passive: true });
  document.addEventListener("keydown", (event) => event.key === "Escape" && show(null));
}

function place(tip: HTMLElement, at: DOMRect): void {
  const size = tip.getBoundingClientRect();
  const left = Math.min(Math.max(8, at.left + at.width / 2 - size.width / 2), innerWidth - size.width - 8);
  const above = at.top - size.height - kGap;
  tip.style.left = `${left}px`;
  tip.style.top = `${above < 56 ? at.bottom + kGap : above}px`;
}
