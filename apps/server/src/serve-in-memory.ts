import { generateSigningKey, memoryStorage, publish, signerOf } from "@x/list-store";
import { NO_API_KEYS } from "./serve/api-keys.ts";
import { checkServedName } from "./serve/lists/threat-rows.ts";
import { createLog } from "./serve/log.ts";
import { startServer } from "./serve/server.ts";
import { AT_ONCE } from "./serve/worker-thread/run-job.ts";

/** The lists to serve and the port. */
export interface InMemoryOptions {
  /** The full hashes of each list, 32 bytes each. */
  readonly lists: Readonly<Record<string, readonly Uint8Array[]>>;
  /** The port on 127.0.0.1, or 0 for a free one. */
  readonly port: number;
}

/** A running server. */
export interface InMemoryServer {
  /** The origin of the server, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Finishes the answers in progress, and stops. */
  stop(): Promise<void>;
}

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60_000;

/**
 * Publishes lists to a store in memory, and serves them on 127.0.0.1, without a log. This is only for demos and tests,
 * because the lists cannot be changed and expire after a year.
 *
 * @throws {StoreError} `invalid` if a list name is not valid, or if clients would mistake one list for another.
 */
export async function serveInMemory({ lists, port }: InMemoryOptions): Promise<InMemoryServer> {
  const storage = memoryStorage();
  const signer = await signerOf(await generateSigningKey("in-memory"));
  const publicKeys = [signer.publicKey];
  for (const name of Object.keys(lists)) checkServedName(name, Object.keys(lists));
  for (const [list, fullHashes] of Object.entries(lists)) {
    await publish({ storage, list, fullHashes, signer, publicKeys, lifetime: 365 * DAY });
  }
  return startServer({
    storage,
    publicKeys,
    keys: NO_API_KEYS,
    seen: new Map(),
    seenFile: null,
    listen: { kind: "tcp", host: "127.0.0.1", port },
    tls: null,
    hashMemory: Infinity,
    hashFolder: "",
    window: 1,
    wait: 30 * MINUTE,
    cache: 5 * MINUTE,
    poll: 30 * MINUTE,
    behindProxy: false,
    log: createLog({ write() {} }),
    aside: AT_ONCE,
  });
}
