/** The platform's description of what went wrong; the useful part is often in the cause. */
export function describeFailure(error: unknown): string {
  const { message, cause } = (error ?? {}) as {
    readonly message?: unknown;
    readonly cause?: unknown;
  };
  const { message: deeper, code } = (cause ?? {}) as { message?: unknown; code?: unknown };
  return String(deeper || code || message || error);
}

/**
 * How long the server asks the client to wait (RFC 9110 §10.2.3), in milliseconds; `null` when it does not say. The
 * caller limits it.
 */
export function retryAfter(headers: Pick<Headers, "get">, now: number = Date.now()): number | null {
  const value = (headers.get("retry-after") ?? "").trim();
  // A header that was sent twice, for example by a server and by a proxy, has both values. The longer wait counts.
  if (/^\d+(?:\s*,\s*\d+)*$/.test(value)) {
    const seconds = Math.max(...value.split(",").map(Number));
    return Math.min(seconds * 1000, Number.MAX_SAFE_INTEGER);
  }
  // `Date.parse` also reads text such as "-5" as a date. Only two of the three forms of an HTTP-date name the zone.
  if (!/^[A-Z]/.test(value)) return null;
  const dates = value.split(/(?<= GMT)\s*,\s*/);
  const waits = dates.map((date) => Date.parse(date.replace(/( GMT)?$/, " GMT")) - now);
  const longest = Math.max(...waits);
  return Number.isNaN(longest) ? null : Math.max(longest, 0);
}
