import { createCipheriv, createDecipheriv } from "node:crypto";
import {
  createGateway,
  decodeKeyConfigs,
  encapsulateRequest,
  encodeKeyConfig,
  encodeKeyConfigs,
  generateGatewayKey,
  OhttpError,
} from "@x/ohttp";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { type AEADFactory, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from "hpke";
import { describe, expect, test } from "vitest";

const code = (expected: string) => expect.objectContaining({ name: "OhttpError", code: expected });
const key = await generateGatewayKey(7);
const other = await generateGatewayKey(8);
const gateway = await createGateway([key, other]);
const REQUEST = new TextEncoder().encode("a request");

const OPENSSL_CHACHA: AEADFactory = () => ({
  ...{ id: 3, type: "AEAD", name: "ChaCha20Poly1305", Nk: 32, Nn: 12, Nt: 16 },
  async Seal(secret, nonce, aad, plaintext) {
    const cipher = createCipheriv("chacha20-poly1305", secret, nonce, { authTagLength: 16 });
    cipher.setAAD(aad, { plaintextLength: plaintext.length });
    const sealed = [cipher.update(plaintext), cipher.final(), cipher.getAuthTag()];
    return Uint8Array.from(Buffer.concat(sealed));
  },
  async Open(secret, nonce, aad, ciphertext) {
    const cipher = createDecipheriv("chacha20-poly1305", secret, nonce, { authTagLength: 16 });
    cipher.setAAD(aad, { plaintextLength: ciphertext.length - 16 });
    cipher.setAuthTag(ciphertext.subarray(-16));
    const opened = [cipher.update(ciphertext.subarray(0, -16)), cipher.final()];
    return Uint8Array.from(Buffer.concat(opened));
  },
});

/** A key that supports only these AEAD algorithms, with HKDF-SHA256. */
const withAead = (...aeads: readonly number[]) => ({
  ...key.config,
  algorithms: aeads.map((aead) => ({ kdf: 1, aead })),
});

describe("an exchange", () => {
  test.each([1, 3])("with the AEAD %i", async (aead) => {
    const { message, openResponse } = await encapsulateRequest(withAead(aead), REQUEST);
    expect([...message.subarray(0, 7)]).toEqual([7, 0, 0x20, 0, 1, 0, aead]);
    const { request, keyId, sealResponse } = await gateway.openRequest(message);
    expect([request, keyId]).toEqual([REQUEST, 7]);
    const answers = [await sealResponse(REQUEST), await sealResponse(REQUEST)];
    expect(answers[0]).not.toEqual(answers[1]);
    for (const answer of answers) expect(await openResponse(answer)).toEqual(REQUEST);
  });

  test("the client takes the first algorithms that it supports", async () => {
    const { message } = await encapsulateRequest(withAead(2, 3, 1), REQUEST);
    expect(message[6]).toBe(3);
  });

  test("two requests have nothing in common but the header", async () => {
    const [first, second] = [
      await encapsulateRequest(key.config, REQUEST),
      await encapsulateRequest(key.config, REQUEST),
    ];
    expect(first.message.subarray(7, 39)).not.toEqual(second.message.subarray(7, 39));
    const { sealResponse } = await gateway.openRequest(first.message);
    await expect(second.openResponse(await sealResponse(REQUEST))).rejects.toThrow(
      code("not-decrypted"),
    );
  });

  test("a request may be opened again", async () => {
    const { message } = await encapsulateRequest(key.config, REQUEST);
    for (let i = 0; i < 2; i++)
      expect((await gateway.openRequest(message)).request).toEqual(REQUEST);
  });

  test("ChaCha20-Poly1305 is that of OpenSSL", async () => {
    const { message } = await encapsulateRequest(withAead(3), REQUEST);
    const suite = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, OPENSSL_CHACHA);
    const label = new TextEncoder().encode("message/bhttp request");
    const info = Uint8Array.from([...label, 0, ...message.subarray(0, 7)]);
    const privateKey = await suite.DeserializePrivateKey(key.privateKey, true);
    const context = await suite.SetupRecipient(privateKey, message.slice(7, 39), { info });
    expect(await context.Open(message.slice(39))).toEqual(REQUEST);
  });
});

