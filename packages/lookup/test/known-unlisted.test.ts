import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import { expressions } from "@x/expressions";
import { checker, type UrlVerdict } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWorkspace, type Workspace } from "../src/batch/workspace.ts";

const SEED = 20261122;
const BYTES = 1 << 12;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

// Few hosts and folders, so that expressions repeat. Some texts are a little shorter or longer than the longest text
// that is remembered.
const label = fc.constantFrom(
  "a",
  "b",
  "www",
  "a-label-of-20-letters",
  "a-label-of-28-letters-as-it-is",
);
const host = fc.array(label, { minLength: 1, maxLength: 7 }).map((labels) => labels.join("."));
const folder = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom("x", "y", "xx", "a.b", "a-folder-of-21-letters") },
  fc.constantFrom("é", "..", ""),
);
const rest = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("", "/", "?q", "?", "?/x/y", "#f") },
  fc.constantFrom("?%", "\\", " "),
);
const scheme = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("http://", "https://") },
  fc.constantFrom("HTTP://", ""),
);
const url = fc
  .tuple(scheme, host, fc.array(folder, { maxLength: 5 }), rest)
  .map(([scheme, name, folders, end]) => `${scheme}${name}/${folders.join("/")}${end}`);

/**
 * Adds a URL at the start of the bytes. Returns its expressions that are not known, or `null` if the URL is not
 * canonical.
 */
function add(workspace: Workspace, text: string): string[] | null {
  const { written } = encoder.encodeInto(text, workspace.bytes);
  const count = workspace.addIfCanonical(0, written, 0);
  return count < 0 ? null : textsOf(workspace, count);
}

function textsOf({ bytes, starts, ends }: Workspace, count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    decoder.decode(bytes.subarray(starts[i], ends[i])),
  );
}

/** Whether an expression is on the list of these tests. */
const isListed = (expression: string) => expression.length % 4 === 1;

/** Remembers the expressions that are not listed, as a lookup does. */
function lookUp(workspace: Workspace, found: readonly string[]): void {
  const listed = found.flatMap((expression, i) => (isListed(expression) ? [i] : []));
  // The numbers after the count are not indices.
  workspace.rememberExcept(Uint32Array.from([...listed, 0, 1]), listed.length, found.length);
}

