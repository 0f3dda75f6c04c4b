// Measures the cost of host names in versions of a list whose full hashes stay the same.
// Usage: node bench/names.js [numbers of hosts, such as 100000,1000000]

import { generateSigningKey, memoryStorage, publish, signerOf } from "@x/list-store";
import { readHostNamesIndex } from "@x/list-store/host-names";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { kB, numbers, percent, SHARES, SIZES, VERSIONS } from "./versions.js";

const signer = await signerOf(await generateSigningKey("bench"));
const unnamed = { covered: 0, paths: 0, addresses: 0, unfit: 0, hashes: 0 };

/** A random host of up to 29 characters. */
function hostName(next) {
  const letters = (most) =>
    next()
      .toString(36)
      .slice(0, 1 + (next() % most));
  const ending = [".com", ".example", ".net", ".co.uk"][next() % 4];
  return `${next().toString(36)}${letters(7)}${next() % 2 ? `.${letters(6)}` : ""}${ending}`;
}

/** The length of a host's line in bytes, with the dot and the line feed. */
const lengthOf = ({ host }) => host.length + 2;

async function measure(size, share) {
  const next = numbers(size);
  const storage = memoryStorage();
  const hosts = Array.from({ length: size }, () => ({ host: hostName(next), isBelow: true }));
  const known = new Set();
  let [objects, written, changed] = [0, 0, 0];
  for (let version = 0; version < VERSIONS; version++) {
    for (let i = 0; version > 0 && i < size * share; i++) {
      const named = hosts[next() % size];
      changed += lengthOf(named);
      named.host = hostName(next);
      changed += lengthOf(named);
    }
    const { manifest } = await publish({
      ...{ storage, list: "bench", signer, publicKeys: [signer.publicKey], lifetime: 86_400_000 },
      fullHashes: [new Uint8Array(32)],
      names: () => ({ hosts, publicSuffixes: 0, unnamed }),
    });
    const { names } = manifest.contents;
    const { base, layers } = await readHostNamesIndex(storage, names);
    for (const hash of [names, ...[base, ...layers].flatMap(({ parts }) => parts)]) {
      if (known.has(hash)) continue;
      known.add(hash);
      if (version === 0) continue;
      objects++;
      written += (await storage.get(`objects/sha256/${hash.slice(0, 2)}/${hash}`)).length;
    }
  }
  const all = hosts.reduce((sum, named) => sum + lengthOf(named), 0);
  const each = (sum) => sum / (VERSIONS - 1);
  return [objects, written, changed].map(each).concat(all);
}

const rows = [];
for (const size of SIZES) {
  for (const share of SHARES) {
    const [objects, written, changed, all] = await measure(size, share);
    rows.push([
      `${size}, ${percent(share)}`,
      objects.toFixed(1),
      ...[written, changed, all].map(kB),
    ]);
  }
}
printMachine();
console.log(`## What names cost besides, on average of ${VERSIONS - 1} versions\n`);
printTable(["hosts, replaced", "objects", "kB", "kB of changed names", "kB of all names"], rows);
