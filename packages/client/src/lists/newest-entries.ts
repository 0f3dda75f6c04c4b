import type { LogEntry } from "@x/list-store";
import type { Protocol } from "../protocols/protocol.ts";

/**
 * The newest signed entry of each list that the client has seen. The client accepts no older version, and the next
 * version must be signed with a key that the entry names. The entries are stored both with the lists and in the state,
 * so they outlive a damaged file.
 */
export interface NewestEntries {
  /** Whether the protocol has signatures. */
  readonly areSigned: boolean;
  /** The newest entry of a list; `null` when none was seen. */
  of(name: string): LogEntry | null;
  /** For each list, the token that its newest entry was read from. */
  tokens(): ReadonlyMap<string, Uint8Array>;
  /** Notes an entry, unless a newer one was seen. */
  add(name: string, token: Uint8Array, entry: LogEntry): void;
  /** Reads the entry in a token, notes it, and returns it; `null` when the protocol has no signatures. */
  read(name: string, token: Uint8Array): Promise<LogEntry | null>;
  /** Whether an entry is older than one that was seen. */
  isOlder(entry: LogEntry | null, name: string): boolean;
}

export function createNewestEntries(entryIn: Protocol["entryIn"]): NewestEntries {
  const newest = new Map<string, { readonly token: Uint8Array; readonly entry: LogEntry }>();
  const versionOf = (name: string) => newest.get(name)?.entry.manifest.version ?? 0;

  function add(name: string, token: Uint8Array, entry: LogEntry): void {
    if (entry.manifest.version > versionOf(name)) newest.set(name, { token, entry });
  }

  return {
    areSigned: entryIn !== undefined,
    of: (name) => newest.get(name)?.entry ?? null,
    tokens: () => new Map([...newest].map(([name, { token }]) => [name, token])),
    add,
    async read(name, token) {
      if (entryIn === undefined) return null;
      const entry = await entryIn(name, token);
      add(name, token, entry);
      return entry;
    },
    isOlder: (entry, name) => entry !== null && entry.manifest.version < versionOf(name),
  };
}
