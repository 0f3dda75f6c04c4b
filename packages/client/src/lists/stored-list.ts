import { decodePrefixList, encodePrefixList, type PrefixList } from "@x/prefix-list";
import { FULL_HASH_BYTES, fromHex, fullHash, toHex } from "@x/sha256-prefix";

/** A list as it is stored: its entries and the server's token for them in one value, so that they always fit. */
export interface StoredList {
  readonly protocol: string;
  readonly server: string;
  readonly name: string;
  readonly token: Uint8Array;
  readonly list: PrefixList;
  /** When the server last said that this is the newest version, in milliseconds since 1970. */
  readonly checkedAt: number;
}

const MAGIC = "x-client-list-1\n";
const LENGTH_BYTES = 4;
const HEADER_AT = MAGIC.length + LENGTH_BYTES;

/** `MAGIC`, the length of the header, the header in JSON, its SHA-256, and the file of the list. */
export function encodeStoredList(stored: StoredList): Uint8Array {
  const { protocol, server, name, token, list, checkedAt } = stored;
  const header = new TextEncoder().encode(
    JSON.stringify({ protocol, server, name, token: toHex(token), checkedAt }),
  );
  const file = encodePrefixList(list);
  const fileAt = HEADER_AT + header.length + FULL_HASH_BYTES;
  const bytes = new Uint8Array(fileAt + file.length);
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setUint32(MAGIC.length, header.length);
  bytes.set(header, HEADER_AT);
  bytes.set(fullHash(header), HEADER_AT + header.length);
  bytes.set(file, fileAt);
  return bytes;
}

/** Reads a stored list and verifies all of it. Throws an error of any kind when it is damaged. */
export function decodeStoredList(bytes: Uint8Array): StoredList {
  const magic = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
  if (magic !== MAGIC) throw new Error("It does not begin as a stored list");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = view.getUint32(MAGIC.length);
  const header = bytes.subarray(HEADER_AT, HEADER_AT + length);
  const hash = bytes.subarray(HEADER_AT + length, HEADER_AT + length + FULL_HASH_BYTES);
  if (toHex(fullHash(header)) !== toHex(hash)) throw new Error("Its header is damaged");
  const { token, ...facts } = JSON.parse(new TextDecoder().decode(header)) as Omit<
    StoredList,
    "list" | "token"
  > & { readonly token: string };
  const list = decodePrefixList(bytes.subarray(HEADER_AT + length + FULL_HASH_BYTES));
  return { ...facts, token: fromHex(token), list };
}
