import { withTimeout } from "@x/list-store/transport";
import { fullHash, toHex } from "@x/sha256-prefix";
import { hasName } from "@x/sha256-prefix/has-name";
import { ClientError } from "../error.ts";
import type { CheckedOptions } from "../options.ts";
import type { ClientStorage } from "../storage.ts";
import { oneAtATime } from "../tasks.ts";
import {
  afterLoad,
  type ClientState,
  discarded,
  forgotten,
  type ListState,
  newState,
  withError,
  withSeen,
} from "./state.ts";
import {
  decodeList,
  decodeState,
  encodeList,
  encodeState,
  type Origin,
  type StoredState,
} from "./stored-form.ts";

/** Holds the state of a client, which the functions of this folder replace. */
export interface Keeper {
  state: ClientState;
  /** Whether the storage was asked for the lists, even if it failed. */
  isLoaded: boolean;
  /** The storage error from the last time the lists were read or stored; `null` when there was none. */
  storageError: ClientError | null;
  readonly storage: StorageAccess;
  /** Stored lists from another protocol or server are not used. */
  readonly origin: Origin;
  /** The host of the server, for errors. */
  readonly host: string;
  readonly entryIn: CheckedOptions["protocol"]["entryIn"];
  readonly isFollowing: boolean;
  /** Whether this client has a storage and writes to it. */
  readonly writes: boolean;
}

type KeeperOptions = Pick<
  CheckedOptions,
  "lists" | "protocol" | "protocolName" | "server" | "storage" | "isFollowing" | "timeout"
>;

export function createKeeper(options: KeeperOptions): Keeper {
  const { lists, storage, timeout, protocol, protocolName, server, isFollowing } = options;
  return {
    state: newState(lists),
    isLoaded: false,
    storageError: null,
    storage: createStorageAccess(storage, timeout),
    origin: { protocol: protocolName, server: server.href },
    host: server.host,
    entryIn: protocol.entryIn,
    isFollowing,
    writes: storage !== null && !isFollowing,
  };
}

/** The name of the state in the storage. */
const STATE = "state";

/** The name of a list in the storage. Names that a storage may not have are replaced by hashes. */
function storedName(name: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,100}$/.test(name)) return `list-${name}`;
  return `list.${toHex(fullHash(name))}`;
}

/**
 * Whether a stored value is from the same server and protocol. Another value is not damaged, but cannot be used here.
 */
const isOwn = ({ origin }: Keeper, { protocol, server }: Origin) =>
  protocol === origin.protocol && server === origin.server;

/** Replaces the state of one list. */
function change(keeper: Keeper, name: string, next: (list: ListState) => ListState): void {
  const lists = new Map(keeper.state.lists);
  lists.set(name, next(lists.get(name)!));
  keeper.state = { ...keeper.state, lists };
}

/**
 * Reads the stored times and lists. With `changed`, a set of names in the storage, only these lists are read. A damaged
 * list is thrown away, but a client that follows the storage keeps the version that it already has. If the storage
 * fails, the lists in memory stay as they are.
 */
export async function loadLists(
  keeper: Keeper,
  signal?: AbortSignal,
  changed?: ReadonlySet<string>,
): Promise<void> {
  const { storage, host, isFollowing } = keeper;
  signal?.throwIfAborted();
  storage.begin();
  const stored = await loadState(keeper, signal);
  for (const name of keeper.state.lists.keys()) {
    if (changed === undefined || changed.has(storedName(name))) {
      await loadList(keeper, name, stored, signal);
    } else {
      change(keeper, name, (list) => withStoredTime(list, stored));
    }
  }
  await storeChanged(keeper);
  keeper.storageError = storage.error;
  keeper.isLoaded = true;
  if (stored !== null) keeper.state = afterLoad(keeper.state, stored, host, isFollowing);
}

async function loadState(keeper: Keeper, signal?: AbortSignal): Promise<StoredState | null> {
  const { storage, entryIn } = keeper;
  const read = await storage.read("read the times of updates", STATE, signal);
  // Without the stored state, the age of a list is counted from the time that is stored with the list.
  const stored = read?.result ? decodeState(read.result) : null;
  if (stored === null || !isOwn(keeper, stored)) return null;
  for (const name of keeper.state.lists.keys()) {
    const token = stored.seen.get(name);
    if (token === undefined) continue;
    const entry = await entryIn?.(name, token).catch(() => null);
    if (entry) change(keeper, name, (list) => withSeen(list, token, entry));
  }
  return stored;
}

async function loadList(
  keeper: Keeper,
  name: string,
  state: StoredState | null,
  signal?: AbortSignal,
): Promise<void> {
  const { storage, writes, entryIn } = keeper;
  const before = keeper.state.lists.get(name)!;
  // A list that could not be stored is newer than the stored one.
  if (writes && !before.isStored) return;
  const read = await storage.read(`read the list ${name}`, storedName(name), signal);
  if (read === null) {
    const { error } = storage;
    if (error !== null) change(keeper, name, (list) => withError(list, error));
    return;
  }
  if (!read.result) {
    change(keeper, name, forgotten);
    return;
  }
  try {
    const stored = await decodeList(read.result);
    if (stored.name !== name || !isOwn(keeper, stored)) return;
    const { token, checkedAt, list } = stored;
    const entry = (await entryIn?.(name, token)) ?? null;
    change(keeper, name, (it) => {
      const loaded = { ...it, token, list, problem: null, checkedAt, error: null, entry };
      const timed = withStoredTime(loaded, state);
      return entry === null ? timed : withSeen(timed, token, entry);
    });
  } catch (cause) {
    signal?.throwIfAborted();
    const message = `The stored list ${name} is damaged: ${(cause as Error).message}`;
    const error = hasName<ClientError>(cause, "ClientError")
      ? cause
      : new ClientError("list-damaged", message, { list: name, cause });
    // The list that was read before is intact, and becomes outdated if no other version arrives.
    const isKept = !writes && before.list !== null;
    change(keeper, name, (list) => (isKept ? withError : discarded)(list, error));
  }
}

