import { ownOptions } from "@x/canon/own-options";
import type { LimitedAnswer } from "@x/list-store/transport";
import {
  decodeKeyConfigs,
  encapsulateRequest,
  encodeKeyConfig,
  type KeyConfig,
  type OhttpError,
} from "@x/ohttp";
import { decodeResponse, encodeRequest } from "@x/ohttp/binary-http";
import { hasName } from "@x/sha256-prefix/has-name";
import { typeError } from "@x/sha256-prefix/type-error";
import type { OutgoingRequest } from "@x/wire";
import { ClientError } from "../error.ts";
import { checkChoice } from "../options.ts";
import {
  type Purpose,
  type Relay,
  type RelayContext,
  type SendThroughRelay,
  successful,
} from "../requests/requester.ts";
import { type SharedTask, sharedTask } from "../tasks.ts";

/** The options of `throughRelay`, which needs either `keys` or `gateway`. */
interface RelayOptions {
  /** The address of the relay. Somebody other than the operator of the server must run the relay. */
  readonly relay: string | URL;
  /** The keys of the server, as it publishes them: a body of the type `application/ohttp-keys`. */
  readonly keys?: Uint8Array | undefined;
  /**
   * The address from which the keys are fetched. A host alone means `/.well-known/ohttp-gateway` on that host. The keys
   * are fetched directly rather than through the relay.
   */
  readonly gateway?: string | URL | undefined;
  /** Whether list updates, and not only searches, go through the relay; `false` by default. */
  readonly updates?: boolean | undefined;
  /**
   * Whether a request fails or is sent without the relay if the relay brings no usable answer. The default is `"fail"`.
   * With `"send-directly"`, **the request goes to the server directly**, and anyone who can break the relay can cause
   * that.
   */
  readonly onRelayError?: "fail" | "send-directly" | undefined;
}

const REQUEST_TYPE = "message/ohttp-req";
const RESPONSE_TYPE = "message/ohttp-res";
/** Where gateways publish their keys (RFC 9540 §4). */
const GATEWAY_PATH = "/.well-known/ohttp-gateway";
/** The problem type with which a gateway says that it does not know the key (RFC 9458 §5.3). */
const KEY_PROBLEM = "https://iana.org/assignments/http-problem-types#ohttp-key";
/** Requests are padded to a multiple of this many bytes, so that the length does not show the number of prefixes. */
const PADDED_TO = 1024;
/** The number of additional bytes that are allowed for headers, padding and encryption. */
const MORE_BYTES = 2 ** 16;

function invalid(message: string, cause?: unknown): never {
  throw new ClientError("option-invalid", message, { cause });
}

function addressOf(name: string, given: unknown): URL {
  if (typeof given !== "string" && !(given instanceof URL)) {
    throw typeError(name, "a string or a URL", given);
  }
  const url = URL.canParse(given) ? new URL(given) : invalid(`${name} must be an absolute URL`);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    invalid(`${name} must begin with https:// or http://`);
  }
  if (url.username !== "" || url.password !== "") {
    invalid(`${name} must have no user name and no password`);
  }
  url.hash = "";
  return url;
}

function keyAddressOf(gateway: unknown): URL {
  const url = addressOf("gateway", gateway);
  if (url.pathname === "/" && url.search === "") url.pathname = GATEWAY_PATH;
  return url;
}

function pinnedKey(keys: Uint8Array): KeyConfig {
  try {
    return decodeKeyConfigs(keys)[0]!;
  } catch (cause) {
    if (!hasName<OhttpError>(cause, "OhttpError")) throw cause;
    return invalid(`keys are not the keys of a gateway: ${cause.message}`, cause);
  }
}

