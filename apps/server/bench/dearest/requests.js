// Requests that a client can send, each in the expensive forms that we know of. Only the private zone needs a key.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { encapsulateRequest } from "@x/ohttp";
import { encodeRequest } from "@x/ohttp/binary-http";
import { writeRequest } from "@x/wire";
import { fetchThreatListUpdates, findFullHashes, findThreatMatches } from "@x/wire/v4";
import { batchGetHashLists, getHashList, searchHashes, searchUrls } from "@x/wire/v5";
import { computeThreatListDiff, searchUris, searchHashes as searchWebRisk } from "@x/wire/web-risk";
import { parseOhttpKeys } from "../../dist/serve/ohttp/ohttp-keys.js";
import { load } from "./load.js";
import { get, post, query, sent } from "./messages.js";
import { KEY, LISTED_HOSTS } from "./store.js";

const MEBIBYTE = 2 ** 20;
/** The length of a long header in bytes. The rest of the head must also fit within the limit of the server. */
const LONG_HEADER = 63_000;

/** A text of a given length, made by repeating a part. */
const filled = (part, length) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
/** A text that repeats a whole part as often as fits in this many bytes of UTF-8. */
const repeated = (part, bytes) => part.repeat(Math.floor(bytes / Buffer.byteLength(part)));
const bytesOf = (word) => Uint8Array.of(word >>> 24, word >>> 16, word >>> 8, word);
const utf8 = (text) => Buffer.from(text);
/** Adds a parameter to a target, so that no answer is taken from a cache. */
const unique = (target, i) => `${target}${target.includes("?") ? "&" : "?"}x=${i}`;

const PLATFORMS = [
  "WINDOWS",
  "LINUX",
  "ANDROID",
  "OSX",
  "IOS",
  "ANY_PLATFORM",
  "ALL_PLATFORMS",
  "CHROME",
];

function fetchUpdate({
  lists = 1,
  compression = "RAW",
  format = "protobuf",
  state,
  type = "MALWARE",
}) {
  const listUpdateRequests = Array.from({ length: lists }, (_, i) => ({
    threatType: type,
    // Further platforms are numbers that the server does not know.
    platformType: lists === 1 ? "ANY_PLATFORM" : (PLATFORMS[i] ?? 100 + i),
    threatEntryType: "URL",
    ...(state && { state }),
    constraints: { supportedCompressions: [compression] },
  }));
  return sent(writeRequest(fetchThreatListUpdates, { listUpdateRequests }, { format }));
}

/** A token with the number of an old version, but another checksum. */
const forged = (token) => token.replace(/[0-9a-f]{16}$/, "0123456789abcdef");

/** 500 different letters, each far from the one before, which makes the numbers in Punycode as long as possible. */
const SCATTERED = Array.from({ length: 500 }, (_, i) =>
  String.fromCodePoint(0x4e00 + ((i * 181) % 500) * 41),
).join("");

