// Keys that work everywhere: / searches the casebook, Esc leaves what is open.
import { asksForSamples, link, readSelection } from "./selection";

export function startKeys(): void {
  document.addEventListener("keydown", (event) => {
    const writing = (event.target as Element).closest("input, textarea, select") !== null;
    if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      const search = document.getElementById("search");
      search?.scrollIntoView({ block: "center" });
      search?.focus();
    }
    if (event.key === "Escape" && !event.defaultPrevented) leave();
  });
}

// First the open sample is closed, then the filters are dropped.
function leave(): void {
  const selection = readSelection();
  if (selection.sample >= 0) location.hash = link({ ...selection, sample: -1, at: "samples" });
  else if (asksForSamples(selection)) {
    const search = document.getElementById("search") as HTMLInputElement | null;
    if (search) search.value = "";
    location.hash = link({ run: selection.run, at: "samples" });
  }
}
