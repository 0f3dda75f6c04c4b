import { randomBytes, randomInt } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSigningKey, publish, signerOf } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { sha256 } from "../dist/storage/sha256.js";

const HASH_BYTES = 32;

/** Makes a store in a temporary folder. The returned function `publish` publishes full hashes to it. */
export async function temporaryStore() {
  const folder = mkdtempSync(join(tmpdir(), "server-bench-"));
  const store = join(folder, "lists");
  const key = await generateSigningKey("bench");
  const signer = await signerOf(key);
  writeFileSync(`${store}.key`, `${key}\n`);
  writeFileSync(`${store}.pub`, `${signer.publicKey}\n`);
  return {
    store,
    publicKey: signer.publicKey,
    storage: directoryStorage(store),
    publish: (fullHashes) =>
      publish({
        storage: directoryStorage(store),
        list: "malware",
        sha256,
        fullHashes: [fullHashes],
        signer,
        publicKeys: [signer.publicKey],
        lifetime: 30 * 24 * 60 * 60 * 1000,
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function randomHashes(count) {
  const bytes = new Uint8Array(count * HASH_BYTES);
  const step = 2 ** 20 * HASH_BYTES;
  for (let at = 0; at < bytes.length; at += step) {
    bytes.set(randomBytes(Math.min(step, bytes.length - at)), at);
  }
  return bytes;
}

/** Returns the hashes with `count` of them replaced by new ones. The first `kept` hashes stay. */
export function replaceSome(hashes, count, kept = 0) {
  const changed = hashes.slice();
  const every = Math.floor((hashes.length / HASH_BYTES - kept) / count);
  const fresh = randomHashes(count);
  for (let i = 0; i < count; i++) {
    const at = kept + i * every + randomInt(every);
    changed.set(fresh.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES), at * HASH_BYTES);
  }
  return changed;
}
