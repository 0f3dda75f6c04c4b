import { Failure } from "@x/command-line";
import type { EndpointOptions } from "../../serve/endpoints.ts";
import type { Address } from "../../serve/listen.ts";
import type { ServerLog } from "../../serve/log.ts";
import type { Io } from "../context.ts";
import type { Settings } from "../settings/schema.ts";

/** The sockets that a service manager has opened for the server. */
export interface InheritedSockets {
  readonly listen?: Address;
  readonly admin?: Address;
}

/** The first descriptor that systemd passes. */
const FIRST = 3;

/**
 * The sockets that systemd passes to a service with socket units (sd_listen_fds(3)). `FileDescriptorName=admin`
 * marks the socket for metrics and health checks. A socket with any other name serves everything else.
 */
export function inheritedSockets(env: Io["env"], pid: number): InheritedSockets {
  const { LISTEN_PID: owner, LISTEN_FDS: count = "0", LISTEN_FDNAMES: names = "" } = env;
  // The variables may have been meant for a parent of this process.
  if (owner !== String(pid) || !/^\d{1,3}$/.test(count)) return {};
  const given = names.split(":");
  const sockets: { -readonly [Name in keyof InheritedSockets]: Address } = {};
  for (let i = 0; i < Number(count); i++) {
    const name = given[i] === "admin" ? "admin" : "listen";
    if (sockets[name] !== undefined) {
      throw new Failure(
        `systemd passes two sockets for ${name === "listen" ? "clients" : "operators"}: give only the one for operators the name admin with FileDescriptorName=`,
      );
    }
    sockets[name] = { kind: "inherited", descriptor: FIRST + i };
  }
  return sockets;
}

/** Returns the addresses to listen on. Sockets of the service manager take precedence over settings. */
export function addressesOf(
  { listen, admin }: Pick<Settings, "listen" | "admin">,
  env: Io["env"],
): { listen: Address; admin: Address | undefined } {
  const inherited = inheritedSockets(env, process.pid);
  return {
    listen: inherited.listen ?? listen,
    admin: inherited.admin ?? admin,
  };
}

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
