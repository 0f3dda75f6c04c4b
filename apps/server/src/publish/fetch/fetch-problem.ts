import { describeFailure } from "@x/list-store/transport";
import type { SourceReport } from "../read-sources.ts";

/** Why a source could not be fetched. The message is the rest of a sentence that begins with the URL of the source. */
export class FetchProblem extends Error {
  override readonly name = "FetchProblem";
  /** The wait before the next request that `Retry-After` asks for, in milliseconds, or 0 without that header. */
  readonly retryAfter: number;
  /** The report on the received lines if the problem is in them, and otherwise `null`. */
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

/** Converts any error into the problem to report. */
export function problemOf(error: unknown): FetchProblem {
  if (error instanceof FetchProblem) return error;
  const what = WORDS[String((error as NodeJS.ErrnoException).code)] ?? describeFailure(error);
  return new FetchProblem(`could not be fetched: ${what}`, { cause: error });
}
