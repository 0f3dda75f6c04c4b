import { ownOptions } from "@x/canon/own-options";
import { typeError } from "@x/sha256-prefix/type-error";
import { ClientError } from "./error.ts";
import type { ApplyListJob } from "./lists/list-job.ts";
import type { OnNewList, OnUpdate, UpdateOptions } from "./lists/results.ts";
import type {
  CheckedStore,
  Protocol,
  ProtocolName,
  Protocols,
  StoreOptions,
} from "./protocols/protocol.ts";
import type { OnRequest, Relay, RequesterOptions } from "./requests/requester.ts";
import type { ClientStorage } from "./storage.ts";

/**
 * How a URL is checked. `"local-list"` asks the server only about prefixes that are on a list. `"real-time"`, for v5
 * only, asks about every URL that is not on the list of likely safe sites.
 */
type Procedure = "local-list" | "real-time";

/** The options of `createClient`. */
export interface ClientOptions {
  readonly protocol: ProtocolName;
  /** The address of the server, such as `https://safebrowsing.googleapis.com`. */
  readonly server: string | URL;
  /** The API key. It is sent to servers but not to stores, and appears in no error and no status. */
  readonly key?: string | undefined;
  /** For `"store"`: the public keys, one of which must have signed the lists. */
  readonly publicKeys?: readonly string[] | undefined;
  /** For `"store"`: how the store is read. */
  readonly store?: StoreOptions | undefined;
  /** The names of the lists, as the protocol writes them. */
  readonly lists: readonly string[];
  /** Where the lists are kept. By default, the lists last only as long as the client. */
  readonly storage?: ClientStorage | undefined;
  /**
   * What happens in an update. With `"follow"`, another client updates the lists, and this one only reads what the
   * other stores. The storage must then have a `watch`.
   */
  readonly updates?: "follow" | UpdateOptions | undefined;
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
  readonly fetch?: typeof fetch | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Returns a random number from 0 to less than 1. */
  readonly random?: (() => number) | undefined;
}

/** The default of the option `grace`, in milliseconds. */
const USUAL_GRACE = 24 * 60 * 60_000;

function invalid(message: string): never {
  throw new ClientError("option-invalid", message);
}

/**
 * Copies the own properties of options, and refuses names that are not in `names`. If unknown names were ignored, so
 * would be a hook with a wrong name.
 *
 * @param owner what has the options, for the message.
 */
export function knownOptions<Options extends object>(
  owner: string,
  options: Options,
  names: Readonly<Record<keyof Options, true>>,
): Options {
  const own = ownOptions(options);
  const unknown = Object.keys(own).find((name) => !Object.hasOwn(names, name));
  if (unknown !== undefined) invalid(`${owner} has no option ${JSON.stringify(unknown)}`);
  return own;
}

