import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";
import { ROOT } from "../repository.ts";

/**
 * What a browser downloads of an import, minified: octets, and octets gzipped. The budgets are a little
 * above what was measured; who goes over one says in the same change why it is worth it.
 */
const BUDGETS: readonly (readonly [what: string, code: string, gzipped: number])[] = [
  ["@x/canon", 'export * from "@x/canon"', 6_900],
  ["@x/canon: canonicalize", 'export { canonicalize } from "@x/canon"', 4_400],
  ["@x/canon/verify", 'export * from "@x/canon/verify"', 600],
  ["@x/expressions", 'export * from "@x/expressions"', 5_200],
  ["@x/sha256-prefix", 'export * from "@x/sha256-prefix"', 9_800],
  ["@x/sha256-prefix: fullHash", 'export { fullHash } from "@x/sha256-prefix"', 3_100],
  ["@x/sha256-prefix: toHex", 'export { toHex } from "@x/sha256-prefix"', 400],
  ["@x/prefix-list", 'export * from "@x/prefix-list"', 13_000],
  ["@x/prefix-list: lookupPrefix", 'export { lookupPrefix } from "@x/prefix-list"', 2_100],
  ["@x/hashed-uri", 'export * from "@x/hashed-uri"', 17_000],
  ["@x/hashed-uri: parseHashedUri", 'export { parseHashedUri } from "@x/hashed-uri"', 1_500],
  ["@x/explain", 'export * from "@x/explain"', 27_000],
  ["@x/explain: verdictText", 'export { verdictText } from "@x/explain"', 700],
  ["@x/explain/printable", 'export * from "@x/explain/printable"', 700],
  ["@x/lookup", 'export * from "@x/lookup"', 16_000],
  ["@x/list-source", 'export * from "@x/list-source"', 25_200],
  ["@x/list-source: recognizeLine", 'export { recognizeLine } from "@x/list-source"', 1_500],
  ["@x/urn", 'export * from "@x/urn"', 6_800],
  ["@x/urn: parseUrn", 'export { parseUrn } from "@x/urn"', 2_900],
  ["@x/urn/namespaces", 'export * from "@x/urn/namespaces"', 5_500],
];

const ENTRY = "\0entry";

/** The one module that an import becomes when it is bundled for a browser. */
async function bundle(code: string): Promise<string> {
  const result = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: "silent",
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
  if (chunk?.type !== "chunk") throw new Error("no code came out");
  // A browser has none of these.
  const needed = /\bfrom\s*["']|\brequire\(|\bnode:|\bBuffer\b|\bprocess\./.exec(chunk.code);
  expect(needed?.[0]).toBeUndefined();
  return chunk.code;
}

const gzippedSize = (bundled: string) => gzipSync(bundled).length;

test.each(BUDGETS)("%s", async (what, code, budget) => {
  const bundled = await bundle(code);
  const gzipped = gzippedSize(bundled);
  console.log(`${what}: ${bundled.length} octets, ${gzipped} gzipped`);
  expect(gzipped).toBeLessThanOrEqual(budget);
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
  const stated = /All of it is (\S+) kB [^`]+`parseUrn` alone (\S+) kB, [^`]+ add (\S+) kB/.exec(
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
