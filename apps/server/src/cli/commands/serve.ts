import { access, constants, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { Failure } from "@x/command-line";
import { listenProblem } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import type { Command } from "commander";
import type { Address } from "../../serve/address.ts";
import { NOTHING_SEEN, readSeen, type SeenVersions } from "../../storage/seen-versions.ts";
import type { Context } from "../context.ts";
import { addSettings, namedValue, reloadOptions } from "../options.ts";
import { inheritedSockets } from "../serving/inherited-sockets.ts";
import type { ServeOptions } from "../serving/serve-options.ts";
import { checkStore, lastingStorage, storeFiles } from "../store-files.ts";
import { ownVersion } from "../version.ts";

const STANDARD_OUTPUT = 1;

/** How long the server continues to read from the store after it is told to stop, in milliseconds. */
const STILL_READING = 1000;
/** How long it keeps idle connections then, because a request may be on its way. */
const LINGER = 1000;

/** The versions seen before. Without them, nothing distinguishes an old copy of the store from the newest one. */
async function seenBefore(
  file: string,
  firstStart: boolean,
  complain: Context["complain"],
): Promise<SeenVersions> {
  const seen = await readSeen(file);
  if (seen !== null) return seen;
  if (firstStart) {
    await writeFile(file, NOTHING_SEEN, { flag: "wx" }).catch((error) => {
      complain(printable(`the file of seen versions cannot be created: ${error.message}`));
    });
    return new Map();
  }
  throw new Failure(
    `The file of seen versions ${file} does not exist, so an old copy of the store would be served unnoticed: restore the file, or use --first-start if no server has served this store before`,
  );
}

/** Where to listen. Sockets of the service manager come first. */
function addressesOf(
  { host, port, grpcPort, listen, admin }: ServeOptions,
  { io }: Context,
): { listen: Address; grpc: Address | undefined; admin: Address | undefined } {
  const inherited = inheritedSockets(io.env, process.pid);
  const own: Address = listen ?? { kind: "tcp", host, port };
  return {
    listen: inherited.listen ?? own,
    grpc:
      inherited.grpc ??
      (grpcPort === undefined ? undefined : { kind: "tcp", host, port: grpcPort }),
    admin: inherited.admin ?? admin,
  };
}

/** Why the server cannot listen, as an error for the operator. */
function explained(error: unknown, { host }: ServeOptions): unknown {
  const { address, port } = error as { readonly address?: string; readonly port?: number };
  if (address !== undefined && (port === undefined || port < 0))
    return new Failure(`The server cannot listen on ${address}: ${(error as Error).message}`);
  const problem = listenProblem(error, address ?? host);
  return problem === null ? error : new Failure(problem, { cause: error });
}

/** Makes a folder, or throws if files cannot be made in it. */
async function checkFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await access(folder, constants.W_OK);
}

