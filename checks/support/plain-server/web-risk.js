import { rawFields, rawJson, riceJson, threatLists } from "./additions.js";
import { COMPRESSIONS, nameIn, THREATS } from "./names.js";
import { bytesField, duration, message, number, varint } from "./protobuf.js";
import { rice, riceFields } from "./rice.js";

/** Returns a function that answers requests of Web Risk; `null` if it does not know the path. */
export function webRisk(plain, waits, now) {
  const { fullHashesOf } = plain;
  const { nameOfThreat, updateOfThreat } = threatLists(plain);

  function computeDiff({ parameters, format }) {
    const isRice = parameters
      .getAll("constraints.supportedCompressions")
      .some((name) => nameIn(COMPRESSIONS, name) === "RICE");
    const update = updateOfThreat({
      threat: nameIn(THREATS, parameters.get("threatType")),
      token: Buffer.from(parameters.get("versionToken") ?? "", "base64"),
      isRice,
    });
    const next = now() + (waits.update ?? 0);
    if (format === "protobuf") {
      const indices = Buffer.concat(update.removals.map((index) => varint(index)));
      return Buffer.concat([
        number(4, update.full ? 2 : 1),
        ...(waits.update === null ? [] : [message(2, duration(next))]),
        message(
          5,
          update.sets.map((set) =>
            set.rice === undefined ? message(1, rawFields(set)) : message(2, riceFields(set.rice)),
          ),
        ),
        ...(update.removals.length === 0
          ? []
          : [
              message(
                6,
                isRice
                  ? [message(2, riceFields(rice(update.removals.map(BigInt), 2, 28)))]
                  : [message(1, [bytesField(1, indices)])],
              ),
            ]),
        bytesField(7, update.token),
        message(8, [bytesField(1, update.checksum)]),
      ]);
    }
    const raw = update.sets.filter((set) => set.rice === undefined);
    const coded = update.sets.find((set) => set.rice !== undefined);
    return {
      responseType: update.full ? "RESET" : "DIFF",
      ...(waits.update === null ? {} : { recommendedNextDiff: new Date(next).toISOString() }),
      additions: {
        rawHashes: raw.map(rawJson),
        ...(coded === undefined ? {} : { riceHashes: riceJson(coded.rice, "entryCount") }),
      },
      removals: { rawIndices: { indices: update.removals } },
      newVersionToken: update.token.toString("base64"),
      checksum: { sha256: update.checksum.toString("base64") },
    };
  }

  function search({ parameters, format }) {
    const prefix = Buffer.from(parameters.get("hashPrefix"), "base64").toString("hex");
    const asked = parameters.getAll("threatTypes").map((value) => nameIn(THREATS, value));
    const found = new Map();
    for (const threat of asked) {
      const name = nameOfThreat(threat);
      if (name === undefined) continue;
      for (const hash of fullHashesOf(name, prefix)) {
        found.set(hash, [...(found.get(hash) ?? []), threat]);
      }
    }
    const [foundUntil, notFoundUntil] = [now() + waits.found, now() + waits.notFound];
    if (format === "protobuf") {
      return Buffer.concat([
        ...[...found].map(([hash, threats]) =>
          message(1, [
            ...threats.map((threat) => number(1, THREATS[threat])),
            bytesField(2, Buffer.from(hash, "hex")),
            message(3, duration(foundUntil)),
          ]),
        ),
        message(2, duration(notFoundUntil)),
      ]);
    }
    return {
      threats: [...found].map(([hash, threats]) => ({
        threatTypes: threats,
        hash: Buffer.from(hash, "hex").toString("base64"),
        expireTime: new Date(foundUntil).toISOString(),
      })),
      negativeExpireTime: new Date(notFoundUntil).toISOString(),
    };
  }

  return (request) => {
    if (request.path === "/v1/threatLists:computeDiff") return computeDiff(request);
    if (request.path === "/v1/hashes:search") return search(request);
    return null;
  };
}
