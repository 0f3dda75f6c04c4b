import { fullHash, toHex } from "@x/sha256-prefix";
import { ClientError, listUnknown } from "../error.ts";
import { discardList, forgetList, type ListKeeper, noteError } from "./list-keeper.ts";
import { decodeStoredList, encodeStoredList } from "./stored-list.ts";
import {
  decodeStoredState,
  encodeStoredState,
  type StoredState,
  type StoredTimes,
} from "./stored-state.ts";

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
const isOwn = (
  { protocolName, server }: ListKeeper,
  stored: { readonly protocol: string; readonly server: string },
) => stored.protocol === protocolName && stored.server === server.href;

/**
 * Reads the stored times and lists. With `changed`, a set of names in the storage, only these lists are read. A damaged
 * list is thrown away, but a client that follows the storage keeps the version that it already has. If the storage
 * fails, the lists in memory stay as they are. Returns `null` when no times are stored.
 */
export async function loadLists(
  keeper: ListKeeper,
  signal?: AbortSignal,
  changed?: ReadonlySet<string>,
): Promise<StoredTimes | null> {
  const { lists, storage, server } = keeper;
  signal?.throwIfAborted();
  storage.begin();
  const state = await loadState(keeper, signal);
  for (const name of lists.keys()) {
    if (changed === undefined || changed.has(storedName(name))) {
      await loadList(keeper, name, state, signal);
    } else {
      setTime(keeper, name, state);
    }
  }
  await storeChanged(keeper);
  keeper.storageError = storage.error;
  keeper.isLoaded = true;
  for (const name of lists.keys()) {
    if (state?.turns.get(name)?.isUnknown) noteError(keeper, name, listUnknown(name, server.host));
  }
  return state;
}

async function loadState(keeper: ListKeeper, signal?: AbortSignal): Promise<StoredState | null> {
  const { lists, newest, storage } = keeper;
  const read = await storage.read("read the times of updates", STATE, signal);
  // Without the stored state, the age of a list is counted from the time that is stored with the list.
  const state = read?.result ? decodeStoredState(read.result) : null;
  if (state === null || !isOwn(keeper, state)) return null;
  for (const name of lists.keys()) {
    const token = state.seen.get(name);
    if (token !== undefined) await newest.read(name, token).catch(() => {});
  }
  return state;
}

async function loadList(
  keeper: ListKeeper,
  name: string,
  state: StoredState | null,
  signal?: AbortSignal,
): Promise<void> {
  const { lists, newest, unstored, storage, writes } = keeper;
  // A list that could not be stored is newer than the stored one.
  if (unstored.has(name)) return;
  const before = lists.get(name)!;
  const read = await storage.read(`read the list ${name}`, storedName(name), signal);
  if (read === null) {
    if (storage.error !== null) noteError(keeper, name, storage.error);
    return;
  }
  if (!read.result) {
    forgetList(keeper, name);
    return;
  }
  try {
    const stored = await decodeStoredList(read.result);
    if (stored.name !== name || !isOwn(keeper, stored)) return;
    const { token, checkedAt, list } = stored;
    const entry = await newest.read(name, token);
    lists.set(name, { name, token, list, problem: null, checkedAt, error: null, entry });
    setTime(keeper, name, state);
  } catch (cause) {
    signal?.throwIfAborted();
    const message = `The stored list ${name} is damaged: ${(cause as Error).message}`;
    const error = new ClientError("list-damaged", message, { list: name, cause });
    // The list that was read before is intact, and becomes outdated if no other version arrives.
    if (!writes && before.list !== null) noteError(keeper, name, error);
    else discardList(keeper, name, error);
  }
}

/** Takes the time of a list from the stored state, if the state is about this version of the list. */
function setTime({ lists }: ListKeeper, name: string, state: StoredState | null): void {
  const before = lists.get(name)!;
  const known = state?.lists.get(name);
  if (before.list === null || known?.checksum !== before.list.checksum) return;
  lists.set(name, { ...before, checkedAt: known.checkedAt });
}

/**
 * Stores the lists that have changed, then the times of updates. A list that cannot be stored is tried again the next
 * time. A signed list is not stored if another process has stored a newer version of it.
 */
export async function storeLists(keeper: ListKeeper, times: StoredTimes): Promise<void> {
  const { lists, newest, storage, protocolName, server, writes } = keeper;
  if (!writes) return;
  storage.begin();
  // Other processes may have stored newer versions, and entries of other lists.
  const stored = newest.areSigned ? await loadState(keeper) : null;
  await storeChanged(keeper);
  const checked = [...lists.values()].flatMap(({ name, list, checkedAt }) =>
    list === null || checkedAt === null
      ? []
      : [[name, { checksum: list.checksum, checkedAt }] as const],
  );
  const bytes = encodeStoredState({
    ...times,
    protocol: protocolName,
    server: server.href,
    lists: new Map(checked),
    seen: new Map([...(stored?.seen ?? []), ...newest.tokens()]),
  });
  await storage.write("write the times of updates", (it, inner) => it.put(STATE, bytes, inner));
  keeper.storageError = storage.error;
}

async function storeChanged(keeper: ListKeeper): Promise<void> {
  const { lists, newest, unstored, writes } = keeper;
  if (!writes) unstored.clear();
  for (const name of [...unstored]) {
    const isOld = newest.isOlder(lists.get(name)!.entry, name);
    if (isOld || (await storeList(keeper, name))) unstored.delete(name);
  }
}

/** Stores a list, or deletes the stored one if there is no list any more. Returns whether that worked. */
async function storeList(
  { lists, storage, protocolName, server }: ListKeeper,
  name: string,
): Promise<boolean> {
  const { token, list, checkedAt } = lists.get(name)!;
  const stored =
    token === null || list === null || checkedAt === null
      ? await storage.write(`delete the list ${name}`, (it, inner) =>
          it.delete(storedName(name), inner),
        )
      : await storage.write(`write the list ${name}`, async (it, inner) => {
          const facts = { protocol: protocolName, server: server.href, name, token, checkedAt };
          const bytes = await encodeStoredList(facts, list);
          inner.throwIfAborted();
          await it.put(storedName(name), bytes, inner);
        });
  return stored !== null;
}
