import { type PrefixList, prefixList, rawHashesIn } from "@x/prefix-list";
import { plainServer } from "@x/test-support/plain-server";
import { sampleSize } from "@x/test-support/sample-size";
import {
  type AnyMethod,
  applyUpdate,
  type ListUpdate,
  type MessageInput,
  type RequestOf,
  type ResponseOf,
  readResponse,
  writeRequest,
} from "@x/wire";
import { fetchThreatListUpdates, findFullHashes, fromListUpdateResponse } from "@x/wire/v4";
import { batchGetHashLists, fromHashList, searchHashes } from "@x/wire/v5";
import {
  computeThreatListDiff,
  fromThreatListDiff,
  searchHashes as searchWebRisk,
} from "@x/wire/web-risk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/*
 * The server in these tests was written from the published specifications, without this package. The tests therefore
 * detect messages that the package would read and write wrongly in the same way.
 */

const NOW = 1_790_000_000_000;
const WAITS = { update: 1_800_000, found: 300_000, notFound: 60_000 };
const FORMATS = ["protobuf", "json"] as const;
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const fromHex = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));

const textsOf = (list: PrefixList) =>
  rawHashesIn(list).flatMap(({ prefixBytes, rawHashes }) =>
    Array.from({ length: rawHashes.length / prefixBytes }, (_, i) =>
      toHex(rawHashes.subarray(i * prefixBytes, (i + 1) * prefixBytes)),
    ),
  );

type Server = ReturnType<typeof plainServer>;

function ask<M extends AnyMethod>(
  server: Server,
  method: M,
  message: MessageInput<RequestOf<M>>,
  options: Parameters<typeof writeRequest>[2],
): ResponseOf<M> {
  const request = writeRequest(method, message, options);
  const answer = server.answer({
    ...request,
    url: request.target,
    headers: new Headers(request.headers),
  });
  expect(answer.status).toBe(200);
  return readResponse(method, answer.body, answer.headers["content-type"] ?? "");
}

const prefixesOf = (length: number) =>
  fc.uniqueArray(fc.uint8Array({ minLength: length, maxLength: length }).map(toHex), {
    maxLength: 40,
  });
const histories = (length: number) =>
  fc.array(prefixesOf(length), { minLength: 2, maxLength: 6 }).map((versions) =>
    // Each version keeps half of the previous one, so that updates remove, keep and add entries.
    versions.map((own, i) =>
      i === 0
        ? own
        : [...new Set([...(versions[i - 1]?.filter((_, k) => k % 2 === 0) ?? []), ...own])],
    ),
  );

type Follow = (server: Server, token: Uint8Array) => { update: ListUpdate; token: Uint8Array };

/** Updates a client through random versions of a list, and compares the client's list with each version. */
function expectToFollow(length: number, listName: string, follow: Follow): void {
  fc.assert(
    fc.property(histories(length), fc.boolean(), (history, forgets) => {
      const list = { threatType: "MALWARE" as const, versions: [[]] as string[][], fullHashes: [] };
      const server = plainServer({ lists: { [listName]: list }, waits: WAITS, now: () => NOW });
      let kept: PrefixList | null = null;
      let token: Uint8Array = new Uint8Array(0);
      for (const [i, version] of history.entries()) {
        list.versions.push(version);
        if (forgets && i === 1) token = Buffer.from("unknown");
        const answer = follow(server, token);
        kept = applyUpdate(kept, answer.update, { name: "own", created: 0 });
        token = answer.token;
        expect(textsOf(kept).sort()).toEqual([...version].sort());
        expect(kept.checksum).toBe(
          prefixList(version.map(fromHex), { name: "own", created: 0 }).checksum,
        );
      }
    }),
    { seed: 20261123, numRuns: sampleSize(300) },
  );
}

