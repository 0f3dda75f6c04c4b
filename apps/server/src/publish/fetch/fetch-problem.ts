import { describeFailure } from "@x/list-store/transport";
import type { SourceReport } from "../read-sources.ts";

/** Why a source was not fetched, as the rest of a sentence that begins with its URL. */
export class FetchProblem extends Error {
  override readonly name = "FetchProblem";
  /** How long the server asks to be left alone, in milliseconds. */
  readonly retryAfter: number;
  /** What is wrong with the lines that were received; `null` when the problem is something else. */
  readonly report: SourceReport | null;

  constructor(
    message: string,
    options: {
      readonly retryAfter?: number;
      readonly report?: SourceReport;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.retryAfter = options.retryAfter ?? 0;
    this.report = options.report ?? null;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNRESET: "the connection was cut",
  ENOSPC: "the disk is too full for a copy of it",
  EDQUOT: "this user's disk quota is too small for a copy of it",
};

/** The problem to report for an error. */
export function problemOf(error: unknown): FetchProblem {
  if (error instanceof FetchProblem) return error;
  const what = WORDS[String((error as NodeJS.ErrnoException).code)] ?? describeFailure(error);
  return new FetchProblem(`could not be fetched: ${what}`, { cause: error });
}
