// Copying and saving: texts and images go to the clipboard where the browser allows it, else into a file.
import { button, h } from "./dom";

export async function copyText(text: string): Promise<string> {
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

export async function copyImage(name: string, png: Promise<Blob>): Promise<string> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
    return "copied";
  } catch {
    return save(name, await png);
  }
}

export function save(name: string, blob: Blob): string {
  const anchor = h("a", { href: URL.createObjectURL(blob), download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL((anchor as HTMLAnchorElement).href), 1000);
  return "saved";
}

export function copyButton(label: string, text: string): HTMLElement {
  const control = button(label, () => void copyText(text).then((said) => {
    control.textContent = said;
    setTimeout(() => (control.textContent = label), 1500);
  }));
  return control;
}
