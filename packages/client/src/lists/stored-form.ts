import type { PrefixList } from "@x/prefix-list";
import { decodeTables, encodeTables } from "@x/prefix-list/tables";
import { FULL_HASH_BYTES, fromHex, fullHash, toHex } from "@x/sha256-prefix";
import type { ClientState, StoredTimes } from "./state.ts";

/** Whose lists a storage has. */
export interface Origin {
  readonly protocol: string;
  readonly server: string;
}

/** The facts about a list, which are stored with the list as one value, so that they always match it. */
interface StoredFacts extends Origin {
  readonly name: string;
  /** The server's token for the list. */
  readonly token: Uint8Array;
  /** When the server last said that this is the newest version, in milliseconds since 1970. */
  readonly checkedAt: number;
}

export interface StoredList extends StoredFacts {
  readonly list: PrefixList;
}

/**
 * The first bytes of a stored list. A list that begins with other bytes, such as one from an older client, is fetched
 * again.
 */
const MAGIC = "x-client-list-2\n";
const LENGTH_BYTES = 4;
const HEADER_AT = MAGIC.length + LENGTH_BYTES;
/** The header is padded to a multiple of this many bytes, so that the list can be searched in place. */
const WORD_BYTES = 4;

interface Header extends Omit<StoredFacts, "token"> {
  readonly token: string;
  /** The SHA-256 of the list. */
  readonly listHash: string;
}

/**
 * Writes `MAGIC`, the length of the header, the header in JSON, the SHA-256 of the header, and the list as
 * `encodeTables` writes it.
 */
export async function encodeList(
  { token, ...facts }: StoredFacts,
  list: PrefixList,
): Promise<Uint8Array> {
  const headerOf = (listHash: string) => {
    const own: Header = { ...facts, token: toHex(token), listHash };
    const text = new TextEncoder().encode(JSON.stringify(own));
    const header = new Uint8Array(Math.ceil(text.length / WORD_BYTES) * WORD_BYTES).fill(0x20);
    header.set(text);
    return header;
  };
  const { length } = headerOf("0".repeat(2 * FULL_HASH_BYTES));
  const listAt = HEADER_AT + length + FULL_HASH_BYTES;
  const bytes = encodeTables(list, listAt);
  const header = headerOf(toHex(await platformHash(bytes.subarray(listAt))));
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setUint32(MAGIC.length, length);
  bytes.set(header, HEADER_AT);
  bytes.set(fullHash(header), HEADER_AT + length);
  return bytes;
}

/**
 * Verifies a whole stored list, and reads the facts stored with it. Rejects if anything in it is damaged.
 *
 * The list is searched in `bytes`, so every byte is verified first, and none may change afterwards. With the platform's
 * SHA-256, verifying the list takes less time than decoding a smaller form.
 */
export async function decodeList(bytes: Uint8Array): Promise<StoredList> {
  const magic = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
  if (magic !== MAGIC) throw new Error("The stored list does not begin like one");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = view.getUint32(MAGIC.length);
  const header = bytes.subarray(HEADER_AT, HEADER_AT + length);
  const hash = bytes.subarray(HEADER_AT + length, HEADER_AT + length + FULL_HASH_BYTES);
  if (toHex(fullHash(header)) !== toHex(hash))
    throw new Error("The stored list has a damaged header");
  const { token, listHash, ...facts } = JSON.parse(new TextDecoder().decode(header)) as Header;
  const tables = bytes.subarray(HEADER_AT + length + FULL_HASH_BYTES);
  if (toHex(await platformHash(tables)) !== listHash)
    throw new Error("The stored list has damaged entries");
  return { ...facts, token: fromHex(token), list: decodeTables(tables) };
}

/**
 * The SHA-256 of bytes, computed by the platform unless there is no `crypto.subtle`, as in pages that are not served
 * securely.
 */
export async function platformHash(bytes: Uint8Array): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto ?? {};
  if (subtle === undefined) return fullHash(bytes);
  return new Uint8Array(await subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
}

/** The stored state, and whose it is. */
export interface StoredState extends StoredTimes, Origin {}

const hashOf = (text: string) => toHex(fullHash(text));

/** @param seen what the storage says about the newest versions that were seen, also of lists of other clients. */
export function encodeState(
  { lists, wait, pausedUntil, failures }: ClientState,
  { protocol, server }: Origin,
  seen: StoredTimes["seen"],
): Uint8Array {
  const states = [...lists.values()];
  const tokens = new Map(seen);
  for (const { name, seenToken } of states) if (seenToken !== null) tokens.set(name, seenToken);
  const stored = {
    wait,
    pausedUntil,
    failures: failures.ofAnswers,
    protocol,
    server,
    lists: states.flatMap(({ name, list, checkedAt }) =>
      list === null || checkedAt === null ? [] : [[name, list.checksum, checkedAt]],
    ),
    seen: [...tokens].map(([name, token]) => [name, toHex(token), hashOf(toHex(token))]),
    turns: states.map((list) => [
      list.name,
      list.due,
      list.failures.ofAnswers,
      list.problem === "list-unknown" || list.error?.code === "list-unknown",
      list.error?.code === "update-refused",
    ]),
  };
  return new TextEncoder().encode(JSON.stringify(stored));
}

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
const isTime = (value: unknown): value is number => Number.isFinite(value);
const timeIn = (value: unknown): number | null => (isTime(value) ? value : null);
const countIn = (value: unknown): number =>
  Number.isSafeInteger(value) ? Math.max(value as number, 0) : 0;

/** The rows in a stored table that are arrays and begin with a name. */
function rowsIn(table: unknown): readonly (readonly [string, ...unknown[]])[] {
  const rows: readonly unknown[] = Array.isArray(table) ? table : [];
  return rows.filter(
    (row): row is [string, ...unknown[]] => Array.isArray(row) && typeof row[0] === "string",
  );
}

/** Reads a stored state. Damaged parts are left out. Returns `null` when nothing can be read. */
export function decodeState(bytes: Uint8Array): StoredState | null {
  let state: Partial<Record<keyof StoredState, unknown>>;
  try {
    state = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
  if (typeof state !== "object" || state === null) return null;
  const { protocol, server, wait, pausedUntil, failures, lists, seen, turns } = state;
  return {
    protocol: textIn(protocol),
    server: textIn(server),
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
        typeof token === "string" && /^(?:[0-9a-f]{2})*$/.test(token) && hashOf(token) === hash
          ? [[name, fromHex(token)] as const]
          : [],
      ),
    ),
    turns: new Map(
      rowsIn(turns).map(([name, due, own, isUnknown, isRefused]) => [
        name,
        {
          due: timeIn(due),
          failures: countIn(own),
          isUnknown: isUnknown === true,
          isRefused: isRefused === true,
        },
      ]),
    ),
  };
}
