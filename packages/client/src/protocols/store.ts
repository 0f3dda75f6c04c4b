import {
  checkPublicKey,
  findFullHashes,
  isListName,
  type KeptVersion,
  type LoadedList,
  type LoadOptions,
  type LogEntry,
  loadList,
  PREFIX_LENGTHS,
  parseEntry,
  type Storage,
  StoreError,
} from "@x/list-store";
import { httpStorage } from "@x/list-store/http";
import { diffPrefixLists, type PrefixList, prefixList } from "@x/prefix-list";
import { concatBytes, countEntries, wordAt } from "@x/prefix-list/raw-hashes";
import { mayMatch } from "@x/prefix-list/search";
import { hasName } from "@x/sha256-prefix/has-name";
import { typeError } from "@x/sha256-prefix/type-error";
import { ClientError, type ClientErrorCode, listNameInvalid, listUnknown } from "../error.ts";
import { knownOptions } from "../options.ts";
import { STORE_DURATION } from "../requests/full-hashes.ts";
import type { Purpose } from "../requests/requester.ts";
import type {
  CheckedStore,
  FoundHash,
  KeptList,
  ListOutcome,
  Protocol,
  ProtocolContext,
  StoreOptions,
} from "./protocol.ts";
import { updateOneByOne } from "./update-lists.ts";

/** The version of each prefix list, as `loadList` returned it or the storage has it. */
const loadedLists = new WeakMap<PrefixList, KeptVersion | LoadedList>();

interface CountingStorage extends Storage {
  /** The number of bytes read from files. */
  readonly bytesRead: number;
}

async function storageOf(
  context: ProtocolContext,
  purpose: Purpose,
  signal: AbortSignal,
): Promise<CountingStorage> {
  const { server, timeout, random, store, requester } = context;
  const open = store!.open ?? ((options) => httpStorage(server, options));
  const send = requester.fetchFor(purpose);
  const storage = await open({
    timeout,
    random,
    signal,
    fetch: (input, init) =>
      send(input, init).catch((error) => {
        // Asking again does not help if `onRequest` has refused.
        if (!(error instanceof ClientError)) throw error;
        throw new StoreError("refused", error.message, { cause: error });
      }),
  });
  let bytesRead = 0;
  return {
    ...storage,
    get bytesRead() {
      return bytesRead;
    },
    async get(key, most) {
      const bytes = await storage.get(key, most);
      bytesRead += bytes?.length ?? 0;
      requester.counts.bytesReceived += bytes?.length ?? 0;
      return bytes;
    },
  };
}

const CODES: Readonly<Partial<Record<StoreError["code"], ClientErrorCode>>> = {
  unreachable: "server-unreachable",
  refused: "server-refused",
};

/** Turns the error of a store into an error of the client. */
function clientError(list: string | null, cause: unknown): unknown {
  if (!hasName<StoreError>(cause, "StoreError")) return cause;
  if (cause.cause instanceof ClientError) return cause.cause;
  const code = CODES[cause.code] ?? "answer-wrong";
  return new ClientError(code, cause.message, { list, cause });
}

/** Calls a function that reads a store. Its errors become errors of the client. */
async function reading<Result>(
  list: string | null,
  signal: AbortSignal,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    signal.throwIfAborted();
    throw clientError(list, error);
  }
}

/** A token is the version in decimal, a line feed, and the signed manifest. */
function tokenOf({ manifest, note }: LogEntry): Uint8Array {
  return concatBytes([new TextEncoder().encode(`${manifest.version}\n`), note]);
}

/** The log entry in a token. The token comes from the client's own storage, so it was verified before it was stored. */
async function entryIn(name: string, token: Uint8Array): Promise<LogEntry> {
  const end = token.indexOf(0x0a);
  const version = Number(new TextDecoder().decode(token.subarray(0, end)));
  try {
    return await parseEntry(token.subarray(end + 1), name, version);
  } catch (cause) {
    if (!hasName<StoreError>(cause, "StoreError") || cause.code !== "older-format") throw cause;
    const message = `The stored list ${name} is from an earlier release, so the next update reads the whole list`;
    throw new ClientError("list-damaged", message, { list: name, cause });
  }
}

/** Brings a list to the newest version of the store; `null` when the store does not have the list. */
async function loadNewest(
  { name, list, entry, seen }: KeptList,
  storage: Storage,
  { now, store }: ProtocolContext,
): Promise<LoadedList | null> {
  const { publicKeys, allowsExpired } = store!;
  // Earlier releases could keep prefixes of five and six bytes.
  const kept = list?.lengths[0]?.prefixBytes ?? 0;
  const prefixBytes = store!.prefixBytes ?? PREFIX_LENGTHS.find((length) => length >= kept);
  const options: LoadOptions = { storage, list: name, publicKeys, now, allowsExpired, prefixBytes };
  if (seen === null) return loadList(options);
  const loaded = list === null ? undefined : loadedLists.get(list);
  if (loaded?.entry.hash === seen.hash) return loadList(options, loaded);
  // A list of an older version may have the same first four bytes as that of `seen`, but other longer prefixes.
  const isOfSeen = list !== null && entry?.hash === seen.hash;
  const prefixes = isOfSeen ? list : prefixList([], { name, created: 0 });
  return loadList(options, { entry: seen, prefixes });
}

