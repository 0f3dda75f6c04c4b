import { printable } from "@x/explain/printable";
import { startDnsServer } from "../../dns/dns-server.ts";
import { createPolicy, type Decision, OWN_LIST, openDnsLists } from "../../dns/lists.ts";
import { hostOfName } from "../../dns/message.ts";
import type { Context } from "../context.ts";
import type { Settings } from "../settings/schema.ts";
import { readDnsSite } from "./dns-options.ts";
import { dnsAddressesOf } from "./listening.ts";
import {
  announce,
  failToListen,
  openLog,
  processMetrics,
  readingAgain,
  untilStopped,
} from "./long-running.ts";
import type { LastingSettings } from "./with-settings.ts";

/** Answers DNS queries until SIGTERM or SIGINT. Reads the settings again on SIGHUP. */
export async function runDns(
  { given, readAgain, onHangUp }: LastingSettings,
  context: Context,
): Promise<void> {
  const { settings } = given;
  const { io } = context;
  const opened = openLog(settings, context);
  const { log } = opened;
  const site = await readDnsSite(settings, io, log.warn);
  const addresses = dnsAddressesOf(settings, io.env);
  const server = await startDnsServer(
    { ...addresses, log, moreMetrics: processMetrics },
    site,
  ).catch(failToListen);
  const { addresses: at, adminOrigin } = server;
  const shown = `answering DNS queries at ${at.join(", ")}`;
  announce({ shown, facts: { addresses: at }, adminOrigin }, given, context, log);

  let inUse = given;
  let queue = Promise.resolve();
  async function reload(): Promise<void> {
    const next = await readAgain(inUse);
    await server.reload(await readDnsSite(next.settings, io, log.warn));
    inUse = next;
    log.info("reloaded");
  }
  async function reloadReporting(): Promise<void> {
    if (!(await readingAgain("The settings", reload, context, log))) server.onReloadFailed();
  }
  onHangUp(() => {
    queue = queue.then(reloadReporting);
  });
  await untilStopped(opened, () => server.stop());
}

/** Prints for each name whether `dns` blocks it, and why. The exit status is 1 if a name is not forwarded. */
export async function testNames(
  names: readonly string[],
  settings: Settings,
  { io, print, complain, exitWith }: Pick<Context, "io" | "print" | "complain" | "exitWith">,
): Promise<void> {
  // The resolvers are not asked.
  const dns = { ...settings.dns, resolvers: settings.dns.resolvers ?? [] };
  const site = await readDnsSite({ ...settings, dns }, io, complain);
  const log = { info() {}, warn: complain, error: complain };
  // A server that runs may be using the copy of a list from a store, which can be read again at any time.
  const sources = site.sources.map((source) =>
    source.client.protocol === "store"
      ? { ...source, client: { ...source.client, storage: undefined } }
      : source,
  );
  const lists = await openDnsLists({ ...site, sources, log });
  try {
    const policy = createPolicy({ ...site, lists });
    for (const name of names) {
      const decision = await policy.decide(hostOfName(name));
      const isRefused = decision.kind === "unsure" && settings.dns["without-lists"] === "refuse";
      if (decision.kind === "block" || isRefused) exitWith(1);
      print(printable(`${name}: ${describe(decision, settings)}`));
    }
  } finally {
    await lists.stop();
  }
}

function describe(decision: Decision, { dns }: Settings): string {
  switch (decision.kind) {
    case "block":
      return decision.list === OWN_LIST
        ? `blocked by ${decision.entry} in a file of dns.block`
        : `blocked by ${decision.entry} on the list ${decision.list}`;
    case "unsure":
      return `${dns["without-lists"] === "refuse" ? "refused" : "forwarded"}, because the lists cannot say whether it is listed: ${decision.reason}`;
    case "forward":
      return decision.isAllowed
        ? "forwarded, because it is in a file of dns.allow"
        : "forwarded, because it is on no list";
  }
}