const mediaType = ({ headers }: LimitedAnswer) =>
  (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();

/** Whether an answer says that the gateway does not know the key. */
function isKeyProblem(answer: LimitedAnswer): boolean {
  const { status, bytes } = answer;
  if (status < 400 || status > 499 || mediaType(answer) !== "application/problem+json")
    return false;
  try {
    return JSON.parse(new TextDecoder().decode(bytes!)).type === KEY_PROBLEM;
  } catch {
    return false;
  }
}

const wrongAnswer = (why: string, cause?: unknown) =>
  new ClientError("answer-wrong", `The relay's answer cannot be used: ${why}`, { cause });

/** Turns errors of encryption and decryption into errors of the client, so that a check still returns a verdict. */
async function orWrongAnswer<Result>(what: () => Promise<Result>): Promise<Result> {
  try {
    return await what();
  } catch (cause) {
    throw wrongAnswer(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function binaryRequest(
  { method, target: path, headers, body }: OutgoingRequest,
  { protocol, host: authority }: URL,
): Uint8Array {
  const fields = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const content = body ?? new Uint8Array();
  const scheme = protocol.slice(0, -1);
  return encodeRequest(
    { method, scheme, authority, path, headers: fields, content },
    { padTo: PADDED_TO },
  );
}

function plainAnswer(message: Uint8Array, most: number): LimitedAnswer {
  const { status, headers, content } = decodeResponse(message, { maxBytes: most + MORE_BYTES });
  const valuesOf = (name: string) =>
    headers.filter(([field]) => field === name).map(([, value]) => value);
  return {
    status,
    headers: { get: (name) => valuesOf(name).join(", ") || null },
    bytes: content.length > most ? null : content,
  };
}

/** Sends requests through a relay, encrypted for the key of the server. */
function relaySender(
  relay: URL,
  keys: RelayKeys,
  { server, show, exchange }: RelayContext,
): SendThroughRelay {
  /** Sends a request that is encrypted for a key; `null` when the gateway does not know the key. */
  async function sendWith(
    key: KeyConfig,
    request: Uint8Array,
    purpose: Purpose,
    most: number,
    signal: AbortSignal,
  ): Promise<LimitedAnswer | null> {
    const { message, openResponse } = await orWrongAnswer(() => encapsulateRequest(key, request));
    const outer = {
      url: relay,
      method: "POST",
      headers: { "content-type": REQUEST_TYPE },
      body: message,
      most: most + 2 * MORE_BYTES,
    } as const;
    const answer = await exchange(outer, "relay", purpose, signal);
    if (isKeyProblem(answer)) return null;
    const bytes = successful(answer, "relay", outer.most);
    if (mediaType(answer) !== RESPONSE_TYPE) throw wrongAnswer(`its type is not ${RESPONSE_TYPE}`);
    return orWrongAnswer(async () => plainAnswer(await openResponse(bytes), most));
  }

  return async (request, purpose, most, signal) => {
    const { method, target: path, body } = request;
    await show({ method, host: server.host, path, body, ohttp: "inner" }, signal);
    const binary = binaryRequest(request, server);
    const key = await keys.current(purpose, signal);
    const answer = await sendWith(key, binary, purpose, most, signal);
    if (answer !== null) return answer;
    const other = await keys.insteadOf(key, purpose, signal);
    const second = other === null ? null : await sendWith(other, binary, purpose, most, signal);
    if (second !== null) return second;
    const message = `The server ${server.host} does not know the key for requests through a relay`;
    throw new ClientError("relay-key-unknown", message);
  };
}

/** Throws if the relay would hide nothing, or anyone on the way to the keys could replace them. */
function checkHosts(relay: URL, gateway: URL | null, server: URL): void {
  if (relay.host === server.host) invalid("the relay must not be the server");
  if (gateway === null) return;
  if (relay.host === gateway.host) invalid("the keys must not come from the relay");
  if (gateway.protocol === "http:" && server.protocol === "https:") {
    invalid("gateway must begin with https://");
  }
}

/**
 * Makes the option `ohttp` of `createClient` and `createLookup`, which sends searches through a relay, over Oblivious
 * HTTP. The relay learns who asks, and the server what is asked.
 *
 * @throws {ClientError} `option-invalid` when an option is not valid.
 * @throws {TypeError} when an option has the wrong type.
 * @example
 * ```ts
 * import { createLookup } from "@x/client";
 * import { throughRelay } from "@x/client/ohttp";
 *
 * const lookup = createLookup({
 *   server: "https://lists.example",
 *   ohttp: throughRelay({ relay: "https://relay.example/lists", gateway: "https://keys.example" }),
 *   fetch: async () => new Response("", { status: 503 }),
 * });
 * (await lookup.check("http://example.com/")).verdict; // → "unsure"
 * ```
 * @see RFC 9458
 */
export function throughRelay(options: RelayOptions): Relay {
  const { updates = false, onRelayError = "fail", ...given } = ownOptions(options);
  const relay = addressOf("relay", given.relay);
  if (typeof updates !== "boolean") throw typeError("updates", "a boolean", updates);
  checkChoice("onRelayError", onRelayError, ["fail", "send-directly"]);
  if ((given.keys === undefined) === (given.gateway === undefined)) {
    invalid("throughRelay needs either keys or a gateway");
  }
  const pinned = given.keys === undefined ? null : pinnedKey(given.keys);
  const gateway = given.gateway === undefined ? null : keyAddressOf(given.gateway);

  function open(context: RelayContext): SendThroughRelay {
    checkHosts(relay, gateway, context.server);
    const keys: RelayKeys = pinned === null ? fetchedKeys(gateway!, context) : pinnedKeys(pinned);

    const send = relaySender(relay, keys, context);
    return async (request, purpose, most, signal, sendDirectly) => {
      if (purpose === "update" && !updates) return sendDirectly();
      try {
        return await send(request, purpose, most, signal, sendDirectly);
      } catch (error) {
        signal.throwIfAborted();
        const isFailure = error instanceof ClientError && error.code !== "request-refused";
        if (onRelayError === "send-directly" && isFailure) return sendDirectly();
        throw error;
      }
    };
  }

  return { open };
}

/** The key for which requests are encrypted. */
interface RelayKeys {
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
function pinnedKeys(config: KeyConfig): RelayKeys {
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
function fetchedKeys(url: URL, { exchange, now }: RelayContext): RelayKeys {
  let known: { readonly config: KeyConfig; readonly from: number } | null = null;
  let fetching: SharedTask<KeyConfig> | null = null;

  async function fetchKey(purpose: Purpose, signal: AbortSignal): Promise<KeyConfig> {
    const headers = { accept: "application/ohttp-keys" };
    const request = { url, method: "GET", headers, body: null, most: MAX_KEYS_BYTES } as const;
    const from = now();
    const answer = await exchange(request, "host of the keys", purpose, signal);
    const config = keyIn(successful(answer, "host of the keys", MAX_KEYS_BYTES), url.host);
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