/** The shapes of long URLs. Each function makes a URL of about `n` bytes. */
export const URL_SHAPES = {
  "letters in a path": (n) => `http://a.example/${filled("a", n)}`,
  "path of short parts": (n) => `http://a.example/${filled("a/", n)}`,
  "path of dots": (n) => `http://a.example/${filled("../", n)}`,
  "path of slashes": (n) => `http://a.example/${filled("/", n)}`,
  backslashes: (n) => `http://a.example/${filled("\\", n)}`,
  "nested percent escapes": (n) => `http://a.example/%${filled("25", n)}41`,
  "many percent escapes": (n) => `http://a.example/${filled("%2541", n)}`,
  "escapes of bytes that are not UTF-8": (n) => `http://a.example/${filled("%ff%C3", n)}`,
  "tabs in a path": (n) => `http://a.example/a${filled("\t", n)}b`,
  "a query": (n) => `http://a.example/?${filled("a=1&", n)}`,
  "a fragment": (n) => `http://a.example/#${filled("#a", n)}`,
  "a host of short labels": (n) => `http://${filled("a.", n)}example/`,
  "a host of changing case": (n) => `http://${filled("Aa", n)}.example/`,
  "a host of one label": (n) => `http://${filled("a", n)}.example/`,
  "a host of dots": (n) => `http://a${filled(".", n)}example/`,
  "an IDN host of one label": (n) => `http://${repeated("ü", n)}.example/`,
  "an IDN host of labels": (n) => `http://${repeated("ü.", n)}example/`,
  "an IDN host of different letters": (n) =>
    `http://${Array.from({ length: n / 3 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7) % 20_000))).join("")}.example/`,
  "an IDN host of labels of 500 different letters": (n) =>
    `http://${repeated(`${SCATTERED}.`, n)}example/`,
  "labels that map to eighteen letters": (n) => `http://${repeated("\ufdfa.", n)}example/`,
  "letters that map to eighteen": (n) => `http://${repeated("\ufdfa", n)}.example/`,
  "marks out of order": (n) => `http://a${repeated("\u0301\u0316", n)}.example/`,
  "a host of percent escapes": (n) => `http://${filled("%61", n)}.example/`,
  "invisible characters in a host": (n) => `http://a${repeated("\u00ad", n)}.example/`,
  "a label in Punycode": (n) => `http://xn--${filled("a", n)}.example/`,
  "labels in Punycode": (n) => `http://${filled("xn--tda.", n)}example/`,
  "a user of at signs": (n) => `http://${filled("@", n)}b.example/`,
  "an IPv4 address of zeros": (n) => `http://0x${filled("0", n)}7f000001/`,
  "an IPv6 address": (n) => `http://[${filled("0:", n)}1]/`,
  "blanks before a URL": (n) => `${filled(" ", n)}http://a.example/`,
  schemes: (n) => filled("a:", n),
  "text without a scheme": (n) => filled("a.b/c@", n),
};

/**
 * The kinds of requests. Each has a `name` and either `request`, which makes the request with a given number and comes
 * with options for `load`, or `run`, which sends the requests itself. With `isFresh`, a new server is started, because
 * an answer is expensive only the first time.
 */
