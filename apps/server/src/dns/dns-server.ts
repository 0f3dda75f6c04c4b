import { isIP } from "node:net";
import { aboutText } from "@x/explain/about";
import type { About } from "@x/list-store";
import type { Registry } from "prom-client";
import { type Address, listen } from "../serve/endpoints.ts";
import { createHttpServer, drain } from "../serve/http/http-server.ts";
import { type Reply as HttpReply, textReply } from "../serve/http/reply.ts";
import type { ServerLog } from "../serve/log.ts";
import { dispatchAdmin, operatorRoutes } from "../serve/operator-routes.ts";
import type { ExtendedError } from "./answers.ts";
import { type ResolverAddress, shownAddress } from "./channels.ts";
import { type ClientLimits, createClients } from "./clients.ts";
import type { ListsSource } from "./followed-lists.ts";
import { createForwarder, type ForwarderOptions } from "./forwarder.ts";
import { type Listener, listenOnTcp, listenOnUdp } from "./listeners.ts";
import { createPolicy, type DnsLists, openDnsLists } from "./lists.ts";
import { createDnsMetrics } from "./metrics.ts";
import { createResolvers } from "./resolvers.ts";

/** What can change while the server runs. */
export interface DnsSite
  extends Pick<ForwarderOptions, "blocked" | "ttl" | "reasonFor" | "withoutLists"> {
  readonly resolvers: readonly ResolverAddress[];
  /** How long a query may take, in milliseconds. */
  readonly timeout: number;
  readonly clients: ClientLimits;
  readonly allow: readonly Uint8Array[];
  readonly block: readonly Uint8Array[];
  readonly sources: readonly ListsSource[];
  /** A text that changes when the sources of the lists change. */
  readonly sourcesKey: string;
  readonly blocksOnPrefix: boolean;
  /** Whether the names that are blocked are logged. */
  readonly logsNames: boolean;
}

export interface DnsServerOptions {
  /** Where to listen, over UDP and TCP. */
  readonly listen: readonly Exclude<Address, { kind: "unix" }>[];
  /** Where `/metrics`, `/readyz` and `/healthz` are served; nowhere if it is not set. */
  readonly admin: Address | undefined;
  readonly log: ServerLog;
  readonly moreMetrics: (register: Registry) => void;
}

export interface DnsServer {
  /** Where the server listens, over UDP, TCP or both, such as `127.0.0.1:53`. */
  readonly addresses: readonly string[];
  readonly adminOrigin: string | null;
  reload(site: DnsSite): Promise<void>;
  /** Notes that settings could not be read. */
  onReloadFailed(): void;
  stop(): Promise<void>;
}

/** How long clients, or new settings, wait for lists from servers that do not answer, in milliseconds. */
const PATIENCE = 10_000;
/** How long answers to operators may still take when the server stops, in milliseconds. */
const DRAIN = 1000;

