import { isTerminal } from "@x/command-line/node";
import { createLog, LOG_LEVELS, type LogLevel, logText, type ServerLog } from "../serve/log.ts";
import type { Context, LineFacts } from "./context.ts";

/** Makes the log on standard output for a command that keeps running. */
export function outputLog(
  { io, print }: Pick<Context, "io" | "print">,
  level: LogLevel,
): ServerLog {
  const destination = { write: (text: string) => print(text.trimEnd()) };
  return createLog(isTerminal(io.stdout) ? logText(destination) : destination, { level });
}

/** Returns a context whose lines go to a log. */
export function logContext(context: Context, log: ServerLog): Context {
  return {
    ...context,
    print: (line, facts) => log.info(line, { ...facts }),
    complain: (line, { isFailure = false, isRepeated: _, ...facts } = {}) =>
      (isFailure ? log.error : log.warn)(line, facts),
  };
}

/** Returns the level of which fewer lines are printed. */
const quieter = (a: LogLevel, b: LogLevel): LogLevel =>
  LOG_LEVELS.indexOf(a) > LOG_LEVELS.indexOf(b) ? a : b;

/** Returns a context that prints no lines below a level, for a command whose output is text. */
export function contextFrom(level: LogLevel, context: Context): Context {
  const prints = (line: LogLevel) => quieter(line, level) === line;
  return {
    ...context,
    print: (line, facts) => {
      if (prints("info")) context.print(line, facts);
    },
    complain: (line, facts) => {
      const { isFailure, isRepeated } = facts ?? {};
      if (prints(isFailure ? "error" : isRepeated ? "info" : "warn")) context.complain(line, facts);
    },
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
