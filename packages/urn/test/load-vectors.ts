import { readFileSync } from "node:fs";
import type { UrnErrorCode } from "@x/urn";

/** A test vector, with an input and the expected result. */
export interface Vector<Input, Expected> {
  readonly input: Input;
  /** A text that is appended to the input (and to the expected NSS) `times` times. */
  readonly appended?: { readonly text: string; readonly times: number };
  readonly syntax?: "rfc2141" | "rfc8141";
  readonly options?: Readonly<Record<string, unknown>>;
  readonly expected?: Expected;
  readonly error?: { readonly code: UrnErrorCode; readonly index: number };
  readonly why?: string;
  readonly section: string;
}

export function loadVectors<Input, Expected>(name: string): Vector<Input, Expected>[] {
  const file = new URL(`vectors/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { cases: Vector<Input, Expected>[] }).cases;
}

/** Pairs each case with a title, which is its shortened input on one line. */
export function titled<T extends Vector<unknown, unknown>>(cases: T[]): [title: string, T][] {
  return cases.map((one, i) => [`${i} ${JSON.stringify(one.input).slice(0, 60)}`, one]);
}

/** Returns the error that a function throws, and fails when it throws none. */
export function errorOf(run: () => unknown): Record<string, unknown> {
  try {
    run();
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error("expected an error");
}