/** Starts a server that answers DNS queries: it blocks listed names, and forwards all others. */
export async function startDnsServer(
  options: DnsServerOptions,
  firstSite: DnsSite,
): Promise<DnsServer> {
  const { log, admin, moreMetrics } = options;
  let site = firstSite;
  let lists = await openLists(site, log);
  const metrics = createDnsMetrics({
    states: () => lists.states(),
    waiting: () => forwarding.resolvers.waiting(),
    more: moreMetrics,
  });
  let forwarding = forwardingOf(site);
  let isStopping = false;

  function forwardingOf(next: DnsSite): ForwarderOptions {
    const onChange = (resolver: string, isAnswering: boolean) =>
      isAnswering
        ? log.info("the resolver answers again", { resolver })
        : log.warn("the resolver does not answer", { resolver });
    const { onAnswer, onMismatch } = metrics;
    return {
      ...next,
      policy: createPolicy({ ...next, lists }),
      resolvers: createResolvers({ ...next, onAnswer, onMismatch, onChange }),
      clients: createClients(next.clients),
      onName: next.logsNames ? (facts) => log.info("blocked", facts) : null,
    };
  }

  const forwarder = createForwarder(
    () => forwarding,
    () => metrics,
  );
  const listeners = await openAll(options.listen, forwarder);
  const operators = admin === undefined ? null : await serveOperators(admin);

  async function serveOperators(at: Address) {
    const readiness = () => readyReply(lists);
    const routes = operatorRoutes({ readiness, metrics, isStopping: () => isStopping });
    const server = createHttpServer({
      ...{ answer: dispatchAdmin(routes), tls: null, onReply: () => {} },
      onError: (error) => log.error("request failed", { err: String(error) }),
    });
    return { server, origin: await listen(server, at, false) };
  }

  return {
    addresses: [...new Set(listeners.map(shownAddress))],
    adminOrigin: operators?.origin ?? null,

    async reload(next) {
      const before = forwarding;
      const { timeout } = site;
      if (next.sourcesKey !== site.sourcesKey || next.blocksOnPrefix !== site.blocksOnPrefix) {
        // Lists that were stopped still decide, until the new ones can.
        await lists.stop();
        lists = await openLists(next, log, lists);
      }
      site = next;
      forwarding = forwardingOf(next);
      metrics.onReload(true);
      setTimeout(() => before.resolvers.close(), timeout).unref();
    },

    onReloadFailed: () => metrics.onReload(false),

    async stop() {
      isStopping = true;
      await Promise.all(listeners.map((each) => each.close()));
      forwarding.resolvers.close();
      await lists.stop();
      if (operators !== null) await drain(operators.server, DRAIN);
    },
  };
}

const openLists = (
  { sources, blocksOnPrefix }: DnsSite,
  log: ServerLog,
  before?: DnsLists,
): Promise<DnsLists> => openDnsLists({ sources, blocksOnPrefix, patience: PATIENCE, before, log });

/** Listens at all addresses. If that fails at one of them, closes the others and throws. */
async function openAll(
  addresses: DnsServerOptions["listen"],
  forwarder: Parameters<typeof listenOnUdp>[1],
): Promise<Listener[]> {
  const open: Listener[] = [];
  try {
    for (const at of addresses) open.push(...(await openOne(at, forwarder)));
    return open;
  } catch (error) {
    await Promise.all(open.map((each) => each.close()));
    throw error;
  }
}

async function openOne(
  at: DnsServerOptions["listen"][number],
  forwarder: Parameters<typeof listenOnUdp>[1],
): Promise<Listener[]> {
  if (at.kind === "inherited") return [await openInherited(at, forwarder)];
  const tcp = await listenOnTcp(at, forwarder);
  const { port } = tcp;
  const host = isIP(at.host) === 0 ? tcp.host : at.host;
  try {
    // If the port is 0, or the host a name such as localhost, both listen where the first one does.
    return [await listenOnUdp({ kind: "tcp", host, port }, forwarder), tcp];
  } catch (error) {
    await tcp.close();
    throw error;
  }
}

/** A service manager does not say whether a socket is for UDP or TCP, but Node does. */
async function openInherited(
  at: Extract<Address, { kind: "inherited" }>,
  forwarder: Parameters<typeof listenOnUdp>[1],
): Promise<Listener> {
  try {
    return await listenOnUdp(at, forwarder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_INVALID_FD_TYPE") throw error;
    return listenOnTcp(at, forwarder);
  }
}

/** The answer of `/readyz`: whether the lists can be relied on. */
function readyReply(lists: Pick<DnsLists, "states">): HttpReply {
  const problems = lists.states().flatMap(({ problem }) => problem ?? []);
  return problems.length === 0
    ? textReply("readyz", 200, "ready\n")
    : textReply("readyz", 503, problems.map((each) => `${each}.\n`).join(""));
}

/** The Extended DNS Error of a list: its name and whom to ask. */
export const reasonWith =
  (code: number, contact: string | null) =>
  (list: string, about: About | undefined): ExtendedError => {
    const text = aboutText({ contact: contact ?? undefined, ...about });
    return { code, text: text === "" ? `list ${list}` : `list ${list}; ${text}` };
  };
