// Light or dark: as the reader's system says, or as chosen here.
import { button } from "./dom";

const kStored = "fathom-theme";
type Theme = "light" | "dark";

const system = matchMedia("(prefers-color-scheme: dark)");

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(kStored);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

const current = (): Theme => stored() ?? (system.matches ? "dark" : "light");

function apply(): void {
  document.documentElement.dataset.theme = current();
}

export function startTheme(): void {
  apply();
  system.addEventListener("change", apply);
}

export function themeToggle(): HTMLElement {
  const label = (): string => (current() === "dark" ? "Light" : "Dark");
  const control = button(label(), () => {
    const next: Theme = current() === "dark" ? "light" : "dark";
    try {
      if ((system.matches ? "dark" : "light") === next) localStorage.removeItem(kStored);
      else localStorage.setItem(kStored, next);
    } catch {
      // Without storage the choice holds until the page is closed.
    }
    document.documentElement.dataset.theme = next;
    control.textContent = next === "dark" ? "Light" : "Dark";
  }, { class: "plain-button", title: "Switch between light and dark" });
  return control;
}
