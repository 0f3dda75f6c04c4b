import { Failure } from "@x/command-line";
import type { Address, EndpointOptions } from "../../serve/endpoints.ts";
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

/** The descriptors that systemd passes, each with its name. */
function inheritedDescriptors(
  env: Io["env"],
  pid: number,
): readonly { readonly name: "listen" | "admin"; readonly descriptor: number }[] {
  const { LISTEN_PID: owner, LISTEN_FDS: count = "0", LISTEN_FDNAMES: names = "" } = env;
  // The variables may have been meant for a parent of this process.
  if (owner !== String(pid) || !/^\d{1,3}$/.test(count)) return [];
  const given = names.split(":");
  return Array.from({ length: Number(count) }, (_, i) => {
    const name = given[i] === "admin" ? "admin" : "listen";
    return { name, descriptor: FIRST + i };
  });
}

/**
 * The sockets that systemd passes to a service with socket units (sd_listen_fds(3)). `FileDescriptorName=admin`
 * marks the socket for metrics and health checks. A socket with any other name serves everything else.
 */
export function inheritedSockets(env: Io["env"], pid: number): InheritedSockets {
  const sockets: { -readonly [Name in keyof InheritedSockets]: Address } = {};
  for (const { name, descriptor } of inheritedDescriptors(env, pid)) {
    if (sockets[name] !== undefined) {
      throw new Failure(
        `systemd passes two sockets for ${name === "listen" ? "clients" : "operators"}: give only the one for operators the name admin with FileDescriptorName=`,
      );
    }
    sockets[name] = { kind: "inherited", descriptor };
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

/**
 * Returns the addresses at which `dns` listens. A service manager passes one socket for UDP and one for TCP, and may
 * pass more.
 */
export function dnsAddressesOf(
  { dns, admin }: Pick<Settings, "dns" | "admin">,
  env: Io["env"],
): { listen: Exclude<Address, { kind: "unix" }>[]; admin: Address | undefined } {
  const inherited = inheritedDescriptors(env, process.pid);
  const of = (wanted: "listen" | "admin") =>
    inherited.flatMap(({ name, descriptor }) =>
      name === wanted ? [{ kind: "inherited", descriptor } as const] : [],
    );
  const sockets = of("listen");
  if (sockets.length === 0 && dns.listen.kind === "unix") {
    throw new Failure("dns.listen: expected HOST:PORT, because clients ask over UDP and TCP");
  }
  const listen = sockets.length > 0 ? sockets : [dns.listen as (typeof sockets)[0]];
  return { listen, admin: of("admin")[0] ?? admin };
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
