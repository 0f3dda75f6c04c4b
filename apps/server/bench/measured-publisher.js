// Publishes the full hashes in a file as `urlhash-server publish` does, and sends the time and memory that this took.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { publish, signerOf } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { hashSorter } from "../dist/publish/sort-hashes.js";
import { scratchFile } from "../dist/storage/scratch-file.js";
import { sha256 } from "../dist/storage/sha256.js";

const HASH_BYTES = 32;

const [store, file] = process.argv.slice(2);
const signer = await signerOf(readFileSync(`${store}.key`, "utf8").trim());
const scratch = scratchFile(join(store, "tmp"));
const sorter = hashSorter(scratch);
const piece = new Uint8Array(2 ** 20);
const opened = openSync(file, "r");
for (let length = 1; length > 0; ) {
  length = readSync(opened, piece);
  for (let at = 0; at < length; at += HASH_BYTES)
    sorter.add(piece.subarray(at, at + HASH_BYTES), 0);
}
closeSync(opened);

// The time for reading the hashes is not counted, because it replaces the time for reading sources.
const start = performance.now();
const before = process.cpuUsage();
await publish({
  storage: directoryStorage(store),
  list: "malware",
  sha256,
  fullHashes: await sorter.sorted(),
  signer,
  publicKeys: [signer.publicKey],
  lifetime: 30 * 24 * 60 * 60 * 1000,
});
scratch.close();

const { user, system } = process.cpuUsage(before);
process.send({
  seconds: (performance.now() - start) / 1000,
  processor: (user + system) / 1e6,
  // `maxRSS` cannot be used, because Linux includes the memory of the parent process in it.
  rss: Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024,
});
process.disconnect();
