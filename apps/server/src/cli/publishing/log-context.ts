import { createLog, type LogLevel, type ServerLog } from "../../serve/log.ts";
import type { Context, LineFacts } from "../context.ts";

/** Makes the log on standard output for a command that keeps running. */
export function outputLog({ print }: Pick<Context, "print">, level: LogLevel): ServerLog {
  return createLog({ write: (text) => print(text.trimEnd()) }, { level });
}

/** Returns a context whose lines go to a log. */
export function logContext(context: Context, log: ServerLog): Context {
  return {
    ...context,
    print: (line, facts) => log.info(line, { ...facts }),
    complain: (line, { isFailure = false, ...facts } = {}) =>
      (isFailure ? log.error : log.warn)(line, facts),
  };
}

/** A line of output with its fields in a JSON log. */
export interface Said {
  readonly line: string;
  readonly facts: LineFacts;
}

export const textOf = (said: readonly Said[]): string => said.map(({ line }) => line).join("\n");

/**
 * Returns a context whose lines have the fields `about` by default. Complaints are collected, so that they can be
 * compared with those of the previous run.
 */
export function collectingComplaints(
  context: Context,
  about: LineFacts = {},
): { readonly context: Context; readonly said: Said[] } {
  const said: Said[] = [];
  return {
    context: {
      ...context,
      print: (line, facts) => context.print(line, { ...about, ...facts }),
      complain: (line, facts) => void said.push({ line, facts: { ...about, ...facts } }),
    },
    said,
  };
}

/** Returns a function that reports complaints, unless they are the same as in the previous call. */
export function complainingOnce({
  complain,
}: Pick<Context, "complain">): (said: readonly Said[]) => void {
  let last = "";
  return (said) => {
    const text = textOf(said);
    if (text !== last) for (const { line, facts } of said) complain(line, facts);
    last = text;
  };
}
