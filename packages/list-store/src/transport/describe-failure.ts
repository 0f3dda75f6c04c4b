interface Facts {
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
  readonly code?: unknown;
  readonly hostname?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
}

/**
 * The reason why a request failed, in one clause. The useful part is often in the cause, and there may be an error for
 * each address of a host. Browsers do not say why a request failed, so the codes are those of Node.js.
 */
export function describeFailure(error: unknown): string {
  const { message, cause, errors } = (error ?? {}) as Facts;
  const deeper = (cause ?? {}) as Facts;
  const facts = (deeper.errors?.[0] ?? cause ?? errors?.[0] ?? error ?? {}) as Facts;
  const { code, hostname, address, port } = facts;
  if (hostname !== undefined && (code === "ENOTFOUND" || code === "EAI_AGAIN")) {
    return `the host ${hostname} does not resolve`;
  }
  if (address !== undefined && code === "ECONNREFUSED") {
    return `port ${port} of ${address} refuses connections`;
  }
  return String(deeper.message || deeper.code || message || error);
}
