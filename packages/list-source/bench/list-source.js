// Reading list sources: `pnpm --filter @x/list-source bench [LINES]`.
//
// First ten million mixed lines of URLs and hosts, pushed in pieces: time, memory, and the share of the time that
// is not canonicalizing and hashing. Then each format, a tenth of the lines.
import { exactExpression } from "@x/expressions";
import { listSourceReader, sourceProblem } from "@x/list-source";
import { fullHash } from "@x/sha256-prefix";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";

const LINES = Number(process.argv[2] ?? 10_000_000);
const PIECE_BYTES = 2 ** 16;
const PREFIX_BYTES = 8;

// Blanks and fragments are for `check`; a publisher writes neither.
const urls = makeUrls(50_000).filter((url) => !/[#]|http:\/\/\d+\//.test(url));
const hosts = urls
  .map((url) => new URL(url).hostname.replace(/^www\./, ""))
  .filter((host) => /[a-z]/.test(host));
const digits = (i) => (i * 2_654_435_761) % 4_294_967_296;

/** A host that is made only once, so that nothing is cached. */
const host = (i) => `${(i % 999_983).toString(36)}.${hosts[i % hosts.length]}`;
const url = (i) => `${urls[i % urls.length].replace("://", `://${(i % 999_983).toString(36)}.`)}`;

/** Of each format, the line of a number, and what of it is canonicalized and hashed. */
const FORMATS = {
  urls: (i) => {
    if (i % 50 === 0) return ["# a comment", null];
    const text = i % 3 === 0 ? host(i) : i % 3 === 1 ? url(i) : `${host(i)}/a/b-${i}/`;
    return [text, text];
  },
  hosts: (i) => [`0.0.0.0 ${host(i)}`, host(i)],
  dnsmasq: (i) => [`address=/${host(i)}/0.0.0.0`, host(i)],
  rpz: (i) => [`${host(i)} CNAME .`, host(i)],
  adblock: (i) => {
    if (i % 4 === 0) return [`${host(i)}##.advert-${i}`, null];
    return [`||${host(i)}^${i % 8 === 1 ? "$document" : ""}`, host(i)];
  },
  csv: (i) => [`"${i}","2026-11-22 08:00:00","${url(i)}","online","malware"`, url(i)],
  "json-lines": (i) => [JSON.stringify({ id: i, url: url(i), threat: "malware" }), url(i)],
};
const HEADERS = { csv: ["id,dateadded,url,status,threat"], rpz: ["$TTL 300"] };

function* pieces(line, count, header = []) {
  const encoder = new TextEncoder();
  let lines = [...header];
  let length = 0;
  for (let i = 0; i < count; i++) {
    const text = line(i)[0];
    lines.push(text);
    length += text.length + 1;
    if (length < PIECE_BYTES) continue;
    yield encoder.encode(`${lines.join("\n")}\n`);
    lines = [];
    length = 0;
  }
  yield encoder.encode(`${lines.join("\n")}\n`);
}

const seconds = (nanoseconds) => Number(nanoseconds) / 1e9;

/** Reads a source; the time that its lines take to be made does not count. */
function read(format, count) {
  const prefixes = new Uint8Array(count * PREFIX_BYTES);
  let used = 0;
  let busy = 0n;
  let peak = 0;
  globalThis.gc?.();
  const before = process.memoryUsage();
  const reader = listSourceReader({
    onEntry: ({ hash }) => {
      prefixes.set(hash.subarray(0, PREFIX_BYTES), used);
      used += PREFIX_BYTES;
    },
  });
  let piece = 0;
  for (const bytes of pieces(FORMATS[format], count, HEADERS[format])) {
    const start = process.hrtime.bigint();
    reader.push(bytes);
    busy += process.hrtime.bigint() - start;
    if (piece++ % 100 === 0) peak = Math.max(peak, process.memoryUsage().rss);
  }
  const summary = reader.end();
  if (summary.recognition.format !== format) throw new Error(`${format} was not recognised`);
  if (sourceProblem(summary) !== null) throw new Error(sourceProblem(summary).message);
  const grown = peak - before.rss - prefixes.length;
  return { summary, time: seconds(busy), grown };
}

/** Only canonicalizes and hashes the entries of the same lines. */
function hash(format, count) {
  let busy = 0n;
  for (let i = 0; i < count; ) {
    const texts = [];
    for (; i < count && texts.length < 1000; i++) {
      const text = FORMATS[format](i)[1];
      // A copy, as it comes out of a file.
      if (text !== null) texts.push(JSON.parse(JSON.stringify(text)));
    }
    const start = process.hrtime.bigint();
    for (const text of texts) fullHash(exactExpression(text));
    busy += process.hrtime.bigint() - start;
  }
  return seconds(busy);
}

printMachine();
const rows = [];
for (const format of Object.keys(FORMATS)) {
  const count = format === "urls" ? LINES : LINES / 10;
  // Warm both up.
  read(format, 20_000);
  hash(format, 20_000);
  const { summary, time, grown } = read(format, count);
  const hashing = hash(format, count);
  rows.push([
    format,
    String(summary.lines),
    `${time.toFixed(1)} s`,
    `${hashing.toFixed(1)} s`,
    `${((100 * (time - hashing)) / time).toFixed(0)} %`,
    `${(grown / 2 ** 20).toFixed(0)} MiB`,
    `${summary.entries}/${summary.refused}`,
  ]);
}
void digits;
printTable(
  [
    "format",
    "lines",
    "reading",
    "canonicalizing and hashing",
    "the rest",
    "memory beside prefixes",
    "entries/refused",
  ],
  rows,
);
