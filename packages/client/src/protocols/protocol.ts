import type { LogEntry, Storage } from "@x/list-store";
import type { TransportOptions } from "@x/list-store/http";
import { unlessAborted } from "@x/list-store/transport";
import type { PrefixList } from "@x/prefix-list";
import { hasName } from "@x/sha256-prefix/has-name";
import {
  type AnyMethod,
  type MessageInput,
  type RequestOf,
  type ResponseOf,
  type readResponse,
  type WireError,
  writeRequest,
} from "@x/wire";
import { ClientError } from "../error.ts";
import {
  type ApplyListJob,
  checkResult,
  type ListJob,
  type ListJobResult,
  type UpdateMessage,
} from "../lists/list-job.ts";
import type { Purpose, Requester } from "../requests/requester.ts";

/** A list that the client has or wants. If the client does not have the list yet, `token` and `list` are `null`. */
export interface KeptList {
  readonly name: string;
  /**
   * The server's token for the version; opaque to the client. The token is empty when the whole list is to be fetched.
   */
  readonly token: Uint8Array | null;
  readonly list: PrefixList | null;
  /** The signed entry of the version of `list`; `null` when there is none. */
  readonly entry: LogEntry | null;
  /**
   * The newest signed entry of the list's log that the client has seen; `null` when there is none, or when the protocol
   * has no signatures. The entry may be newer than `list`, and is known even if the list was lost.
   */
  readonly seen: LogEntry | null;
}

/**
 * Opens a store. The options have the client's `fetch`, which counts requests and shows them to `onRequest`, and the
 * signal that ends them.
 */
export type OpenStore = (options: TransportOptions) => Storage | Promise<Storage>;

/** The outcome of an update for one list. `entry` is the signed entry in `token`, if the protocol has signatures. */
export type ListOutcome =
  | {
      readonly kind: "new";
      readonly name: string;
      readonly token: Uint8Array;
      readonly list: PrefixList;
      readonly added: number;
      readonly removed: number;
      /** The number of bytes of encoded entries in the answer. */
      readonly bytes: number;
      readonly entry?: LogEntry;
    }
  | {
      readonly kind: "unchanged";
      readonly name: string;
      readonly token: Uint8Array;
      readonly entry?: LogEntry;
    }
  /** The update does not apply to the list, which must be fetched as a whole. */
  | { readonly kind: "damaged"; readonly name: string; readonly error: ClientError }
  /** The list could not be updated, and stays as it is. */
  | { readonly kind: "failed"; readonly name: string; readonly error: ClientError };

/**
 * The maximum number of prefixes in a search, in protocols that allow several. One reading of a URL has at most this
 * many expressions.
 */
export const MAX_SEARCHED_PREFIXES: number = 30;

/** The result of an update: one outcome for each requested list, in the same order. */
export interface UpdateAnswer {
  readonly outcomes: readonly ListOutcome[];
  /** How long the server asks the client to wait, in milliseconds; `null` when it does not say. */
  readonly wait: number | null;
}

/** A threat for which a full hash is listed. */
export interface FoundThreat {
  readonly threatType: string;
  /** Whether the threat only counts in frames. */
  readonly isForFrames: boolean;
}

/** A full hash in the server's answer. */
export interface FoundHash {
  readonly hash: Uint8Array;
  /** Unknown threats, and those that do not count yet, are left out, so this can be empty. */
  readonly threats: readonly FoundThreat[];
  /** How long the client may keep the hash, in milliseconds. */
  readonly duration: number;
}

/** The answer to a search. */
export interface SearchAnswer {
  readonly hashes: readonly FoundHash[];
  /**
   * How long the answer is valid for hashes that it does not contain, in milliseconds; `null` when the server does not
   * say, so that the answer is only about the prefixes of the hashes in it.
   */
  readonly duration: number | null;
  /** How long the client must wait before it searches again, in milliseconds; `null` when the server does not say. */
  readonly wait: number | null;
}

/** The options that only stores have. */
export interface StoreOptions {
  /**
   * The length of the prefixes that the client keeps, in bytes: 4, 8 or 32. The default is the length in the stored
   * list, or 4 if there is none. With 8, practically no match has to be confirmed by a search.
   */
  readonly prefixBytes?: number | undefined;
  /**
   * Whether versions that have expired are loaded, too; `false` by default. If expired versions are loaded, nothing
   * shows whether the host holds back newer versions.
   */
  readonly allowsExpired?: boolean | undefined;
  /**
   * Opens the store, for example in a bucket. By default, the store is on a static host at `server`. With this
   * function, `server` may be any URL, but lists that were stored with another URL are not used.
   */
  readonly open?: OpenStore | undefined;
}

/** The checked options of a store. */
export interface CheckedStore extends StoreOptions {
  /** One of these public keys must have signed a list. */
  readonly publicKeys: readonly string[];
}

/** The parts of the client that protocols need. */
export interface ProtocolContext {
  readonly server: URL;
  readonly key: string | null;
  /** Decodes and applies the update of one list, perhaps in a worker. */
  readonly apply: ApplyListJob;
  readonly now: () => number;
  readonly random: () => number;
  readonly timeout: number;
  /** How a store is read; `null` for servers. */
  readonly store: CheckedStore | null;
  readonly requester: Requester;
}

