import { StoreError } from "../error.ts";
import type { LogEntry } from "./entry.ts";

/** The maximum time by which a publisher's clock may be ahead of a reader's, in milliseconds. */
const MAX_AHEAD = 24 * 60 * 60 * 1000;

/**
 * Throws `expired` when a manifest is past its expiry, and `signed-in-future` when it was signed more than a day in the
 * future. A manifest from the future would expire too late to protect against a mirror that holds back newer versions.
 */
export function checkTimes({ manifest }: Pick<LogEntry, "manifest">, now: number): void {
  const { list, version, issued, expires } = manifest;
  if (now >= expires) {
    const when = new Date(expires).toISOString();
    throw new StoreError("expired", `Version ${version} of ${list} expired at ${when}`);
  }
  if (issued - now > MAX_AHEAD) {
    const when = new Date(issued).toISOString();
    throw new StoreError(
      "signed-in-future",
      `Version ${version} of ${list} says it was signed at ${when}, which is in the future`,
    );
  }
}
