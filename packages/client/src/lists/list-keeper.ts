import type { LogEntry } from "@x/list-store";
import { toHex } from "@x/sha256-prefix";
import type { ClientError } from "../error.ts";
import type { CheckedOptions } from "../options.ts";
import type { KeptList, ListOutcome, ProtocolName } from "../protocols/protocol.ts";
import { createStorageAccess, type StorageAccess } from "../storage/storage-access.ts";
import { createNewestEntries, type NewestEntries } from "./newest-entries.ts";

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

/** The lists of a client. The functions in this file change them. Those in `load-and-store.ts` read and store them. */
export interface ListKeeper {
  readonly lists: Map<string, Omit<ListState, "seen">>;
  readonly newest: NewestEntries;
  /** The lists that still have to be written or deleted in the storage. */
  readonly unstored: Set<string>;
  readonly storage: StorageAccess;
  /** The protocol of the lists. Stored lists from another protocol or server are not used. */
  readonly protocolName: ProtocolName;
  readonly server: URL;
  /** Whether this client has a storage and writes to it. */
  readonly writes: boolean;
  /** Whether the storage was asked for the lists, even if it failed. */
  isLoaded: boolean;
  /** The storage error from the last time the lists were read or stored; `null` when there was none. */
  storageError: ClientError | null;
}

export type ListKeeperOptions = Pick<
  CheckedOptions,
  "lists" | "protocol" | "protocolName" | "server" | "storage" | "isFollowing" | "timeout"
>;

/** A server sends the whole list to a client without a token. */
const NO_TOKEN = new Uint8Array(0);

const EMPTY = { token: null, list: null, checkedAt: null, entry: null } as const;

const notLoaded = (name: string) =>
  ({ ...EMPTY, name, problem: "not-loaded", error: null }) as const;

export function createListKeeper(options: ListKeeperOptions): ListKeeper {
  const { lists, storage, timeout, protocol, protocolName, server, isFollowing } = options;
  return {
    lists: new Map(lists.map((name) => [name, notLoaded(name)])),
    newest: createNewestEntries(protocol.entryIn),
    unstored: new Set(),
    storage: createStorageAccess(storage, timeout),
    protocolName,
    server,
    writes: storage !== null && !isFollowing,
    isLoaded: false,
    storageError: null,
  };
}

export function statesOf({ lists, newest }: ListKeeper): ListState[] {
  return [...lists.values()].map((state) => ({ ...state, seen: newest.of(state.name) }));
}

/** Forgets a list that is no longer stored. */
export function forgetList({ lists }: ListKeeper, name: string): void {
  lists.set(name, notLoaded(name));
}

export function replaceList(
  { lists, newest, unstored }: ListKeeper,
  { name, token, list, entry: signed }: NewVersion,
  checkedAt: number,
): void {
  const entry = signed ?? null;
  if (entry !== null) newest.add(name, token, entry);
  lists.set(name, { name, token, list, problem: null, checkedAt, error: null, entry });
  unstored.add(name);
}

/**
 * Notes that a list is still the newest version. The list is stored again only if the server sent a new token for it.
 */
export function confirmList(
  keeper: ListKeeper,
  outcome: Outcome<"unchanged">,
  checkedAt: number,
): void {
  const before = keeper.lists.get(outcome.name)!;
  const { name, list } = before;
  if (list === null) return;
  if (toHex(before.token!) === toHex(outcome.token)) {
    keeper.lists.set(name, { ...before, checkedAt, error: null });
  } else {
    replaceList(keeper, { ...outcome, list }, checkedAt);
  }
}

/** Notes why a list could not be updated. */
export function noteError({ lists }: ListKeeper, name: string, error: ClientError): void {
  const before = lists.get(name)!;
  const isUnknown = before.list === null && error.code === "list-unknown";
  lists.set(name, { ...before, error, problem: isUnknown ? "list-unknown" : before.problem });
}

/**
 * Notes that the server's update did not give the list that it promised. The verified list stays, but without its
 * token, so that the server sends the whole list next time.
 */
export function distrustList(keeper: ListKeeper, name: string, error: ClientError): void {
  const before = keeper.lists.get(name)!;
  if (before.list === null) {
    discardList(keeper, name, error);
  } else {
    keeper.lists.set(name, { ...before, token: NO_TOKEN, error });
    keeper.unstored.add(name);
  }
}

export function discardList(
  { lists, unstored }: ListKeeper,
  name: string,
  error: ClientError,
): void {
  lists.set(name, { ...EMPTY, name, problem: "list-damaged", error });
  unstored.add(name);
}

/** Moves the times of all lists back by this many milliseconds, because the clock was set back. */
export function setListsBack({ lists }: ListKeeper, milliseconds: number): void {
  for (const [name, state] of lists) {
    if (state.checkedAt === null) continue;
    lists.set(name, { ...state, checkedAt: state.checkedAt - milliseconds });
  }
}
