interface Facts {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly hostname?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly errors?: readonly unknown[];
}

/** What the error codes of Node.js mean. Browsers do not say why a request failed. */
const REASONS: Readonly<Record<string, (facts: Facts) => string>> = {
  ENOTFOUND: ({ hostname }) => `there is no host ${hostname ?? "of this name"}`,
  EAI_AGAIN: ({ hostname }) => `the host ${hostname ?? ""} cannot be looked up now`,
  ECONNREFUSED: ({ address, port }) =>
    address === undefined
      ? "the connection was refused"
      : `port ${port} of ${address} refuses connections`,
  ECONNRESET: () => "the connection was cut",
  UND_ERR_SOCKET: () => "the connection was cut",
  ETIMEDOUT: () => "the host does not answer",
  UND_ERR_CONNECT_TIMEOUT: () => "the host does not answer",
  EHOSTUNREACH: () => "the network has no way to the host",
  ENETUNREACH: () => "the network has no way to the host",
};

/**
 * Why a request failed, in one clause. The useful part is often in the cause, and there may be an error for each address
 * of a host.
 */
export function describeFailure(error: unknown): string {
  const { message, cause, errors } = (error ?? {}) as Facts & { readonly cause?: unknown };
  const deeper = (cause ?? {}) as Facts;
  const facts = (deeper.errors?.[0] ?? cause ?? errors?.[0] ?? error ?? {}) as Facts;
  const code = String(facts.code);
  if (Object.hasOwn(REASONS, code)) return REASONS[code]!(facts);
  // The specification of fetch has a list of ports to which it opens no connections.
  if (facts.message === "bad port") return "this platform opens no connections to the port";
  return String(deeper.message || deeper.code || message || error);
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