function checkCount(name: string, value: unknown, least: number, most: number): number {
  if (typeof value !== "number") throw typeError(name, "a number", value);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}, not ${value}`);
  }
  return value;
}

function checkFunction<Value>(name: string, value: Value): Value {
  if (value !== undefined && typeof value !== "function")
    throw typeError(name, "a function", value);
  return value;
}

export function checkChoice(name: string, value: unknown, choices: readonly string[]): void {
  if (choices.includes(value as string)) return;
  throw typeError(name, choices.map((each) => `"${each}"`).join(" or "), value);
}

/** Whether an object has these functions, which may be inherited from a class. */
function hasFunctions(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === "function");
}

function checkStorage(
  storage: ClientStorage | undefined,
  isFollowing: boolean,
): ClientStorage | null {
  if (storage !== undefined && !hasFunctions(storage, ["get", "put", "delete"])) {
    throw typeError("storage", "an object with get, put and delete", storage);
  }
  if (isFollowing && !hasFunctions(storage, ["watch"])) {
    invalid('updates: "follow" needs a storage with a watch function, such as directoryStorage');
  }
  return storage ?? null;
}

function checkServer(server: unknown, mayHaveAnyScheme: boolean): URL {
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
  if (lists.length === 0) invalid("lists must name a list");
  return lists;
}

/** Checks that the procedure can use the lists. */
function checkLists(given: unknown, protocol: Protocol, procedure: Procedure): readonly string[] {
  const lists = checkNames(given);
  const uses = lists.map((name) => protocol.describe(name).use);
  const useless = uses.indexOf("none");
  if (useless >= 0) invalid(`the list ${lists[useless]} says nothing about URLs`);
  if (procedure === "local-list" && !uses.includes("threats")) {
    invalid("lists must name a list of threats");
  }
  return lists;
}

/** The options of requests and verdicts, which clients and lookups have, checked and with their defaults. */
export interface RequestOptions extends RequesterOptions {
  readonly onError: "unsure" | "safe";
  readonly registrableDomain: ((host: string) => string | null) | undefined;
  readonly random: () => number;
}

/** The names of the options that clients and lookups have. */
export const REQUEST_OPTIONS: Readonly<Record<keyof RequestOptions, true>> = {
  server: true,
  key: true,
  onError: true,
  timeout: true,
  onRequest: true,
  ohttp: true,
  registrableDomain: true,
  fetch: true,
  now: true,
  random: true,
};

const CLIENT_OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  ...REQUEST_OPTIONS,
  protocol: true,
  publicKeys: true,
  store: true,
  lists: true,
  storage: true,
  updates: true,
  procedure: true,
  grace: true,
};

const UPDATE_OPTIONS = { apply: true, onNewList: true, onUpdate: true } as const;

/** The options of a client, checked and with their defaults. */
export interface CheckedOptions extends RequestOptions {
  readonly protocol: Protocol;
  readonly protocolName: ProtocolName;
  readonly procedure: Procedure;
  readonly grace: number;
  readonly lists: readonly string[];
  /** Whether another client updates the lists. */
  readonly isFollowing: boolean;
  /** How a store is read; `null` for servers. */
  readonly store: CheckedStore | null;
  readonly storage: ClientStorage | null;
  readonly apply: ApplyListJob;
  readonly onNewList: OnNewList | null;
  readonly onUpdate: OnUpdate | null;
}

/**
 * Checks the options of requests, and adds their defaults.
 *
 * @param mayHaveAnyScheme whether `server` only names a store.
 */
export function checkRequestOptions(
  own: Pick<ClientOptions, keyof RequestOptions>,
  mayHaveAnyScheme: boolean = false,
): RequestOptions {
  const { key = null, onError = "unsure", timeout = 30_000, ohttp } = own;
  // The message does not quote the value, because it could be a key.
  if (key !== null && typeof key !== "string") throw new TypeError("key must be a string");
  checkChoice("onError", onError, ["unsure", "safe"]);
  if (ohttp !== undefined && !hasFunctions(ohttp, ["open"])) {
    throw typeError("ohttp", "a result of throughRelay", ohttp);
  }
  return {
    server: checkServer(own.server, mayHaveAnyScheme),
    key,
    onError,
    timeout: checkCount("timeout", timeout, 1, 2 ** 31 - 1),
    onRequest: checkFunction("onRequest", own.onRequest) ?? null,
    ohttp: ohttp ?? null,
    registrableDomain: checkFunction("registrableDomain", own.registrableDomain),
    // The platform's `fetch` may be replaced later.
    fetch: checkFunction("fetch", own.fetch) ?? ((...args) => fetch(...args)),
    now: checkFunction("now", own.now) ?? Date.now,
    random: checkFunction("random", own.random) ?? Math.random,
  };
}

function updatesOf(updates: unknown): UpdateOptions {
  if (updates === "follow") return {};
  if (typeof updates === "object" && updates !== null) {
    return knownOptions("updates", updates, UPDATE_OPTIONS);
  }
  throw typeError("updates", '"follow" or an object', updates);
}

/** Checks the options, and adds their defaults. `apply` is the default of the option with this name. */
export function checkOptions(
  protocols: Protocols,
  apply: ApplyListJob,
  given: ClientOptions,
): CheckedOptions {
  const own = knownOptions("createClient", given, CLIENT_OPTIONS);
  const { procedure = "local-list", updates = {}, publicKeys, store } = own;
  checkChoice("protocol", own.protocol, Object.keys(protocols));
  const protocol = protocols[own.protocol]!;
  checkChoice("procedure", procedure, ["local-list", "real-time"]);
  if (procedure !== "local-list" && own.protocol !== "v5") {
    // The other protocols search only the lists that the client has. Without a list, they would find nothing.
    invalid(`the procedure "${procedure}" is for v5, not for ${own.protocol}`);
  }
  if (protocol.checkStore === undefined && (publicKeys !== undefined || store !== undefined)) {
    invalid(`publicKeys and store are for stores, not for the protocol ${own.protocol}`);
  }
  if (protocol.checkStore !== undefined && own.ohttp !== undefined) {
    // A static host cannot decrypt requests, and searches must not go to it directly without notice.
    invalid("ohttp is for servers with a gateway, not for stores");
  }
  const checkedStore = protocol.checkStore?.(publicKeys, store) ?? null;
  const { apply: applyElsewhere, onNewList, onUpdate } = updatesOf(updates);
  const isFollowing = updates === "follow";
  return {
    ...checkRequestOptions(own, checkedStore?.open !== undefined),
    protocol,
    protocolName: own.protocol,
    store: checkedStore,
    lists: checkLists(own.lists, protocol, procedure),
    storage: checkStorage(own.storage, isFollowing),
    isFollowing,
    procedure,
    grace: checkCount("grace", own.grace ?? USUAL_GRACE, 0, Number.MAX_SAFE_INTEGER),
    apply: checkFunction("apply", applyElsewhere) ?? apply,
    onNewList: checkFunction("onNewList", onNewList) ?? null,
    onUpdate: checkFunction("onUpdate", onUpdate) ?? null,
  };
}
