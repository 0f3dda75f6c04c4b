import { access, constants, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { Failure } from "@x/command-line";
import { listenProblem } from "@x/command-line/node";
import { createLog } from "../../serve/log.ts";
import { logFile } from "../../serve/log-file.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../serve/server.ts";
import type { SiteOptions } from "../../serve/site.ts";
import type { Context } from "../context.ts";
import type { Settings } from "../settings/schema.ts";
import type { GivenSettings } from "../settings/settings-file.ts";
import { sharedAbort } from "../shared-abort.ts";
import { checkStore, lastingStorage, type StoreFiles, storeFiles } from "../store-files.ts";
import { readTlsFiles } from "../tls-files.ts";
import { ownVersion } from "../version.ts";
import { exposureWarning, warnOfRoot } from "./exposure.ts";
import { seenBefore } from "./first-start.ts";
import type { HangUps } from "./hang-ups.ts";
import { addressesOf } from "./inherited-sockets.ts";
import { processMetrics } from "./process-metrics.ts";
import { reloader } from "./reload-server.ts";
import { shutDown } from "./shut-down.ts";
import { readSiteOptions } from "./site-options.ts";
import { watchFiles } from "./watch-files.ts";

const STANDARD_OUTPUT = 1;

/** Returns an error that tells the operator why the server cannot listen. */
function explained(error: unknown, { listen }: Settings): unknown {
  const { address, port } = error as { readonly address?: string; readonly port?: number };
  if (address !== undefined && (port === undefined || port < 0))
    return new Failure(`The server cannot listen on ${address}: ${(error as Error).message}`);
  const problem = listenProblem(error, address ?? (listen.kind === "tcp" ? listen.host : ""));
  return problem === null ? error : new Failure(problem, { cause: error });
}

/** Makes a folder if it is missing. Throws if this process cannot write to it. */
async function checkFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await access(folder, constants.W_OK);
}

/** Reads the files that the settings name, and returns everything that the server needs to start. */
async function readServerOptions(
  settings: Settings,
  isFirstStart: boolean,
  readSite: (settings: Settings) => Promise<SiteOptions>,
  { seenFile }: StoreFiles,
  { complain, io }: Context,
): Promise<Omit<ServerOptions, "log">> {
  const { "hash-folder": hashFolder, tls } = settings;
  // The default folder is not checked, because short lists need none.
  if (hashFolder !== undefined) await checkFolder(hashFolder);
  return {
    ...(await readSite(settings)),
    hashMemory: settings["hash-memory"],
    hashFolder: hashFolder ?? tmpdir(),
    behindProxy: settings["behind-proxy"],
    seenFile,
    seen: await seenBefore(seenFile, isFirstStart, complain),
    tls: tls === undefined ? null : await readTlsFiles(tls),
    ...addressesOf(settings, io.env),
    moreMetrics: processMetrics,
  };
}

function announce(
  { origin, adminOrigin }: RunningServer,
  { address }: StoreFiles,
  { complain }: Context,
): void {
  complain(`serving ${address.shown} at ${origin}`);
  if (adminOrigin !== null) complain(`/metrics, /readyz and /healthz are at ${adminOrigin}`);
}

/** Serves the lists of a store until SIGTERM or SIGINT. On SIGHUP, `readAgain` reads the settings again. */
export async function runServer(
  given: GivenSettings,
  isFirstStart: boolean,
  context: Context,
  hangUps: HangUps,
  readAgain: (inUse: GivenSettings) => Promise<GivenSettings>,
): Promise<void> {
  const { settings } = given;
  const { complain, io } = context;
  const reading = sharedAbort();
  const files = storeFiles(settings, { io, signal: reading.signal });
  await checkStore(files);
  const storage = lastingStorage(files);
  const readSite = (from: Settings) => readSiteOptions(from, storage);
  const serverOptions = await readServerOptions(settings, isFirstStart, readSite, files, context);
  const output = logFile(STANDARD_OUTPUT, ({ message }) =>
    complain(`the log cannot be written, and the server goes on without it: ${message}`),
  );
  const log = createLog(output, settings.log);
  const server = await startServer({ ...serverOptions, log }).catch((error) => {
    throw explained(error, settings);
  });
  const { origin, adminOrigin } = server;
  const version = ownVersion();
  log.info("started", { version, origin, adminOrigin, pid: process.pid });
  announce(server, files, context);
  warnOfRoot(log);
  const warnOfExposure = exposureWarning(serverOptions, log);
  warnOfExposure(settings);
  const { reload, reloadCertificate, certificateFiles } = reloader({
    server,
    started: given,
    log,
    complain,
    warnOfExposure,
    readSite,
    read: readAgain,
  });
  hangUps.handle(() => void reload());
  const stopWatching = watchFiles(certificateFiles, reloadCertificate);
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once("SIGTERM", resolve).once("SIGINT", resolve);
  });
  log.info("stopping", { signal });
  stopWatching();
  await shutDown(server, reading);
  log.info("stopped");
  await output.close();
}
