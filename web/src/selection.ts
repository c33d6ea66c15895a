// Which samples are looked at, kept in the page's address so that every cell and sample can be linked to.

export interface Selection {
  run: number;
  task: number; // -1: all
  length: number; // -1: all
  category: string; // "": all
  bin: number; // -1: all depths
  outcome: number; // -1: all, -2: not run
  result: string; // "", "right", "partly", "wrong", "incomplete"
  search: string;
  sample: number; // -1: none open
}

const kEverything: Selection = {
  run: 0,
  task: -1,
  length: -1,
  category: "",
  bin: -1,
  outcome: -1,
  result: "",
  search: "",
  sample: -1,
};

export function readSelection(): Selection {
  const selection = { ...kEverything };
  const given = new URLSearchParams(location.hash.replace(/^#\??/, ""));
  for (const key of Object.keys(kEverything) as (keyof Selection)[]) {
    const value = given.get(key);
    if (value === null) continue;
    if (typeof kEverything[key] === "string") (selection[key] as string) = value;
    else if (/^-?\d{1,9}$/.test(value)) (selection[key] as number) = Number(value);
  }
  return selection;
}

export function link(selection: Partial<Selection>): string {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(selection))
    if (value !== kEverything[key as keyof Selection]) parts.set(key, String(value));
  return "#" + parts.toString();
}

export function everything(run: number): Selection {
  return { ...kEverything, run };
}
