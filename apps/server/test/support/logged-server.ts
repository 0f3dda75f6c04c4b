import type { Signer, Storage } from "@x/list-store";
import { NO_API_KEYS } from "../../src/serve/api-keys.ts";
import { createLog } from "../../src/serve/log.ts";
import { NO_OPERATOR } from "../../src/serve/pages/operator.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../src/serve/server.ts";
import { AT_ONCE } from "../../src/serve/worker-thread/run-job.ts";
import { apiKeysFrom } from "./api-keys.ts";

export interface LoggedServer extends RunningServer {
  /** The whole log as text. */
  log(): string;
}

/** The options that a test can set. `keys` is the text of a file of API keys. */
export interface LoggedServerOptions
  extends Partial<
    Pick<
      ServerOptions,
      | "aside"
      | "admin"
      | "cache"
      | "hashFolder"
      | "hashGrace"
      | "hashMemory"
      | "longer"
      | "ohttp"
      | "only"
      | "operator"
      | "optional"
      | "origins"
      | "poll"
      | "processes"
      | "seen"
      | "seenFile"
      | "tls"
      | "upstreams"
    >
  > {
  readonly keys?: string;
}

/** A server on a free port of 127.0.0.1, whose log can be read. */
export async function startLoggedServer(
  storage: Storage,
  signer: Signer,
  {
    keys,
    poll = 60_000,
    seen = new Map(),
    seenFile = null,
    tls = null,
    admin,
    aside = AT_ONCE,
    operator = NO_OPERATOR,
    cache = 60_000,
    ohttp,
    upstreams = [],
    optional,
    origins,
    hashMemory = Infinity,
    hashFolder = "",
    hashGrace,
    longer,
    only,
    processes,
  }: LoggedServerOptions = {},
): Promise<LoggedServer> {
  let logged = "";
  const server = await startServer({
    storage,
    publicKeys: [signer.publicKey],
    keys: keys === undefined ? NO_API_KEYS : apiKeysFrom(keys),
    seen,
    seenFile,
    listen: { kind: "tcp", host: "127.0.0.1", port: 0 },
    admin,
    tls,
    optional,
    origins,
    hashMemory,
    hashFolder,
    hashGrace,
    window: 10,
    longer,
    only,
    wait: 60_000,
    cache,
    ohttp,
    upstreams,
    poll,
    aside,
    operator,
    processes,
    behindProxy: false,
    log: createLog({
      write(text) {
        logged += text;
      },
    }),
  });
  return { ...server, log: () => logged };
}
