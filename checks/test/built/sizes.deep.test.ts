import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";
import { ROOT } from "../repository.ts";

/**
 * Budgets for the code that a browser downloads for an import: bytes, minified and gzipped. The budgets are a little
 * above the measured sizes. A change that exceeds a budget must raise it and justify the new size. Each bundle that
 * canonicalizes URLs has the table of UTS 46 (13 kB), so that hosts are mapped in the same way on every platform.
 */
const BUDGETS: readonly (readonly [what: string, code: string, gzipped: number])[] = [
  ["@x/canon", 'export * from "@x/canon"', 19_450],
  ["@x/canon: canonicalize", 'export { canonicalize } from "@x/canon"', 19_250],
  ["@x/canon/verify: verifyCanonical", 'export { verifyCanonical } from "@x/canon/verify"', 700],
  // Reading URLs as browsers do without the platform's `URL` costs 0.9 kB in these bundles and those above them.
  // Recognizing texts that are not clearly one URL, such as hashes and defanged schemes, which would otherwise be "not
  // listed", costs 0.8.
  ["@x/expressions", 'export * from "@x/expressions"', 23_700],
  ["@x/sha256-prefix", 'export * from "@x/sha256-prefix"', 4_050],
  ["@x/sha256-prefix/batch", 'export * from "@x/sha256-prefix/batch"', 8_000],
  ["@x/sha256-prefix: fullHash", 'export { fullHash } from "@x/sha256-prefix"', 3_300],
  ["@x/sha256-prefix: toHex", 'export { toHex } from "@x/sha256-prefix"', 600],
  ["@x/prefix-list", 'export * from "@x/prefix-list"', 13_200],
  ["@x/prefix-list: lookupPrefix", 'export { lookupPrefix } from "@x/prefix-list"', 2_200],
  // Headers of lists in any case and with several algorithms cost 0.1 kB of this.
  ["@x/hashed-uri", 'export * from "@x/hashed-uri"', 17_650],
  ["@x/hashed-uri: parseHashedUri", 'export { parseHashedUri } from "@x/hashed-uri"', 1_500],
  // The checks of all namespaces with known parts cost 2 kB of this; the first sentence about a URL, how it is
  // disguised, its parts with Unicode's look-alike letters, and the report cost 6. The start of its registrable domain,
  // and words for paths and the beginnings of URNs, cost 0.4. Hosts that begin with another name, numbers and network
  // paths, about which the summary would otherwise say nothing useful, cost 0.4. Hosts in Unicode, shorteners, and
  // hosts where anyone can publish cost 0.8.
  ["@x/explain", 'export * from "@x/explain"', 74_850],
  // The verdict on texts that are not clearly one URL costs 0.05 kB of this.
  ["@x/explain: verdictText", 'export { verdictText } from "@x/explain"', 1_890],
  ["@x/explain/printable", 'export * from "@x/explain/printable"', 700],
  // The top-level domains cost 6 kB of this, and reading URLs costs 20. In the next bundle, the tokenizers of HTML and
  // Markdown cost 43 kB. More spellings of URLs, and names in code that are not hosts, cost 0.7.
  // Both readings of soft line breaks and of full stops between hosts, without which links would be hidden, cost 1.2.
  // Brackets anywhere in a scheme, defanged hosts behind marks, and a shortcut for clean links cost 0.3.
  ["@x/links/text", 'export * from "@x/links/text"', 33_700],
  // Opening wrapped links costs 4 kB of this, and style sheets and `data:` URLs read as browsers do, 0.5. Skipping
  // links that wrap nothing costs 0.5 kB here and in the next bundle. Bases of comments and of `<noscript>`, and
  // escapes and whole statements in style sheets, cost 0.9. URLs inside at each level of decoding, in base64 and in JSON
  // cost 0.8 here and in the next bundle.
  ["@x/links", 'export * from "@x/links"', 91_400],
  // Signs of base64 and hexadecimal anywhere in a part, without which URLs would be hidden, cost 0.3.
  ["@x/links/unwrap", 'export * from "@x/links/unwrap"', 28_000],
  // Reading each HTML part of a mail as a document of its own costs 1.3 kB of this, and recognizing mails 0.5. XML,
  // contacts and PGP messages cost 0.2. Both readings of texts, names of senders, and pieces of messages cost 1.8.
  ["@x/links/mail", 'export * from "@x/links/mail"', 101_200],
  ["@x/lookup", 'export * from "@x/lookup"', 41_300],
  ["@x/lookup/lines", 'export * from "@x/lookup/lines"', 1_100],
  // Reading URLs and the table of top-level domains cost 26 kB of this.
  ["@x/list-source", 'export * from "@x/list-source"', 63_200],
  // Copying costs 1 kB of this, histories of entries 0.9, and retired lists 0.3.
  ["@x/list-store", 'export * from "@x/list-store"', 29_500],
  ["@x/list-store: loadList", 'export { loadList } from "@x/list-store"', 16_300],
  ["@x/list-store/http", 'export * from "@x/list-store/http"', 2_770],
  // Separate functions for requests and listings cost 0.1 kB of this.
  ["@x/list-store/s3", 'export * from "@x/list-store/s3"', 7_950],
  // The bundle includes reading URLs, the look-up, the lists and the messages of all protocols. Following a storage,
  // pauses of searches and checks of results from workers cost 2 kB of it. Support for a relay costs 0.3 kB, prefixes
  // of a chosen length cost 2.1, remembering the newest versions of signed lists 0.5, and lists stored in their in-memory
  // form 0.3.
  ["@x/client", 'export * from "@x/client"', 94_300],
  // Verdicts on the URLs inside a URL cost 0.3 kB of this, and so does support for a relay. Finding the URLs that a
  // server refuses costs 0.3.
  ["@x/client: createLookup", 'export { createLookup } from "@x/client"', 43_800],
  ["@x/interop", 'export * from "@x/interop"', 27_200],
  // Reading URLs costs 20 kB of this. The bundle includes the parsers, because a format's shape and parser are in one
  // record, so that a new format is one file.
  ["@x/list-source: foreignLine", 'export { foreignLine } from "@x/list-source"', 36_000],
  // Underscores around URNs in text, and character references after them, cost 0.3 kB of this. Escapes that cut names,
  // lists of URNs, other schemes and reports of parts that are not read, without which names would be wrong or would
  // vanish silently, cost 1.1. Refusing misspelt options costs 0.1 kB in this bundle and those below it.
  ["@x/urn", 'export * from "@x/urn"', 9_910],
  ["@x/urn: parseUrn", 'export { parseUrn } from "@x/urn"', 3_100],
  // The parts of eleven namespaces, with the functions that read and write them, cost 2.4 kB of this.
  // Refusing tables with misspelt namespaces costs 0.2 kB here and below.
  ["@x/urn/namespaces", 'export * from "@x/urn/namespaces"', 8_480],
  [
    "@x/urn: equivalentUrns with namespaceRules",
    'export { equivalentUrns } from "@x/urn"; export { namespaceRules } from "@x/urn/namespaces"',
    4_550,
  ],
  [
    "@x/urn: equivalentUrns with one namespace",
    'export { equivalentUrns } from "@x/urn"; export { isbn } from "@x/urn/namespaces"',
    5_180,
  ],
  // The bundle includes the checks of namespaces.
  ["@x/urn/schema", 'export * from "@x/urn/schema"', 8_830],
];

