// Of a study: whether full attention, the evidence alone and an arm answered a sample, in a word such as "110".
import { fullArm, oracleArm } from "./arm_style";
import { type PageData, type Run, sampleId } from "./data";

const kWhole = 1000; // scores are thousandths

export class CrossRows {
  private constructor(private readonly codes: string[]) {}

  // Null: the page holds no study with these arms.
  static of(data: PageData, run: Run): CrossRows | null {
    if (!data.arms) return null;
    const [full, oracle] = [fullArm(data.arms), oracleArm(data.arms)].map((i) => data.runs[i]);
    if (!full || !oracle) return null;
    const [inFull, inOracle] = [full, oracle].map((one) => rightById(data, one)) as [Map<string, boolean>, Map<string, boolean>];
    const own = run.samples.column("score");
    const outcome = run.samples.column("outcome");
    return new CrossRows(Array.from(own, (score, row) => {
      const id = sampleId(data, run, row);
      const others = [inFull.get(id), inOracle.get(id)];
      if (outcome[row]! < 0 || others.includes(undefined)) return "";
      return [...others, score >= kWhole].map((right) => (right ? "1" : "0")).join("");
    }));
  }

  // Of the pattern, x stands for either; a sample that one of the three has not answered fits none.
  is(row: number, pattern: string): boolean {
    const code = this.codes[row]!;
    return code !== "" && [...pattern].every((wanted, place) => wanted === "x" || wanted === code[place]);
  }
}

function rightById(data: PageData, run: Run): Map<string, boolean> {
  const scores = run.samples.column("score");
  const outcomes = run.samples.column("outcome");
  const found = new Map<string, boolean>();
  for (let row = 0; row < run.samples.count; ++row) if (outcomes[row]! >= 0) found.set(sampleId(data, run, row), scores[row]! >= kWhole);
  return found;
}
