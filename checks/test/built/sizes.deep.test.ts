import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";
import { readProse } from "../repository.ts";

/**
 * Budgets for the code that a browser downloads for an import: bytes, minified and gzipped. The budgets are a little
 * above the measured sizes. A change that exceeds a budget must raise it and justify the new size. Each bundle that
 * canonicalizes URLs has the table of UTS 46 (13 kB), so that hosts are mapped in the same way on every platform.
 */
const BUDGETS: readonly (readonly [what: string, code: string, gzipped: number])[] = [
  ["@x/canon", 'export * from "@x/canon"', 19_450],
  ["@x/canon: canonicalize", 'export { canonicalize } from "@x/canon"', 19_250],
  ["@x/canon/verify: verifyCanonical", 'export { verifyCanonical } from "@x/canon/verify"', 700],
  ["@x/expressions", 'export * from "@x/expressions"', 23_700],
  ["@x/sha256-prefix", 'export * from "@x/sha256-prefix"', 4_050],
  ["@x/sha256-prefix/batch", 'export * from "@x/sha256-prefix/batch"', 8_000],
  ["@x/sha256-prefix: fullHash", 'export { fullHash } from "@x/sha256-prefix"', 3_300],
  ["@x/sha256-prefix: toHex", 'export { toHex } from "@x/sha256-prefix"', 600],
  ["@x/prefix-list", 'export * from "@x/prefix-list"', 13_500],
  ["@x/prefix-list: lookupPrefix", 'export { lookupPrefix } from "@x/prefix-list"', 2_200],
  ["@x/hashed-uri", 'export * from "@x/hashed-uri"', 17_000],
  ["@x/hashed-uri: parseHashedUri", 'export { parseHashedUri } from "@x/hashed-uri"', 1_500],
  ["@x/explain", 'export * from "@x/explain"', 76_200],
  ["@x/explain: verdictText", 'export { verdictText } from "@x/explain"', 1_990],
  ["@x/links/look-alikes", 'export * from "@x/links/look-alikes"', 14_700],
  ["@x/explain/printable", 'export * from "@x/explain/printable"', 700],
  ["@x/links/text", 'export * from "@x/links/text"', 33_700],
  ["@x/links", 'export * from "@x/links"', 91_800],
  ["@x/links/unwrap", 'export * from "@x/links/unwrap"', 28_100],
  ["@x/links/mail", 'export * from "@x/links/mail"', 101_200],
  ["@x/lookup", 'export * from "@x/lookup"', 41_900],
  ["@x/lookup/lines", 'export * from "@x/lookup/lines"', 1_100],
  ["@x/list-source", 'export * from "@x/list-source"', 61_050],
  ["@x/list-store", 'export * from "@x/list-store"', 30_900],
  ["@x/list-store: loadList", 'export { loadList } from "@x/list-store"', 16_800],
  ["@x/list-store/http", 'export * from "@x/list-store/http"', 2_900],
  ["@x/list-store/s3", 'export * from "@x/list-store/s3"', 8_020],
  ["@x/client", 'export * from "@x/client"', 94_350],
  ["@x/client: createLookup", 'export { createLookup } from "@x/client"', 43_850],
  ["@x/client/history", 'export * from "@x/client/history"', 39_800],
  ["@x/interop", 'export * from "@x/interop"', 27_200],
  ["@x/list-source: foreignLine", 'export { foreignLine } from "@x/list-source"', 36_000],
  ["@x/urn", 'export * from "@x/urn"', 9_910],
  ["@x/urn: parseUrn", 'export { parseUrn } from "@x/urn"', 3_100],
  ["@x/urn/namespaces", 'export * from "@x/urn/namespaces"', 6_950],
  [
    "@x/urn: equivalentUrns with namespaceRules",
    'export { equivalentUrns } from "@x/urn"; export { namespaceRules } from "@x/urn/namespaces"',
    4_550,
  ],
  ["@x/urn/schema", 'export * from "@x/urn/schema"', 7_100],
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
  const readme = readProse("packages/client/README.md");
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
  const readme = readProse("packages/urn/README.md");
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