describe("histories of lists, from a server without this package", () => {
  test.each([
    ["mw-4b", 4],
    ["mw-8b", 8],
    ["mw-16b", 16],
    ["gc-32b", 32],
  ] as const)("v5, %s", (name, length) => {
    for (const form of ["plain", "$req"] as const) {
      expectToFollow(length, name, (server, token) => {
        const { hashLists } = ask(
          server,
          batchGetHashLists,
          { names: [name], version: [token] },
          { form },
        );
        expect(hashLists).toHaveLength(1);
        expect(hashLists[0]?.minimumWaitDuration).toBe(WAITS.update);
        return { update: fromHashList(hashLists[0]!), token: hashLists[0]!.version };
      });
    }
  });

  test.each([
    ["RICE", 4],
    ["RAW", 4],
    ["RICE", 7],
  ] as const)("v4, %s, prefixes of %i bytes", (compression, length) => {
    for (const format of FORMATS) {
      expectToFollow(length, "mw-4b", (server, state) => {
        const message = {
          client: { clientId: "test", clientVersion: "1" },
          listUpdateRequests: [
            {
              threatType: "MALWARE" as const,
              platformType: "LINUX" as const,
              threatEntryType: "URL" as const,
              state,
              constraints: { supportedCompressions: ["RAW" as const, compression] },
            },
          ],
        };
        const response = ask(server, fetchThreatListUpdates, message, { format });
        const [list] = response.listUpdateResponses;
        expect(response.minimumWaitDuration).toBe(WAITS.update);
        return { update: fromListUpdateResponse(list!), token: list!.newClientState };
      });
    }
  });

  test.each([
    ["RICE", 4],
    ["RAW", 4],
    ["RICE", 9],
  ] as const)("Web Risk, %s, prefixes of %i bytes", (compression, length) => {
    for (const format of FORMATS) {
      expectToFollow(length, "mw-4b", (server, versionToken) => {
        const response = ask(
          server,
          computeThreatListDiff,
          {
            threatType: "MALWARE",
            versionToken,
            constraints: { supportedCompressions: ["RAW", compression] },
          },
          { format },
        );
        expect(response.recommendedNextDiff).toBe(NOW + WAITS.update);
        return { update: fromThreatListDiff(response), token: response.newVersionToken };
      });
    }
  });
});

describe("full hashes, from a server without this package", () => {
  const hash = "01020304".padEnd(64, "a");
  const other = "01020304".padEnd(64, "b");
  const lists = {
    "mw-4b": {
      threatType: "MALWARE" as const,
      versions: [["01020304"]],
      fullHashes: [hash, other],
    },
    "se-4b": { threatType: "SOCIAL_ENGINEERING" as const, versions: [[]], fullHashes: [hash] },
  };
  const server = plainServer({ lists, waits: WAITS, now: () => NOW });
  const prefix = Uint8Array.of(1, 2, 3, 4);

  test("v5", () => {
    const answer = ask(server, searchHashes, { hashPrefixes: [prefix] }, {});
    expect(answer.cacheDuration).toBe(WAITS.found);
    expect(
      answer.fullHashes.map((found) => [
        toHex(found.fullHash),
        found.fullHashDetails.map(({ threatType }) => threatType),
      ]),
    ).toEqual([
      [hash, ["MALWARE", "SOCIAL_ENGINEERING"]],
      [other, ["MALWARE"]],
    ]);
  });

  test.each(FORMATS)("v4 in %s", (format) => {
    const threatInfo = {
      threatTypes: ["MALWARE" as const, "SOCIAL_ENGINEERING" as const],
      platformTypes: ["WINDOWS" as const],
      threatEntryTypes: ["URL" as const],
      threatEntries: [{ hash: prefix }],
    };
    const answer = ask(server, findFullHashes, { threatInfo }, { format });
    expect(answer.negativeCacheDuration).toBe(WAITS.notFound);
    expect(
      answer.matches.map((match) => [
        match.threatType,
        toHex(match.threat!.hash),
        match.cacheDuration,
      ]),
    ).toEqual([
      ["MALWARE", hash, WAITS.found],
      ["MALWARE", other, WAITS.found],
      ["SOCIAL_ENGINEERING", hash, WAITS.found],
    ]);
  });

  test.each(FORMATS)("Web Risk in %s", (format) => {
    const answer = ask(
      server,
      searchWebRisk,
      { hashPrefix: prefix, threatTypes: ["MALWARE", "SOCIAL_ENGINEERING"] },
      { format },
    );
    expect(answer.negativeExpireTime).toBe(NOW + WAITS.notFound);
    expect(
      answer.threats.map((found) => [toHex(found.hash), found.threatTypes, found.expireTime]),
    ).toEqual([
      [hash, ["MALWARE", "SOCIAL_ENGINEERING"], NOW + WAITS.found],
      [other, ["MALWARE"], NOW + WAITS.found],
    ]);
  });
});
