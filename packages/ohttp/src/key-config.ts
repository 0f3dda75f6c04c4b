import { byteReader, checkBytes, concatBytes, uint16, uint16At } from "./bytes.ts";
import { OhttpError } from "./error.ts";
import { isSupported, KEM_X25519, KEY_BYTES, type SymmetricAlgorithms } from "./suite.ts";

/** A key of a gateway, as clients get it (RFC 9458 §3.1). */
export interface KeyConfig {
  /** The id of the key, from 0 to 255, which tells the keys of one gateway apart. */
  readonly keyId: number;
  /** The public key for DHKEM(X25519, HKDF-SHA256), 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The algorithms that the gateway accepts with this key, the preferred ones first. */
  readonly algorithms: readonly SymmetricAlgorithms[];
}

/** The length of a public key in bytes, by algorithm (RFC 9180 §7.1). */
const PUBLIC_KEY_BYTES: ReadonlyMap<number, number> = new Map([
  [0x0010, 65],
  [0x0011, 97],
  [0x0012, 133],
  [KEM_X25519, KEY_BYTES],
  [0x0021, 56],
]);
const ALGORITHMS_BYTES = 4;
const MAX_CONFIGS_BYTES = 2 ** 16;

/** The bytes of one key configuration (RFC 9458 §3.1). */
export function encodeKeyConfig({
  keyId,
  publicKey,
  algorithms,
}: KeyConfig): Uint8Array<ArrayBuffer> {
  checkBytes("publicKey", publicKey);
  const isId = Number.isInteger(keyId) && keyId >= 0 && keyId <= 255;
  const isList = algorithms.length > 0 && algorithms.length < 2 ** 14;
  if (!isId || publicKey.length !== KEY_BYTES || !isList)
    throw new OhttpError("key-config-malformed");
  const listed = algorithms.flatMap(({ kdf, aead }) => [uint16(kdf), uint16(aead)]);
  return concatBytes([
    Uint8Array.of(keyId),
    uint16(KEM_X25519),
    publicKey,
    uint16(algorithms.length * ALGORITHMS_BYTES),
    ...listed,
  ]);
}

/** Reads one key configuration (RFC 9458 §3.1). */
function decodeKeyConfig(bytes: Uint8Array): KeyConfig {
  const malformed = (): OhttpError => new OhttpError("key-config-malformed");
  if (bytes.length < 3) throw malformed();
  const kem = uint16At(bytes, 1);
  const keyBytes = PUBLIC_KEY_BYTES.get(kem);
  if (keyBytes === undefined) throw new OhttpError("key-config-unsupported");
  const listStart = 3 + keyBytes + 2;
  if (bytes.length < listStart) throw malformed();
  const length = uint16At(bytes, listStart - 2);
  const isWhole = length > 0 && length % ALGORITHMS_BYTES === 0;
  if (!isWhole || bytes.length !== listStart + length) throw malformed();
  const algorithms: SymmetricAlgorithms[] = [];
  for (let at = listStart; at < bytes.length; at += ALGORITHMS_BYTES) {
    algorithms.push({ kdf: uint16At(bytes, at), aead: uint16At(bytes, at + 2) });
  }
  const config = { keyId: bytes[0]!, publicKey: bytes.slice(3, 3 + keyBytes), algorithms };
  if (kem !== KEM_X25519 || !algorithms.some(isSupported)) {
    throw new OhttpError("key-config-unsupported");
  }
  return config;
}

/**
 * The body of an answer of the type `application/ohttp-keys`, in which each key configuration follows its length.
 *
 * @see RFC 9458 §3.2
 */
export function encodeKeyConfigs(configs: readonly KeyConfig[]): Uint8Array<ArrayBuffer> {
  return concatBytes(
    configs.flatMap((config) => {
      const bytes = encodeKeyConfig(config);
      return [uint16(bytes.length), bytes];
    }),
  );
}

/**
 * Reads a body of the type `application/ohttp-keys`. Keys for algorithms that are not supported are skipped.
 *
 * @throws {OhttpError} `key-config-malformed`, or `key-config-unsupported` when no key is left.
 * @example
 * ```ts
 * import { decodeKeyConfigs, encodeKeyConfigs, generateGatewayKey } from "@x/ohttp";
 *
 * const { config } = await generateGatewayKey(7);
 * decodeKeyConfigs(encodeKeyConfigs([config])).map(({ keyId }) => keyId); // → [7]
 * ```
 * @see RFC 9458 §3.2
 */
export function decodeKeyConfigs(bytes: Uint8Array): KeyConfig[] {
  checkBytes("bytes", bytes);
  if (bytes.length > MAX_CONFIGS_BYTES) throw new OhttpError("too-long");
  const configs: KeyConfig[] = [];
  const reader = byteReader(bytes);
  while (!reader.isAtEnd()) {
    try {
      configs.push(decodeKeyConfig(reader.take(uint16At(reader.take(2), 0))));
    } catch (error) {
      if (!(error instanceof OhttpError)) throw error;
      if (error.code === "truncated") throw new OhttpError("key-config-malformed");
      if (error.code !== "key-config-unsupported") throw error;
    }
  }
  if (configs.length === 0) throw new OhttpError("key-config-unsupported");
  return configs;
}

/** The first supported pair of algorithms of a key. */
export function algorithmsFor({ algorithms }: KeyConfig): SymmetricAlgorithms {
  const found = algorithms.find(isSupported);
  if (found === undefined) throw new OhttpError("key-config-unsupported");
  return found;
}
