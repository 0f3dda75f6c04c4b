/**
 * Waits for work that may ignore the signal. If the signal is aborted, throws the signal's reason; the work itself
 * continues.
 */
export async function unlessAborted<Result>(
  work: PromiseLike<Result> | Result,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
