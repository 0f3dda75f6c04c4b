// Checks, before anything is measured, that all protocols and formats return the same list and the same differences.
import { createHash } from "node:crypto";
import { readResponse, writeRequest } from "@x/wire";
import { fetchThreatListUpdates, fromListUpdateResponse } from "@x/wire/v4";
import { fromHashList, getHashList } from "@x/wire/v5";
import { computeThreatListDiff, fromThreatListDiff } from "@x/wire/web-risk";

/**
 * The longest list that is also read as JSON. At ten million entries, parsing it takes longer than many measurements.
 */
const LONGEST_IN_JSON = 2_000_000;

let asked = 0;

async function ask(origin, method, message, format) {
  const { target, headers, ...options } = writeRequest(method, message, { format });
  // Each request has another User-Agent, because a client that asks for the same update again gets the whole list.
  const own = { ...headers, "User-Agent": `client ${asked++}` };
  const response = await fetch(origin + target, { ...options, headers: own });
  if (response.status !== 200) throw new Error(`${target} is answered with ${response.status}`);
  const body = new Uint8Array(await response.arrayBuffer());
  return readResponse(method, body, response.headers.get("Content-Type"));
}

async function v5({ origin, format, token }) {
  const version = token && Buffer.from(token);
  const message = { name: "mw-4b", ...(version && { version }) };
  return fromHashList(await ask(origin, getHashList, message, format));
}

async function v4({ origin, format, compression, token }) {
  const request = {
    threatType: "MALWARE",
    platformType: "ANY_PLATFORM",
    threatEntryType: "URL",
    constraints: { supportedCompressions: [compression] },
    ...(token && { state: Buffer.from(token) }),
  };
  const message = { listUpdateRequests: [request] };
  const answer = await ask(origin, fetchThreatListUpdates, message, format);
  return fromListUpdateResponse(answer.listUpdateResponses[0]);
}

async function webRisk({ origin, format, compression, token }) {
  const constraints = { supportedCompressions: [compression] };
  const versionToken = token && Buffer.from(token);
  const message = { threatType: "MALWARE", constraints, ...(versionToken && { versionToken }) };
  return fromThreatListDiff(await ask(origin, computeThreatListDiff, message, format));
}

/** Describes an update, whatever its protocol. The checksum of a full update must be that of its prefixes. */
function meaningOf({ full, removals, additions, checksum }) {
  const hash = createHash("sha256");
  for (const { rawHashes } of additions) hash.update(rawHashes);
  const added = hash.digest("hex");
  if (full && added !== checksum) return `prefixes with the checksum ${added}, not ${checksum}`;
  const removed = createHash("sha256").update(removals).digest("hex");
  return `${full ? "full" : "partial"} ${removals.length} ${removed} ${added} ${checksum}`;
}

/** Throws if a protocol or format returns a different update. */
export async function checkAgreement({ port }, { size, tokens }) {
  const origin = `http://127.0.0.1:${port}`;
  const formats = size > LONGEST_IN_JSON ? ["protobuf"] : ["protobuf", "json"];
  for (const [what, token] of [
    ["the whole list", undefined],
    ["the update from the version before", tokens.at(-2)],
    ["the update from the oldest version", tokens[0]],
  ]) {
    const candidates = formats.flatMap((format) => [
      [`v5, ${format}`, () => v5({ origin, format, token })],
      ...["RICE", "RAW"].flatMap((compression) => [
        [`v4, ${compression}, ${format}`, () => v4({ origin, format, compression, token })],
        [
          `Web Risk, ${compression}, ${format}`,
          () => webRisk({ origin, format, compression, token }),
        ],
      ]),
    ]);
    // Clients that cannot read compressed removals may get the whole list instead.
    const expected = { full: null, partial: null };
    for (const [name, candidate] of candidates) {
      const update = await candidate();
      const kind = update.full ? "full" : "partial";
      const meaning = meaningOf(update);
      if (update.full && token !== undefined && !name.includes("RAW")) {
        throw new Error(`${name} answers ${what} in full`);
      }
      expected[kind] ??= meaning;
      if (meaning !== expected[kind]) {
        throw new Error(`${name} answers ${what} as ${meaning}, others as ${expected[kind]}`);
      }
    }
  }
}