describe.each(["webassembly", "javascript"] as const)("in %s", (engine) => {
  test("only expressions that were looked up and are not listed are left out", () => {
    const workspace = createWorkspace(BYTES, { onlyHosts: false }, engine);
    const unlisted = new Set<string>();
    const seen = { leftOut: 0, again: 0, listed: 0, notLookedUp: 0, notCanonical: 0 };
    fc.assert(
      fc.property(url, fc.nat(9), (text, chance) => {
        const found = add(workspace, text);
        if (found === null) {
          seen.notCanonical++;
          return;
        }
        const all = expressions(text);
        expect(all.filter((expression) => found.includes(expression))).toEqual(found);
        for (const expression of all) {
          if (found.includes(expression)) {
            if (unlisted.has(expression)) seen.again++;
          } else {
            expect(unlisted, expression).toContain(expression);
            seen.leftOut++;
          }
        }
        if (chance === 0) {
          seen.notLookedUp++;
          return;
        }
        lookUp(workspace, found);
        for (const expression of found) {
          if (isListed(expression)) seen.listed++;
          else unlisted.add(expression);
        }
      }),
      { seed: SEED, numRuns: sampleSize(10_000) },
    );
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(fewest(500));
  });

  test("an expression is known by its whole text", () => {
    const workspace = createWorkspace(BYTES, { onlyHosts: false }, engine);
    // With its slash, the name has 31 bytes, the length of the longest text that is remembered.
    const name = `${"a".repeat(26)}.com`;
    expect(add(workspace, `http://${name}/`)).toEqual([`${name}/`]);
    lookUp(workspace, [`${name}/`]);
    for (let i = 0; i < name.length; i++) {
      const other = `${name.slice(0, i)}${name[i] === "." ? "-" : "b"}${name.slice(i + 1)}`;
      expect(add(workspace, `http://${other}/`), other).toEqual([`${other}/`]);
    }
    expect(add(workspace, `http://${name}/`)).toEqual([]);
  });

  test("no other part of a URL is kept", () => {
    const workspace = createWorkspace(BYTES, { onlyHosts: false }, engine);
    const found = add(workspace, "https://a.b/reset?token=SECRET123456")!;
    expect(found).toContain("a.b/");
    workspace.rememberExcept(new Uint32Array(), 0, found.length);
    workspace.bytes.fill(0);
    const kept = Buffer.from(workspace.bytes.buffer).toString("latin1");
    expect(kept).toContain("a.b/");
    expect(kept).not.toContain("SECRET");
    expect(kept).not.toContain("a.b/reset");
  });

  test.each([
    ["as they are", {}],
    ["by their registrable domains", { registrableDomain: (name: string) => name }],
  ])(
    "a checker that has seen many URLs gives the same verdicts as a new one, hosts %s",
    { tags: "deep" },
    (_, options) => {
      const listed = ["a.b/", "www.b/x/", "a/", "b/?q", "a-label-of-20-letters.b/"];
      const lists = [
        prefixList(
          listed.map((text) => fullHash(text)),
          { name: "all" },
        ),
        prefixList(
          listed.map((text) => fullHash(text).subarray(0, 4)),
          { name: "prefixes" },
        ),
      ];
      const safeLists = prefixList([fullHash("www.b/x/y/"), fullHash("b.b/")], { name: "safe" });
      const old = checker(lists, { engine, safeLists, ...options });
      const told = ({ matches, safeMatches, error }: UrlVerdict) =>
        error?.code ??
        [...matches, ...safeMatches].map(
          ({ expression, list, reading }) => `${list.name} ${expression} ${reading}`,
        );
      const seen = { listed: 0, unlisted: 0, error: 0, safe: 0 };
      fc.assert(
        fc.property(fc.array(url, { minLength: 50, maxLength: 80 }), (urls) => {
          const expected = [...checker(lists, { engine, safeLists, ...options }).checkMany(urls)];
          expect([...old.checkMany(urls)].map(told)).toEqual(expected.map(told));
          // Two calls run at the same time and take turns.
          const [one, other] = [old.checkMany(urls), old.checkMany(urls)];
          const taken = urls.map(() => [one.next().value, other.next().value] as UrlVerdict[]);
          expect(taken.map((both) => both.map(told))).toEqual(
            expected.map((verdict) => [told(verdict), told(verdict)]),
          );
          urls.forEach((text, i) => {
            const { matches, safeMatches, error } = expected[i]!;
            if (error !== null) seen.error++;
            else if (safeMatches.length > 0) seen.safe++;
            else {
              expect(old.check(text).map(({ expression }) => expression)).toEqual(
                matches.map(({ expression }) => expression),
              );
              seen[matches.length > 0 ? "listed" : "unlisted"]++;
            }
          });
        }),
        { seed: SEED, numRuns: 60 },
      );
      const { error, ...reached } = seen;
      expect(Math.min(...Object.values(reached)), JSON.stringify(seen)).toBeGreaterThan(fewest(10));
    },
  );
});

test("WebAssembly and JavaScript do the same, step by step", () => {
  const engines = ["webassembly", "javascript"] as const;
  const [one, other] = engines.map((engine) =>
    createWorkspace(BYTES, { onlyHosts: false }, engine),
  );
  const seen = { canonical: 0, notCanonical: 0, leftOut: 0 };
  const bytes = fc.oneof(
    { weight: 4, arbitrary: url.map((text) => encoder.encode(text)) },
    // A URL with one byte changed.
    fc.tuple(url, fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
      const changed = encoder.encode(text);
      changed[at % changed.length] = byte;
      return changed;
    }),
  );
  fc.assert(
    fc.property(bytes, fc.nat(50), (octets, start) => {
      const results = [one!, other!].map((workspace) => {
        workspace.bytes.fill(0x2f, 0, start);
        workspace.bytes.set(octets, start);
        const count = workspace.addIfCanonical(start, start + octets.length, 0);
        const found = textsOf(workspace, Math.max(0, count));
        lookUp(workspace, found);
        return { isCanonical: count >= 0, found };
      });
      expect(results[0]).toEqual(results[1]);
      const { isCanonical, found } = results[0]!;
      const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
      expect(isCanonical).toBe(verifyCanonical(octets, 0, octets.length, spans));
      seen[isCanonical ? "canonical" : "notCanonical"]++;
      if (isCanonical && found.length < expressions(octets).length) seen.leftOut++;
    }),
    { seed: SEED, numRuns: sampleSize(20_000) },
  );
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(fewest(2000));
});
