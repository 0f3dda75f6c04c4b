import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Failure } from "@x/command-line";
import type { ServerLog } from "../../serve/log.ts";
import type { RunningServer } from "../../serve/server.ts";
import type { SiteOptions } from "../../serve/site.ts";
import { stateOf } from "../../storage/file-state.ts";
import type { Settings } from "../settings/schema.ts";
import type { GivenSettings } from "../settings/settings-file.ts";
import { readingAgain } from "./long-running.ts";
import { readTlsFiles } from "./site-options.ts";

/** The settings that a server reads only when it starts. */
const FIXED = [
  ...(["store", "listen", "admin", "behind-proxy", "seen"] as const),
  ...(["hash-memory", "hash-folder", "log", "processes"] as const),
];

export interface ReloadOptions {
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
export interface Reloader {
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

export function reloader(options: ReloadOptions): Reloader {
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
export function watchFiles(
  files: () => readonly string[],
  onChange: () => Promise<unknown>,
): () => void {
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
