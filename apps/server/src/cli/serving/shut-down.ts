import type { RunningServer } from "../../serve/server.ts";

/** How long the server continues to read from the store after it is told to stop, in milliseconds. */
const STILL_READING = 1000;
/**
 * How long the server keeps idle connections after it is told to stop, in milliseconds. Requests may be on their way.
 */
const LINGER = 1000;

/**
 * Stops a server. Aborts `reading`, with which the server reads its store, at the end or after {@link STILL_READING}
 * milliseconds.
 */
export async function shutDown(server: RunningServer, reading: AbortController): Promise<void> {
  // Otherwise, a store that does not respond would delay the exit by minutes.
  const stopReading = () => reading.abort(new Error("the server stops"));
  const timer = setTimeout(stopReading, STILL_READING);
  await server.stop(LINGER);
  clearTimeout(timer);
  stopReading();
}
