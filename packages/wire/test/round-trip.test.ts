import {
  applyDifference,
  diffPrefixLists,
  type PrefixList,
  prefixes,
  prefixList,
} from "@x/prefix-list";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import {
  applyUpdate,
  decodeJson,
  decodeMessage,
  encodeJson,
  encodeMessage,
  fullUpdate,
  type ListUpdate,
  type MessageType,
  partialUpdate,
} from "@x/wire";
import { fetchThreatListUpdates, fromListUpdateResponse, toListUpdateResponse } from "@x/wire/v4";
import { fromHashList, getHashList, toHashList } from "@x/wire/v5";
import { computeThreatListDiff, fromThreatListDiff, toThreatListDiff } from "@x/wire/web-risk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const RUNS = { seed: 77, numRuns: sampleSize(150) };
const token = Uint8Array.of(1, 2, 3);

/** Encodes a message in a format and decodes it again. */
function travel<Message>(type: MessageType<Message>, message: Message, json: boolean): Message {
  return json
    ? decodeJson(type, encodeJson(type, message as never))
    : decodeMessage(type, encodeMessage(type, message as never));
}

/** The update that a client of each protocol receives. */
const PROTOCOLS: Readonly<Record<string, (update: ListUpdate, json: boolean) => ListUpdate>> = {
  v5(update, json) {
    const facts = { name: "own", version: token, minimumWaitDuration: 1000 };
    return fromHashList(travel(getHashList.response, toHashList(update, facts), json));
  },
  "v4, Rice": (update, json) => v4(update, json, ["RICE"]),
  "v4, raw": (update, json) => v4(update, json, ["RAW"]),
  "Web Risk, Rice": (update, json) => webRisk(update, json, ["RICE"]),
  "Web Risk, raw": (update, json) => webRisk(update, json, ["RAW"]),
};

type Compressions = readonly ("RAW" | "RICE")[];

function v4(update: ListUpdate, json: boolean, supportedCompressions: Compressions): ListUpdate {
  const message = toListUpdateResponse(update, {
    threatType: "MALWARE",
    platformType: "LINUX",
    threatEntryType: "URL",
    newClientState: token,
    supportedCompressions,
  });
  const sent = { listUpdateResponses: [message], minimumWaitDuration: 300_000 };
  const [got] = travel(fetchThreatListUpdates.response, sent, json).listUpdateResponses;
  return fromListUpdateResponse(got!);
}

function webRisk(
  update: ListUpdate,
  json: boolean,
  supportedCompressions: Compressions,
): ListUpdate {
  const facts = { newVersionToken: token, recommendedNextDiff: 0, supportedCompressions };
  return fromThreatListDiff(
    travel(computeThreatListDiff.response, toThreatListDiff(update, facts), json),
  );
}

const prefix = (prefixBytes: number) =>
  fc
    .tuple(fc.uint8Array({ minLength: prefixBytes, maxLength: prefixBytes }), fc.nat({ max: 3 }))
    .map(([bytes, kind]) => {
      // Some entries are close together: all their bits are zeros or ones except in the last byte.
      if (kind > 1) bytes.fill(kind === 2 ? 0 : 255, 0, prefixBytes - 1);
      return bytes;
    });

/** Lists of one length; in v4 and Web Risk, several lengths may be mixed. */
function listOf(lengths: readonly number[]): fc.Arbitrary<PrefixList> {
  return fc
    .array(fc.constantFrom(...lengths).chain(prefix), { maxLength: 50 })
    .map((prefixes) => prefixList(withoutOverlap(prefixes), { name: "own", created: 0 }));
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

function withoutOverlap(prefixes: readonly Uint8Array[]): Uint8Array[] {
  return prefixes.filter(
    (each) =>
      !prefixes.some((other) => other.length < each.length && hex(each).startsWith(hex(other))),
  );
}

const CASES = [
  ["v5", [4]],
  ["v5", [8]],
  ["v5", [16]],
  ["v5", [32]],
  ["v4, Rice", [4]],
  ["v4, Rice", [4, 5, 8, 32]],
  ["v4, raw", [4, 5, 8, 32]],
  ["Web Risk, Rice", [4, 5, 8, 32]],
  ["Web Risk, raw", [4, 31]],
] as const;

describe.each(CASES)("%s, prefixes of %j bytes", (protocol, lengths) => {
  const received = PROTOCOLS[protocol]!;
  const options = { name: "own", created: 0 };

  test.each([false, true])("two lists, their difference, a message, and back; JSON: %s", (json) => {
    const seen = { removals: 0, both: 0 };
    fc.assert(
      fc.property(listOf(lengths), listOf(lengths), fc.boolean(), (one, other, related) => {
        // Half of the pairs have most entries in common.
        const next = related ? mostOf(one, other) : other;
        const difference = diffPrefixLists(one, next);
        const full = received(fullUpdate(next), json);
        const partial = received(partialUpdate(difference), json);
        if (partial.removals.length > 0) seen.removals++;
        if (partial.removals.length > 0 && partial.additions.length > 0) seen.both++;
        expect(applyUpdate(null, full, options)).toEqual(next);
        expect(applyUpdate(one, partial, options)).toEqual(applyDifference(one, difference));
        expect(applyUpdate(one, partial, options)).toEqual(next);
      }),
      RUNS,
    );
    expect(seen.removals).toBeGreaterThan(fewest(20));
    expect(seen.both).toBeGreaterThan(fewest(20));
  });
});

/** The first list without its last entry, plus the first entries of the other list that do not overlap with it. */
function mostOf(one: PrefixList, other: PrefixList): PrefixList {
  const entries = [...[...prefixes(one)].slice(0, -1), ...[...prefixes(other)].slice(0, 3)];
  return prefixList(withoutOverlap(entries), { name: "own", created: 0 });
}
