import { checkBytes, concatBytes } from "./bytes.ts";
import { OhttpError } from "./error.ts";
import { algorithmsFor, type KeyConfig } from "./key-config.ts";
import {
  decrypted,
  KEY_BYTES,
  NO_ASSOCIATED_DATA,
  nonceBytes,
  requestHeader,
  requestInfo,
  responseKeys,
  suiteOf,
} from "./suite.ts";

/** An encrypted request for the relay, and a function that decrypts the answer. */
export interface EncapsulatedRequest {
  /** The body of a request of the type `message/ohttp-req`. */
  readonly message: Uint8Array<ArrayBuffer>;
  /**
   * Reads the body of an answer of the type `message/ohttp-res`, and returns the binary HTTP message in it.
   *
   * @throws {OhttpError} `response-malformed` or `not-decrypted`.
   */
  readonly openResponse: (response: Uint8Array) => Promise<Uint8Array>;
}

/**
 * Encrypts a binary HTTP message for a gateway.
 *
 * @param config the key of the gateway. Get the key in a way that does not depend on the relay: whoever supplies the
 * key can read the request.
 * @throws {OhttpError} `key-config-unsupported`, or `key-config-malformed` when the public key is not valid.
 * @example
 * ```ts
 * import { createGateway, encapsulateRequest, generateGatewayKey } from "@x/ohttp";
 * import { decodeRequest, encodeRequest } from "@x/ohttp/binary-http";
 *
 * const key = await generateGatewayKey(1);
 * const gateway = await createGateway([key]);
 *
 * const get = { method: "GET", scheme: "https", authority: "example.com", path: "/" };
 * const { message, openResponse } = await encapsulateRequest(key.config, encodeRequest(get));
 * const { request, sealResponse } = await gateway.openRequest(message);
 * decodeRequest(request).path; // → "/"
 * const answer = await openResponse(await sealResponse(Uint8Array.of(1, 2, 3)));
 * answer.length; // → 3
 * ```
 * @see RFC 9458 §4.3, §4.4
 */
export async function encapsulateRequest(
  config: KeyConfig,
  request: Uint8Array,
): Promise<EncapsulatedRequest> {
  checkBytes("request", request);
  const algorithms = algorithmsFor(config);
  const suite = suiteOf(algorithms);
  const header = requestHeader(config.keyId, algorithms);
  const { encapsulatedSecret, ctx } = await setUp(
    suite.hpke,
    config.publicKey,
    requestInfo(header),
  );
  const sealed = await ctx.Seal(request);
  return {
    message: concatBytes([header, encapsulatedSecret, sealed]),
    async openResponse(response) {
      checkBytes("response", response);
      const nonceEnd = nonceBytes(suite);
      if (response.length < nonceEnd + suite.aead.Nt) throw new OhttpError("response-malformed");
      const random = response.subarray(0, nonceEnd);
      const { key, nonce } = await responseKeys(suite, ctx, encapsulatedSecret, random);
      const ciphertext = response.subarray(nonceEnd);
      return decrypted(() => suite.aead.Open(key, nonce, NO_ASSOCIATED_DATA, ciphertext));
    },
  };
}

async function setUp(
  hpke: ReturnType<typeof suiteOf>["hpke"],
  publicKey: Uint8Array,
  info: Uint8Array,
) {
  if (publicKey.length !== KEY_BYTES) throw new OhttpError("key-config-malformed");
  try {
    return await hpke.SetupSender(await hpke.DeserializePublicKey(publicKey), { info });
  } catch (cause) {
    // With some 32-byte values as the public key, the shared secret is all zeros, so HPKE refuses the key (RFC 9180
    // §7.1.4).
    throw new OhttpError("key-config-malformed", { cause });
  }
}
