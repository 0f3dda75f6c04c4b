import type { PrefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { ClientError } from "../error.ts";
import type { KeptList } from "../protocols/protocol.ts";
import type { ClientStorage } from "../storage/storage.ts";
import { decodeStoredList, encodeStoredList } from "./stored-list.ts";

/** A list that the client keeps. */
export interface ListState extends KeptList {
  /** Why there is no list; `null` when there is one. */
  readonly problem: "not-loaded" | "list-damaged" | null;
  /** When the server last said that this is the newest version; `null` when there is no list. */
  readonly checkedAt: number | null;
  /** The last error with this list; `null` after an update without one. */
  readonly error: ClientError | null;
}

/** When the next update is due, which a restarted client respects. */
export interface StoredTimes {
  readonly due: number | null;
  /** How long the server asked to wait after the last update that worked, in milliseconds. */
  readonly wait: number;
  readonly failures: number;
}

interface StoredState extends StoredTimes {
  readonly protocol: string;
  readonly server: string;
  /** For each list, its checksum, and when it was last the newest version. */
  readonly lists: Readonly<Record<string, readonly [checksum: string, checkedAt: number]>>;
}

/** Keeps lists in memory and in a storage. */
export interface ListKeeper {
  readonly states: readonly ListState[];
  /** Reads what is stored. Lists that are damaged are thrown away. */
  load(signal?: AbortSignal): Promise<StoredTimes | null>;
  /** Replaces a list. The new one is used even if it cannot be stored. */
  replace(name: string, token: Uint8Array, list: PrefixList, checkedAt: number): Promise<void>;
  /** Notes that a list is the newest version. It is only stored again when the server has another token for it. */
  confirm(name: string, token: Uint8Array, checkedAt: number): Promise<void>;
  /** Notes why a list could not be updated. */
  note(name: string, error: ClientError): void;
  /** Throws a list away. */
  discard(name: string, error: ClientError): Promise<void>;
  /** Stores the times, after the lists. */
  storeTimes(times: StoredTimes): Promise<void>;
  /** Moves all times, because the clock was set back. */
  shift(milliseconds: number): void;
  /** Forgets the error of the storage, before an operation that may have one of its own. */
  forgetError(): void;
  /** The last error of the storage in this operation. */
  readonly storageError: ClientError | null;
}

export interface ListKeeperOptions {
  readonly protocol: string;
  readonly server: string;
  readonly names: readonly string[];
  /** `null` to keep the lists in memory only. */
  readonly storage: ClientStorage | null;
}

const STATE = "state";

/** The name of a list in the storage. */
function storedName(name: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,100}$/.test(name)) return `list-${name}`;
  return `list.${toHex(fullHash(name))}`;
}

const EMPTY = { token: null, list: null, checkedAt: null } as const;

export function createListKeeper(options: ListKeeperOptions): ListKeeper {
  const { protocol, server, names, storage } = options;
  const states = new Map<string, ListState>(
    names.map((name) => [name, { ...EMPTY, name, problem: "not-loaded", error: null }]),
  );
  let storageError: ClientError | null = null;
  /** Lists that the storage does not have as they are, because it has failed. */
  const unstored = new Set<string>();

  /** Runs an operation of the storage. Its failure is kept, and does not fail anything else. */
  async function store<Result>(
    what: string,
    run: (storage: ClientStorage) => Promise<Result>,
  ): Promise<Result | null> {
    if (storage === null) return null;
    try {
      return await run(storage);
    } catch (cause) {
      const message = `The storage failed to ${what}: ${(cause as Error)?.message ?? cause}`;
      storageError = new ClientError("storage-failed", message, { cause });
      return null;
    }
  }

  async function loadState(signal?: AbortSignal): Promise<StoredState | null> {
    const bytes = await store("read the times of updates", (it) => it.get(STATE, signal));
    if (bytes === null) return null;
    try {
      const state = JSON.parse(new TextDecoder().decode(bytes)) as StoredState;
      return state.protocol === protocol && state.server === server ? state : null;
    } catch {
      // Without it, lists are as old as they were when they were stored.
      return null;
    }
  }

  async function loadList(name: string, state: StoredState | null, signal?: AbortSignal) {
    const before = storageError;
    const bytes = await store(`read the list ${name}`, (it) => it.get(storedName(name), signal));
    if (bytes === null) {
      const error = storageError === before ? null : storageError;
      states.set(name, { ...EMPTY, name, problem: "not-loaded", error });
      return;
    }
    try {
      const stored = await decodeStoredList(bytes);
      // A list of another server is of no use here, but not damaged either.
      if (stored.protocol !== protocol || stored.server !== server || stored.name !== name) return;
      const { token, list } = stored;
      const known = Object.hasOwn(state?.lists ?? {}, name) ? state!.lists[name]! : null;
      const isSame = known !== null && known[0] === list.checksum;
      const checkedAt = isSame ? Math.max(known[1], stored.checkedAt) : stored.checkedAt;
      states.set(name, { name, token, list, problem: null, checkedAt, error: null });
    } catch (cause) {
      const message = `The stored list ${name} is damaged: ${(cause as Error).message}`;
      await discard(name, new ClientError("list-damaged", message, { list: name, cause }));
    }
  }

  async function replace(
    name: string,
    token: Uint8Array,
    list: PrefixList,
    checkedAt: number,
  ): Promise<void> {
    states.set(name, { name, token, list, problem: null, checkedAt, error: null });
    unstored.add(name);
    await store(`write the list ${name}`, async (it) => {
      const bytes = await encodeStoredList({ protocol, server, name, token, list, checkedAt });
      await it.put(storedName(name), bytes);
      unstored.delete(name);
    });
  }

  async function discard(name: string, error: ClientError): Promise<void> {
    states.set(name, { ...EMPTY, name, problem: "list-damaged", error });
    await store(`delete the list ${name}`, (it) => it.delete(storedName(name)));
  }

  return {
    get states() {
      return [...states.values()];
    },

    get storageError() {
      return storageError;
    },

    forgetError() {
      storageError = null;
    },

    async load(signal) {
      const state = await loadState(signal);
      for (const name of names) {
        signal?.throwIfAborted();
        await loadList(name, state, signal);
      }
      signal?.throwIfAborted();
      return state === null ? null : { due: state.due, wait: state.wait, failures: state.failures };
    },

    replace,

    async confirm(name, token, checkedAt) {
      const before = states.get(name)!;
      const { list } = before;
      if (list === null) return;
      if (toHex(before.token!) === toHex(token) && !unstored.has(name)) {
        states.set(name, { ...before, checkedAt, error: null });
      } else {
        await replace(name, token, list, checkedAt);
      }
    },

    note(name, error) {
      states.set(name, { ...states.get(name)!, error });
    },

    discard,

    async storeTimes({ due, wait, failures }) {
      const lists = Object.fromEntries(
        [...states.values()].flatMap(({ name, list, checkedAt }) =>
          list === null || checkedAt === null ? [] : [[name, [list.checksum, checkedAt] as const]],
        ),
      );
      const state: StoredState = { protocol, server, due, wait, failures, lists };
      const bytes = new TextEncoder().encode(JSON.stringify(state));
      await store("write the times of updates", (it) => it.put(STATE, bytes));
    },

    shift(milliseconds) {
      for (const [name, state] of states) {
        if (state.checkedAt === null) continue;
        states.set(name, { ...state, checkedAt: state.checkedAt - milliseconds });
      }
    },
  };
}
