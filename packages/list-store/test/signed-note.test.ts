import { createHash } from "node:crypto";
import {
  checkPublicKey,
  generateSigningKey,
  isSignedByOne,
  signerOf,
  textOfNote,
} from "@x/list-store";
import { describe, expect, test } from "vitest";
import { signNote } from "../src/signed-note.ts";

/** The example of the C2SP specification's reference implementation (golang.org/x/mod/sumdb/note). */
const EXAMPLE = {
  signingKey: "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz",
  publicKey: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  text:
    "If you think cryptography is the answer to your problem,\n" +
    "then you don't know what your problem is.\n",
  signature:
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n",
};

describe("the example of the specification", () => {
  test("comes out byte for byte", async () => {
    const signer = await signerOf(EXAMPLE.signingKey);
    expect(signer.publicKey).toBe(EXAMPLE.publicKey);
    const note = await signNote(EXAMPLE.text, signer);
    expect(Buffer.from(note).toString()).toBe(`${EXAMPLE.text}\n${EXAMPLE.signature}`);
  });

  test("verifies", async () => {
    const note = Buffer.from(`${EXAMPLE.text}\n${EXAMPLE.signature}`);
    expect(await isSignedByOne(note, [EXAMPLE.publicKey])).toBe(true);
    expect(textOfNote(note)).toBe(EXAMPLE.text);
  });
});

test("no changed bit verifies", async () => {
  const note = Buffer.from(`${EXAMPLE.text}\n${EXAMPLE.signature}`);
  for (let bit = 0; bit < note.length * 8; bit++) {
    const changed = Buffer.from(note);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(await isSignedByOne(changed, [EXAMPLE.publicKey]), `bit ${bit}`).toBe(false);
  }
});

test("another key of the same name does not verify", async () => {
  const signer = await signerOf(await generateSigningKey("PeterNeumann"));
  const note = Buffer.from(`${EXAMPLE.text}\n${EXAMPLE.signature}`);
  expect(await isSignedByOne(note, [signer.publicKey])).toBe(false);
  expect(await isSignedByOne(note, [signer.publicKey, EXAMPLE.publicKey])).toBe(true);
  expect(await isSignedByOne(note, [])).toBe(false);
});

test.each([
  "",
  "\n",
  "text\n",
  "text\n\n",
  "text\n\nno signature\n",
  "text\n\n— a b",
  "\xff\n\n— a YQ==\n",
])("%j is not a signed note", async (text) => {
  expect(await isSignedByOne(Buffer.from(text, "latin1"), [EXAMPLE.publicKey])).toBe(false);
});

test.each([
  "",
  "name",
  "name+00000000+AAAA",
  EXAMPLE.publicKey.replace("c74f20a3", "c74f20a4"),
  EXAMPLE.publicKey.replace("Peter", "Pete"),
  EXAMPLE.publicKey.slice(0, -4),
])("%j is not a public key", (text) => {
  expect(() => checkPublicKey(text)).toThrow(/is not a public key/);
});

test.each(["", EXAMPLE.publicKey, EXAMPLE.signingKey.replace("c74f20a3", "c74f20a4")])(
  "%j is not a signing key",
  async (text) => {
    await expect(signerOf(text)).rejects.toMatchObject({ code: "invalid" });
  },
);

test.each(["", "two words", "a+b", "x".repeat(65)])("%j cannot name a key", async (name) => {
  await expect(generateSigningKey(name)).rejects.toMatchObject({ code: "invalid" });
});

test("a key ID is the hash of name, type and key", async () => {
  const { publicKey } = await signerOf(EXAMPLE.signingKey);
  const [name, id, typed] = publicKey.split("+", 2).concat(publicKey.split("+").slice(2).join("+"));
  const hash = createHash("sha256").update(`${name}\n`).update(typed!, "base64").digest("hex");
  expect(hash.slice(0, 8)).toBe(id);
});
