// The requests that cost a server most, of all that we know. None needs a key.
import { encapsulateRequest } from "@x/ohttp";
import { encodeRequest } from "@x/ohttp/binary-http";
import { writeRequest } from "@x/wire";
import { fetchThreatListUpdates, findThreatMatches } from "@x/wire/v4";
import { getHashList, searchHashes } from "@x/wire/v5";
import { computeThreatListDiff } from "@x/wire/web-risk";

const MEBIBYTE = 2 ** 20;
const utf8 = (text) => new TextEncoder().encode(text);
/** Repeats a part as often as it fits into this many bytes of UTF-8. */
const repeated = (part, bytes) => part.repeat(Math.floor(bytes / Buffer.byteLength(part)));
/** Adds a parameter that the server ignores, so that no answer is taken from a cache. */
const unique = ({ target, ...request }, i) => ({
  ...request,
  target: `${target}${target.includes("?") ? "&" : "?"}x=${i}`,
});

const PLATFORMS = [
  ...["WINDOWS", "LINUX", "ANDROID", "OSX", "IOS", "ANY_PLATFORM", "ALL_PLATFORMS", "CHROME"],
  // Numbers that the server does not know
  ...Array.from({ length: 8 }, (_, i) => 108 + i),
];
const MALWARE = { threatType: "MALWARE", threatEntryType: "URL" };

function v4Update({ platforms = ["ANY_PLATFORM"], compression = "RAW", format, state }) {
  const listUpdateRequests = platforms.map((platformType) => ({
    ...MALWARE,
    platformType,
    ...(state && { state }),
    constraints: { supportedCompressions: [compression] },
  }));
  return writeRequest(fetchThreatListUpdates, { listUpdateRequests }, { format });
}

function webRiskDiff(compression, versionToken) {
  const constraints = { supportedCompressions: [compression] };
  const message = { threatType: "MALWARE", constraints, ...(versionToken && { versionToken }) };
  return writeRequest(computeThreatListDiff, message, { format: "json" });
}

const v5List = (rest, format) => writeRequest(getHashList, { name: "mw-4b", ...rest }, { format });

function lookUp(type, body, search = "") {
  return { method: "POST", target: `/lookup${search}`, headers: { "Content-Type": type }, body };
}

function idnMatches() {
  const threatEntries = Array.from({ length: 500 }, (_, i) => ({
    url: `http://${repeated("ü.", 2000)}e${i}/`,
  }));
  const threatInfo = {
    ...{ threatTypes: ["MALWARE"], platformTypes: ["ANY_PLATFORM"], threatEntryTypes: ["URL"] },
    threatEntries,
  };
  return writeRequest(findThreatMatches, { threatInfo }, { format: "protobuf" });
}

/** A URL in six others. */
const nested = (url) =>
  Array(6)
    .fill("http://wrapper.example/?url=")
    .reduce((inner, wrapper) => wrapper + encodeURIComponent(inner), url);

/** Requests for every size and form of a list that the server may cache, for differences, and for full hashes. */
function allKept(versions) {
  const requests = versions.slice(0, 8).map((version) => v5List({ version }));
  for (let bits = 10; bits < 24; bits++) {
    const maxDatabaseEntries = 2 ** bits;
    requests.push(v5List({ sizeConstraints: { maxDatabaseEntries } }));
    for (const compression of ["RAW", "RICE"]) {
      const constraints = { maxDatabaseEntries, supportedCompressions: [compression] };
      const update = { ...MALWARE, platformType: "ANY_PLATFORM", constraints };
      requests.push(
        writeRequest(computeThreatListDiff, { threatType: "MALWARE", constraints }),
        writeRequest(fetchThreatListUpdates, { listUpdateRequests: [update] }),
      );
    }
  }
  for (let i = 0; i < 5000; i++) {
    const word = (i * 858_993) >>> 0;
    const prefix = Uint8Array.of(word >>> 24, word >>> 16, word >>> 8, word);
    requests.push(writeRequest(searchHashes, { hashPrefixes: [prefix] }));
  }
  for (let i = 0; i < 2000; i++) {
    requests.push({ target: `/v5/hashLists?x=${"a".repeat(60_000)}${i}` });
  }
  return requests;
}

