/** The default limits of `followLink`: 20 redirects, as in browsers; 1 MiB for all pages; 15 000 milliseconds. */
export const FOLLOW_LIMITS: Readonly<Record<"maxHops" | "maxBytes" | "timeout", number>> =
  Object.freeze({ maxHops: 20, maxBytes: 2 ** 20, timeout: 15_000 });
