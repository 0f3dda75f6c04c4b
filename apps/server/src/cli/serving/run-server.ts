import { access, constants, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import type { ServerLog } from "../../serve/log.ts";
import type { AllProcesses } from "../../serve/operator-routes.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../serve/server.ts";
import type { SiteOptions } from "../../serve/site.ts";
import { stateOf } from "../../storage/files.ts";
import { NOTHING_SEEN, readSeen, type SeenVersions } from "../../storage/seen-versions.ts";
import { type Context, sharedAbort } from "../context.ts";
import { describeError } from "../errors.ts";
import type { Settings } from "../settings/schema.ts";
import type { GivenSettings } from "../settings/settings-file.ts";
import {
  checkStore,
  createFile,
  lastingStorage,
  type StoreFiles,
  storeFiles,
} from "../store-files.ts";
import { addressesOf, exposureWarning } from "./listening.ts";
import {
  announce,
  failToListen,
  openLog,
  processMetrics,
  readingAgain,
  untilStopped,
} from "./long-running.ts";
import { readSiteOptions, readTlsFiles } from "./site-options.ts";
import type { LastingSettings } from "./with-settings.ts";

/** This process, if it is one of several that serve. */
export interface OneOfMany {
  readonly number: number;
  readonly processes: AllProcesses;
  /** The signal to stop, from the main process. */
  readonly stopSignal: Promise<NodeJS.Signals>;
  onServing(): void;
}

/** Serves the lists of a store until SIGTERM or SIGINT. Reads the settings again on SIGHUP. */
export async function runServer(
  { given, readAgain, onHangUp }: LastingSettings,
  isFirstStart: boolean,
  context: Context,
  oneOfMany?: OneOfMany,
): Promise<void> {
  const { settings } = given;
  const { complain, io } = context;
  const reading = sharedAbort();
  const files = storeFiles(settings, { io, signal: reading.signal });
  await checkStore(files);
  const storage = lastingStorage(files);
  const readSite = (from: Settings) => readSiteOptions(from, storage);
  const serverOptions = await readServerOptions(settings, isFirstStart, readSite, files, context);
  const opened = openLog(settings, context, oneOfMany?.number);
  const { log } = opened;
  const server = await startServer({ ...serverOptions, log, ...oneOfMany }).catch(failToListen);
  const { origin, adminOrigin } = server;
  const shown = `serving ${files.address.shown} at ${origin}`;
  announce({ shown, facts: { origin }, adminOrigin }, given, context, log);
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
  onHangUp(reload);
  oneOfMany?.onServing();
  const stopWatching = watchFiles(certificateFiles, reloadCertificate);
  const stop = async () => {
    stopWatching();
    await shutDown(server, reading);
  };
  await untilStopped(opened, stop, oneOfMany?.stopSignal);
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

/** Reads the highest versions seen before. Without them, an old copy of the store could not be detected. */
async function seenBefore(
  file: string,
  isFirstStart: boolean,
  complain: Context["complain"],
): Promise<SeenVersions> {
  const seen = await readSeen(file);
  if (seen !== null) return seen;
  if (isFirstStart) {
    await createFile(file, NOTHING_SEEN, 0o644).catch((error) => {
      const problem = describeError(error) ?? error.message;
      complain(printable(`the file of seen versions cannot be created: ${problem}`));
    });
    return new Map();
  }
  throw new Failure(
    `The file of seen versions ${file} does not exist, so an old copy of the store would be served unnoticed: restore the file, or use --first-start if no server has served this store before`,
  );
}

/** How long the server continues to read from the store after it is told to stop, in milliseconds. */
const STILL_READING = 1000;
/**
 * How long the server keeps idle connections after it is told to stop, in milliseconds. Requests may be on their way.
 */
const LINGER = 1000;

/**
 * Stops a server. Aborts `reading`, with which the server reads its store, at the end or after {@link STILL_READING}
 * milliseconds.
 */
async function shutDown(server: RunningServer, reading: AbortController): Promise<void> {
  // Otherwise, a store that does not respond would delay the exit by minutes.
  const stopReading = () => reading.abort(new Error("the server stops"));
  const timer = setTimeout(stopReading, STILL_READING);
  await server.stop(LINGER);
  clearTimeout(timer);
  stopReading();
}

/** The settings that a server reads only when it starts. */
const FIXED = [
  ...(["store", "listen", "admin", "behind-proxy", "seen"] as const),
  ...(["hash-memory", "hash-folder", "log", "processes"] as const),
];

interface ReloadOptions {
  readonly server: RunningServer;
  /** The settings that the server was started with. */
  readonly started: GivenSettings;
  readonly log: ServerLog;
  complain(line: string): void;
  /** Reads the settings again. */
  read(inUse: GivenSettings): Promise<GivenSettings>;
  /** Warns if keys are sent without TLS with these settings. */
  warnOfExposure(settings: Settings): void;
  /** Reads the files that settings name. */
  readSite(settings: Settings): Promise<SiteOptions>;
}

/**
 * Reloads the settings and certificates of a running server. New versions of lists need no reload: `poll-lists.ts`
 * finds them.
 */
interface Reloader {
  /**
   * Reads all settings and files again. If anything is wrong, the problem is reported, nothing changes, and `false` is
   * returned.
   */
  reload(): Promise<boolean>;
  /** Reads the certificate and its key again. If they are not valid, reports it and keeps the old ones. */
  reloadCertificate(): Promise<boolean>;
  /** The files with the certificate and the key that are in use. */
  certificateFiles(): readonly string[];
}

function reloader(options: ReloadOptions): Reloader {
  const { server, started, log, complain, read, readSite, warnOfExposure } = options;
  let current = started;
  /** Settings and certificates are reloaded one after the other. */
  let queue = Promise.resolve(true);

  async function reloadAll(): Promise<void> {
    const next = await read(current);
    const { settings } = next;
    const { tls } = settings;
    if ((tls === undefined) !== (started.settings.tls === undefined)) {
      throw new Failure("HTTPS is turned on or off only when the server starts");
    }
    const certificate = tls === undefined ? null : await readTlsFiles(tls);
    await server.reload(await readSite(settings));
    if (certificate !== null) server.useCertificate(certificate);
    current = next;
    log.info("reloaded");
    warnOfExposure(settings);
    for (const name of FIXED) {
      if (isDeepStrictEqual(settings[name], started.settings[name])) continue;
      log.warn(`The new value of ${name} takes effect when the server is restarted.`);
    }
    void server.updateUpstreams();
  }

  async function reloadCertificate(): Promise<void> {
    const { tls } = current.settings;
    if (tls === undefined) return;
    const certificate = await readTlsFiles(tls);
    server.useCertificate(certificate);
    const expires = new Date(certificate.expires).toISOString();
    log.info("certificate loaded", { expires });
  }

  const inTurn = (what: string, run: () => Promise<void>) => {
    queue = queue.then(async () => {
      const isRead = await readingAgain(what, run, { complain }, log);
      server.onReload(isRead);
      return isRead;
    });
    return queue;
  };
  return {
    reload: () => inTurn("The settings", reloadAll),
    reloadCertificate: () => inTurn("The certificate and its key", reloadCertificate),
    certificateFiles: () => Object.values(current.settings.tls ?? {}),
  };
}

const POLL = 1000;

/**
 * Calls `onChange` after files have changed and then stayed the same for a second, so that a certificate and its key
 * are read together. The returned function ends the watch.
 */
function watchFiles(files: () => readonly string[], onChange: () => Promise<unknown>): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function watch(): Promise<void> {
    let handled = await stateOf(files());
    let last = handled;
    while (!signal.aborted) {
      await delay(POLL, undefined, { signal, ref: false }).catch(() => {});
      const now = await stateOf(files());
      if (signal.aborted) return;
      if (now === last && now !== handled) {
        handled = now;
        await onChange();
      }
      last = now;
    }
  }

  void watch();
  return () => stopping.abort();
}
