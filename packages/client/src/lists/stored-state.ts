import { fromHex, fullHash, toHex } from "@x/sha256-prefix";

/** The update times with which a restarted client continues. */
export interface StoredTimes {
  /**
   * How long the server asked the client to wait after the last successful update, in milliseconds; `null` when that is
   * not known.
   */
  readonly wait: number | null;
  /** No list is due before this time, because the server has failed; `null` when it has not. */
  readonly pausedUntil: number | null;
  /** How many times in a row the server has failed. */
  readonly failures: number;
  readonly turns: ReadonlyMap<string, StoredTurn>;
}

export interface StoredTurn {
  readonly due: number | null;
  /** The number of updates of this list that have failed in a row. */
  readonly failures: number;
  /** Whether the server said that it does not have the list. */
  readonly isUnknown: boolean;
}

/**
 * The state stored beside the lists: when the server last confirmed each list, which versions were seen, and when
 * updates are due.
 */
export interface StoredState extends StoredTimes {
  readonly protocol: string;
  readonly server: string;
  /** For each list, the checksum of the version, and when the server last said that this is the newest version. */
  readonly lists: ReadonlyMap<string, { readonly checksum: string; readonly checkedAt: number }>;
  /** For each list that is signed, the token of the newest version that was seen. */
  readonly seen: ReadonlyMap<string, Uint8Array>;
}

const isTime = (value: unknown): value is number => Number.isFinite(value);
const timeIn = (value: unknown): number | null => (isTime(value) ? value : null);
const countIn = (value: unknown): number =>
  Number.isSafeInteger(value) ? Math.max(value as number, 0) : 0;

const hashOf = (text: string) => toHex(fullHash(text));

export function encodeStoredState({ lists, seen, turns, ...facts }: StoredState): Uint8Array {
  const state = {
    ...facts,
    lists: [...lists].map(([name, { checksum, checkedAt }]) => [name, checksum, checkedAt]),
    seen: [...seen].map(([name, token]) => {
      const text = toHex(token);
      return [name, text, hashOf(text)];
    }),
    turns: [...turns].map(([name, { due, failures, isUnknown }]) => [
      name,
      due,
      failures,
      isUnknown,
    ]),
  };
  return new TextEncoder().encode(JSON.stringify(state));
}

/** The rows in a stored table that are arrays and begin with a name. */
function rowsIn(table: unknown): readonly (readonly [string, ...unknown[]])[] {
  const rows: readonly unknown[] = Array.isArray(table) ? table : [];
  return rows.filter(
    (row): row is [string, ...unknown[]] => Array.isArray(row) && typeof row[0] === "string",
  );
}

/** Reads a stored state. Damaged parts are left out. Returns `null` when nothing can be read. */
export function decodeStoredState(bytes: Uint8Array): StoredState | null {
  let state: Partial<Record<keyof StoredState, unknown>>;
  try {
    state = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
  if (typeof state !== "object" || state === null) return null;
  const { protocol, server, wait, pausedUntil, failures, lists, seen, turns } = state;
  return {
    protocol: String(protocol),
    server: String(server),
    wait: timeIn(wait),
    pausedUntil: timeIn(pausedUntil),
    failures: countIn(failures),
    lists: new Map(
      rowsIn(lists).flatMap(([name, checksum, checkedAt]) =>
        typeof checksum === "string" && isTime(checkedAt)
          ? [[name, { checksum, checkedAt }] as const]
          : [],
      ),
    ),
    seen: new Map(
      rowsIn(seen).flatMap(([name, token, hash]) =>
        typeof token === "string" && hashOf(token) === hash
          ? [[name, fromHex(token)] as const]
          : [],
      ),
    ),
    turns: new Map(
      rowsIn(turns).map(([name, due, own, isUnknown]) => [
        name,
        { due: timeIn(due), failures: countIn(own), isUnknown: isUnknown === true },
      ]),
    ),
  };
}
