import { BlockList, isIP, isIPv6 } from "node:net";
import { networkOf } from "../serve/fairness.ts";
import type { Transport } from "./channels.ts";

/** A network, such as 192.168.0.0/16. */
export interface Network {
  readonly address: string;
  readonly prefix: number;
}

/** Parses an address or a network; returns `null` for any other text. */
export function parseNetwork(text: string): Network | null {
  const [, address = "", digits] = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const most = isIPv6(address) ? 128 : 32;
  const prefix = digits === undefined ? most : Number(digits);
  return isIP(address) !== 0 && prefix <= most ? { address, prefix } : null;
}

/** The networks that nobody else can reach: those of this machine, private ones, and those of one link. */
export const PRIVATE_NETWORKS: readonly Network[] = [
  ...["127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"],
  ...["169.254.0.0/16", "::1/128", "fc00::/7", "fe80::/10"],
].map((text) => parseNetwork(text)!);

export interface ClientLimits {
  /** The networks whose clients are answered. */
  readonly networks: readonly Network[];
  /** The number of queries that a client may send in a second over UDP, and over TCP. */
  readonly rate: number;
  readonly now?: () => number;
}

/** A client, and whether it may ask now. */
export interface Admission {
  readonly kind: "welcome" | "too-fast" | "stranger";
  /** The network that counts as one client. */
  readonly network: string;
  /** Whether the client is a program on this machine. */
  readonly isLocal: boolean;
}

/**
 * Decides who is answered, and how often. Programs on this machine may ask as often as they like: they often ask for a
 * whole network, and nobody else can forge their addresses.
 */
export interface Clients {
  admit(address: string, transport: Transport): Admission;
}

/** The number of addresses that are remembered. */
const MOST = 65_536;

/** The queries that a network may still send, as of a time. */
interface Allowance {
  left: number;
  at: number;
}

export function createClients({ networks, rate, now = Date.now }: ClientLimits): Clients {
  const welcome = new BlockList();
  for (const { address, prefix } of networks) {
    welcome.addSubnet(address, prefix, familyOf(address));
  }
  const known = recent<Admission>(MOST, (address) => {
    const network = networkOf(address);
    const plain = network.endsWith("/64") ? address.split("%", 1)[0]! : network;
    const isLocal = /^127\.|^::1$/.test(plain);
    const isWelcome = isLocal || welcome.check(plain, familyOf(plain));
    return { kind: isWelcome ? "welcome" : "stranger", network, isLocal };
  });
  const full = (): Allowance => ({ left: rate, at: now() });
  // Nobody can forge an address over TCP, so what somebody sends in the name of a client over UDP does not count there.
  const allowances = { udp: recent(MOST, full), tcp: recent(MOST, full) };

  return {
    admit(address, transport) {
      const admission = known(address);
      const { kind, network, isLocal } = admission;
      if (isLocal || kind === "stranger") return admission;
      const allowance = allowances[transport](network);
      const time = now();
      const gained = (Math.max(0, time - allowance.at) / 1000) * rate;
      allowance.left = Math.min(rate, allowance.left + gained);
      allowance.at = time;
      if (allowance.left < 1) return { ...admission, kind: "too-fast" };
      allowance.left--;
      return admission;
    },
  };
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

/** Remembers values by name: all of the latest `most / 2`, and at most `most`. */
function recent<Value>(most: number, make: (name: string) => Value): (name: string) => Value {
  let younger = new Map<string, Value>();
  let older = new Map<string, Value>();
  return (name) => {
    let value = younger.get(name);
    if (value !== undefined) return value;
    value = older.get(name) ?? make(name);
    if (younger.size >= most / 2) {
      older = younger;
      younger = new Map();
    }
    younger.set(name, value);
    return value;
  };
}
