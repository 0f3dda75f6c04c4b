import { startDnsServer } from "../../dns/dns-server.ts";
import type { Context } from "../context.ts";
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
  const shown = `answering DNS queries at ${[...new Set(at)].join(", ")}`;
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
