import { ownOptions } from "@x/canon/own-options";
import { typeError } from "@x/sha256-prefix/type-error";
import { ClientError } from "./error.ts";
import type { ApplyListJob } from "./lists/list-job.ts";
import type { OnNewList, OnUpdate } from "./lists/results.ts";
import type {
  OpenStore,
  Protocol,
  ProtocolName,
  Protocols,
  StoreOptions,
} from "./protocols/protocol.ts";
import type { OnRequest, Relay } from "./requests/requester.ts";
import type { ClientStorage } from "./storage.ts";
import { PLATFORM_TIMERS, type Timers } from "./tasks.ts";

/**
 * How a URL is checked. `"local-list"` asks the server only about prefixes that are on a list. `"real-time"` asks about
 * every URL that is not on the list of likely safe sites. `"no-storage"` asks about every URL, and keeps no lists.
 * `"real-time"` and `"no-storage"` are for v5 only.
 */
export type Procedure = "local-list" | "real-time" | "no-storage";

/** The options of `createClient`. */
export interface ClientOptions {
  readonly protocol: ProtocolName;
  /** The address of the server, such as `https://safebrowsing.googleapis.com`. */
  readonly server: string | URL;
  /** The API key. It is sent to servers but not to stores, and appears in no error and no status. */
  readonly key?: string | undefined;
  /** For `"store"`: the public keys, one of which must have signed the lists. */
  readonly publicKeys?: readonly string[] | undefined;
  /**
   * For `"store"`: the length of the prefixes that the client keeps, in bytes: 4, 8 or 32. The default is the
   * length in the stored list, or 4 if there is none. With 8, practically no match has to be confirmed by a search.
   */
  readonly prefixBytes?: number | undefined;
  /**
   * For `"store"`: opens the store, for example in a bucket. By default, the store is on a static host at `server`.
   * With this function, `server` may be any URL, but lists that were stored with another URL are not used.
   */
  readonly openStore?: OpenStore | undefined;
  /**
   * For `"store"`: whether versions that have expired are loaded, too; `false` by default. If expired versions are
   * loaded, nothing shows whether the host holds back newer versions.
   */
  readonly allowsExpired?: boolean | undefined;
  /** The names of the lists, as the protocol writes them. With `"no-storage"`, there must be none. */
  readonly lists?: readonly string[] | undefined;
  /** Where the lists are kept. By default, the lists last only as long as the client. */
  readonly storage?: ClientStorage | undefined;
  /**
   * Who updates the lists. With `"own"`, the default, this client does. With `"follow"`, another client does, and this
   * one only reads what the other stores. The storage must then have a `watch`.
   */
  readonly updates?: "own" | "follow" | undefined;
  /** How a URL is checked; `"local-list"` by default. */
  readonly procedure?: Procedure | undefined;
  /**
   * The verdict when the server gave no usable answer. The default is `"unsure"`. With `"safe"`, as in the published
   * procedures, anyone who can keep the server from answering can make every listed URL count as safe.
   */
  readonly onError?: "unsure" | "safe" | undefined;
  /**
   * How long lists are still used when an update is overdue, in milliseconds; a day by default. Afterwards, URLs that
   * are on no list are `"unsure"`, unless the server is asked about all of them.
   */
  readonly grace?: number | undefined;
  /**
   * An update request is given up after this many milliseconds without progress, and a search or a storage operation
   * after this many in total; 30 000 by default.
   */
  readonly timeout?: number | undefined;
  /** Called with each new version of a list before it is kept. The function may refuse the version. */
  readonly onNewList?: OnNewList | undefined;
  /**
   * Called after each update, with its result or its error, whoever began the update. The function is not called for an
   * update that `stop` or its callers ended. An error that the function throws becomes an unhandled rejection.
   */
  readonly onUpdate?: OnUpdate | undefined;
  /** Called with each request before it is sent. The function may refuse the request. */
  readonly onRequest?: OnRequest | undefined;
  /**
   * The relay through which searches are sent, over Oblivious HTTP, made by `throughRelay` of `@x/client/ohttp`. Not
   * for stores.
   */
  readonly ohttp?: Relay | undefined;
  /**
   * Returns the registrable domain (eTLD+1) of a host. With this function, the host suffixes are those of Safe Browsing
   * v5.
   */
  readonly registrableDomain?: ((host: string) => string | null) | undefined;
  /** Decodes and applies updates elsewhere, such as in a worker; `applyListJob` by default. */
  readonly apply?: ApplyListJob | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Returns a random number from 0 to less than 1. */
  readonly random?: (() => number) | undefined;
  readonly timers?: Timers | undefined;
}

/** The default of the option `grace`, in milliseconds. */
const USUAL_GRACE = 24 * 60 * 60_000;