export function registerServe(program: Command, context: Context): void {
  const { complain } = context;
  const command = program
    .command("serve")
    .description(
      "serve the lists of a store to clients of Safe Browsing and Web Risk, as files for ClamAV and DNS, and for look-ups of whole URLs",
    )
    .option(
      "--behind-proxy",
      "take clients' addresses from the X-Forwarded-For header of your own proxy",
    )
    .option("--first-start", "start without the file of seen versions, and make it")
    .option(
      "--upstream <name=url>",
      "keep the lists mw-4b, se-4b and uws-4b of this server over v5, and serve them, too; may be given more than once",
      namedValue,
    )
    .option("--upstream-key <name=file>", "the file with the API key for it", namedValue);
  addSettings(command, [
    ...(["public-key", "host", "port", "listen", "grpc-port", "admin"] as const),
    ...(["wait", "cache", "poll", "window", "prefix-bytes", "hash-memory", "hash-folder"] as const),
    ...(["lists", "optional", "keys", "ohttp"] as const),
    ...(["upstreams", "upstreams-folder", "seen", "log-level", "log-requests"] as const),
    ...(["operator-name", "operator-contact", "operator-text", "tls-cert", "tls-key"] as const),
  ]).addHelpText(
    "after",
    `
The server never reads the signing key, and never writes to the store. SIGHUP
makes it read DIR.conf and all files that the options name again, and update the
lists of other servers now. A new certificate is used without a signal.
It uses the sockets that systemd passes to it.
The log goes to standard output, one JSON object per line.`,
  );
  command.action(async (options: ServeOptions) => {
    // A signal that comes while the lists are read must not end the process.
    let onHangUp = () => {};
    let isHungUp = false;
    const hangUp = () => {
      isHungUp = true;
      onHangUp();
    };
    process.on("SIGHUP", hangUp);
    const reading = new AbortController();
    try {
      const files = storeFiles(options, { io: context.io, signal: reading.signal });
      await checkStore(files);
      const { behindProxy = false, firstStart = false } = options;
      const { hashMemory, hashFolder = tmpdir() } = options;
      // Short lists need no folder, so that for temporary files may be missing.
      if (options.hashFolder !== undefined) await checkFolder(hashFolder);
      const seenFile = options.seen ?? files.seenFile;
      // The modules of the server are loaded only here, because the other commands start faster without them.
      const { readSiteOptions } = await import("../serving/serve-options.ts");
      const { readCertificate } = await import("../tls-files.ts");
      const { createLog } = await import("../../serve/log.ts");
      const { logFile } = await import("../../serve/log-file.ts");
      const { processMetrics } = await import("../serving/process-metrics.ts");
      const { startServer } = await import("../../serve/server.ts");
      const { reloader } = await import("../serving/reload.ts");
      const { watchFiles } = await import("../serving/watch-files.ts");
      const storage = lastingStorage(files);
      const readSite = (from: ServeOptions) => readSiteOptions(from, files, storage);
      const site = await readSite(options);
      const seen = await seenBefore(seenFile, firstStart, complain);
      const tls = await readCertificate(options);
      const output = logFile(STANDARD_OUTPUT, ({ message }) =>
        complain(`the log cannot be written, and the server goes on without it: ${message}`),
      );
      const { logLevel: level, logRequests: requests } = options;
      const log = createLog(output, { level, requests });
      const server = await startServer({
        ...{ ...site, ...addressesOf(options, context) },
        ...{ hashMemory, hashFolder, seen, seenFile, tls, behindProxy, log },
        moreMetrics: processMetrics(),
      }).catch((error) => {
        throw explained(error, options);
      });
      const { origin, grpcOrigin, adminOrigin } = server;
      const version = ownVersion();
      log.info("started", { version, origin, grpcOrigin, adminOrigin, pid: process.pid });
      const overGrpc = grpcOrigin === null ? "" : `, and over gRPC at ${grpcOrigin}`;
      complain(`serving ${files.address.shown} at ${origin}${overGrpc}`);
      if (adminOrigin !== null) complain(`/metrics, /readyz and /healthz are at ${adminOrigin}`);

      const { reload, reloadCertificate, certificateFiles } = reloader({
        ...{ server, started: options, log, complain, readSite },
        read: () => reloadOptions<ServeOptions>(command),
      });
      onHangUp = () => void reload();
      if (isHungUp) onHangUp();
      const stopWatching = watchFiles(certificateFiles, reloadCertificate);
      const signal = await new Promise<NodeJS.Signals>((resolve) => {
        process.once("SIGTERM", resolve).once("SIGINT", resolve);
      });
      log.info("stopping", { signal });
      stopWatching();
      // Otherwise, a store that does not answer would delay the end by minutes.
      const stopReading = () => reading.abort(new Error("the server stops"));
      const timer = setTimeout(stopReading, STILL_READING);
      await server.stop(LINGER);
      clearTimeout(timer);
      stopReading();
      log.info("stopped");
      await output.close();
    } finally {
      process.off("SIGHUP", hangUp);
    }
  });
}
