import type { Manifest } from "../manifest.ts";
import { isFromFuture } from "./publisher-clocks.ts";

/** Whether a version is a withdrawal, perhaps for good, or a rollback. */
export type Kind = Pick<Manifest, "withdrawn" | "retired" | "restores">;

/** Whether a version is a hold: after it, publishers that respect holds leave the entries as they are. */
export function isHold({ withdrawn, restores }: Kind): boolean {
  return withdrawn || restores !== undefined;
}

/**
 * Whether an unchanged list must be signed again, because it expires within `renewWithin` milliseconds or its time is
 * wrong.
 */
export function mustRenew(newest: Manifest, now: number, renewWithin: number): boolean {
  return isFromFuture(newest, now) || newest.expires - now <= renewWithin;
}
