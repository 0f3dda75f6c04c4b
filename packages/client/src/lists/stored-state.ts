/** The state stored beside the lists: when the server last confirmed each list, and when the next update is due. */
export interface StoredState {
  readonly protocol: string;
  readonly server: string;
  readonly due: number | null;
  /** How long the server asked the client to wait, in milliseconds; `null` when that is not known. */
  readonly wait: number | null;
  readonly failures: number;
  /** For each list, the checksum of the version, and when the server last said that this is the newest version. */
  readonly lists: ReadonlyMap<string, { readonly checksum: string; readonly checkedAt: number }>;
}

const isTime = (value: unknown): value is number => Number.isFinite(value);

export function encodeStoredState({ lists, ...facts }: StoredState): Uint8Array {
  const rows = [...lists].map(([name, { checksum, checkedAt }]) => [name, checksum, checkedAt]);
  return new TextEncoder().encode(JSON.stringify({ ...facts, lists: rows }));
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
  const { protocol, server, due, wait, failures, lists } = state;
  const rows: readonly unknown[] = Array.isArray(lists) ? lists : [];
  return {
    protocol: String(protocol),
    server: String(server),
    due: isTime(due) ? due : null,
    wait: isTime(wait) ? wait : null,
    failures: Number.isSafeInteger(failures) ? Math.max(failures as number, 0) : 0,
    lists: new Map(
      rows.flatMap((row) => {
        const [name, checksum, checkedAt] = Array.isArray(row) ? row : [];
        const isWhole = typeof name === "string" && typeof checksum === "string";
        return isWhole && isTime(checkedAt) ? [[name, { checksum, checkedAt }] as const] : [];
      }),
    ),
  };
}
