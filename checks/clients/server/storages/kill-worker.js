// Publishes to a store, or collects its garbage, again and again until it is killed. See kills.test.js.
import process from "node:process";
import { collectGarbage, publish, signerOf } from "../../../../packages/list-store/dist/index.js";
import { directoryStorage } from "../../../../packages/list-store/dist/node/index.js";
import { s3Storage } from "../../../../packages/list-store/dist/s3/index.js";
import { fullHash } from "../../../../packages/sha256-prefix/dist/index.js";

/** The full hashes of the hosts from number `from` on that are on the list at the same time. */
export const hostsFrom = (from) =>
  Array.from({ length: 700 }, (_, i) => fullHash(`h${from + i}.test/`));

export const storageOf = ({ directory, s3 }) =>
  s3 === undefined ? directoryStorage(directory) : s3Storage(s3);

if (process.argv[1] === import.meta.filename) {
  const { store, list, key, task, seed } = JSON.parse(process.argv[2]);
  const signer = await signerOf(key);
  const stored = { storage: storageOf(store), list, publicKeys: [signer.publicKey] };
  process.send("ready");
  await new Promise((resolve) => process.once("message", resolve));
  for (let i = 0; ; i++) {
    if (task === "collect") {
      // No publisher is alive, so no object is too young.
      await collectGarbage({ ...stored, keep: 2, keepChanges: 4, grace: 0, patience: 0 });
      process.send({ collected: true });
    } else {
      const from = (seed + i * 7) % 300;
      const { manifest, hash } = await publish({
        ...{ ...stored, signer, lifetime: 1e9, renewWithin: 2e9 },
        fullHashes: hostsFrom(from),
      });
      process.send({ from, version: manifest.version, hash });
    }
  }
}
