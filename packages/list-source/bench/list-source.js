// Measures reading list sources: `pnpm --filter @x/list-source bench [LINES]`.
//
// Reads ten million mixed lines of URLs, hosts, expressions and comments, then a tenth as many lines of each other
// format. Each chunk of 64 KiB is read, and right afterwards the entries of the same lines are only canonicalized
// and hashed; the difference is the cost of this package. The time to generate the lines does not count.
import { exactExpression } from "@x/expressions";
import { listSourceReader, sourceProblem } from "@x/list-source";
import { fullHash } from "@x/sha256-prefix";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { makeUrls } from "@x/test-support/url-corpus";

const LINES = Number(process.argv[2] ?? 10_000_000);
const PIECE_BYTES = 2 ** 16;
const PREFIX_BYTES = 8;
/** Lines that are read before the measurement starts. */
const WARM_UP = 200_000;

// Without fragments and addresses, which publishers do not write.
const urls = makeUrls(50_000).filter((url) => !/[#]|http:\/\/\d+\//.test(url));
const hosts = urls
  .map((url) => new URL(url).hostname.replace(/^www\./, ""))
  .filter((host) => /[a-z]/.test(host));

/** A host that occurs only once, so that nothing is cached. */
const host = (i) => `${(i % 999_983).toString(36)}.${hosts[i % hosts.length]}`;
const url = (i) => `${urls[i % urls.length].replace("://", `://${(i % 999_983).toString(36)}.`)}`;

/** For each format, the line with a given number, and the text in it that is canonicalized and hashed. */
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

/** Bytes of lines, and the texts in them that become entries. */
function* pieces(line, count, header = []) {
  const encoder = new TextEncoder();
  let lines = [...header];
  let entries = [];
  let length = 0;
  for (let i = 0; i < count; i++) {
    const [text, entry] = line(i);
    lines.push(text);
    // Joined and split again below, so that the strings are plain, as if read from a file.
    if (entry !== null) entries.push(entry);
    length += text.length + 1;
    if (length < PIECE_BYTES && i < count - 1) continue;
    yield {
      bytes: encoder.encode(`${lines.join("\n")}\n`),
      entries: entries.join("\n").split("\n"),
    };
    lines = [];
    entries = [];
    length = 0;
  }
}

const since = (start) => Number(process.hrtime.bigint() - start) / 1e9;

function measure(format, count) {
  const prefixes = new Uint8Array(count * PREFIX_BYTES);
  let used = 0;
  let reading = 0;
  let hashing = 0;
  let most = 0;
  const reader = listSourceReader({
    onEntry: ({ hash }) => {
      for (let i = 0; i < PREFIX_BYTES; i++) prefixes[used++] = hash[i];
    },
  });
  // Writing to the memory for the prefixes now keeps it from being counted as growth.
  prefixes.fill(1);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let piece = 0;
  for (const { bytes, entries } of pieces(FORMATS[format], count, HEADERS[format])) {
    let start = process.hrtime.bigint();
    reader.push(bytes);
    reading += since(start);
    start = process.hrtime.bigint();
    for (const text of entries) fullHash(exactExpression(text));
    hashing += since(start);
    if (piece++ % 50 === 0) most = Math.max(most, process.memoryUsage.rss());
  }
  const summary = reader.end();
  if (summary.recognition.format !== format) throw new Error(`${format} was not recognized`);
  const problem = sourceProblem(summary);
  if (problem !== null) throw new Error(problem.message);
  return { summary, reading, hashing, grown: Math.max(0, most - before) };
}

printMachine();
const rows = [];
for (const format of Object.keys(FORMATS)) {
  measure(format, WARM_UP);
  const count = format === "urls" ? LINES : LINES / 10;
  const { summary, reading, hashing, grown } = measure(format, count);
  const ns = (time) => `${((1e9 * time) / summary.lines).toFixed(0)} ns`;
  rows.push([
    format,
    String(summary.lines),
    `${reading.toFixed(1)} s`,
    ns(reading),
    ns(hashing),
    `${((100 * (reading - hashing)) / reading).toFixed(0)} %`,
    `${(grown / 2 ** 20).toFixed(0)} MiB`,
  ]);
}
printTable(
  ["format", "lines", "time", "per line", "canonicalizing and hashing", "the rest", "memory"],
  rows,
);
