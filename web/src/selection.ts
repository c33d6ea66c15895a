// Which part and which samples are looked at, kept in the page's address so that every figure, cell and sample can be linked to.

export interface Selection {
  run: number;
  at: string; // id of a figure to show; "": none
  task: number; // -1: all
  length: number; // -1: all
  category: string; // "": all
  bin: number; // -1: all depths
  outcome: number; // -1: all, -2: not run
  miss: number; // -1: all
  result: string; // "", "right", "partly", "wrong", "failed", "not-run", "lenient"
  cross: string; // of a study: full attention, the evidence alone and the arm, each 1 right, 0 wrong, x either: "110"
  picture: number; // of a study: row of the sample whose picture is shown; -1: the most telling
  pair: string; // against the other run: "", "both-right", "lost", "gained", "both-wrong", "unsure"
  shown: number; // 1: only samples whose prompt and answer are on the page
  search: string;
  sample: number; // -1: none open
}

const kEverything: Selection = {
  run: 0,
  at: "",
  task: -1,
  length: -1,
  category: "",
  bin: -1,
  outcome: -1,
  miss: -1,
  result: "",
  cross: "",
  picture: -1,
  pair: "",
  shown: 0,
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

export const everything = (run: number): Selection => ({ ...kEverything, run });

// Whether the address asks for samples, and not just for a run or a figure.
export function asksForSamples(selection: Selection): boolean {
  const plain = { ...selection, run: 0, at: "", picture: -1 };
  return JSON.stringify(plain) !== JSON.stringify(kEverything) || selection.at === "samples";
}