describe("what a gateway refuses", () => {
  test.each([
    ["request-malformed", () => new Uint8Array(38)],
    ["key-unknown", (message: Uint8Array) => message.fill(9, 0, 1)],
    ["algorithms-unknown", (message: Uint8Array) => message.fill(0x10, 2, 3)],
    ["algorithms-unknown", (message: Uint8Array) => message.fill(2, 6, 7)],
    ["not-decrypted", (message: Uint8Array) => message.fill(8, 0, 1)],
    ["not-decrypted", (message: Uint8Array) => message.fill(3, 6, 7)],
    ["not-decrypted", (message: Uint8Array) => message.fill(0, 7, 39)],
    ["not-decrypted", (message: Uint8Array) => message.subarray(0, 39)],
    ["not-decrypted", (message: Uint8Array) => message.subarray(0, message.length - 1)],
  ] as const)("%s", async (expected, change) => {
    const { message } = await encapsulateRequest(key.config, REQUEST);
    await expect(gateway.openRequest(change(message))).rejects.toThrow(code(expected));
  });

  test("algorithms that the key does not offer", async () => {
    const strict = await createGateway([{ ...key, config: withAead(3) }]);
    const { message } = await encapsulateRequest(withAead(1), REQUEST);
    await expect(strict.openRequest(message)).rejects.toThrow(code("algorithms-unknown"));
  });

  test("any change of any byte", async () => {
    const { message, openResponse } = await encapsulateRequest(key.config, REQUEST);
    const answer = await (await gateway.openRequest(message)).sealResponse(REQUEST);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        for (const [bytes, open] of [
          [message, gateway.openRequest],
          [answer, openResponse],
        ] as const) {
          const changed = bytes.slice();
          changed[at % bytes.length]! ^= flip;
          await expect(open(changed)).rejects.toThrow(OhttpError);
        }
      }),
      { numRuns: sampleSize(40) },
    );
  });

  test("any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 120 }), async (bytes) => {
        await expect(gateway.openRequest(bytes)).rejects.toThrow(OhttpError);
      }),
      { numRuns: sampleSize(40) },
    );
  });

  test("two keys with one id", async () => {
    await expect(
      createGateway([key, { ...other, config: { ...other.config, keyId: 7 } }]),
    ).rejects.toThrow(RangeError);
  });
});

describe("what a client refuses", () => {
  test("answers that are too short, or not for this request", async () => {
    const { openResponse } = await encapsulateRequest(key.config, REQUEST);
    await expect(openResponse(new Uint8Array(31))).rejects.toThrow(code("response-malformed"));
    await expect(openResponse(new Uint8Array(32))).rejects.toThrow(code("not-decrypted"));
  });

  test("keys with which nothing can be agreed", async () => {
    for (const publicKey of [new Uint8Array(32), new Uint8Array(31)]) {
      const config = { ...key.config, publicKey };
      await expect(encapsulateRequest(config, REQUEST)).rejects.toThrow(
        code("key-config-malformed"),
      );
    }
    await expect(encapsulateRequest(withAead(2), REQUEST)).rejects.toThrow(
      code("key-config-unsupported"),
    );
  });

  test("arguments of wrong types", async () => {
    const wrong = "x" as unknown as Uint8Array;
    await expect(encapsulateRequest(key.config, wrong)).rejects.toThrow(TypeError);
    await expect(gateway.openRequest(wrong)).rejects.toThrow(TypeError);
    const { message, openResponse } = await encapsulateRequest(key.config, REQUEST);
    await expect(openResponse(wrong)).rejects.toThrow(TypeError);
    const { sealResponse } = await gateway.openRequest(message);
    await expect(sealResponse(wrong)).rejects.toThrow(TypeError);
    expect(() => decodeKeyConfigs(wrong)).toThrow(TypeError);
  });
});

describe("key configurations", () => {
  const bytes = encodeKeyConfig(key.config);
  const decodeOne = (one: Uint8Array) => decodeKeyConfigs(Uint8Array.of(0, one.length, ...one))[0];

  test("are read as they were written", () => {
    expect(decodeOne(bytes)).toEqual(key.config);
    const both = encodeKeyConfigs([key.config, other.config]);
    expect(both.length).toBe(2 * (2 + bytes.length));
    expect(decodeKeyConfigs(both)).toEqual([key.config, other.config]);
  });

  test("for other algorithms are skipped", () => {
    const unknown = Uint8Array.of(0, 5, 1, 0x7f, 0xff, 1, 2);
    const p256 = Uint8Array.of(0, 74, 1, 0, 0x10, ...new Uint8Array(65), 0, 4, 0, 1, 0, 1);
    const all = Uint8Array.from([...unknown, ...p256, ...encodeKeyConfigs([key.config])]);
    expect(decodeKeyConfigs(all)).toEqual([key.config]);
    for (const one of [unknown, p256, new Uint8Array()]) {
      expect(() => decodeKeyConfigs(one)).toThrow(code("key-config-unsupported"));
    }
  });

  test("cut or lengthened anywhere are refused", () => {
    const whole = encodeKeyConfigs([key.config]);
    for (let length = 1; length < whole.length; length++) {
      expect(() => decodeKeyConfigs(whole.subarray(0, length))).toThrow(
        code("key-config-malformed"),
      );
    }
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeOne(bytes.subarray(0, length))).toThrow(code("key-config-malformed"));
    }
    expect(() => decodeOne(Uint8Array.from([...bytes, 0]))).toThrow(code("key-config-malformed"));
    const odd = bytes.slice(0, -1);
    odd[36]! -= 1;
    expect(() => decodeOne(odd)).toThrow(code("key-config-malformed"));
    expect(() => decodeKeyConfigs(new Uint8Array(2 ** 16 + 1))).toThrow(code("too-long"));
  });

  test.each([
    [{ keyId: 256 }],
    [{ keyId: -1 }],
    [{ publicKey: new Uint8Array(31) }],
    [{ algorithms: [] }],
  ])("cannot be written with %j", (change) => {
    expect(() => encodeKeyConfig({ ...key.config, ...change })).toThrow(
      code("key-config-malformed"),
    );
  });
});
