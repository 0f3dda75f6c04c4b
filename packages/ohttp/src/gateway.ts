import { checkBytes, concatBytes, uint16At } from "./bytes.ts";
import { OhttpError } from "./error.ts";
import type { KeyConfig } from "./key-config.ts";
import {
  ALGORITHMS,
  decrypted,
  HEADER_BYTES,
  isSupported,
  KEM_X25519,
  KEY_BYTES,
  NO_ASSOCIATED_DATA,
  nonceBytes,
  requestInfo,
  responseKeys,
  suiteOf,
} from "./suite.ts";

/** A key of a gateway with its secret part. */
export interface GatewayKey {
  readonly config: KeyConfig;
  /** The private key, 32 bytes. Whoever has this key can read the requests. */
  readonly privateKey: Uint8Array;
}

/** A request that a gateway has opened, and a function that encrypts the answer. */
export interface OpenedRequest {
  /** The binary HTTP message in the request. */
  readonly request: Uint8Array;
  /** The id of the key that the request was encrypted for. */
  readonly keyId: number;
  /**
   * Encrypts the binary HTTP message of the answer. The result is the body of an answer of the type
   * `message/ohttp-res`.
   */
  readonly sealResponse: (response: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>;
}

export interface Gateway {
  /**
   * Opens the body of a request of the type `message/ohttp-req`.
   *
   * @throws {OhttpError} `request-malformed`, `key-unknown`, `algorithms-unknown` or `not-decrypted`.
   */
  readonly openRequest: (message: Uint8Array) => Promise<OpenedRequest>;
}

const REQUEST_START_BYTES = HEADER_BYTES + KEY_BYTES;

/** Makes a new key for a gateway, for both supported algorithms. `keyId` is from 0 to 255. */
export async function generateGatewayKey(keyId: number): Promise<GatewayKey> {
  const { hpke } = suiteOf(ALGORITHMS[0]!);
  const pair = await hpke.GenerateKeyPair(true);
  return {
    config: {
      keyId,
      publicKey: await hpke.SerializePublicKey(pair.publicKey),
      algorithms: ALGORITHMS,
    },
    privateKey: await hpke.SerializePrivateKey(pair.privateKey),
  };
}

async function importKey({ config, privateKey }: GatewayKey) {
  checkBytes("privateKey", privateKey);
  const { hpke } = suiteOf(ALGORITHMS[0]!);
  return {
    config,
    pair: {
      privateKey: await hpke.DeserializePrivateKey(privateKey),
      publicKey: await hpke.DeserializePublicKey(config.publicKey),
    },
  };
}

/**
 * Makes a gateway from its keys. The gateway keeps no state, so it opens a request again if someone sends it again.
 *
 * @throws {RangeError} when two keys have the same id.
 * @see RFC 9458 §4.3, §4.4
 */
export async function createGateway(keys: readonly GatewayKey[]): Promise<Gateway> {
  const imported = new Map<number, Awaited<ReturnType<typeof importKey>>>();
  for (const key of keys) {
    const { keyId } = key.config;
    if (imported.has(keyId)) throw new RangeError(`two keys have the id ${keyId}`);
    imported.set(keyId, await importKey(key));
  }

  return {
    async openRequest(message) {
      checkBytes("message", message);
      if (message.length < REQUEST_START_BYTES) throw new OhttpError("request-malformed");
      const key = imported.get(message[0]!);
      if (key === undefined) throw new OhttpError("key-unknown");
      const algorithms = { kdf: uint16At(message, 3), aead: uint16At(message, 5) };
      const isOffered = key.config.algorithms.some(
        ({ kdf, aead }) => kdf === algorithms.kdf && aead === algorithms.aead,
      );
      if (uint16At(message, 1) !== KEM_X25519 || !isOffered || !isSupported(algorithms)) {
        throw new OhttpError("algorithms-unknown");
      }
      const suite = suiteOf(algorithms);
      const secret = message.slice(HEADER_BYTES, REQUEST_START_BYTES);
      const info = requestInfo(message.subarray(0, HEADER_BYTES));
      const context = await setUp(suite.hpke, key.pair, secret, info);
      const sealed = message.subarray(REQUEST_START_BYTES);
      return {
        request: await decrypted(() => context.Open(sealed)),
        keyId: key.config.keyId,
        async sealResponse(response) {
          checkBytes("response", response);
          const random = crypto.getRandomValues(new Uint8Array(nonceBytes(suite)));
          const { key, nonce } = await responseKeys(suite, context, secret, random);
          return concatBytes([
            random,
            await suite.aead.Seal(key, nonce, NO_ASSOCIATED_DATA, response),
          ]);
        },
      };
    },
  };
}

async function setUp(
  hpke: ReturnType<typeof suiteOf>["hpke"],
  pair: Awaited<ReturnType<typeof importKey>>["pair"],
  secret: Uint8Array,
  info: Uint8Array,
) {
  try {
    return await hpke.SetupRecipient(pair, secret, { info });
  } catch (cause) {
    throw new OhttpError("not-decrypted", { cause });
  }
}
