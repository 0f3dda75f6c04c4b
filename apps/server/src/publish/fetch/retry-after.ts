import { retryAfter } from "@x/list-store/transport";

/** The longest time for which a server may ask to be left alone. */
const LONGEST = 24 * 60 * 60 * 1000;

/** How long a server asks to be left alone, in milliseconds; 0 when it does not say. */
export function pauseAsked(header: string | undefined): number {
  return Math.min(retryAfter({ get: () => header ?? null }) ?? 0, LONGEST);
}