export async function requestsFor(facts) {
  const { tokens, words } = facts;
  const current = utf8(tokens.at(-1));
  const old = tokens.slice(0, -1).map(utf8);
  const targetOf = (method, message, options) => writeRequest(method, message, options).target;
  const spread = (count, i) =>
    Array.from({ length: count }, (_, k) =>
      bytesOf(words[Math.floor((k * words.length) / count + i * 7) % words.length]),
    );
  const misses = (count, i) =>
    Array.from({ length: count }, (_, k) => bytesOf(((k * count + i) * 2_654_435_761) >>> 0));
  const full = { names: ["mw-4b"] };
  const few = { connections: 2, count: 2, isFresh: true };
  const kinds = [];
  const add = (name, request, options = {}) => kinds.push({ name, request, ...options });

  // Safe Browsing v5
  const fullTarget = targetOf(batchGetHashLists, full);
  const fullJson = targetOf(batchGetHashLists, full, { format: "json" });
  add("v5 whole list, protobuf, first", () => get(fullTarget), few);
  add("v5 whole list, protobuf, again", (i) => get(unique(fullTarget, i)), { isFresh: true });
  add("v5 whole list, JSON", (i) => get(unique(fullJson, i)), few);
  add("v5 whole list, JSON, 20 that do not read", (i) => get(unique(fullJson, i)), {
    connections: 20,
    reads: "nothing",
    seconds: 4,
    isFresh: true,
  });
  add("v5 whole list, 40 that do not read", (i) => get(unique(fullTarget, i)), {
    connections: 40,
    reads: "nothing",
    seconds: 4,
    isFresh: true,
  });
  const cut = (i) => 2 ** (10 + (i % 14));
  add(
    "v5 list cut to each size",
    (i) =>
      get(
        unique(
          targetOf(getHashList, { name: "mw-4b", sizeConstraints: { maxDatabaseEntries: cut(i) } }),
          i,
        ),
      ),
    { isFresh: true, count: 28 },
  );
  add(
    "v5 list cut to each size, JSON",
    (i) =>
      get(
        unique(
          targetOf(
            getHashList,
            { name: "mw-4b", sizeConstraints: { maxDatabaseEntries: cut(i) } },
            { format: "json" },
          ),
          i,
        ),
      ),
    { isFresh: true, count: 14 },
  );
  add(
    "v5 partial update from each version",
    (i) => get(unique(targetOf(getHashList, { name: "mw-4b", version: old[i % old.length] }), i)),
    { isFresh: true },
  );
  add(
    "v5 forged version tokens",
    (i) =>
      get(targetOf(getHashList, { name: "mw-4b", version: utf8(forged(tokens[i % old.length])) })),
    { isFresh: true },
  );
  add("v5 nothing new", (i) =>
    get(unique(targetOf(getHashList, { name: "mw-4b", version: current }), i)),
  );
  add("v5 batchGet with 5 000 unknown names", (i) => {
    const names = Array.from({ length: 5000 }, (_, k) => (i * 5000 + k).toString(36));
    return get(targetOf(batchGetHashLists, { names }));
  });
  add("v5 batchGet with 7 000 unknown names in one parameter", (i) => {
    const names = Array.from({ length: 7000 }, (_, k) => (5000 + i * 7000 + k).toString(36));
    return get(targetOf(batchGetHashLists, { names }, { form: "$req" }));
  });
  add("v5 batchGet with 1 300 tokens", (i) => {
    const version = Array.from({ length: 1300 }, (_, k) => utf8(`malware.${k % 31}.${k + i}`));
    return get(targetOf(batchGetHashLists, { names: ["mw-4b"], version }));
  });
  const search = (hashPrefixes, options) => get(targetOf(searchHashes, { hashPrefixes }, options));
  add("v5 search, 1 prefix, each shard", (i) => search([bytesOf(words[(i * 157) % words.length])]));
  add("v5 search, 30 prefixes of all shards", (i) => search(spread(30, i)));
  add("v5 search, 1000 prefixes of all shards", (i) => search(spread(1000, i), { form: "$req" }));
  add("v5 search, 1000 prefixes of all shards, JSON", (i) =>
    search(spread(1000, i), { form: "$req", format: "json" }),
  );
  add("v5 search, 1000 prefixes that miss", (i) => search(misses(1000, i), { form: "$req" }));

  // Safe Browsing v4
  for (const compression of ["RAW", "RICE"]) {
    for (const format of ["protobuf", "json"]) {
      add(
        `v4 whole list, ${compression}, ${format === "json" ? "JSON" : format}`,
        () => fetchUpdate({ compression, format }),
        few,
      );
    }
  }
  add("v4 whole list 16 times, RAW", () => fetchUpdate({ lists: 16 }), { ...few, seconds: 4 });
  add("v4 whole list 16 times, RAW, 20 that do not read", () => fetchUpdate({ lists: 16 }), {
    connections: 20,
    reads: "nothing",
    seconds: 4,
    isFresh: true,
  });
  add("v4 whole list 16 times, JSON", () => fetchUpdate({ lists: 16, format: "json" }), {
    ...few,
    count: 1,
  });
  add("v4 100 unknown lists", () => fetchUpdate({ lists: 100, type: 99 }));
  add("v4 forged states", (i) => fetchUpdate({ state: utf8(forged(tokens[i % old.length])) }), {
    isFresh: true,
  });
  add(
    "v4 partial update from each version, JSON",
    (i) => fetchUpdate({ state: old[i % old.length], format: "json" }),
    { isFresh: true },
  );
  const types = {
    threatTypes: ["MALWARE", "SOCIAL_ENGINEERING"],
    platformTypes: ["ANY_PLATFORM"],
    threatEntryTypes: ["URL"],
  };
  add("v4 fullHashes of 1000 prefixes of all shards", (i) =>
    sent(
      writeRequest(findFullHashes, {
        threatInfo: { ...types, threatEntries: spread(1000, i).map((hash) => ({ hash })) },
      }),
    ),
  );
  add("v4 fullHashes of one prefix 1000 times", (i) =>
    sent(
      writeRequest(findFullHashes, {
        threatInfo: {
          ...types,
          threatEntries: Array.from({ length: 1000 }, () => ({ hash: bytesOf(words[i % 1000]) })),
        },
      }),
    ),
  );
  const matches = (urls, format = "protobuf") =>
    sent(
      writeRequest(
        findThreatMatches,
        { threatInfo: { ...types, threatEntries: urls.map((url) => ({ url })) } },
        { format },
      ),
    );
  const listedUrls = (count, i) =>
    Array.from(
      { length: count },
      (_, k) => `http://${LISTED_HOSTS[(i * count + k) % LISTED_HOSTS.length]}/`,
    );
  add("v4 threatMatches of 500 listed URLs", (i) => matches(listedUrls(500, i)));
  add("v4 threatMatches of 500 URLs of 2 kB", () =>
    matches(
      Array.from(
        { length: 500 },
        (_, k) => `http://${filled("a.", 900)}e${k}/${filled("b/", 1000)}`,
      ),
    ),
  );
  add("v4 threatMatches of 500 IDN hosts of 2 kB", () =>
    matches(Array.from({ length: 500 }, (_, k) => `http://${repeated("ü.", 2000)}e${k}/`)),
  );
  // A request line has at most 64 KiB.
  const searchOf = (urls) => get(targetOf(searchUrls, { urls }));
  add("v5 urls:search of 50 listed URLs", (i) => searchOf(listedUrls(50, i)));
  add("v5 urls:search of 50 URLs of 600 bytes", (i) =>
    searchOf(
      Array.from(
        { length: 50 },
        (_, k) => `http://${filled("a.", 300)}e${i}-${k}/${filled("b/", 300)}`,
      ),
    ),
  );
  add("v5 urls:search of 50 IDN hosts of 200 bytes", (i) =>
    searchOf(Array.from({ length: 50 }, (_, k) => `http://${repeated("ü.", 200)}e${i}-${k}/`)),
  );
  add("v4 body of a mebibyte of empty objects", () =>
    post(
      "/v4/threatListUpdates:fetch",
      "application/json",
      `{"x":[${filled("{},", MEBIBYTE - 20)}{}]}`,
    ),
  );
  add("v4 body of a mebibyte of brackets", () =>
    post(
      "/v4/threatListUpdates:fetch",
      "application/json",
      `{"x":${"[".repeat(MEBIBYTE / 2 - 8)}${"]".repeat(MEBIBYTE / 2 - 8)}}`,
    ),
  );
  add("v4 body of a mebibyte of empty messages", () =>
    post(
      "/v4/threatListUpdates:fetch",
      "application/x-protobuf",
      Buffer.from(filled("\x1a\x00", 199_000), "latin1"),
    ),
  );
  add("v4 body of a mebibyte of keys", () =>
    post(
      "/v4/threatListUpdates:fetch",
      "application/json",
      `{${Array.from({ length: 100_000 }, (_, k) => `"${k.toString(36)}":0`).join(",")}}`,
    ),
  );
  add("v4 body of a mebibyte of one name", () =>
    post("/v4/threatListUpdates:fetch", "application/json", `{"${filled("_a", MEBIBYTE - 20)}":0}`),
  );

  // Web Risk
  const diff = (compression, format) => (i) =>
    get(
      unique(
        targetOf(
          computeThreatListDiff,
          { threatType: "MALWARE", constraints: { supportedCompressions: [compression] } },
          { format },
        ),
        i,
      ),
    );
  add("Web Risk whole list, RAW, JSON", diff("RAW", "json"), few);
  add("Web Risk whole list, RICE, JSON", diff("RICE", "json"), few);
  add("Web Risk whole list, RAW, protobuf", diff("RAW", "protobuf"), few);
  add(
    "Web Risk forged tokens",
    (i) =>
      get(
        targetOf(computeThreatListDiff, {
          threatType: "MALWARE",
          versionToken: utf8(forged(tokens[i % old.length])),
        }),
      ),
    { isFresh: true },
  );
  add("Web Risk search, each shard", (i) =>
    get(
      targetOf(searchWebRisk, {
        hashPrefix: bytesOf(words[(i * 157) % words.length]),
        threatTypes: ["MALWARE"],
      }),
    ),
  );
  for (const shape of [
    "nested percent escapes",
    "path of short parts",
    "an IDN host of one label",
    "marks out of order",
  ]) {
    add(`Web Risk uris, ${shape}, 63 kB`, (i) => {
      const escaping = shape.includes("percent") ? 1.7 : shape.includes("path") ? 2.1 : 3.1;
      const uri = URL_SHAPES[shape](Math.floor(LONG_HEADER / escaping));
      return get(
        unique(targetOf(searchUris, { uri, threatTypes: ["MALWARE"] }), `&$${i}`).replace(
          "&x=&",
          "&",
        ),
      );
    });
  }

  // Look-ups
  const lookUp = (type, body, headers) => post("/lookup", type, body, headers);
  const json = (urls) => lookUp("application/json", JSON.stringify({ urls }));
  for (const [shape, make] of Object.entries(URL_SHAPES)) {
    // JSON needs two characters for a tab or a backslash.
    const count = /tab|backslash/.test(shape) ? 7 : 15;
    const request = json(Array.from({ length: count }, () => make(65_000)));
    add(`/lookup, ${count} URLs of 65 kB: ${shape}`, () => request, { seconds: 0.5, count: 8 });
  }
  const thousand = json(
    Array.from({ length: 1000 }, (_, k) => `http://e${k}.example/${filled("a/", 1000)}`),
  );
  add("/lookup, 1000 URLs of 1 kB", () => thousand);
  const thousandHosts = json(
    Array.from({ length: 1000 }, (_, k) => `http://${filled("a.", 990)}e${k}/`),
  );
  add("/lookup, 1000 hosts of 1 kB", () => thousandHosts);
  const thousandListed = json(listedUrls(1000, 0));
  add("/lookup, 1000 listed URLs", () => thousandListed);
  const brackets = lookUp(
    "application/json",
    `{"urls":${"[".repeat(MEBIBYTE / 2 - 10)}${"]".repeat(MEBIBYTE / 2 - 10)}}`,
  );
  add("/lookup, a mebibyte of brackets", () => brackets);
  const blank = lookUp("text/plain", "\n".repeat(MEBIBYTE));
  add("/lookup, a mebibyte of blank lines", () => blank);
  add("/lookup, a mebibyte of blank lines, 40 that do not read", () => blank, {
    connections: 40,
    reads: "nothing",
    seconds: 4,
  });
  const blankRows = lookUp("application/x-ndjson", "\n".repeat(MEBIBYTE));
  add("/lookup, a mebibyte of blank rows of JSON", () => blankRows);
  const lettersLines = lookUp("text/plain", "a\n".repeat(MEBIBYTE / 2));
  add("/lookup, a mebibyte of lines of one letter", () => lettersLines);
  const shortLines = lookUp(
    "text/plain",
    Array.from({ length: 20_000 }, (_, k) => `http://e${k}.example/a/b?c\n`).join(""),
  );
  add("/lookup, 20 000 lines", () => shortLines);
  const listedLines = lookUp(
    "text/plain",
    listedUrls(20_000, 0)
      .map((url) => `${url}\n`)
      .join(""),
  );
  add("/lookup, 20 000 lines, 60 clients at once", () => shortLines, { connections: 60 });
  add("/lookup, 20 000 listed lines", () => listedLines);
  const foreignLines = lookUp("text/plain", "0.0.0.0 a.example # b\n".repeat(40_000));
  add("/lookup, 40 000 lines of a hosts file", () => foreignLines);
  const idnLines = lookUp(
    "text/plain",
    Array.from({ length: 20_000 }, (_, k) => `http://ü${k}.bücher.example/\n`).join(""),
  );
  add("/lookup, 20 000 lines with IDN hosts", () => idnLines);
  const longLine = lookUp("text/plain", `http://a.example/${filled("a", MEBIBYTE)}`);
  add("/lookup, a line of a mebibyte", () => longLine);
  const zipped = lookUp("text/plain", gzipSync("\n".repeat(64 * MEBIBYTE)), {
    "Content-Encoding": "gzip",
  });
  add("/lookup, gzip", () => zipped);
  const wrapped = (url, times) =>
    Array(times)
      .fill("http://wrapper.example/?url=")
      .reduce((inner, wrapper) => wrapper + encodeURIComponent(inner), url);
  const inside = (type, body) => post("/lookup?unwrap=true", type, body);
  const deep = Array.from({ length: 1000 }, (_, k) => wrapped(`http://e${k}.example/`, 6));
  const deepJson = inside("application/json", JSON.stringify({ urls: deep }));
  add("/lookup, 1000 URLs in six others each", () => deepJson);
  const deepLines = inside("text/plain", repeated(`${deep[0]}\n`, MEBIBYTE));
  add("/lookup, a mebibyte of URLs in six others each", () => deepLines);
  for (const [what, part] of [
    ["parameters with URLs", "&u=http://e.example/"],
    ["addresses in a row", "http://e.example/"],
    ["escapes in a row", "%252525"],
  ]) {
    const url = `http://a.example/?${filled(part, 65_000)}`;
    const long = inside("application/json", JSON.stringify({ urls: Array(15).fill(url) }));
    add(`/lookup, 15 URLs of 65 kB to unwrap: ${what}`, () => long);
  }
  add("/lookup/status, 63 kB to unwrap", (i) => {
    const url = `http://a.example/?${filled("&u=http://e.example/", LONG_HEADER)}${i}`;
    return get("/lookup/status?unwrap=true", { "X-Original-URL": url });
  });
  add("/lookup/status, 63 kB in the query", (i) =>
    get(`/lookup/status${query({ url: URL_SHAPES["path of dots"](LONG_HEADER / 2 - 100) + i })}`),
  );
  add("/lookup/status, 63 kB in the header", (i) =>
    get("/lookup/status", { "X-Original-URL": URL_SHAPES["path of short parts"](LONG_HEADER) + i }),
  );
  const FORM = "application/x-www-form-urlencoded";
  const form = (url) => post("/blocked", FORM, `${new URLSearchParams({ url })}`);
  add("/blocked, since when an address is listed", (i) => form(listedUrls(1, i)[0]));

  // Files
  const file = get("/export/malware.gdb");
  add("export for ClamAV", () => file, { connections: 4, mostBytes: 2 ** 26, isFresh: true });
  add("export for ClamAV, 127 that do not read", () => file, {
    connections: 127,
    reads: "nothing",
    seconds: 3,
  });
  add("export for ClamAV, 200 slow readers", () => file, {
    connections: 200,
    reads: 20_000,
    seconds: 3,
  });
  const zone = get("/export/intranet.rpz", { "X-Goog-Api-Key": KEY });
  add("export of a zone (with a key)", () => zone, { mostBytes: 2 ** 26 });
  add("export of a zone (with a key), 120 that do not read", () => zone, {
    connections: 120,
    reads: "nothing",
    seconds: 3,
  });

  // Oblivious HTTP
  const GATEWAY = "/.well-known/ohttp-gateway";
  const keys = parseOhttpKeys(readFileSync(facts.ohttpFile, "utf8"), facts.ohttpFile);
  const encapsulated = async (target) => {
    const request = { method: "GET", scheme: "http", authority: "a", path: target };
    const { message } = await encapsulateRequest(keys[0].config, encodeRequest(request));
    return post(GATEWAY, "message/ohttp-req", message);
  };
  const one = await encapsulated(targetOf(searchHashes, { hashPrefixes: spread(1, 0) }));
  add("Oblivious HTTP, a search for 1 prefix", () => one);
  const many = await encapsulated(targetOf(searchHashes, { hashPrefixes: spread(1000, 0) }));
  add("Oblivious HTTP, a search for 1000 prefixes of all shards", () => many);
  const wholeList = await encapsulated(fullTarget);
  add("Oblivious HTTP, a whole list", () => wholeList, few);
  const unopened = Buffer.from(one).fill(1, one.length - 20);
  add("Oblivious HTTP, a search that cannot be decrypted", () => unopened);
  const longUnopened = post(GATEWAY, "message/ohttp-req", Buffer.alloc(MEBIBYTE));
  add("Oblivious HTTP, a mebibyte of zeros", () => longUnopened);

  // Pages
  for (const path of [
    ...["/", "/metrics", "/readyz", "/healthz", "/openapi.json", "/blocked", "/favicon.ico"],
    ...["/v5/hashLists", "/v4/threatLists", GATEWAY],
  ]) {
    add(path, () => get(path));
  }

  // Everything that the server caches
  kinds.push({
    name: "one after the other, all that is kept",
    run: (server) => allKept(server, facts),
    isFresh: true,
  });

  // Headers
  add("headers of 63 kB", (i) => get("/v5/hashLists", { Accept: filled("a", LONG_HEADER) + i }), {
    isFresh: true,
  });
  add(
    "headers of 17 kB of one length, kept answers",
    (i) => get("/v5/hashLists", { Accept: filled("a", 17_000) + String(i).padStart(7, "0") }),
    { isFresh: true, seconds: 4 },
  );
  add(
    "targets of 60 kB, kept answers",
    (i) => get(`/v5/hashLists?x=${filled("a", 60_000)}${String(i).padStart(7, "0")}`),
    { isFresh: true, seconds: 4 },
  );
  add("8 000 short headers", (i) => {
    const headers = Object.fromEntries(
      Array.from({ length: 8000 }, (_, k) => [k.toString(36), "1"]),
    );
    return get(`/v5/hashLists?x=${i}`, headers);
  });
  add("31 000 parameters", (i) => get(`/v5/hashLists?${filled("a&", LONG_HEADER)}${i}`));
  add("a path of escapes", (i) => get(`/${filled("%2f", LONG_HEADER)}${i}`));

  // Connections
  add("a v4 body in pieces of a byte", () =>
    inPieces("/v4/threatListUpdates:fetch", "application/json", MEBIBYTE / 2),
  );
  add("a /lookup stream in pieces of a byte", () =>
    inPieces("/lookup", "text/plain", MEBIBYTE / 2),
  );
  const unfinished = post(
    "/v4/threatListUpdates:fetch",
    "application/json",
    " ".repeat(MEBIBYTE),
  ).subarray(0, -1);
  add("600 bodies of a mebibyte without the last byte", () => unfinished, {
    connections: 600,
    reads: "nothing",
    seconds: 4,
  });
  const unfinishedHead = get("/v5/hashLists", { Accept: filled("a", LONG_HEADER) }).subarray(0, -2);
  add("3000 heads of 63 kB without an end", () => unfinishedHead, {
    connections: 3000,
    reads: "nothing",
    seconds: 3,
  });
  kinds.push({
    name: "10 500 connections that send nothing",
    run: (server) => silent(server, 10_500),
  });
  kinds.push({ name: "2000 connections, a byte a second", run: (server) => drip(server, 2000) });
  kinds.push({ name: "200 bodies, a byte at a time", run: (server) => dripBodies(server, 200) });
  kinds.push({
    name: "64 streams that stay open",
    run: (server) => dripBodies(server, 64, "text/plain"),
  });
  kinds.push({
    name: "a thousand requests at once on one connection",
    run: pipelined(get(fullTarget), 1000),
    isFresh: true,
  });
  kinds.push({
    name: "a thousand v4 updates at once on one connection",
    run: pipelined(fetchUpdate({}), 1000),
    isFresh: true,
  });
  return kinds;
}