const ENTRY = "\0entry";

/** Bundles an import into one module for a browser. */
async function bundle(code: string, conditions: readonly string[] = []): Promise<string> {
  const result = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: "silent",
    // Under vitest, Vite would choose the development builds that some packages have.
    resolve: { conditions: [...conditions, "module", "browser", "production"] },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? code : null),
      },
    ],
    build: {
      write: false,
      minify: true,
      target: "es2022",
      rollupOptions: { input: ENTRY, preserveEntrySignatures: "strict" },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const chunks = outputs.flatMap((output) => ("output" in output ? output.output : []));
  expect(chunks).toHaveLength(1);
  const [chunk] = chunks;
  if (chunk?.type !== "chunk") throw new Error("the bundle has no code");
  // Browsers have no modules and globals of Node.
  const needed = /\bfrom\s*["']|\brequire\(|["'`]node:|\bBuffer\b|\bprocess\./.exec(chunk.code);
  expect(needed?.[0]).toBeUndefined();
  return chunk.code;
}

const gzippedSize = (bundled: string) => gzipSync(bundled).length;

test.each(BUDGETS)("%s", async (what, code, budget) => {
  const bundled = await bundle(code);
  const gzipped = gzippedSize(bundled);
  console.log(`${what}: ${bundled.length} bytes, ${gzipped} gzipped`);
  expect(gzipped).toBeLessThanOrEqual(budget);
});

test("a client without a relay has no cryptography, and the README states what a relay adds", async () => {
  const client = 'export * from "@x/client";';
  const [without, through] = await Promise.all(
    [client, `${client} export * from "@x/client/ohttp"`].map((each) => bundle(each)),
  );
  expect(without).not.toMatch(/X25519|HPKE|bhttp/);
  expect(through).toMatch(/X25519/);
  const readme = readFileSync(join(ROOT, "packages/client/README.md"), "utf8");
  const stated = /It adds (\S+) kB gzipped/.exec(readme)?.[1];
  const added = gzippedSize(through!) - gzippedSize(without!);
  expect(Math.abs((Number(stated) * 1000) / added - 1), `${added} bytes`).toBeLessThan(0.05);
});

test("programs bundled with the condition @x/javascript have no WebAssembly, and check URLs", async () => {
  const code = 'export * from "@x/lookup"; export { prefixList } from "@x/prefix-list";';
  const [whole, without] = [await bundle(code), await bundle(code, ["@x/javascript"])];
  const magic = /AGFzbQ/;
  expect(whole).toMatch(magic);
  expect(without).not.toMatch(magic);
  expect(whole.length - without.length).toBeGreaterThan(15_000);
  const { checker, prefixList } = await import(
    `data:text/javascript;base64,${Buffer.from(without).toString("base64")}`
  );
  const hash = createHash("sha256").update("evil.example/").digest();
  const list = prefixList([{ prefixBytes: 32, rawHashes: new Uint8Array(hash) }]);
  const { engine, check } = checker(list);
  expect(engine).toBe("javascript");
  expect(check("http://evil.example/a")).toHaveLength(1);
  expect(() => checker(list, { engine: "webassembly" })).toThrow(/cannot be used here/);
});

const LISTS = 'export * from "@x/prefix-list"; export * from "@x/prefix-list/rice";';

/** Budgets for the code that @x/wire adds to a page that has @x/prefix-list: bytes, gzipped. */
const ADDED: readonly (readonly [what: string, code: string, gzipped: number])[] = [
  [
    "@x/wire, all of it",
    `export * from "@x/wire";
     import * as v5 from "@x/wire/v5"; import * as v4 from "@x/wire/v4";
     import * as webRisk from "@x/wire/web-risk"; export { v5, v4, webRisk };`,
    17_900,
  ],
  [
    "@x/wire, a client of v5",
    `export { applyUpdate, readResponse, writeRequest } from "@x/wire";
     export { batchGetHashLists, fromHashList, searchHashes } from "@x/wire/v5";`,
    11_700,
  ],
  [
    "@x/wire, one message in protobuf",
    `export { decodeMessage, encodeMessage } from "@x/wire";
     export { searchHashes } from "@x/wire/v5";`,
    7_500,
  ],
];

test.each(ADDED)("%s, beside @x/prefix-list", async (what, code, budget) => {
  const alone = gzippedSize(await bundle(LISTS));
  const added = gzippedSize(await bundle(`${LISTS} ${code}`)) - alone;
  console.log(`${what}: ${added} bytes gzipped`);
  expect(added).toBeLessThanOrEqual(budget);
});

test("the sizes that the README of @x/urn states", async () => {
  const all = 'export * from "@x/urn";';
  const sizes = await Promise.all(
    [all, 'export { parseUrn } from "@x/urn"', `${all} export * from "@x/urn/namespaces"`].map(
      async (code) => gzippedSize(await bundle(code)),
    ),
  );
  const [whole, parsing, withTables] = sizes as [number, number, number];
  const readme = readFileSync(join(ROOT, "packages/urn/README.md"), "utf8");
  const stated =
    /the whole package takes (\S+) kB, and `parseUrn` alone (\S+) kB\. [^`]+ add (\S+) kB/.exec(
      readme,
    );
  const measured = [whole, parsing, withTables - whole];
  measured.forEach((octets, i) => {
    const ratio = (Number(stated?.[i + 1]) * 1000) / octets;
    expect(Math.abs(ratio - 1), `stated ${stated?.[i + 1]} kB, measured ${octets}`).toBeLessThan(
      0.05,
    );
  });
});
