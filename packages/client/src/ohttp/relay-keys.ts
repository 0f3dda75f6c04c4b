import { decodeKeyConfigs, encodeKeyConfig, type KeyConfig, type OhttpError } from "@x/ohttp";
import { hasName } from "@x/sha256-prefix/has-name";
import { ClientError } from "../error.ts";
import { type Purpose, type RelayContext, successful } from "../requests/requester.ts";
import { type SharedTask, sharedTask } from "../tasks.ts";

/** The key for which requests are encrypted. */
export interface RelayKeys {
  current(purpose: Purpose, signal: AbortSignal): Promise<KeyConfig>;
  /** The key to use instead of one that the server does not know; `null` when there is none. */
  insteadOf(refused: KeyConfig, purpose: Purpose, signal: AbortSignal): Promise<KeyConfig | null>;
}

const MAX_KEYS_BYTES = 2 ** 16;
/**
 * The minimum age of keys before they are fetched again, in milliseconds. Otherwise, a server that rejects the key
 * could make a client fetch keys without the relay after each search, and learn from the time which address had sent
 * the search.
 */
const LEAST_AGE = 60 * 60 * 1000;

/** A key that never changes. */
export function pinnedKeys(config: KeyConfig): RelayKeys {
  return { current: async () => config, insteadOf: async () => null };
}

function keyIn(bytes: Uint8Array, host: string): KeyConfig {
  try {
    return decodeKeyConfigs(bytes)[0]!;
  } catch (cause) {
    if (!hasName<OhttpError>(cause, "OhttpError")) throw cause;
    const message = `The keys from ${host} cannot be used: ${cause.message}`;
    throw new ClientError("answer-wrong", message, { cause });
  }
}

function isSameKey(a: KeyConfig, b: KeyConfig): boolean {
  return encodeKeyConfig(a).join() === encodeKeyConfig(b).join();
}

/** Keys that are fetched when the first request needs one, and again when the server no longer knows the key. */
export function fetchedKeys(url: URL, { exchange, now }: RelayContext): RelayKeys {
  let known: { readonly config: KeyConfig; readonly from: number } | null = null;
  let fetching: SharedTask<KeyConfig> | null = null;

  async function fetchKey(purpose: Purpose, signal: AbortSignal): Promise<KeyConfig> {
    const reading = { role: "host of the keys", most: MAX_KEYS_BYTES } as const;
    const request = {
      ...reading,
      mostOfErrors: 0,
      url,
      method: "GET",
      body: null,
      isShort: true,
    } as const;
    const headers = { accept: "application/ohttp-keys" };
    const from = now();
    const answer = await exchange({ ...request, headers }, "keys", purpose, signal);
    const config = keyIn(successful(answer, reading), url.host);
    known = { config, from };
    return config;
  }

  /** Requests at the same time share one answer. */
  function fetchOnce(purpose: Purpose, signal: AbortSignal): Promise<KeyConfig> {
    if (fetching === null || fetching.isAborted) {
      const task = sharedTask((shared) => fetchKey(purpose, shared));
      fetching = task;
      void task.ended.then(() => {
        if (fetching === task) fetching = null;
      });
    }
    return fetching.join(signal);
  }

  return {
    async current(purpose, signal) {
      return known?.config ?? (await fetchOnce(purpose, signal));
    },

    async insteadOf(refused, purpose, signal) {
      if (known !== null && !isSameKey(known.config, refused)) return known.config;
      const isFresh = known !== null && Math.abs(now() - known.from) < LEAST_AGE;
      if (isFresh) return null;
      const config = await fetchOnce(purpose, signal);
      return isSameKey(config, refused) ? null : config;
    },
  };
}
