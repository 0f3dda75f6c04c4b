import { isDeepStrictEqual } from "node:util";
import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import type { ServerLog } from "../../serve/log.ts";
import type { RunningServer } from "../../serve/server.ts";
import type { SiteOptions } from "../../serve/site.ts";
import { describeError } from "../describe-error.ts";
import { readCertificate } from "../tls-files.ts";
import type { ServeOptions } from "./serve-options.ts";

/** The settings that a server reads only when it starts. */
const FIXED = [
  ...(["host", "port", "listen", "admin", "seen"] as const),
  ...(["hashMemory", "hashFolder"] as const),
  ...(["s3Endpoint", "s3Region", "logLevel", "logRequests"] as const),
];

/** The name of a setting in the configuration file. */
const settingOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export interface ReloadOptions {
  readonly server: RunningServer;
  /** The options that the server was started with. */
  readonly started: ServeOptions;
  readonly log: ServerLog;
  complain(line: string): void;
  /** Reads the options again. */
  read(inUse: ServeOptions): Promise<ServeOptions>;
  /** Warns if keys are sent without TLS with these options. */
  warnOfExposure(options: ServeOptions): void;
  /** Reads the files that options name. */
  readSite(options: ServeOptions): Promise<SiteOptions>;
}

/**
 * Reloads the settings and certificates of a running server. New versions of lists need no reload: `poll-lists.ts`
 * finds them.
 */
export interface Reloader {
  /** Reads all settings and files again. If anything is wrong, the problem is reported, and nothing changes. */
  reload(): Promise<void>;
  /** Reads the certificate and its key again. If they are not valid, reports it and keeps the old ones. */
  reloadCertificate(): Promise<void>;
  /** The files with the certificate and the key that are in use. */
  certificateFiles(): readonly string[];
}

export function reloader(options: ReloadOptions): Reloader {
  const { server, started, log, complain, read, readSite, warnOfExposure } = options;
  let current = started;
  /** Settings and certificates are reloaded one after the other. */
  let queue = Promise.resolve();

  async function reporting(what: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
      server.onReload(true);
    } catch (error) {
      server.onReload(false);
      const problem = printable(describeError(error) ?? (error as Error).message);
      complain(`${what} stay as they were: ${problem}`);
      log.error(`${what} stay as they were: ${problem}`);
    }
  }

  async function reloadAll(): Promise<void> {
    const next = await read(current);
    const certificate = await readCertificate(next);
    if ((certificate !== null) !== (started.tlsCert !== undefined)) {
      throw new Failure("HTTPS is turned on or off only when the server starts");
    }
    await server.reload(await readSite(next));
    if (certificate !== null) server.useCertificate(certificate);
    const before = current;
    current = next;
    log.info("reloaded");
    for (const name of Object.keys(before) as (keyof ServeOptions)[]) {
      if (before[name] === undefined || next[name] !== undefined) continue;
      log.warn(`The setting ${settingOf(name)} is no longer there.`);
    }
    warnOfExposure(next);
    for (const name of FIXED) {
      if (isDeepStrictEqual(next[name], started[name])) continue;
      log.warn(`The new value of ${settingOf(name)} is used when the server starts again.`);
    }
    void server.updateUpstreams();
  }

  async function reloadCertificate(): Promise<void> {
    const certificate = await readCertificate(current);
    if (certificate === null) return;
    server.useCertificate(certificate);
    const expires = new Date(certificate.expires).toISOString();
    log.info("certificate loaded", { expires });
  }

  const inTurn = (what: string, run: () => Promise<void>) => {
    queue = queue.then(() => reporting(what, run));
    return queue;
  };
  return {
    reload: () => inTurn("The settings", reloadAll),
    reloadCertificate: () => inTurn("The certificate and its key", reloadCertificate),
    certificateFiles: () => [current.tlsCert, current.tlsKey].filter((file) => file !== undefined),
  };
}