function open(port) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("error", () => {});
  return socket;
}

/** Opens connections, and sends the heads of requests very slowly. */
async function drip({ port }, connections) {
  const request = get("/v5/hashLists");
  const sockets = [];
  for (let i = 0; i < connections; i++) {
    sockets.push(open(port));
    if (i % 100 === 99) await wait(5);
  }
  let sentBytes = 0;
  for (let at = 0; at < 3; at++) {
    for (const socket of sockets) socket.write(request.subarray(at, at + 1));
    sentBytes += sockets.length;
    await wait(1000);
  }
  for (const socket of sockets) socket.destroy();
  return { requests: connections, answers: 0, sentBytes, answerBytes: 0 };
}

/** Opens connections, and sends bodies very slowly. */
async function dripBodies({ port }, connections, type = "application/json") {
  const head = Buffer.from(
    `POST /lookup HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 1048576\r\n\r\n`,
  );
  const sockets = Array.from({ length: connections }, () => open(port));
  let answerBytes = 0;
  for (const socket of sockets) {
    socket.write(head);
    socket.on("data", (data) => {
      answerBytes += data.length;
    });
  }
  let sentBytes = connections * head.length;
  for (let i = 0; i < 300; i++) {
    for (const socket of sockets) socket.write("a");
    sentBytes += connections;
    await wait(10);
  }
  for (const socket of sockets) socket.destroy();
  return { requests: connections, answers: 0, sentBytes, answerBytes };
}

