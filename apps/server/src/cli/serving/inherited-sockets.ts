import { Failure } from "@x/command-line";
import type { Address } from "../../serve/listen.ts";
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
