import dns from "node:dns";
import { isIP } from "node:net";
import { localHost } from "@x/canon/local-hosts";
import { typeError } from "@x/canon/own-options";
import ipaddr from "ipaddr.js";
import type { buildConnector, Dispatcher } from "undici";
import type { FollowFetch, FollowResponse } from "../follow/hop.ts";

/** A port of an IP address. */
interface Endpoint {
  /** An IPv4 or IPv6 address, not a name. */
  readonly address: string;
  readonly port: number;
}

/** The options of {@link publicFetch}. */
export interface PublicFetchOptions {
  /**
   * Private addresses to which connections are allowed, each with its port, for tests with servers on this machine. No
   * option allows a whole host or network.
   */
  readonly allowEndpoints?: readonly Endpoint[] | undefined;
  /** Looks up host names. The default is `lookup` of `node:dns`. */
  readonly lookup?: HostLookup | undefined;
}

/** A `fetch` that reaches only public addresses. */
export interface PublicFetch {
  readonly fetch: FollowFetch;
  /** Closes all connections. */
  close(): Promise<void>;
}

class AddressRefused extends Error {
  override readonly name = "AddressRefused";
  readonly code = "address-refused";
}

function refuse(host: string, address: string): AddressRefused {
  const which = address === host || address === "" ? "" : ` (${address})`;
  return new AddressRefused(`${host}${which} is not a public address`);
}

/** A key for a port of an address. All spellings of the address have the same key. */
function endpointKey(address: string, port: number): string {
  return `${ipaddr.process(address).toNormalizedString()} ${port}`;
}

function allowedEndpoints(endpoints: readonly Endpoint[]): ReadonlySet<string> {
  return new Set(
    endpoints.map(({ address, port }) => {
      if (isIP(address) === 0) throw typeError("allowEndpoints[].address", "an address", address);
      if (!Number.isInteger(port) || port < 1 || port > 65535) {
        throw new RangeError(`allowEndpoints[].port must be from 1 to 65535, not ${port}`);
      }
      return endpointKey(address, port);
    }),
  );
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** A host without the brackets of an IPv6 address. */
function bareHost(host: string): string {
  return host.startsWith("[") ? host.slice(1, -1) : host;
}

/**
 * Makes a `fetch` for `followLink` that connects only to public addresses. Names are checked at the moment of
 * connecting, so a name cannot pass the check with a public address and then switch to a private one. Addresses in URLs
 * are checked in every spelling, including IPv4 addresses inside IPv6.
 *
 * If the environment names a proxy (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`), requests go through it, and
 * the proxy may have a private address. The proxy then looks up the names, and only the proxy can refuse private
 * addresses behind them. Private addresses in URLs, and local names such as `localhost`, are still refused here.
 *
 * The `fetch` adds no cookies or credentials, and keeps no direct connection open after a response.
 *
 * @throws {TypeError} when an address in `allowEndpoints` is a name.
 * @throws {RangeError} when a port is out of range.
 */
export function publicFetch(options: PublicFetchOptions = {}): PublicFetch {
  const { allowEndpoints = [], lookup } = options;
  const allowed = allowedEndpoints(allowEndpoints);
  const isAllowed = (address: string, port: number) =>
    isPublicAddress(address) || (isIP(address) > 0 && allowed.has(endpointKey(address, port)));

  /** Loads undici on the first request, because programs that only use the address rules do not need it. */
  async function openUndici() {
    const { Agent, buildConnector, fetch } = await import("undici");
    const { proxyingDispatcher } = await import("./proxy.ts");
    const connect: buildConnector.connector = (target, callback) => {
      const port = Number(target.port) || DEFAULT_PORTS[target.protocol]!;
      const host = bareHost(target.hostname);
      if (isIP(host) > 0 && !isAllowed(host, port)) return callback(refuse(host, host), null);
      const rule = { isAllowed: (_: string, address: string) => isAllowed(address, port), refuse };
      buildConnector({ lookup: checkedLookup(rule, lookup) })(target, (...result) => {
        const [error, socket] = result;
        // A second check, in case a connection was made without the lookup.
        if (error === null && !isAllowed(socket.remoteAddress ?? "", port)) {
          socket.destroy();
          return callback(refuse(host, socket.remoteAddress ?? ""), null);
        }
        callback(...result);
      });
    };
    const direct = new Agent({ connect, pipelining: 0 });
    return { fetch, direct, proxying: proxyingDispatcher(direct) };
  }
  let opened: ReturnType<typeof openUndici> | null = null;

  return {
    async fetch(url, init) {
      const { protocol, hostname, port } = new URL(url);
      const host = bareHost(hostname);
      // A proxy would connect to these hosts without the checks of `connect`.
      const isRefused =
        isIP(host) > 0
          ? !isAllowed(host, Number(port) || DEFAULT_PORTS[protocol]!)
          : localHost(host.replace(/\.$/, "")) !== null;
      if (isRefused) throw refuse(host, host);
      opened ??= openUndici();
      const { fetch, proxying } = await opened;
      const dispatcher = proxying.dispatcher as Dispatcher;
      return (await fetch(url, { ...init, dispatcher })) as FollowResponse;
    },
    async close() {
      const all = await opened;
      await Promise.all([all?.direct.destroy(), all?.proxying.destroy()]);
    },
  };
}

/** The IPv6 addresses that are routed on the Internet (RFC 4291 §2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** IPv4 addresses behind an IPv6 translator (RFC 6052 §2.1). */
const TRANSLATED = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Addresses from public ranges at which a cloud answers only its own guests, for example about their configuration. All
 * other published addresses of this kind are in ranges that are not public: 169.254.0.0/16 (most clouds), 100.64.0.0/10
 * (Alibaba Cloud), 192.0.0.0/24 and fd00::/8 (Oracle, AWS, Google and Scaleway).
 *
 * | range         | owner and source                                                                          |
 * | ------------- | ----------------------------------------------------------------------------------------- |
 * | 168.63.129.16 | Azure: learn.microsoft.com, "What is IP address 168.63.129.16?"                           |
 * | 161.26.0.0/16 | IBM Cloud: cloud.ibm.com/docs/vpc, "Endpoints available", "IaaS endpoints" (November 2026) |
 * | 166.8.0.0/14  | IBM Cloud: the same page, "Service endpoints"                                             |
 */
const ONLY_FOR_GUESTS = ["168.63.129.16/32", "161.26.0.0/16", "166.8.0.0/14"].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
);

