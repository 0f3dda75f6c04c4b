import { StoreError } from "./error.ts";
import type { Manifest } from "./manifest.ts";

/** The maximum difference between the clocks of publishers and of the storage, in milliseconds. */
const MAX_APART = 60 * 60 * 1000;

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString();

/**
 * Throws when the clocks of this machine and of the storage are more than an hour apart, because one of them must be
 * wrong.
 */
export function checkStorageClock(storageTime: number | null, now: number): void {
  if (storageTime === null || Math.abs(storageTime - now) <= MAX_APART) return;
  throw new StoreError(
    "wrong-clock",
    `The clock of this machine says ${timeOf(now)}, but the storage wrote a file at ${timeOf(storageTime)}: set the clock that is wrong`,
  );
}

type Signed = Pick<Manifest, "list" | "version" | "issued">;

/** Whether a version was signed so far in the future that its time is wrong. */
function isFromFuture({ issued }: Signed, now: number): boolean {
  return issued - now > MAX_APART;
}

/**
 * Throws when the newest version was signed more than an hour in the future, because either its publisher's clock was
 * wrong or the clock of this machine is.
 */
export function checkPublisherClock(newest: Signed, now: number): void {
  if (!isFromFuture(newest, now)) return;
  const { list, version, issued } = newest;
  throw new StoreError(
    "signed-later",
    `The clock of this machine says ${timeOf(now)}, but version ${version} of ${list} was signed at ${timeOf(issued)}: set the clock`,
  );
}

/** The time of the next version. `before` is the newest version so far; `null` if there is none. */
export function issueTime(before: Signed | null, now: number): number {
  if (before === null || isFromFuture(before, now)) return now;
  // The clocks of two publishers may differ a little, but the times of versions must never go back.
  return Math.max(now, before.issued);
}

/** Whether a version is a withdrawal, perhaps for good, or a rollback, and whether its entries are all for whole hosts. */
export type Kind = Pick<Manifest, "withdrawn" | "retired" | "onlyHosts" | "restores">;

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
