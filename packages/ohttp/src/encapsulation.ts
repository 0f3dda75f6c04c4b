import type { RecipientContext, SenderContext } from "hpke";
import { concatBytes, textBytes, uint16 } from "./bytes.ts";
import { OhttpError } from "./error.ts";
import { KEM_X25519, type Suite, type SymmetricAlgorithms } from "./suite.ts";

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
