import type { RunningServer } from "../../serve/server.ts";

/** How long the server continues to read from the store after it is told to stop, in milliseconds. */
const STILL_READING = 1000;
/**
 * How long the server keeps idle connections after it is told to stop, in milliseconds. A request may be on its way.
 */
const LINGER = 1000;

/** Stops a server, and the reading of its store, which `reading` aborts. */
export async function shutDown(server: RunningServer, reading: AbortController): Promise<void> {
  // Otherwise, a store that does not respond would delay the exit by minutes.
  const stopReading = () => reading.abort(new Error("the server stops"));
  const timer = setTimeout(stopReading, STILL_READING);
  await server.stop(LINGER);
  clearTimeout(timer);
  stopReading();
}
