import type { EndpointOptions } from "../../serve/endpoints.ts";
import type { Address } from "../../serve/listen.ts";
import type { ServerLog } from "../../serve/log.ts";
import type { Settings } from "../settings/schema.ts";

/* Warnings about what a server exposes more than it needs. */

/** Warns if the process has the permissions of root. */
export function warnOfRoot(log: Pick<ServerLog, "warn">): void {
  if (process.getuid?.() !== 0) return;
  log.warn("The server runs as root, and needs no such permissions: run it as another user.");
}

/** Whether only this machine can reach an address. A service manager that passes a socket has decided who can. */
function isLocal(address: Address): boolean {
  return address.kind !== "tcp" || /^(?:localhost|127\..*|::1)$/i.test(address.host);
}

/** Returns a function that warns, once, if API keys are sent over the network without TLS. */
export function exposureWarning(
  { listen, tls, behindProxy }: Pick<EndpointOptions, "listen" | "tls" | "behindProxy">,
  log: Pick<ServerLog, "warn">,
): (settings: Pick<Settings, "readers">) => void {
  let canWarn = !isLocal(listen) && tls === null && !behindProxy;
  return ({ readers }) => {
    if (!canWarn || Object.keys(readers).length === 0) return;
    canWarn = false;
    log.warn(
      "API keys are sent without TLS: set tls, or behind-proxy if a proxy of yours adds TLS.",
    );
  };
}