/** The lists that a server says it has. */
export interface ServerLists {
  readonly names: readonly string[];
  has(name: string): boolean;
}

/** One of the protocols, to which the client passes its lists with each call. */
export interface Protocol {
  /** The maximum number of prefixes in one search. */
  readonly maxPrefixes: number;
  /** Whether a search looks only into lists that are loaded. */
  readonly searchesOnlyLoaded?: boolean;
  /** Checks the options of a store; only for stores. */
  readonly checkStore?: (publicKeys: unknown, store: StoreOptions | undefined) => CheckedStore;
  /** The signed entry in a token of a list; only in protocols whose lists are signed. */
  readonly entryIn?: (name: string, token: Uint8Array) => Promise<LogEntry>;
  describe(name: string): ListFacts;
  /**
   * Brings lists up to date.
   *
   * @throws {ClientError} when there is no answer, or the answer does not follow the protocol or does not belong to
   * this request.
   */
  update(
    kept: readonly KeptList[],
    context: ProtocolContext,
    signal: AbortSignal,
  ): Promise<UpdateAnswer>;
  /**
   * Asks which lists the server has. Not set for stores, whose answer to an update shows whether they have a list, or
   * for Web Risk, which has no such method.
   *
   * @throws {ClientError} when there is no usable answer.
   */
  readonly serverLists?: (context: ProtocolContext, signal: AbortSignal) => Promise<ServerLists>;
  /**
   * Finds full hashes that begin with the prefixes. In v4, Web Risk and stores, only the client's lists are searched.
   */
  search(
    prefixes: readonly Uint8Array[],
    lists: () => readonly KeptList[],
    context: ProtocolContext,
    signal: AbortSignal,
  ): Promise<SearchAnswer>;
}

/** A protocol's facts about a list. */
interface ListFacts {
  /** How the list can be used to check URLs: as threats, as sites that are likely safe, or not at all. */
  readonly use: "threats" | "likely-safe" | "none";
  /** The type of threat that the list is for; `null` when the protocol does not say. */
  readonly threatType: string | null;
}

/** The name of a protocol. */
export type ProtocolName = "v5" | "v4" | "web-risk" | "store";

/** The protocols that a client speaks, by their names. */
export type Protocols = Readonly<Partial<Record<ProtocolName, Protocol>>>;

/**
 * Reads an answer. A `WireError`, for an answer that does not follow the protocol, becomes the error `answer-wrong`.
 */
export function readAnswer<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!hasName<WireError>(error, "WireError")) throw error;
    throw new ClientError("answer-wrong", `The server's answer cannot be used. ${error.message}`, {
      cause: error,
    });
  }
}

export type CallContext = Pick<ProtocolContext, "key" | "requester">;

/** Calls a method of the server, and returns the message of its answer. */
type CallMethod = <M extends AnyMethod>(
  method: M,
  message: MessageInput<RequestOf<M>>,
  purpose: Purpose,
  context: CallContext,
  signal: AbortSignal,
) => Promise<ResponseOf<M>>;

/**
 * Makes a function that calls methods of the server. The length of an answer is not limited here, because `send` limits
 * it.
 */
export function callsWith(read: typeof readResponse): CallMethod {
  return async (method, message, purpose, { key, requester }, signal) => {
    const request = writeRequest(method, message, { key: key ?? undefined });
    const { bytes, contentType } = await requester.send(request, purpose, signal);
    return readAnswer(() => read(method, bytes, contentType, { maxBytes: Infinity }));
  };
}

/**
 * The error for everything that an answer does not contain, if it does not say how long it is valid. Otherwise, an
 * empty or truncated body, or a record that means something else, would count as "not listed".
 */
export function validityMissing(): ClientError {
  const message = "The server's answer does not say how long it is valid";
  return new ClientError("answer-wrong", message);
}

/** The wait after an update of several lists: the shortest that the server asks for; `null` when it asks for none. */
export function shortestWait(waits: readonly (number | null)[]): number | null {
  const known = waits.filter((wait) => wait !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * Applies the update of one list. If `apply` itself fails, that says nothing about the list, so the old list is kept.
 */
export async function appliedOutcome(
  { name, list: before }: KeptList,
  update: UpdateMessage,
  version: Uint8Array,
  { apply, now }: ProtocolContext,
  signal: AbortSignal,
): Promise<ListOutcome> {
  // The token is copied. Otherwise, its few bytes would keep the whole answer in memory.
  const token = version.slice();
  const job: ListJob = { ...update, name, before, created: now() };
  let result: ListJobResult;
  try {
    result = checkResult(await unlessAborted(apply(job), signal), job);
  } catch (cause) {
    signal.throwIfAborted();
    const text = `The update of the list ${name} could not be applied: ${(cause as Error)?.message ?? cause}`;
    return {
      kind: "failed",
      name,
      error: new ClientError("apply-failed", text, { list: name, cause }),
    };
  }
  const { damage, list, added, removed, bytes } = result;
  if (damage !== null) {
    const text = `The update of the list ${name} cannot be used. ${damage}`;
    return { kind: "damaged", name, error: new ClientError("list-damaged", text, { list: name }) };
  }
  if (list === null) return { kind: "unchanged", name, token };
  return { kind: "new", name, token, list, added, removed, bytes };
}
