import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { diffPrefixLists, encodeDifference, encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { urlhashHere as urlhash } from "./program.ts";

const folder = temporaryFolder();
const LIST = encodePrefixList(
  prefixList([fullHash("evil.example/")], { name: "l", prefixBytes: 8, created: 0 }),
);
const PNG = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.alloc(500, 7),
]);
const lines = (...given: string[]): string => `${given.join("\n")}\n`;
const many = (line: (i: number) => string): string =>
  lines(...Array.from({ length: 12 }, (_, i) => line(i)));

const HOSTS = lines(
  "127.0.0.1 localhost",
  "0.0.0.0 evil.example # why",
  "0.0.0.0 bad.example worse.example",
);
const NDJSON = many((i) => `{"id":${i},"url":"http://evil.example/${i}"}`);
const TABLE = many((i) => `${i}\thttp://evil.example/${i}\tphishing`);
const CSV = `id,url,why\n${many((i) => `${i},http://evil.example/${i},phishing`)}`;
const ADBLOCK = lines("! Title: ads", "||evil.example^", "||bad.example^", "example.com##.ad");
const HTML = "<!doctype html>\n<title>404</title>\n<p>Not found</p>\n";
const URLS = many((i) => `http://evil.example/${i}`);

/** Sources that earlier versions read as empty lists, with the numbers of their entries. */
const READ: [string, string | Uint8Array, number][] = [
  ["a hosts file", HOSTS, 3],
  ["an Adblock list", ADBLOCK, 2],
  ["a table with a header", CSV, 12],
  ["a table with tabs and a header", CSV.replaceAll(",", "\t"), 12],
  ["JSON lines", NDJSON, 12],
  ["dnsmasq options", many((i) => `address=/h${i}.example/0.0.0.0`), 12],
  ["a zone file", `$TTL 60\n@ SOA a. b. 1 2 3 4 5\n${many((i) => `h${i}.example CNAME .`)}`, 12],
  ["domains with wildcards", many((i) => `*.h${i}.example`), 12],
  ["domains with a leading dot", many((i) => `.h${i}.example`), 12],
  ["a JSON document of texts", JSON.stringify(["http://evil.example/"]), 1],
  ["another list", LIST, 1],
  ["a byte order mark", `\ufeff${URLS}`, 12],
];

test.each(READ)("list build reads %s", async (name, content, entries) => {
  const [source, output] = [folder.write("source", content), folder.path("out.list")];
  const column = [CSV, NDJSON].includes(content.toString().replaceAll("\t", ","))
    ? ["--column", "url"]
    : [];
  const ended = await urlhash(["list", "build", source, ...column, "-o", output]);
  expect(ended, name).toMatchObject({ status: 0 });
  expect(ended.stdout).toContain(` from ${entries} entr`);
});

/** Sources that cannot become lists, with the expected messages. */
const REFUSED: [string, string | Uint8Array, RegExp][] = [
  ["UTF-16", Buffer.from(`\ufeff${URLS}`, "utf16le"), /UTF-16/],
  ["UTF-16 without a mark", Buffer.from(URLS, "utf16le"), /UTF-16/],
  ["a picture", PNG, /PNG image/],
  ["gzip", gzipSync(URLS), /gzip/],
  ["a ZIP archive", Buffer.from(`PK\x03\x04${"\0".repeat(100)}`), /ZIP/],
  ["a PDF", `%PDF-1.7\n${URLS}`, /PDF/],
  ["HTML", HTML, /HTML/],
  ["a JSON document that is cut", '[{"url":"http://evil.example/"},', /ends too early/],
  ["a JSON document without a path", '[{"url":"http://evil.example/"}]', /--column/],
  ["a table whose column nobody names", CSV, /"url" .*--column/],
  ["JSON lines whose field nobody names", NDJSON, /"url" .*--column/],
  ["JSON with several lists", '{"a":[{"url":"a.example"}],"b":[{"url":"b.example"}]}', /--column/],
  [
    "a Privoxy action file",
    `{+block}\n${many((i) => `.h${i}.example`)}{-block}\n.good.example\n`,
    /with sections/,
  ],
  ["lines that end in CR", URLS.replaceAll("\n", "\r"), /end in CR/],
  ["defanged URLs", many((i) => `hxxp://evil[.]example/${i}`), /defanged/],
  ["exceptions", many((i) => `@@||h${i}.example^`), /exception/],
  ["regular expressions", many((i) => `/h${i}\\.example/`), /./],
  ["address ranges", many((i) => `192.0.${i}.0/24`), /./],
  ["email addresses", many((i) => `a${i}@evil.example`), /./],
  ["hashes of another kind", many((i) => toHex(fullHash(`${i}`)).slice(0, 32)), /MD5/],
  ["hashes of files", many((i) => toHex(fullHash(`${i}`))), /SHA-256.*--input hex/],
  ["an empty file", "", /no entries/],
  ["comments alone", "# nothing\n\n", /no entries/],
  [
    "a difference",
    encodeDifference(
      diffPrefixLists(prefixList([], { created: 0 }), prefixList([fullHash("a")], { created: 1 })),
    ),
    /difference/,
  ],
  ["a damaged list", LIST.subarray(0, -1), /damaged/],
  ["prose", "Please find the list\nattached to this\nmessage. Thank you!\n", /./],
];

