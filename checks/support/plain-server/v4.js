import { rawFields, rawJson, riceJson, threatLists } from "./additions.js";
import { COMPRESSIONS, ENTRIES, nameIn, PLATFORMS, THREATS } from "./names.js";
import {
  all,
  bytesField,
  duration,
  fieldsOf,
  first,
  integers,
  message,
  number,
} from "./protobuf.js";
import { rice, riceFields } from "./rice.js";

function removalFields4({ removals }, isRice) {
  if (removals.length === 0) return [];
  if (isRice) {
    const code = rice(removals.map(BigInt), 2, 28);
    return [message(6, [number(1, 2), message(5, riceFields(code))])];
  }
  const indices = removals.map((index) => number(1, index));
  return [message(6, [number(1, 1), message(3, indices)])];
}

const readUpdates4 = {
  json: (body) =>
    JSON.parse(body).listUpdateRequests.map((request) => ({
      threat: nameIn(THREATS, request.threatType),
      platform: nameIn(PLATFORMS, request.platformType),
      entry: nameIn(ENTRIES, request.threatEntryType),
      token: Buffer.from(request.state ?? "", "base64"),
      isRice: (request.constraints?.supportedCompressions ?? []).some(
        (name) => nameIn(COMPRESSIONS, name) === "RICE",
      ),
    })),
  protobuf: (body) =>
    all(fieldsOf(body), 3).map((request) => {
      const fields = fieldsOf(request);
      const constraints = fieldsOf(first(fields, 4) ?? Buffer.alloc(0));
      return {
        threat: nameIn(THREATS, first(fields, 1)),
        platform: nameIn(PLATFORMS, first(fields, 2)),
        entry: nameIn(ENTRIES, first(fields, 5)),
        token: first(fields, 3) ?? Buffer.alloc(0),
        isRice: integers(constraints, 4).includes(2),
      };
    }),
};

const readSearch4 = {
  json: (body) => {
    const info = JSON.parse(body).threatInfo;
    return {
      threats: info.threatTypes.map((value) => nameIn(THREATS, value)),
      platforms: info.platformTypes.map((value) => nameIn(PLATFORMS, value)),
      entries: info.threatEntryTypes.map((value) => nameIn(ENTRIES, value)),
      prefixes: info.threatEntries.map(({ hash }) => Buffer.from(hash, "base64").toString("hex")),
    };
  },
  protobuf: (body) => {
    const info = fieldsOf(first(fieldsOf(body), 3));
    return {
      threats: integers(info, 1).map((value) => nameIn(THREATS, value)),
      platforms: integers(info, 2).map((value) => nameIn(PLATFORMS, value)),
      entries: integers(info, 4).map((value) => nameIn(ENTRIES, value)),
      prefixes: all(info, 3).map((entry) => first(fieldsOf(entry), 1).toString("hex")),
    };
  },
};

/** Returns a function that answers requests of Safe Browsing v4; `null` if it does not know the path. */
export function safeBrowsing4(plain, waits) {
  const { lists, fullHashesOf } = plain;
  const { nameOfThreat, updateOfThreat } = threatLists(plain);

  function updates4(asked) {
    const updates = asked.map((list) => [list, updateOfThreat(list)]);
    return {
      protobuf: () =>
        Buffer.concat([
          ...updates.map(([{ threat, platform, entry, isRice }, update]) =>
            message(1, [
              number(1, THREATS[threat] ?? 0),
              number(2, ENTRIES[entry]),
              number(3, PLATFORMS[platform]),
              number(4, update.full ? 2 : 1),
              ...update.sets.map((set) =>
                message(
                  5,
                  set.rice === undefined
                    ? [number(1, 1), message(2, rawFields(set))]
                    : [number(1, 2), message(4, riceFields(set.rice))],
                ),
              ),
              ...removalFields4(update, isRice),
              bytesField(7, update.token),
              message(8, [bytesField(1, update.checksum)]),
            ]),
          ),
          ...(waits.update === null ? [] : [message(2, duration(waits.update))]),
        ]),
      json: () => ({
        listUpdateResponses: updates.map(([{ threat, platform, entry }, update]) => ({
          threatType: threat,
          threatEntryType: entry,
          platformType: platform,
          responseType: update.full ? "FULL_UPDATE" : "PARTIAL_UPDATE",
          additions: update.sets.map((set) =>
            set.rice === undefined
              ? { compressionType: "RAW", rawHashes: rawJson(set) }
              : { compressionType: "RICE", riceHashes: riceJson(set.rice, "numEntries") },
          ),
          removals:
            update.removals.length === 0
              ? []
              : [{ compressionType: "RAW", rawIndices: { indices: update.removals } }],
          newClientState: update.token.toString("base64"),
          checksum: { sha256: update.checksum.toString("base64") },
        })),
        ...(waits.update === null ? {} : { minimumWaitDuration: `${waits.update / 1000}s` }),
      }),
    };
  }

  function fullHashes4({ threats, platforms, entries, prefixes }) {
    const matches = threats.flatMap((threat) => {
      const name = nameOfThreat(threat);
      if (name === undefined) return [];
      return prefixes.flatMap((prefix) =>
        fullHashesOf(name, prefix).flatMap((hash) =>
          // All platforms have the same lists, and the answer has each requested combination of types.
          platforms.flatMap((platform) =>
            entries.map((entry) => ({ threat, platform, entry, hash: Buffer.from(hash, "hex") })),
          ),
        ),
      );
    });
    return {
      protobuf: () =>
        Buffer.concat([
          ...matches.map(({ threat, platform, entry, hash }) =>
            message(1, [
              number(1, THREATS[threat]),
              number(2, PLATFORMS[platform]),
              message(3, [bytesField(1, hash)]),
              message(5, duration(waits.found)),
              number(6, ENTRIES[entry]),
            ]),
          ),
          message(3, duration(waits.notFound)),
        ]),
      json: () => ({
        matches: matches.map(({ threat, platform, entry, hash }) => ({
          threatType: threat,
          platformType: platform,
          threatEntryType: entry,
          threat: { hash: hash.toString("base64") },
          cacheDuration: `${waits.found / 1000}s`,
        })),
        negativeCacheDuration: `${waits.notFound / 1000}s`,
      }),
    };
  }

  const lists4 = {
    json: () => ({
      threatLists: Object.values(lists).map(({ threatType }) => ({
        threatType,
        platformType: "ANY_PLATFORM",
        threatEntryType: "URL",
      })),
    }),
    protobuf: () =>
      Buffer.concat(
        Object.values(lists).map(({ threatType }) =>
          message(1, [
            number(1, THREATS[threatType]),
            number(2, PLATFORMS.ANY_PLATFORM),
            number(3, ENTRIES.URL),
          ]),
        ),
      ),
  };

  return function v4({ path, format, bodyFormat, body }) {
    if (path === "/v4/threatLists") return lists4[format]();
    if (path === "/v4/threatListUpdates:fetch") {
      return updates4(readUpdates4[bodyFormat](body))[format]();
    }
    if (path === "/v4/fullHashes:find") return fullHashes4(readSearch4[bodyFormat](body))[format]();
    return null;
  };
}