async function updateList(
  kept: KeptList,
  storage: CountingStorage,
  context: ProtocolContext,
): Promise<ListOutcome> {
  const { name, list: before } = kept;
  const read = storage.bytesRead;
  const loaded = await loadNewest(kept, storage, context);
  if (loaded === null) {
    throw listUnknown(name, context.server.host || context.server.href);
  }
  const { prefixes: list } = loaded;
  loadedLists.set(list, loaded);
  const { entry } = loaded;
  const token = tokenOf(entry);
  if (before?.checksum === list.checksum) {
    loadedLists.set(before, loaded);
    return { kind: "unchanged", name, token, entry };
  }
  const changes = before === null ? null : diffPrefixLists(before, list);
  const added = changes === null ? list.size : countEntries(changes.additions);
  const removed = changes?.removals.length ?? 0;
  const bytes = storage.bytesRead - read;
  return { kind: "new", name, token, entry, list, added, removed, bytes };
}

/** The full hashes of a list that begin with a prefix. */
async function searchList(
  { list, entry }: KeptList,
  prefix: Uint8Array,
  storage: Storage,
): Promise<Uint8Array[]> {
  // Nothing is read for a list without the prefix, so problems with that list do not matter.
  if (list === null || !mayMatch(list, wordAt(prefix, 0))) return [];
  // The newest version of the store is not searched, because `onNewList` may refuse it.
  const loaded = loadedLists.get(list) ?? { entry: entry!, prefixes: list };
  loadedLists.set(list, loaded);
  return findFullHashes(storage, loaded, prefix);
}

const countMissing = (lists: readonly KeptList[]) =>
  lists.filter(({ list }) => list === null).length;

function checkPublicKeys(keys: unknown): readonly string[] {
  if (!Array.isArray(keys)) throw typeError("publicKeys", "an array of public keys", keys);
  if (keys.length === 0) {
    const message = "publicKeys must have a key: without one, anybody could sign the lists";
    throw new ClientError("option-invalid", message);
  }
  for (const key of keys) {
    try {
      checkPublicKey(key);
    } catch (cause) {
      throw new ClientError("option-invalid", `publicKeys: ${(cause as Error).message}`, { cause });
    }
  }
  return keys;
}

const STORE_OPTIONS = { prefixBytes: true, allowsExpired: true, open: true } as const;

function checkStore(publicKeys: unknown, store: StoreOptions = {}): CheckedStore {
  const { prefixBytes, allowsExpired = false, open } = knownOptions("store", store, STORE_OPTIONS);
  if (prefixBytes !== undefined && typeof prefixBytes !== "number") {
    throw typeError("prefixBytes", "a number", prefixBytes);
  }
  if (prefixBytes !== undefined && !PREFIX_LENGTHS.includes(prefixBytes)) {
    throw new RangeError(
      `prefixBytes must be one of ${PREFIX_LENGTHS.join(", ")}, not ${prefixBytes}`,
    );
  }
  if (typeof allowsExpired !== "boolean") {
    throw typeError("allowsExpired", "true or false", allowsExpired);
  }
  if (open !== undefined && typeof open !== "function") throw typeError("open", "a function", open);
  return { publicKeys: checkPublicKeys(publicKeys), prefixBytes, allowsExpired, open };
}

/** Stores on static hosts, which need no server. `@x/list-store` reads and verifies stores. */
export const STORE: Protocol = {
  checkStore,
  entryIn,
  maxPrefixes: 1,
  searchesOnlyLoaded: true,

  describe(name) {
    if (!isListName(name)) throw listNameInvalid(name, "a name that a list of a store can have");
    return { use: "threats", threatType: name };
  },

  async update(kept, context, signal) {
    const storage = await reading(null, signal, () => storageOf(context, "update", signal));
    return updateOneByOne(kept, signal, async (list) => ({
      outcome: await reading(list.name, signal, () => updateList(list, storage, context)),
      wait: null,
    }));
  },

  async search(prefixes, lists, context, signal) {
    const kept = lists();
    const [prefix] = prefixes;
    const storage = await reading(null, signal, () => storageOf(context, "search", signal));
    const hashes: FoundHash[] = [];
    for (const list of kept) {
      const found = await reading(list.name, signal, () => searchList(list, prefix!, storage));
      for (const hash of found) {
        // Stores do not name threat types: the name of the list is the type.
        const threats = [{ threatType: list.name, isForFrames: false }];
        hashes.push({ hash, threats, duration: STORE_DURATION });
      }
    }
    const missing = countMissing(kept);
    // If a list was loaded in the meantime, a check may already use it, so the answer must include it.
    if (countMissing(lists()) < missing) return STORE.search(prefixes, lists, context, signal);
    // An answer without one of the lists is not kept, because the list may be loaded soon.
    return { hashes, duration: missing > 0 ? 0 : STORE_DURATION, wait: null };
  },
};
