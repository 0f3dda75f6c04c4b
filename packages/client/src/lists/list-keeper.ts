import type { LogEntry } from "@x/list-store";
import { stallWatch } from "@x/list-store/transport";
import { fullHash, toHex } from "@x/sha256-prefix";
import { unlessAborted } from "../abort.ts";
import { ClientError, listUnknown } from "../error.ts";
import type { KeptList, ListOutcome, Protocol, ProtocolName } from "../protocols/protocol.ts";
import type { ClientStorage } from "../storage/storage.ts";
import { storageReason } from "../storage/storage-reason.ts";
import { createNewestEntries } from "./newest-entries.ts";
import { decodeStoredList, encodeStoredList } from "./stored-list.ts";
import {
  decodeStoredState,
  encodeStoredState,
  type StoredState,
  type StoredTimes,
} from "./stored-state.ts";

/** A list that the client keeps. */
export interface ListState extends KeptList {
  /** Why there is no list; `null` when there is one. */
  readonly problem: "not-loaded" | "list-damaged" | "list-unknown" | null;
  /** When the server last said that this is the newest version; `null` when there is no list. */
  readonly checkedAt: number | null;
  /** The last error with this list; `null` after an update without one. */
  readonly error: ClientError | null;
  /** The signed entry of the version of `list`; `null` when there is none. */
  readonly entry: LogEntry | null;
}

type Outcome<Kind extends ListOutcome["kind"]> = Extract<ListOutcome, { readonly kind: Kind }>;
type NewVersion = Pick<Outcome<"new">, "name" | "token" | "list" | "entry">;

/** Keeps lists in memory and in a storage. */
export interface ListKeeper {
  readonly states: readonly ListState[];
  /**
   * Reads what is stored. With `changed`, a set of names in the storage, only these lists are read. A damaged list is
   * thrown away, but a client that follows the storage keeps the version that it already has. If the storage fails, the
   * lists in memory stay as they are. Returns `null` when no times are stored.
   */
  load(signal?: AbortSignal, changed?: ReadonlySet<string>): Promise<StoredTimes | null>;
  /** Replaces a list. */
  replace(version: NewVersion, checkedAt: number): void;
  /**
   * Notes that a list is still the newest version. The list is stored again only if the server sent a new token for it.
   */
  confirm(outcome: Outcome<"unchanged">, checkedAt: number): void;
  /** Notes why a list could not be updated. */
  note(name: string, error: ClientError): void;
  /**
   * Notes that the server's update did not give the list that it promised. The verified list stays, but without its
   * token, so that the server sends the whole list next time.
   */
  distrust(name: string, error: ClientError): void;
  /**
   * Stores what has changed, and then the times. Whatever cannot be stored is tried again the next time. A signed list
   * is not stored if another process has stored a newer version of it.
   */
  store(times: StoredTimes): Promise<void>;
  /** Moves the times of all lists back by this many milliseconds, because the clock was set back. */
  shift(milliseconds: number): void;
  /** Whether the storage was read. */
  readonly isLoaded: boolean;
  /** The storage error of the last `load` or `store` that has ended; `null` when there was none. */
  readonly storageError: ClientError | null;
}

export interface ListKeeperOptions {
  readonly protocolName: ProtocolName;
  readonly server: URL;
  readonly lists: readonly string[];
  /** `null` to keep the lists in memory only. */
  readonly storage: ClientStorage | null;
  /** Whether another client writes to the storage. If so, this client never writes to it. */
  readonly isFollowing: boolean;
  /** A storage operation is given up after this many milliseconds. */
  readonly timeout: number;
  readonly protocol: Pick<Protocol, "entryIn">;
}

const STATE = "state";

/** The name of a list in the storage. */
function storedName(name: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,100}$/.test(name)) return `list-${name}`;
  return `list.${toHex(fullHash(name))}`;
}

/** A server sends the whole list to a client without a token. */
const NO_TOKEN = new Uint8Array(0);

const EMPTY = { token: null, list: null, checkedAt: null, entry: null } as const;

