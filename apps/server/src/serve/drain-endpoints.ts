import type { Endpoints } from "./endpoints.ts";
import { drain } from "./http/http-server.ts";

/** How long answers in progress may still take when the server is told to stop, in milliseconds. */
const DRAIN = 10_000;

/** Finishes the answers in progress. Idle connections are kept for `linger` milliseconds. */
export async function drainAll(endpoints: Endpoints, linger: number): Promise<void> {
  const { main, admin } = endpoints;
  endpoints.isStopping = true;
  await drain(main, DRAIN, linger);
  // The operators' server stops last, so that `/healthz` is answered until the other server has stopped.
  if (admin !== null) await drain(admin, DRAIN);
}
