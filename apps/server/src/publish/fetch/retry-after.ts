import { retryAfter } from "@x/list-store/transport";

/** The longest `Retry-After` that is respected, in milliseconds. Longer values count as this maximum. */
const LONGEST = 24 * 60 * 60 * 1000;

/** The time in a `Retry-After` header, in milliseconds, or 0 without a valid header. */
export function pauseAsked(header: string | undefined): number {
  return Math.min(retryAfter({ get: () => header ?? null }) ?? 0, LONGEST);
}
