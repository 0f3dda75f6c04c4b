/**
 * Runs `body`, whose errors have no stack. Millions of bad lines are refused with errors that nobody throws any
 * further, and a stack takes most of the time and memory of each.
 */
export function withoutStackTraces<T>(body: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return body();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
