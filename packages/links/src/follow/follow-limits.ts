/** The default limits of `followLink`. Browsers follow 20 redirects, too. */
export const FOLLOW_LIMITS: Readonly<Record<"maxHops" | "maxBytes" | "timeout", number>> =
  Object.freeze({ maxHops: 20, maxBytes: 2 ** 20, timeout: 15_000 });
