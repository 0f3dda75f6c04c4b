import { Failure } from "@x/command-line";
import { isTerminal, listenProblem, reasonOf } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";
import {
  createLog,
  type LogDestination,
  type LogFile,
  logFile,
  logText,
  type ServerLog,
} from "../../serve/log.ts";
import { type Context, ownVersion } from "../context.ts";
import { describeError } from "../errors.ts";
import type { Settings } from "../settings/schema.ts";
import type { GivenSettings } from "../settings/settings-file.ts";

/* What serve and dns have in common: a log, metrics of the process, and a life from a start to a signal. */

const STANDARD_OUTPUT = 1;

interface OpenLog {
  readonly output: LogFile;
  /** Takes whole lines of JSON. */
  readonly lines: LogDestination;
  readonly log: ServerLog;
}

/**
 * Opens the log, and says once if it cannot be written.
 *
 * @param number the number of this process, if it is one of several.
 */
export function openLog(settings: Settings, { io, complain }: Context, number?: number): OpenLog {
  const output = logFile(STANDARD_OUTPUT, ({ message }) =>
    complain(`the log cannot be written, and the server goes on without it: ${message}`),
  );
  const lines = isTerminal(io.stdout) ? logText(output) : output;
  return { output, lines, log: createLog(lines, { ...settings.log, process: number }) };
}

/** Registers metrics of the process and its event loop, and starts to collect them. */
export function processMetrics(register: Registry): void {
  collectDefaultMetrics({ register });
  // The names of these gauges end in `_total`, although only counters should have such names. Other gauges, such as
  // `nodejs_active_handles`, have the same numbers by type.
  for (const what of ["handles", "requests", "resources"]) {
    register.removeSingleMetric(`nodejs_active_${what}_total`);
  }
  const build = new Gauge({
    name: "urlhash_build_info",
    help: "1, with the versions of urlhash-server and of Node.js",
    labelNames: ["version", "node_version"],
    registers: [register],
  });
  build.set({ version: ownVersion(), node_version: process.versions.node }, 1);
}

/** Where a server can be reached: in words, and as facts for the log. */
interface Place {
  readonly shown: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly adminOrigin: string | null;
}

/** Says that a server has started, and warns of settings that are not used and of permissions that it does not need. */
export function announce(
  { shown, facts, adminOrigin }: Place,
  { warning }: GivenSettings,
  { complain }: Context,
  log: ServerLog,
): void {
  log.info("started", { version: ownVersion(), ...facts, adminOrigin, pid: process.pid });
  complain(shown);
  if (adminOrigin !== null) complain(`/metrics, /readyz and /healthz are at ${adminOrigin}`);
  if (warning !== null) log.warn(warning);
  warnOfRoot(log);
}

/** Warns if the process has the permissions of root. */
export function warnOfRoot(log: Pick<ServerLog, "warn">): void {
  if (process.getuid?.() !== 0) return;
  log.warn("The server runs as root, but does not need to: run it as another user.");
}

/** Throws an error of a server that starts. If it cannot listen, tells the operator why. */
export function failToListen(error: unknown): never {
  const { address, hostname, port } = error as {
    readonly address?: string;
    readonly hostname?: string;
    readonly port?: number;
  };
  const isUnix = address !== undefined && (port === undefined || port < 0);
  const problem = isUnix
    ? `The server cannot listen on ${address}: ${reasonOf(error)}`
    : listenProblem(error, address ?? hostname ?? "");
  throw problem === null ? error : new Failure(problem, { cause: error });
}

/** Reads something again. If that fails, reports that it stays as it was. Returns whether it succeeded. */
export async function readingAgain(
  what: string,
  read: () => Promise<void>,
  { complain }: Pick<Context, "complain">,
  log: ServerLog,
): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    const problem = printable(describeError(error) ?? (error as Error).message);
    complain(`${what} stay as they were: ${problem}`);
    log.error(`${what} stay as they were: ${problem}`);
    return false;
  }
}

/**
 * The first SIGTERM or SIGINT. Another SIGTERM changes nothing, because a service manager may send it to a whole group
 * and to each process. A second SIGINT ends the process at once, as people at a terminal expect.
 */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on("SIGTERM", resolve).once("SIGINT", resolve);
  });
}

/** Waits for a signal to stop, calls `stop`, and closes the log. */
export async function untilStopped(
  { output, log }: Pick<OpenLog, "output" | "log">,
  stop: () => Promise<void>,
  asked: Promise<NodeJS.Signals> = stopSignal(),
): Promise<void> {
  log.info("stopping", { signal: await asked });
  await stop();
  log.info("stopped");
  await output.close();
}