/**
 * Returns the kinds of requests: a name, and a function that makes the request with a given number. `isFew` kinds are
 * sent twice. `isUnfinished` ones are sent on 600 connections without their last byte.
 */
export async function dearestRequests(tokens, ohttpConfig) {
  const current = tokens.at(-1);
  const versions = tokens.slice(0, -1);
  const versionOf = (i) => utf8(versions[i % versions.length]);
  /** The number of an old version, but another checksum. */
  const forged = (i) =>
    utf8(versions[i % versions.length].replace(/[0-9a-f]{16}$/, current.slice(-16)));
  const kinds = [];
  const add = (name, request, options = {}) => kinds.push({ name, request, ...options });
  const few = { isFew: true };

  for (const format of ["json", "protobuf"]) {
    const shown = format === "json" ? "JSON" : format;
    add(`v5 whole list, ${shown}`, (i) => unique(v5List({}, format), i), few);
    add(`v4 whole list, RICE, ${shown}`, () => v4Update({ compression: "RICE", format }), few);
  }
  add("v5 partial update from each version", (i) => unique(v5List({ version: versionOf(i) }), i));
  const sixteen = { platforms: PLATFORMS, format: "json" };
  add("v4 whole list 16 times, JSON", () => v4Update(sixteen), few);
  add("v4 partial update from each version, JSON", (i) =>
    v4Update({ state: versionOf(i), format: "json" }),
  );
  add("v4 threatMatches of 500 IDN hosts of 2 kB", idnMatches);
  for (const compression of ["RAW", "RICE"]) {
    add(
      `Web Risk whole list, ${compression}, JSON`,
      (i) => unique(webRiskDiff(compression), i),
      few,
    );
  }
  add("Web Risk forged tokens", (i) => webRiskDiff("RAW", forged(i)));

  const bodies = {
    "a mebibyte of lines of one letter": ["text/plain", repeated("a\n", MEBIBYTE)],
    "a mebibyte of blank lines": ["text/plain", repeated("\n", MEBIBYTE)],
    "a mebibyte of blank rows of JSON": ["application/x-ndjson", repeated("\n", MEBIBYTE)],
    "40 000 lines of a hosts file": ["text/plain", "0.0.0.0 a.example # b\n".repeat(40_000)],
    "20 000 lines with IDN hosts": [
      "text/plain",
      Array.from({ length: 20_000 }, (_, i) => `http://ü${i}.bücher.example/\n`).join(""),
    ],
    "a mebibyte of URLs in six others each": [
      "text/plain",
      repeated(`${nested("http://e.example/")}\n`, MEBIBYTE),
      "?unwrap=true",
    ],
    "1000 URLs in six others each": [
      "application/json",
      JSON.stringify({
        urls: Array.from({ length: 1000 }, (_, i) => nested(`http://e${i}.example/`)),
      }),
      "?unwrap=true",
    ],
    "15 URLs of 65 kB to unwrap: addresses in a row": [
      "application/json",
      JSON.stringify({
        urls: Array(15).fill(`http://a.example/?${repeated("http://e.example/", 65_000)}`),
      }),
      "?unwrap=true",
    ],
  };
  for (const [name, body] of Object.entries(bodies)) add(`/lookup, ${name}`, () => lookUp(...body));

  const whole = { method: "GET", scheme: "http", authority: "a", path: v5List({}).target };
  const { message } = await encapsulateRequest(ohttpConfig, encodeRequest(whole));
  const sealed = {
    method: "POST",
    target: "/.well-known/ohttp-gateway",
    headers: { "Content-Type": "message/ohttp-req" },
    body: message,
  };
  add("Oblivious HTTP, a whole list", () => sealed, few);

  const kept = allKept(versions.map(utf8));
  add("one after the other, all that is kept", (i) => kept[i], { count: kept.length });
  const spaces = " ".repeat(MEBIBYTE);
  add(
    "600 bodies of a mebibyte without the last byte",
    () => ({ ...lookUp("application/json", spaces), target: "/v4/threatListUpdates:fetch" }),
    { isUnfinished: true },
  );
  return kinds;
}
