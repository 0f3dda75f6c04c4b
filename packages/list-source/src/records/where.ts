import { rowReader } from "./csv-rows.ts";

/** A condition on a column: only rows with one of the values are entries. */
interface Condition {
  readonly column: string;
  readonly values: ReadonlySet<string>;
}

/** The rows that are entries: those for which all conditions hold. Without conditions, all rows are. */
export type Where = readonly Condition[];

/** Rows that a condition left out. */
export interface LeftOutRows {
  readonly column: string;
  readonly value: string;
  /** How many rows have this value. */
  readonly rows: number;
}

/**
 * Parses the option `where`: `all`, or conditions such as `verdict=malicious,phishing`. A value with a comma is in
 * quotation marks. Returns `null` for another text.
 */
export function parseWhere(where: string | readonly string[]): Where | null {
  const texts = typeof where === "string" ? [where] : where;
  if (texts.length === 1 && texts[0] === "all") return [];
  const conditions = texts.map((text) => {
    const sign = text.indexOf("=");
    const values = rowReader(",").read(text.slice(sign + 1));
    if (sign < 1 || typeof values === "string") return null;
    return { column: text.slice(0, sign), values: new Set(values) };
  });
  return conditions.length > 0 && conditions.every((each) => each !== null) ? conditions : null;
}

/**
 * Whether a value is valid for the option `where`: `"all"`, a condition such as `"verdict=malicious,phishing"`, or
 * several conditions.
 *
 * @example
 * ```ts
 * import { isWhere } from "@x/list-source";
 *
 * isWhere("verdict=malicious,phishing"); // → true
 * isWhere("malicious"); // → false
 * ```
 */
export function isWhere(value: unknown): value is string | readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.every((each) => typeof each === "string") && parseWhere(texts as string[]) !== null;
}