function invalid(message: string): never {
  throw new ClientError("option-invalid", message);
}

function checkCount(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== "number") throw typeError(name, "a number", value);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}, not ${value}`);
  }
  return value;
}

export function checkFunction<Value>(name: string, value: Value): Value {
  if (value !== undefined && typeof value !== "function")
    throw typeError(name, "a function", value);
  return value;
}

export function checkChoice(name: string, value: unknown, choices: readonly string[]): void {
  if (choices.includes(value as string)) return;
  throw typeError(name, choices.map((each) => `"${each}"`).join(" or "), value);
}

export function checkKey(key: unknown): void {
  // The message does not quote the value, because it could be a key.
  if (key !== null && typeof key !== "string") throw new TypeError("key must be a string");
}

/** Whether an object has these functions, which may be inherited from a class. */
function hasFunctions(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === "function");
}

function checkStorage(
  storage: ClientStorage | undefined,
  updates: "own" | "follow",
): ClientStorage | null {
  if (storage !== undefined && !hasFunctions(storage, ["get", "put", "delete"])) {
    throw typeError("storage", "an object with get, put and delete", storage);
  }
  if (updates === "follow" && !hasFunctions(storage, ["watch"])) {
    invalid('updates: "follow" needs a storage with a watch function, such as directoryStorage');
  }
  return storage ?? null;
}

export function checkRelay(relay: Relay | undefined): Relay | null {
  if (relay !== undefined && !hasFunctions(relay, ["open"])) {
    throw typeError("ohttp", "a result of throughRelay", relay);
  }
  return relay ?? null;
}

function checkTimers(timers: Timers | undefined): Timers {
  if (timers !== undefined && !hasFunctions(timers, ["after"])) {
    throw typeError("timers", "an object with after", timers);
  }
  return timers ?? PLATFORM_TIMERS;
}

export function checkServer(server: unknown, mayHaveAnyScheme: boolean = false): URL {
  if (typeof server !== "string" && !(server instanceof URL)) {
    throw typeError("server", "a string or a URL", server);
  }
  const url = URL.canParse(server) ? new URL(server) : invalid("server must be an absolute URL");
  if (!mayHaveAnyScheme && url.protocol !== "https:" && url.protocol !== "http:") {
    invalid("server must begin with https:// or http://");
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    invalid("server must have no query, fragment, user name or password");
  }
  return url;
}

function checkNames(lists: unknown): readonly string[] {
  if (!Array.isArray(lists)) throw typeError("lists", "an array of names", lists);
  for (const name of lists) {
    if (typeof name !== "string") throw typeError("lists", "an array of names", name);
    if (name === "") invalid("the name of a list is empty");
  }
  if (new Set(lists).size < lists.length) invalid("lists has a duplicate name");
  return lists;
}

/** Checks that the procedure can use the lists. */
function checkLists(
  given: unknown,
  protocol: Protocol,
  procedure: Procedure,
  updates: "own" | "follow",
): readonly string[] {
  const lists = checkNames(given);
  if (procedure === "no-storage" && lists.length > 0) {
    invalid('the procedure "no-storage" keeps no lists');
  }
  if (procedure === "no-storage" && updates === "follow") {
    invalid('the procedure "no-storage" keeps no lists, so it cannot follow a storage');
  }
  if (procedure !== "no-storage" && lists.length === 0) invalid("lists must name a list");
  const useOf = (name: string) => protocol.describe(name).use;
  for (const name of lists) {
    if (useOf(name) === "none") invalid(`the list ${name} says nothing about URLs`);
  }
  if (procedure === "local-list" && lists.every((name) => useOf(name) !== "threats")) {
    invalid("lists must name a list of threats");
  }
  return lists;
}

function checkPublicKeys(
  publicKeys: readonly string[] | undefined,
  protocol: Protocol,
  name: ProtocolName,
): readonly string[] {
  if (protocol.checkPublicKeys !== undefined) return protocol.checkPublicKeys(publicKeys);
  return publicKeys === undefined ? [] : invalid(`publicKeys are not for the protocol ${name}`);
}

function checkPrefixBytes(
  prefixBytes: number | undefined,
  { prefixLengths }: Protocol,
  name: ProtocolName,
): number | null {
  if (prefixBytes === undefined) return null;
  if (prefixLengths === undefined) {
    invalid(
      `prefixBytes is not for the protocol ${name}: its server decides how long prefixes are`,
    );
  }
  if (typeof prefixBytes !== "number") throw typeError("prefixBytes", "a number", prefixBytes);
  if (prefixLengths.includes(prefixBytes)) return prefixBytes;
  throw new RangeError(
    `prefixBytes must be one of ${prefixLengths.join(", ")}, not ${prefixBytes}`,
  );
}

function checkStoreOptions(
  { publicKeys, prefixBytes, openStore, allowsExpired }: Partial<ClientOptions>,
  protocol: Protocol,
  name: ProtocolName,
): StoreOptions {
  const checked = {
    publicKeys: checkPublicKeys(publicKeys, protocol, name),
    prefixBytes: checkPrefixBytes(prefixBytes, protocol, name),
  };
  if (name !== "store" && (openStore ?? allowsExpired) !== undefined) {
    invalid(`openStore and allowsExpired are for stores, not for the protocol ${name}`);
  }
  if (allowsExpired !== undefined && typeof allowsExpired !== "boolean") {
    throw typeError("allowsExpired", "true or false", allowsExpired);
  }
  return {
    ...checked,
    openStore: checkFunction("openStore", openStore) ?? null,
    allowsExpired: allowsExpired ?? false,
  };
}

type WithDefaults =
  | "procedure"
  | "onError"
  | "grace"
  | "timeout"
  | "fetch"
  | "now"
  | "random"
  | "apply"
  | "timers";

type Defined<Options> = {
  readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined>;
};

/** The options, checked and with their defaults. */
export interface CheckedOptions extends Defined<Pick<ClientOptions, WithDefaults>> {
  readonly protocol: Protocol;
  readonly protocolName: ProtocolName;
  readonly server: URL;
  readonly lists: readonly string[];
  /** Whether another client updates the lists. */
  readonly isFollowing: boolean;
  readonly key: string | null;
  readonly store: StoreOptions;
  readonly storage: ClientStorage | null;
  readonly onNewList: OnNewList | null;
  readonly onUpdate: OnUpdate | null;
  readonly onRequest: OnRequest | null;
  readonly ohttp: Relay | null;
  readonly registrableDomain: ((host: string) => string | null) | undefined;
}

export const checkTimeout = (timeout: number | undefined): number =>
  checkCount("timeout", timeout ?? 30_000, 1, 2 ** 31 - 1);

/** The given `fetch`. By default, a function that calls the platform's `fetch`, even if that is replaced later. */
export const fetchOf = (given: typeof fetch | undefined): typeof fetch =>
  checkFunction("fetch", given) ?? ((...args: Parameters<typeof fetch>) => fetch(...args));

/** Checks the options, and adds their defaults. `apply` is the default of the option with this name. */
export function checkOptions(
  protocols: Protocols,
  apply: ApplyListJob,
  given: ClientOptions,
): CheckedOptions {
  const own = ownOptions(given);
  const { procedure = "local-list", updates = "own", onError = "unsure", key = null } = own;
  checkChoice("protocol", own.protocol, Object.keys(protocols));
  const protocol = protocols[own.protocol]!;
  checkChoice("procedure", procedure, ["local-list", "real-time", "no-storage"]);
  checkChoice("updates", updates, ["own", "follow"]);
  checkChoice("onError", onError, ["unsure", "safe"]);
  checkKey(key);
  if (procedure !== "local-list" && own.protocol !== "v5") {
    // The other protocols search only the lists that the client has. Without a list, they would find nothing.
    invalid(`the procedure "${procedure}" is for v5, not for ${own.protocol}`);
  }
  const ohttp = checkRelay(own.ohttp);
  if (ohttp !== null && own.protocol === "store") {
    // A static host cannot decrypt requests, and searches must not go to it directly without notice.
    invalid("ohttp is for servers with a gateway, not for stores");
  }
  const lists = checkLists(own.lists ?? [], protocol, procedure, updates);
  return {
    protocol,
    protocolName: own.protocol,
    server: checkServer(own.server, own.openStore !== undefined),
    key,
    store: checkStoreOptions(own, protocol, own.protocol),
    lists,
    storage: checkStorage(own.storage, updates),
    isFollowing: updates === "follow",
    procedure,
    onError,
    grace: checkCount("grace", own.grace ?? USUAL_GRACE, 0, Number.MAX_SAFE_INTEGER),
    timeout: checkTimeout(own.timeout),
    onNewList: checkFunction("onNewList", own.onNewList) ?? null,
    onUpdate: checkFunction("onUpdate", own.onUpdate) ?? null,
    onRequest: checkFunction("onRequest", own.onRequest) ?? null,
    ohttp,
    registrableDomain: checkFunction("registrableDomain", own.registrableDomain),
    apply: checkFunction("apply", own.apply) ?? apply,
    fetch: fetchOf(own.fetch),
    now: checkFunction("now", own.now) ?? Date.now,
    random: checkFunction("random", own.random) ?? Math.random,
    timers: checkTimers(own.timers),
  };
}
