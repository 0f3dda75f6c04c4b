import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import {
  AEAD_AES_128_GCM,
  type AEADFactory,
  CipherSuite,
  KDF_HKDF_SHA256,
  KEM_DHKEM_X25519_HKDF_SHA256,
  type RecipientContext,
  type SenderContext,
} from "hpke";
import { concatBytes, textBytes, uint16 } from "./bytes.ts";
import { OhttpError } from "./error.ts";

/** DHKEM(X25519, HKDF-SHA256), the only key encapsulation that is supported (RFC 9180 §7.1). */
export const KEM_X25519 = 0x0020;
/** The length in bytes of an X25519 public key, a private key and an encapsulated secret. */
export const KEY_BYTES = 32;
const HKDF_SHA256 = 0x0001;

// Web Crypto has this algorithm only in newer runtimes.
const AEAD_CHACHA20_POLY1305: AEADFactory = () => ({
  id: 0x0003,
  type: "AEAD",
  name: "ChaCha20Poly1305",
  Nk: 32,
  Nn: 12,
  Nt: 16,
  Seal: async (key, nonce, aad, plaintext) => chacha20poly1305(key, nonce, aad).encrypt(plaintext),
  Open: async (key, nonce, aad, ciphertext) =>
    chacha20poly1305(key, nonce, aad).decrypt(ciphertext),
});

/** The algorithms of a request, as numbers of RFC 9180 §7. */
export interface SymmetricAlgorithms {
  readonly kdf: number;
  readonly aead: number;
}

const AEADS: ReadonlyMap<number, AEADFactory> = new Map([
  [0x0001, AEAD_AES_128_GCM],
  [0x0003, AEAD_CHACHA20_POLY1305],
]);

/**
 * The supported algorithms, the preferred ones first: HKDF-SHA256 with AES-128-GCM, and HKDF-SHA256 with
 * ChaCha20-Poly1305.
 */
export const ALGORITHMS: readonly SymmetricAlgorithms[] = [...AEADS.keys()].map((aead) => ({
  kdf: HKDF_SHA256,
  aead,
}));

export function isSupported({ kdf, aead }: SymmetricAlgorithms): boolean {
  return kdf === HKDF_SHA256 && AEADS.has(aead);
}

/** An HPKE suite, and the parts of it that OHTTP also uses directly. */
interface Suite {
  readonly hpke: CipherSuite;
  readonly kdf: ReturnType<typeof KDF_HKDF_SHA256>;
  readonly aead: ReturnType<AEADFactory>;
}

/** The suite for supported algorithms. */
export function suiteOf({ aead }: SymmetricAlgorithms): Suite {
  const factory = AEADS.get(aead)!;
  return {
    hpke: new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, factory),
    kdf: KDF_HKDF_SHA256(),
    aead: factory(),
  };
}

/** The length of the header before the encapsulated secret, which has the key id and the algorithms. */
export const HEADER_BYTES = 7;

const REQUEST_LABEL = textBytes("message/bhttp request");
const RESPONSE_LABEL = textBytes("message/bhttp response");
/** Neither requests nor responses have associated data. */
export const NO_ASSOCIATED_DATA: Uint8Array = new Uint8Array();

/** The header of a request (RFC 9458 §4.3). */
export function requestHeader(keyId: number, { kdf, aead }: SymmetricAlgorithms): Uint8Array {
  return concatBytes([Uint8Array.of(keyId), uint16(KEM_X25519), uint16(kdf), uint16(aead)]);
}

/** The `info` to which HPKE binds a request (RFC 9458 §4.3). */
export function requestInfo(header: Uint8Array): Uint8Array<ArrayBuffer> {
  return concatBytes([REQUEST_LABEL, Uint8Array.of(0), header]);
}

/** The number of random bytes before a response (RFC 9458 §4.4). */
export function nonceBytes({ aead }: Suite): number {
  return Math.max(aead.Nn, aead.Nk);
}

/** The key and the nonce of a response (RFC 9458 §4.4). */
export async function responseKeys(
  suite: Suite,
  context: SenderContext | RecipientContext,
  secret: Uint8Array,
  responseNonce: Uint8Array,
): Promise<{ readonly key: Uint8Array; readonly nonce: Uint8Array }> {
  const { kdf, aead } = suite;
  const exported = await context.Export(RESPONSE_LABEL, nonceBytes(suite));
  const prk = await kdf.Extract(concatBytes([secret, responseNonce]), exported);
  return {
    key: await kdf.Expand(prk, textBytes("key"), aead.Nk),
    nonce: await kdf.Expand(prk, textBytes("nonce"), aead.Nn),
  };
}

/** Decrypts a message, or throws `not-decrypted`. */
export async function decrypted(open: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await open();
  } catch (cause) {
    throw new OhttpError("not-decrypted", { cause });
  }
}