export function createListKeeper(options: ListKeeperOptions): ListKeeper {
  const { protocolName, server, lists: names, storage, isFollowing, timeout } = options;
  const { entryIn } = options.protocol;
  const states = new Map<string, Omit<ListState, "seen">>(
    names.map((name) => [name, { ...EMPTY, name, problem: "not-loaded", error: null }]),
  );
  const newest = createNewestEntries(entryIn);
  /** The lists that still have to be written or deleted in the storage. */
  const unstored = new Set<string>();
  let isLoaded = false;
  let storageError: ClientError | null = null;
  /** The error of the operation that runs now. It becomes `storageError` when the operation ends. */
  let failure: ClientError | null = null;
  /** Whether the storage did not answer in time during this operation. If so, it is not asked again until the next one. */
  let isStalled = false;

  function begin(): void {
    failure = null;
    isStalled = false;
  }

  /** Runs a storage operation. If the operation fails, keeps the error and returns `null`. */
  async function attempt<Result>(
    what: string,
    run: (storage: ClientStorage, signal: AbortSignal) => Promise<Result>,
    outer?: AbortSignal,
  ): Promise<{ readonly result: Result } | null> {
    if (storage === null || isStalled) return null;
    const watch = stallWatch(timeout, outer);
    try {
      watch.extend(0);
      // `run` is called in a `then`, so that a storage that throws is treated like one that rejects.
      const running = Promise.resolve().then(() => run(storage, watch.signal));
      return { result: await unlessAborted(running, watch.signal) };
    } catch (cause) {
      outer?.throwIfAborted();
      isStalled = watch.signal.aborted;
      const message = `The storage failed to ${what}: ${storageReason(cause)}`;
      failure = new ClientError("storage-failed", message, { cause });
      return null;
    } finally {
      watch.end();
    }
  }

  /** The last write to the storage, which may still run after the client has given up waiting for it. */
  let writing: Promise<unknown> = Promise.resolve();

  /** Waits for earlier writes before it writes. One that ended later would bring back an older list. */
  function write(
    what: string,
    run: (storage: ClientStorage, signal: AbortSignal) => Promise<void>,
  ) {
    return attempt(what, (it, signal) => {
      const done = writing.then(() => {
        signal.throwIfAborted();
        return run(it, signal);
      });
      writing = done.catch(() => {});
      return done;
    });
  }

  async function loadState(signal?: AbortSignal): Promise<StoredState | null> {
    const read = await attempt(
      "read the times of updates",
      (it, inner) => it.get(STATE, inner),
      signal,
    );
    // Without the stored state, the age of a list is counted from the time that is stored with the list.
    const state = read === null || !read.result ? null : decodeStoredState(read.result);
    if (state?.protocol !== protocolName || state.server !== server.href) return null;
    for (const name of names) {
      const token = state.seen.get(name);
      if (token !== undefined) await newest.read(name, token).catch(() => {});
    }
    return state;
  }

  async function loadList(name: string, state: StoredState | null, signal?: AbortSignal) {
    // A list that could not be stored is newer than the stored one.
    if (unstored.has(name)) return;
    const before = states.get(name)!;
    const read = await attempt(
      `read the list ${name}`,
      (it, inner) => it.get(storedName(name), inner),
      signal,
    );
    if (read === null) {
      if (failure !== null) note(name, failure);
      return;
    }
    const bytes = read.result ?? null;
    if (bytes === null) {
      states.set(name, { ...EMPTY, name, problem: "not-loaded", error: null });
      return;
    }
    try {
      const stored = await decodeStoredList(bytes);
      // A list from another server cannot be used here, but is not damaged either.
      if (stored.protocol !== protocolName || stored.server !== server.href || stored.name !== name)
        return;
      const { token, checkedAt, list } = stored;
      const entry = await newest.read(name, token);
      states.set(name, { name, token, list, problem: null, checkedAt, error: null, entry });
      setTime(name, state);
    } catch (cause) {
      signal?.throwIfAborted();
      const message = `The stored list ${name} is damaged: ${(cause as Error).message}`;
      const error = new ClientError("list-damaged", message, { list: name, cause });
      // The list that was read before is intact. It becomes outdated if no other version arrives.
      if (isFollowing && before.list !== null) note(name, error);
      else discard(name, error);
    }
  }

  /** Takes the time of a list from the stored state, if the state is about this version of the list. */
  function setTime(name: string, state: StoredState | null): void {
    const { list, checkedAt, ...rest } = states.get(name)!;
    const known = state?.lists.get(name);
    if (list === null || checkedAt === null || known?.checksum !== list.checksum) return;
    states.set(name, { ...rest, list, checkedAt: known.checkedAt });
  }

  function replace({ name, token, list, entry: signed }: NewVersion, checkedAt: number): void {
    const entry = signed ?? null;
    if (entry !== null) newest.add(name, token, entry);
    states.set(name, { name, token, list, problem: null, checkedAt, error: null, entry });
    unstored.add(name);
  }

  function note(name: string, error: ClientError): void {
    const before = states.get(name)!;
    const isUnknown = before.list === null && error.code === "list-unknown";
    states.set(name, { ...before, error, problem: isUnknown ? "list-unknown" : before.problem });
  }

  function distrust(name: string, error: ClientError): void {
    const before = states.get(name)!;
    if (before.list === null) {
      discard(name, error);
    } else {
      states.set(name, { ...before, token: NO_TOKEN, error });
      unstored.add(name);
    }
  }

  /** Throws a list away. */
  function discard(name: string, error: ClientError): void {
    states.set(name, { ...EMPTY, name, problem: "list-damaged", error });
    unstored.add(name);
  }

  async function storeList(name: string): Promise<void> {
    const { token, list, checkedAt } = states.get(name)!;
    const stored =
      token === null || list === null || checkedAt === null
        ? await write(`delete the list ${name}`, (it, inner) => it.delete(storedName(name), inner))
        : await write(`write the list ${name}`, async (it, inner) => {
            const facts = { protocol: protocolName, server: server.href, name, token, checkedAt };
            const bytes = await encodeStoredList(facts, list);
            inner.throwIfAborted();
            await it.put(storedName(name), bytes, inner);
          });
    if (stored !== null) unstored.delete(name);
  }

  async function storeLists(): Promise<void> {
    if (storage === null || isFollowing) unstored.clear();
    for (const name of [...unstored]) {
      if (newest.isOlder(states.get(name)!.entry, name)) unstored.delete(name);
      else await storeList(name);
    }
  }

  return {
    get states() {
      return [...states.values()].map((state) => {
        return { ...state, seen: newest.of(state.name) };
      });
    },

    get isLoaded() {
      return isLoaded;
    },

    get storageError() {
      return storageError;
    },

    async load(signal, changed) {
      signal?.throwIfAborted();
      begin();
      const state = await loadState(signal);
      for (const name of names) {
        if (changed === undefined || changed.has(storedName(name))) {
          await loadList(name, state, signal);
        } else {
          setTime(name, state);
        }
      }
      await storeLists();
      storageError = failure;
      isLoaded = true;
      for (const name of names) {
        if (state?.turns.get(name)?.isUnknown) note(name, listUnknown(name, server.host));
      }
      return state;
    },

    replace,
    note,
    distrust,

    confirm(outcome, checkedAt) {
      const before = states.get(outcome.name)!;
      const { name, list } = before;
      if (list === null) return;
      if (toHex(before.token!) === toHex(outcome.token)) {
        states.set(name, { ...before, checkedAt, error: null });
      } else {
        replace({ ...outcome, list }, checkedAt);
      }
    },

    async store(times) {
      if (isFollowing) return;
      begin();
      // Other processes may have stored newer versions, and entries of other lists.
      const stored = entryIn === undefined ? null : await loadState();
      await storeLists();
      const lists = new Map(
        [...states.values()].flatMap(({ name, list, checkedAt }) =>
          list === null || checkedAt === null
            ? []
            : [[name, { checksum: list.checksum, checkedAt }] as const],
        ),
      );
      const bytes = encodeStoredState({
        ...times,
        protocol: protocolName,
        server: server.href,
        lists,
        seen: new Map([...(stored?.seen ?? []), ...newest.tokens()]),
      });
      await write("write the times of updates", (it, inner) => it.put(STATE, bytes, inner));
      storageError = failure;
    },

    shift(milliseconds) {
      for (const [name, state] of states) {
        if (state.checkedAt === null) continue;
        states.set(name, { ...state, checkedAt: state.checkedAt - milliseconds });
      }
    },
  };
}
