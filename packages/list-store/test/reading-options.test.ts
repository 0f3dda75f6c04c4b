import {
  generateSigningKey,
  loadList,
  memoryStorage,
  publicKeysIn,
  publish,
  readUnprovenKeys,
  signerOf,
} from "@x/list-store";
import { s3Environment } from "@x/list-store/s3";
import { fullHash } from "@x/sha256-prefix";
import { expect, test } from "vitest";

const signer = await signerOf(await generateSigningKey("lists.example"));
const { publicKey } = signer;
const fullHashes = [fullHash("evil.example/")];

test("an expired list is loaded only when that is allowed", async () => {
  const storage = memoryStorage(() => 1000);
  const stored = { storage, list: "malware", publicKeys: [publicKey], now: () => 1000 };
  await publish({ ...stored, fullHashes, signer, lifetime: 1000 });
  const late = { ...stored, now: () => 9000 };
  await expect(loadList(late)).rejects.toMatchObject({ code: "expired" });
  const list = await loadList({ ...late, allowsExpired: true });
  expect(list!.prefixes.size).toBe(1);
  await expect(loadList(late, list)).rejects.toMatchObject({ code: "expired" });
  expect(await loadList({ ...late, allowsExpired: true }, list)).toBe(list);
});

test("the keys that a store names are returned only if one of them has signed", async () => {
  const storage = memoryStorage();
  const stored = { storage, list: "malware" };
  expect(await readUnprovenKeys(stored)).toBeNull();
  await publish({ ...stored, publicKeys: [publicKey], fullHashes, signer, lifetime: 86_400_000 });
  expect(await readUnprovenKeys(stored)).toEqual([publicKey]);
  await expect(readUnprovenKeys({ ...stored, verify: () => false })).rejects.toMatchObject({
    code: "wrongly-signed",
  });
});

test("a file of public keys has one on each line", () => {
  expect(publicKeysIn(`# Ours\r\n\n ${publicKey} \n`)).toEqual([publicKey]);
  expect(publicKeysIn("")).toEqual([]);
  expect(() => publicKeysIn("no key")).toThrow(expect.objectContaining({ code: "invalid" }));
});

test("the variables say how to reach a bucket, and options take precedence", () => {
  const keys = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
  const env = { ...keys, AWS_DEFAULT_REGION: "r", AWS_ENDPOINT_URL: "https://s3.example" };
  expect(s3Environment(env)).toEqual({
    credentials: { accessKeyId: "a", secretAccessKey: "b", sessionToken: undefined },
    region: "r",
    endpoint: "https://s3.example",
  });
  const place = { endpoint: "https://other.example", region: "q" };
  expect(s3Environment(env, place)).toMatchObject(place);
  expect(() => s3Environment({})).toThrow(expect.objectContaining({ code: "refused" }));
});
