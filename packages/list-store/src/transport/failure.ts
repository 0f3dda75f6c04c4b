/** The platform's description of what went wrong; the useful part is often in the cause. */
export function describeFailure(error: unknown): string {
  const { message, cause } = (error ?? {}) as {
    readonly message?: unknown;
    readonly cause?: unknown;
  };
  const { message: deeper, code } = (cause ?? {}) as { message?: unknown; code?: unknown };
  return String(deeper || code || message || error);
}

/** How long the server asks the client to wait, in milliseconds; `null` when it does not say so in seconds. */
export function retryAfter(headers: Headers): number | null {
  const seconds = headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null;
}