test.each(REFUSED)("list build refuses %s", async (name, content, reason) => {
  const [source, output] = [folder.write("source", content), folder.write("out.list", "old")];
  const ended = await urlhash(["list", "build", "--skip-bad", source, "-o", output]);
  expect(ended, name).toMatchObject({ status: 2, stdout: "" });
  expect(ended.stderr).toMatch(reason);
  expect(ended.stderr.trimEnd().split("\n").at(-1)).toMatch(/^urlhash: /);
  expect(readFileSync(output, "utf8")).toBe("old");
});

/** Inputs of which earlier versions reported every line as "not listed". */
const FOREIGN: [string, string | Uint8Array, RegExp][] = [
  ["JSON lines", NDJSON, /looks like JSON/],
  ["a table", TABLE, /looks like a table/],
  ["CSV", CSV, /looks like a table/],
  ["a hosts file", HOSTS, /looks like a hosts file/],
  ["an Adblock list", ADBLOCK, /looks like Adblock/],
  ["UTF-16", Buffer.from(`\ufeff${URLS}`, "utf16le"), /looks like UTF-16/],
  ["a picture", PNG, /looks like a PNG/],
  ["HTML", HTML, /looks like HTML/],
  ["a list", LIST, /looks like a prefix list/],
  ["full hashes", many((i) => toHex(fullHash(`${i}`))), /looks like hashes/],
];

test.each(FOREIGN)("check, hash and match refuse %s", async (_, content, found) => {
  const list = folder.write("l.list", LIST);
  const hashed = folder.write(
    "hashed.txt",
    "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481\n",
  );
  const file = folder.write("input", content);
  for (const argv of [
    ["check", "--list", list],
    ["check", "--list", list, "--workers", "2", "--only-listed"],
    ["hash"],
    ["match", "--list", hashed],
  ]) {
    const ended = await urlhash([...argv, "--file", file]);
    expect(ended, argv.join(" ")).toMatchObject({ status: 2, stdout: "" });
    expect(ended.stderr).toMatch(found);
  }
  const ended = await urlhash(["match", "--list", file, "http://a/"]);
  expect(ended.status! & 6).not.toBe(0);
});

test("single lines of another format are refused among URLs, and the rest is checked", async () => {
  const list = folder.write("l.list", LIST);
  const odd = ["0.0.0.0 evil.example", '{"url":"x"}', "||evil.example^", "hxxp://evil[.]example/"];
  const file = folder.write("mixed", `${URLS}${lines(...odd)}`);
  for (const extra of [[], ["--only-listed"], ["--workers", "2"]]) {
    const ended = await urlhash(["check", "--list", list, "--file", file, ...extra]);
    expect(ended.status).toBe(5);
    expect(ended.stdout.match(/^LISTED/gm)).toHaveLength(12);
    expect(ended.stderr.match(/looks like/g)).toHaveLength(odd.length);
    expect(ended.stderr).toMatch(/^urlhash: line 13: /);
  }
});
