import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import {
  AEAD_AES_128_GCM,
  type AEADFactory,
  CipherSuite,
  KDF_HKDF_SHA256,
  KEM_DHKEM_X25519_HKDF_SHA256,
} from "hpke";

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
export interface Suite {
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
