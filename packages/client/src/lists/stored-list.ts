import type { PrefixList } from "@x/prefix-list";
import { decodeTables, encodeTables } from "@x/prefix-list/tables";
import { FULL_HASH_BYTES, fromHex, fullHash, toHex } from "@x/sha256-prefix";
import { platformHash } from "./platform-hash.ts";

/** The facts about a list, which are stored with the list as one value, so that they always match it. */
interface StoredFacts {
  readonly protocol: string;
  readonly server: string;
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
export async function encodeStoredList(
  { token, ...facts }: StoredFacts,
  list: PrefixList,
): Promise<Uint8Array> {
  const tables = encodeTables(list);
  const own: Header = {
    ...facts,
    token: toHex(token),
    listHash: toHex(await platformHash(tables)),
  };
  const text = new TextEncoder().encode(JSON.stringify(own));
  const header = new Uint8Array(Math.ceil(text.length / WORD_BYTES) * WORD_BYTES).fill(0x20);
  header.set(text);
  const listAt = HEADER_AT + header.length + FULL_HASH_BYTES;
  const bytes = new Uint8Array(listAt + tables.length);
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setUint32(MAGIC.length, header.length);
  bytes.set(header, HEADER_AT);
  bytes.set(fullHash(header), HEADER_AT + header.length);
  bytes.set(tables, listAt);
  return bytes;
}

/**
 * Verifies a whole stored list, and reads the facts stored with it. Rejects if anything in it is damaged.
 *
 * The list is searched in `bytes`, so every byte is verified first, and none may change afterwards. With the platform's
 * SHA-256, verifying the list takes less time than decoding a smaller form.
 */
export async function decodeStoredList(bytes: Uint8Array): Promise<StoredList> {
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
