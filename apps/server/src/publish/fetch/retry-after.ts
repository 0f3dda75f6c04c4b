/** The longest time for which a server may ask to be left alone. */
const LONGEST = 24 * 60 * 60 * 1000;

/** How long a server asks to be left alone (RFC 9110 §10.2.3), in milliseconds; 0 when it does not say. */
export function retryAfter(header: string | undefined, now: number = Date.now()): number {
  if (header === undefined) return 0;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), LONGEST);
}