/** A request whose body is in chunks of one byte. */
function inPieces(target, type, count) {
  const head = `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  return Buffer.from(`${head}${"1\r\na\r\n".repeat(count)}0\r\n\r\n`);
}

/** Opens many connections, and sends nothing. */
async function silent({ port }, connections) {
  const sockets = [];
  for (let i = 0; i < connections; i++) {
    sockets.push(open(port));
    if (i % 100 === 99) await wait(5);
  }
  await wait(1500);
  for (const socket of sockets) socket.destroy();
  return { requests: connections, answers: 0, sentBytes: connections, answerBytes: 0 };
}

/** Requests every size and form of a list that the server may cache, differences from old versions, and all shards. */
async function allKept({ port }, { tokens, words }) {
  const requests = [];
  for (const version of tokens.slice(0, 8)) {
    requests.push(get(writeRequest(getHashList, { name: "mw-4b", version: utf8(version) }).target));
  }
  for (let bits = 10; bits < 24; bits++) {
    const maxDatabaseEntries = 2 ** bits;
    const sizeConstraints = { maxDatabaseEntries };
    requests.push(get(writeRequest(getHashList, { name: "mw-4b", sizeConstraints }).target));
    for (const compression of ["RAW", "RICE"]) {
      const constraints = { maxDatabaseEntries, supportedCompressions: [compression] };
      const diff = { threatType: "MALWARE", constraints };
      requests.push(get(writeRequest(computeThreatListDiff, diff, { format: "protobuf" }).target));
      const update = {
        threatType: "MALWARE",
        platformType: "ANY_PLATFORM",
        threatEntryType: "URL",
        constraints,
      };
      requests.push(sent(writeRequest(fetchThreatListUpdates, { listUpdateRequests: [update] })));
    }
  }
  for (let i = 0; i < 5000; i++) {
    const hashPrefixes = [bytesOf(words[(i * 997) % words.length])];
    requests.push(get(writeRequest(searchHashes, { hashPrefixes }).target));
  }
  for (let i = 0; i < 2000; i++) requests.push(get(`/v5/hashLists?x=${filled("a", 60_000)}${i}`));
  return load({
    port,
    request: (i) => requests[i % requests.length],
    count: requests.length,
    connections: 1,
    seconds: 20,
  });
}

/** Sends many requests in one write, and reads no answers. */
function pipelined(request, count) {
  return async ({ port }) => {
    const socket = open(port);
    socket.pause();
    const all = Buffer.concat(Array.from({ length: count }, () => request));
    socket.write(all);
    await wait(4000);
    socket.destroy();
    return { requests: count, answers: 0, sentBytes: all.length, answerBytes: 0 };
  };
}
