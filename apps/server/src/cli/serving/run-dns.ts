import { Failure } from "@x/command-line";
import { listenProblem } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { startDnsServer } from "../../dns/dns-server.ts";
import { type Context, ownVersion } from "../context.ts";
import { describeError } from "../errors.ts";
import type { GivenSettings } from "../settings/settings-file.ts";
import { readDnsSite } from "./dns-options.ts";
import { dnsAddressesOf, warnOfRoot } from "./listening.ts";
import { openLog, processMetrics } from "./run-server.ts";

/** Answers DNS queries until SIGTERM or SIGINT. On SIGHUP, `readAgain` reads the settings again. */
export async function runDns(
  given: GivenSettings,
  context: Context,
  onHangUp: (run: () => void) => void,
  readAgain: (inUse: GivenSettings) => Promise<GivenSettings>,
): Promise<void> {
  const { settings } = given;
  const { complain, io } = context;
  const { output, log } = openLog(settings, context);
  const site = await readDnsSite(settings, io, log.warn);
  const addresses = dnsAddressesOf(settings, io.env);
  const server = await startDnsServer(
    { ...addresses, log, moreMetrics: processMetrics },
    site,
  ).catch((error) => {
    throw explained(error);
  });
  const { adminOrigin } = server;
  log.info("started", {
    ...{ version: ownVersion(), addresses: server.addresses, adminOrigin, pid: process.pid },
  });
  complain(`answering DNS queries at ${[...new Set(server.addresses)].join(", ")}`);
  if (adminOrigin !== null) complain(`/metrics, /readyz and /healthz are at ${adminOrigin}`);
  if (given.warning !== null) log.warn(given.warning);
  warnOfRoot(log);

  let inUse = given;
  let queue = Promise.resolve();
  async function reload(): Promise<void> {
    try {
      const next = await readAgain(inUse);
      await server.reload(await readDnsSite(next.settings, io, log.warn));
      inUse = next;
      log.info("reloaded");
    } catch (error) {
      server.onReloadFailed();
      const problem = printable(describeError(error) ?? (error as Error).message);
      complain(`the settings stay as they were: ${problem}`);
      log.error(`The settings stay as they were: ${problem}`);
    }
  }
  onHangUp(() => {
    queue = queue.then(reload);
  });
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once("SIGTERM", resolve).once("SIGINT", resolve);
  });
  log.info("stopping", { signal });
  await server.stop();
  log.info("stopped");
  await output.close();
}

/** Returns an error that tells the operator why the server cannot listen. */
function explained(error: unknown): unknown {
  const { address, port } = error as { readonly address?: string; readonly port?: number };
  const problem = address === undefined ? null : listenProblem(error, address);
  if (problem === null) return error;
  return new Failure(`${problem} (port ${port})`, { cause: error });
}