/**
 * Whether an IP address is public: not loopback, private, multicast or reserved, and not an address at which a cloud
 * answers only its guests. `false` if it is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // `process` turns an IPv4-mapped address into the IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") {
    return parsed.range() === "unicast" && !ONLY_FOR_GUESTS.some((range) => parsed.match(range));
  }
  if (parsed.match(TRANSLATED)) {
    return isPublicAddress(parsed.toByteArray().slice(-4).join("."));
  }
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === "unicast";
}

/** Whether an address can be reached only from this machine. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/** An address of a host; `family` is 4 or 6. */
interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** The signature of `lookup` of `node:dns`. Its own type needs the types of Node.js, which programs may not have. */
export type HostLookup = (
  host: string,
  options: { readonly all?: boolean | undefined },
  done: (error: Error | null, address: string | HostAddress[], family?: number) => void,
) => void;

/** Decides which addresses of hosts may be used. */
interface AddressRule {
  /** Whether connections to this address of the host are allowed. */
  readonly isAllowed: (host: string, address: string) => boolean;
  /** The error when none of the addresses of a host is allowed. `address` is the first of them. */
  readonly refuse: (host: string, address: string) => Error;
}

/**
 * Returns a lookup that yields only allowed addresses. Connections are made to these addresses, so a host cannot switch
 * to another address after the check.
 *
 * The lookup is never called for a host that is an IP address: Node.js connects to it directly.
 *
 * @param lookup the lookup to filter. The default is `lookup` of `node:dns`.
 */
export function checkedLookup(
  { isAllowed, refuse }: AddressRule,
  lookup: HostLookup = dns.lookup,
): HostLookup {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses, family) => {
      if (error !== null) return done(error, "");
      const found: readonly HostAddress[] =
        typeof addresses === "string" ? [{ address: addresses, family: family ?? 0 }] : addresses;
      const allowed = found.filter(({ address }) => isAllowed(host, address));
      const [first] = allowed;
      if (first === undefined) return done(refuse(host, found[0]?.address ?? ""), "");
      if (options.all) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}
