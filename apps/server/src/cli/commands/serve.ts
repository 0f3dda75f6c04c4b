import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { Failure } from "@x/command-line";
import { listenProblem } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import type { Command } from "commander";
import { type ApiKeys, NO_API_KEYS, parseApiKeys } from "../../serve/api-keys.ts";
import { namingFile } from "../../storage/naming-file.ts";
import { NOTHING_SEEN, readSeen, type SeenVersions } from "../../storage/seen-versions.ts";
import type { Context } from "../context.ts";
import { type OperatorOptions, operatorOf } from "../operator-options.ts";
import { addSettings, namedValue } from "../options.ts";
import type { StoreOptions } from "../store-address.ts";
import { checkStore, lastingStorage, readPublicKeys, storeFiles } from "../store-files.ts";
import { readTlsFiles, type TlsFiles } from "../tls-files.ts";
import type { NamedUpstreams } from "../upstreams.ts";

interface Options extends OperatorOptions, StoreOptions, NamedUpstreams {
  readonly lists?: ReadonlySet<string>;
  readonly publicKey?: string;
  readonly host: string;
  readonly port: number;
  readonly grpcPort?: number;
  readonly wait: number;
  readonly cache: number;
  readonly poll: number;
  readonly window: number;
  readonly optional?: ReadonlySet<string>;
  readonly hashMemory: number;
  readonly hashFolder?: string;
  readonly keys?: string;
  readonly upstreams?: string;
  readonly upstreamsFolder?: string;
  readonly seen?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: boolean;
  readonly firstStart?: boolean;
}

const STANDARD_OUTPUT = 1;

/** How long the server continues to read from the store after it is told to stop, in milliseconds. */
const STILL_READING = 1000;

async function readApiKeys(file: string | undefined): Promise<ApiKeys> {
  if (file === undefined) return NO_API_KEYS;
  const text = await readFile(file, "utf8").catch(namingFile(file));
  try {
    return parseApiKeys(text, file);
  } catch (error) {
    throw new Failure((error as Error).message, { cause: error });
  }
}

async function readTls({ tlsCert, tlsKey }: Options): Promise<TlsFiles | null> {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new Failure("HTTPS needs both --tls-cert and --tls-key");
  }
  return readTlsFiles(tlsCert, tlsKey);
}

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
    "public-key",
    "host",
    "port",
    "grpc-port",
    "wait",
    "cache",
    "poll",
    "window",
    "hash-memory",
    "hash-folder",
    "lists",
    "optional",
    "keys",
    "upstreams",
    "upstreams-folder",
    "seen",
    "operator-name",
    "operator-contact",
    "operator-text",
    "tls-cert",
    "tls-key",
  ]).addHelpText(
    "after",
    `
The server never reads the signing key, and never writes to the store. With
--upstream or --upstreams, SIGHUP makes it update the lists of the other servers
now.
The log goes to standard output, one JSON object per line.`,
  );
  command.action(async (options: Options) => {
    const reading = new AbortController();
    const files = storeFiles(options, { io: context.io, signal: reading.signal });
    await checkStore(files);
    const { host, port, grpcPort, wait, cache, poll, window, behindProxy = false } = options;
    const { firstStart = false, lists, optional, hashMemory, hashFolder = tmpdir() } = options;
    const seenFile = options.seen ?? files.seenFile;
    // The modules of the server are loaded only here, because the other commands start faster without them.
    const { readUpstreams } = await import("../upstreams.ts");
    const upstreams = await readUpstreams(
      options.upstreams,
      options.upstreamsFolder ?? files.upstreamsFolder,
      options,
    );
    const { createLog } = await import("../../serve/log.ts");
    const { logFile } = await import("../../serve/log-file.ts");
    const { startServer } = await import("../../serve/server.ts");
    const log = logFile(STANDARD_OUTPUT, ({ message }) =>
      complain(`the log cannot be written, and the server goes on without it: ${message}`),
    );
    const server = await startServer({
      storage: lastingStorage(files),
      publicKeys: await readPublicKeys(options.publicKey ?? files.publicKeyFile),
      keys: await readApiKeys(options.keys),
      seen: await seenBefore(seenFile, firstStart, complain),
      seenFile,
      only: lists,
      optional,
      upstreams,
      host,
      port,
      grpcPort,
      tls: await readTls(options),
      window,
      hashMemory,
      hashFolder,
      wait,
      cache,
      poll,
      behindProxy,
      operator: operatorOf(options),
      log: createLog(log),
    }).catch((error) => {
      const problem = listenProblem(error, host);
      throw problem === null ? error : new Failure(problem, { cause: error });
    });
    const { origin, grpcOrigin } = server;
    const overGrpc = grpcOrigin === null ? "" : `, and over gRPC at ${grpcOrigin}`;
    complain(`serving ${files.address.shown} at ${origin}${overGrpc}`);
    const updateUpstreams = () => void server.updateUpstreams();
    if (upstreams.length > 0) process.on("SIGHUP", updateUpstreams);
    await new Promise<void>((resolve) => {
      process.once("SIGTERM", resolve).once("SIGINT", resolve);
    });
    process.off("SIGHUP", updateUpstreams);
    // Otherwise, a store that does not answer would delay the end by minutes.
    const stopReading = () => reading.abort(new Error("the server stops"));
    const timer = setTimeout(stopReading, STILL_READING);
    await server.stop();
    clearTimeout(timer);
    stopReading();
    await log.close();
  });
}
