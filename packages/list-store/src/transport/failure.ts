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
  const value = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  // `Date.parse` also reads text such as "-5" as a date. Only two of the three forms of an HTTP-date name the zone.
  if (!/^[A-Z]/.test(value)) return null;
  const wait = Date.parse(value.replace(/( GMT)?$/, " GMT")) - now;
  return Number.isNaN(wait) ? null : Math.max(wait, 0);
}