/** Takes the time of a list from the stored state, if the state is about this version of the list. */
function withStoredTime(list: ListState, stored: StoredState | null): ListState {
  const known = stored?.lists.get(list.name);
  if (list.list === null || known?.checksum !== list.list.checksum) return list;
  // A newer version may have the same prefixes, but other full hashes.
  return isBehind(list) ? list : { ...list, checkedAt: known.checkedAt };
}

/** Whether a newer version of a signed list was seen. */
const isBehind = ({ entry, seen }: ListState) =>
  entry !== null && seen !== null && entry.manifest.version < seen.manifest.version;

/**
 * Stores the lists that have changed, then the times of updates. A list that cannot be stored is tried again the next
 * time. A signed list is not stored if another process has stored a newer version of it.
 */
export async function storeLists(keeper: Keeper): Promise<void> {
  const { storage, origin, writes, entryIn } = keeper;
  if (!writes) return;
  storage.begin();
  // Other processes may have stored newer versions, and entries of other lists.
  const stored = entryIn === undefined ? null : await loadState(keeper);
  // A state that cannot be read now may say which versions of other lists were seen, so it is not replaced.
  const isReadable = storage.error === null;
  await storeChanged(keeper);
  if (isReadable) {
    const bytes = encodeState(keeper.state, origin, stored?.seen ?? new Map());
    await storage.write("write the times of updates", (it, inner) => it.put(STATE, bytes, inner));
  }
  keeper.storageError = storage.error;
}

async function storeChanged(keeper: Keeper): Promise<void> {
  if (!keeper.writes) return;
  for (const list of keeper.state.lists.values()) {
    if (list.isStored) continue;
    if (isBehind(list) || (await storeList(keeper, list))) {
      change(keeper, list.name, (now) => ({ ...now, isStored: true }));
    }
  }
}

/** Stores a list, or deletes the stored one if there is no list any more. Returns whether that worked. */
async function storeList(
  { storage, origin }: Keeper,
  { name, token, list, checkedAt }: ListState,
): Promise<boolean> {
  const stored =
    token === null || list === null || checkedAt === null
      ? await storage.write(`delete the list ${name}`, (it, inner) =>
          it.delete(storedName(name), inner),
        )
      : await storage.write(`write the list ${name}`, async (it, inner) => {
          const bytes = await encodeList({ ...origin, name, token, checkedAt }, list);
          inner.throwIfAborted();
          await it.put(storedName(name), bytes, inner);
        });
  return stored !== null;
}

/** Uses a storage that may fail or not answer. An error is kept, and does not end the operation. */
interface StorageAccess {
  /** Begins an operation, such as reading all lists. */
  begin(): void;
  /** The last error in this operation; `null` when there was none. */
  readonly error: ClientError | null;
  /** The bytes under a name; `null` if there is no storage, or it failed. */
  read(
    what: string,
    name: string,
    signal?: AbortSignal,
  ): Promise<{ readonly result: Uint8Array | null } | null>;
  /** Changes the storage with `run`. `null` if there is no storage, or it failed. */
  write(
    what: string,
    run: (storage: ClientStorage, signal: AbortSignal) => Promise<void>,
  ): Promise<object | null>;
}

/** @param timeout a call of the storage is given up after this many milliseconds. */
function createStorageAccess(storage: ClientStorage | null, timeout: number): StorageAccess {
  /**
   * Each write waits for the one before. A write that was given up may still run, and would otherwise bring back an
   * older list.
   */
  const inTurn = oneAtATime();
  let error: ClientError | null = null;
  /** Whether the storage did not answer in time. If so, the storage is not asked again until the next operation. */
  let isStalled = false;

  /** Calls the storage; `null` if there is none, or it failed. */
  async function attempt<Result>(
    what: string,
    run: (storage: ClientStorage, signal: AbortSignal) => Promise<Result>,
    outer?: AbortSignal,
  ): Promise<{ readonly result: Result } | null> {
    if (storage === null || isStalled) return null;
    let inner = undefined as AbortSignal | undefined;
    try {
      const result = await withTimeout(timeout, outer, async (signal) => {
        inner = signal;
        return run(storage, signal);
      });
      return { result };
    } catch (cause) {
      outer?.throwIfAborted();
      isStalled = inner?.aborted === true;
      const message = `The storage failed to ${what}: ${storageReason(cause)}`;
      error = new ClientError("storage-failed", message, { cause });
      return null;
    }
  }

  return {
    begin() {
      error = null;
      isStalled = false;
    },
    get error() {
      return error;
    },
    read: (what, name, signal) => attempt(what, (it, inner) => it.get(name, inner), signal),
    write: (what, run) =>
      attempt(what, (it, signal) =>
        inTurn(() => {
          signal.throwIfAborted();
          return run(it, signal);
        }),
      ),
  };
}

/** Matches a message of Node's file system, such as `EACCES: permission denied, open '/lists/mw'`. */
const OF_FILE_SYSTEM = /^E[A-Z0-9]+: (.*), [a-z]+(?: '(.*?)'(?: -> '.*')?)?$/s;

/**
 * Why a storage failed, in words. If the error names a file, the text begins with its path: `/lists/mw: permission
 * denied`.
 */
function storageReason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [, reason, path] = OF_FILE_SYSTEM.exec(message) ?? [];
  if (reason === undefined) return message;
  return path === undefined ? reason : `${path}: ${reason}`;
}
