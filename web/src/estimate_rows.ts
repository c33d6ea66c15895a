// Estimates as fields of the tables that a reader copies.
import type { Estimate } from "./data";

export const kEstimateFields = ["value", "low", "high", "n", "method"] as const;
export const estimateFields = (e: Estimate | null): (string | number)[] => (e ? [e.value, e.low, e.high, e.n, e.method] : ["", "", "", 0, ""]);
export const namedFields = (name: string): string[] => kEstimateFields.map((field) => (field === "value" ? name : `${name}_${field}`));
