import { FULL_HASH_BYTES, fromHex, fullHash, toHex } from "@x/sha256-prefix";
import { platformHash } from "./platform-hash.ts";

/** The facts about a list. They are stored together with the list, as one value, so that they always match it. */
interface StoredFacts {
  readonly protocol: string;
  readonly server: string;
  readonly name: string;
  /** The server's token for the list. */
  readonly token: Uint8Array;
  readonly checksum: string;
  /** When the server last said that this is the newest version, in milliseconds since 1970. */
  readonly checkedAt: number;
}

export interface DecodedList extends StoredFacts {
  /** A file of `@x/prefix-list`. */
  readonly file: Uint8Array;
}

const MAGIC = "x-client-list-1\n";
const LENGTH_BYTES = 4;
const HEADER_AT = MAGIC.length + LENGTH_BYTES;

/** The header, in JSON. */
interface Header extends Omit<StoredFacts, "token"> {
  readonly token: string;
  /** The SHA-256 of the file. */
  readonly fileHash: string;
}

/**
 * Writes `MAGIC`, the length of the header, the header in JSON, the SHA-256 of the header, and the file of the list.
 */
export async function encodeStoredList(
  { token, ...facts }: StoredFacts,
  file: Uint8Array,
): Promise<Uint8Array> {
  const fileHash = toHex(await platformHash(file));
  const own: Header = { ...facts, token: toHex(token), fileHash };
  const header = new TextEncoder().encode(JSON.stringify(own));
  const fileAt = HEADER_AT + header.length + FULL_HASH_BYTES;
  const bytes = new Uint8Array(fileAt + file.length);
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setUint32(MAGIC.length, header.length);
  bytes.set(header, HEADER_AT);
  bytes.set(fullHash(header), HEADER_AT + header.length);
  bytes.set(file, fileAt);
  return bytes;
}

/** Verifies a whole stored list, and reads the facts stored with its file. Rejects if the stored list is damaged. */
export async function decodeStoredList(bytes: Uint8Array): Promise<DecodedList> {
  const magic = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
  if (magic !== MAGIC) throw new Error("It does not begin like a stored list");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = view.getUint32(MAGIC.length);
  const header = bytes.subarray(HEADER_AT, HEADER_AT + length);
  const hash = bytes.subarray(HEADER_AT + length, HEADER_AT + length + FULL_HASH_BYTES);
  if (toHex(fullHash(header)) !== toHex(hash)) throw new Error("Its header is damaged");
  const { token, fileHash, ...facts } = JSON.parse(new TextDecoder().decode(header)) as Header;
  const file = bytes.subarray(HEADER_AT + length + FULL_HASH_BYTES);
  if (toHex(await platformHash(file)) !== fileHash) throw new Error("Its entries are damaged");
  return { ...facts, token: fromHex(token), file };
}
