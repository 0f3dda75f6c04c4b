import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { safebrowsing } from "@googleapis/safebrowsing";
import { createClient } from "../../../../packages/client/dist/index.js";
import { randomNumbers } from "../support/odd-urls.js";
import { urlListServer } from "../support/url-list-server.js";

/*
 * `@googleapis/safebrowsing` only sends and receives messages, so the updates are decoded and applied here, as plainly
 * as the specifications describe them. A list is an array of prefixes in hexadecimal, in order.
 */

/** The ascending numbers of a Rice-coded message of v4 or v5. */
function riceNumbers(coded) {
  const data = Buffer.from(coded.encodedData ?? "", "base64");
  const parameter = coded.riceParameter ?? 0;
  let at = 0;
  const nextBit = () => (data[at >> 3] >> (at++ & 7)) & 1;
  const numbers = [Number(coded.firstValue ?? 0)];
  for (let left = coded.entriesCount ?? coded.numEntries ?? 0; left > 0; left--) {
    let delta = 0;
    while (nextBit() === 1) delta += 2 ** parameter;
    for (let i = 0; i < parameter; i++) delta += nextBit() * 2 ** i;
    numbers.push(numbers.at(-1) + delta);
  }
  return numbers;
}

/** The prefixes of Rice-coded additions. v5 writes the bytes of a prefix in order, and v4 in reverse. */
function ricePrefixes(coded, version) {
  return riceNumbers(coded).map((number) => {
    const bytes = Buffer.alloc(4);
    if (version === "v5") bytes.writeUInt32BE(number);
    else bytes.writeUInt32LE(number);
    return bytes.toString("hex");
  });
}

function rawPrefixes({ prefixSize, rawHashes }) {
  assert.equal(prefixSize, 4);
  return Buffer.from(rawHashes, "base64").toString("hex").match(/.{8}/g);
}

const applied = (list, isPartial, removals, additions) =>
  [...(isPartial ? list : []).filter((_, i) => !removals.includes(i)), ...additions].sort();

const checksumOf = (list) =>
  createHash("sha256")
    .update(Buffer.from(list.join(""), "hex"))
    .digest("hex");

/** Clients that follow the list with `@googleapis/safebrowsing`; each update returns the new list and its checksum. */
const FOLLOWERS = {
  v5(rootUrl) {
    const client = safebrowsing({ version: "v5", rootUrl, auth: "any", params: { alt: "json" } });
    let [list, version] = [[], ""];
    return async () => {
      const { data } = await client.hashLists.batchGet({ names: ["mw-4b"], version: [version] });
      const [update] = data.hashLists;
      const { partialUpdate = false, compressedRemovals, additionsFourBytes } = update;
      version = update.version;
      list = applied(
        list,
        partialUpdate,
        compressedRemovals === undefined ? [] : riceNumbers(compressedRemovals),
        additionsFourBytes === undefined ? [] : ricePrefixes(additionsFourBytes, "v5"),
      );
      return { list, checksum: update.sha256Checksum, isPartial: partialUpdate };
    };
  },
  v4(rootUrl, compression) {
    const client = safebrowsing({ version: "v4", rootUrl, auth: "any" });
    let [list, state] = [[], ""];
    return async () => {
      const { data } = await client.threatListUpdates.fetch({
        requestBody: {
          client: { clientId: "checks", clientVersion: "1" },
          listUpdateRequests: [
            {
              threatType: "MALWARE",
              platformType: "ANY_PLATFORM",
              threatEntryType: "URL",
              state,
              constraints: { supportedCompressions: [compression] },
            },
          ],
        },
      });
      const [update] = data.listUpdateResponses;
      const isPartial = update.responseType === "PARTIAL_UPDATE";
      state = update.newClientState;
      list = applied(
        list,
        isPartial,
        (update.removals ?? []).flatMap(({ rawIndices, riceIndices }) =>
          riceIndices === undefined ? rawIndices.indices : riceNumbers(riceIndices),
        ),
        (update.additions ?? []).flatMap(({ rawHashes, riceHashes }) =>
          riceHashes === undefined ? rawPrefixes(rawHashes) : ricePrefixes(riceHashes, "v4"),
        ),
      );
      return { list, checksum: update.checksum?.sha256, isPartial };
    };
  },
};

const KINDS = [
  { protocol: "v5", name: "mw-4b", title: "v5" },
  { protocol: "v4", name: "MALWARE", title: "v4, raw", compression: "RAW" },
  { protocol: "v4", name: "MALWARE", title: "v4, Rice-coded", compression: "RICE" },
];
const TITLES = KINDS.map(({ title }) => title).join(", ");

const next = randomNumbers(28);
const HOSTS = Array.from({ length: 3000 }, (_, i) => `http://h${i}.test/`);
const mostOf = (urls) => urls.filter(() => next() < 0.9);
/** The third list is much shorter than the difference to it, so it comes as a whole. */
const VERSIONS = [
  { urls: mostOf(HOSTS), isPartial: false },
  { urls: mostOf(HOSTS), isPartial: true },
  { urls: ["http://single.test/"], isPartial: false },
  { urls: ["http://single.test/", ...HOSTS.slice(0, 9)], isPartial: true },
  { urls: HOSTS.slice(5, 15), isPartial: true },
];

let server;
before(async () => {
  server = await urlListServer();
  await server.publish({ malware: VERSIONS[0].urls });
  await server.start();
});
after(() => server?.remove());

const countMissing = (list, from) => {
  const known = new Set(from);
  return list.filter((prefix) => !known.has(prefix)).length;
};

test(`@x/client keeps the lists that @googleapis/safebrowsing gets, over ${TITLES}`, async () => {
  const pairs = KINDS.map(({ protocol, name, compression }) => ({
    client: createClient({ protocol, server: server.origin, lists: [name] }),
    follow: FOLLOWERS[protocol](`${server.origin}/`, compression),
  }));
  const lists = pairs.map(() => []);
  for (const { urls, isPartial } of VERSIONS) {
    if (urls !== VERSIONS[0].urls) await server.publish({ malware: urls });
    for (const [i, { client, follow }] of pairs.entries()) {
      const { list, checksum, ...update } = await follow();
      assert.equal(update.isPartial, isPartial);
      assert.equal(Buffer.from(checksum, "base64").toString("hex"), checksumOf(list));
      const { added, removed } = (await client.update()).lists[0];
      const [kept] = client.status().lists;
      assert.deepEqual([kept.version, kept.size], [checksumOf(list), urls.length]);
      assert.deepEqual(
        [added, removed],
        [countMissing(list, lists[i]), countMissing(lists[i], list)],
      );
      lists[i] = list;
    }
  }
  for (const { client } of pairs) await client.stop();
});
