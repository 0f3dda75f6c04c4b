import { readUrl } from "@x/canon/readings";
import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import { disguisesOf } from "@x/explain";
import { printable } from "@x/explain/printable";
import { lookAtUrl, unwrapLink } from "@x/links/unwrap";
import { foreignLine } from "@x/list-source";
import { checker } from "@x/lookup";
import { type LineBlock, lineReader, linesIn } from "@x/lookup/lines";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluatePartWithLists, type ListCheck } from "../../src/check/list-evaluator.ts";

const EVIL = prefixList([fullHash("evil.example/")], { name: "evil" });
const REASON =
  "\n            evil.example/ (f001957c833da35384097567d684bbfdccfd3c0aea51b672d740b5858f6e9aa5) is on evil";
const OPTIONS: ListCheck = {
  lists: [EVIL],
  safeLists: [],
  format: "text",

  onlyListed: false,
  refang: false,
  colour: false,
  unwrap: true,
};

const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...["evil", "a", "bb"].map((x) => `http://${x}.example/`)),
  },
  fc.constantFrom(
    ...[
      "",
      " \t",
      "\r",
      "evil.example",
      "http://a.example/(b)",
      "http://a.example/\x1b",
      "mailto:x",
    ],
    ...[
      "0.0.0.0 evil.example",
      "http://\xff.example/",
      "http://a.example/\xe2\x80\xae",
      "http://2130706433/",
      "http://b.example@a.example/",
      "https://",
    ],
  ),
  fc.string({ unit: "binary-ascii", maxLength: 12 }),
);
const file = fc
  .tuple(fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n"))), line, fc.boolean())
  .map(([lines, last, hasMark]) =>
    Buffer.from((hasMark ? "\xef\xbb\xbf" : "") + lines.flat().join("") + last, "latin1"),
  );

interface Written {
  out: string;
  errors: string;
  inputs: number;
  listed: number;
  refused: number;
}

/** Returns the output for a file that is read in chunks of a given length. */
async function writeInPieces(
  content: Uint8Array,
  pieceBytes: number,
  check: ListCheck,
): Promise<Written> {
  const evaluatePart = evaluatePartWithLists(check);
  const sum: Written = { out: "", errors: "", inputs: 0, listed: 0, refused: 0 };
  const add = async (block: LineBlock): Promise<void> => {
    const { out, errors, inputs, listed, refused } = await evaluatePart(block, 0);
    sum.out += typeof out === "string" ? out : new TextDecoder().decode(out);
    sum.errors += errors;
    sum.inputs += inputs;
    sum.listed += listed;
    sum.refused += refused;
  };
  const reader = lineReader();
  for (let start = 0; start < content.length; start += pieceBytes) {
    await add(reader.push(content.subarray(start, start + pieceBytes)));
  }
  await add(reader.end());
  return sum;
}

test("text has a verdict for each URL, in bytes as in strings", { tags: "deep" }, async () => {
  const { checkMany } = checker(EVIL);
  const seen = { plain: 0, escaped: 0, listed: 0, refused: 0, disguised: 0 };
  await fc.assert(
    fc.asyncProperty(file, fc.integer({ min: 1, max: 80 }), async (content, pieceBytes) => {
      let [expected, refused] = ["", 0];
      for (const { start, end } of linesIn(content)) {
        const url = content.subarray(start, end);
        const shown = printable(url);
        const [verdict] = checkMany([url]);
        if (verdict!.matches.length > 0) {
          seen.listed++;
          expected += `LISTED      ${shown}${REASON}\n`;
        } else if (foreignLine(url) !== null || verdict!.error !== null) {
          seen.refused++;
          refused++;
        } else if (disguisesOf(url, readUrl(url)).length > 0) {
          seen.disguised++;
          const reasons = disguisesOf(url, readUrl(url)).map(({ message }) => message);
          expected += `${[`disguised   ${shown}`, ...reasons].join(`\n${" ".repeat(12)}`)}\n`;
        } else {
          if (shown === url.toString("latin1")) seen.plain++;
          else seen.escaped++;
          expected += `not listed  ${shown}\n`;
        }
      }
      const written = await writeInPieces(content, pieceBytes, OPTIONS);
      expect(written.out).toBe(expected);
      expect(written.refused).toBe(refused);
      expect(written.errors.match(/^urlhash: line /gm) ?? []).toHaveLength(refused);
    }),
    { seed: 18, numRuns: sampleSize(500) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(30));
});

test("canonical URLs that look plain have nothing inside, no disguise and no other text", () => {
  const label = fc.constantFrom(
    ...["evil", "a", "-dot-", "evil-dot-example", "http", "hxxp", "x1", "DOT", "google", "co"],
    ...["xn--80ak6aa92e", "xn--a", "a--b"],
  );
  const host = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join("."));
  const unit = fc.constantFrom(
    ..."/.,;|#?=&%@!*~_'\"<>()[]{}\\0aZ:",
    ...[" ", "\t", "\0", "\u00fc", "\u202e", "://", ",http://b.example/", "[.]", "</a>", "##.ad"],
    ...["aHR0cDovL2V2aWwuZXhhbXBsZS8", "/http:/b.example", "%68ttp://b.example", "b.example@"],
    ...["url?q=b.example", "amp/s/b.example", "--", "xn--"],
  );
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
  const seen = { plain: 0, inside: 0, disguised: 0, foreign: 0, other: 0 };
  const scheme = fc.constantFrom("http", "https");
  fc.assert(
    fc.property(scheme, host, fc.string({ unit, maxLength: 6 }), (before, name, after) => {
      const url = new TextEncoder().encode(`${before}://${name}/${after}`);
      if (!verifyCanonical(url, 0, url.length, spans)) return;
      const lines = Buffer.concat([Buffer.from("x\n"), url, Buffer.from("\n,http://c.example/")]);
      const { found, limits } = unwrapLink(url);
      const isInside = found.length > 0 || limits.length > 0;
      const isDisguised = disguisesOf(url, null).length > 0;
      const isForeign = foreignLine(url) !== null;
      if (lookAtUrl(lines, 2, 2 + url.length) === "plain") {
        seen.plain++;
        expect({ isInside, isDisguised, isForeign }).toEqual({
          isInside: false,
          isDisguised: false,
          isForeign: false,
        });
      } else if (isInside) seen.inside++;
      else if (isDisguised) seen.disguised++;
      else if (isForeign) seen.foreign++;
      else seen.other++;
    }),
    { seed: 18, numRuns: sampleSize(20_000) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(30));
});

test("what is written does not depend on the pieces that a file is read in", {
  tags: "deep",
}, async () => {
  const options = fc.record({
    format: fc.constantFrom("text", "json", "ndjson"),
    onlyListed: fc.boolean(),
    colour: fc.boolean(),
  });
  let several = 0;
  await fc.assert(
    fc.asyncProperty(
      file,
      fc.integer({ min: 1, max: 80 }),
      options,
      async (content, pieceBytes, chosen) => {
        const all = { ...OPTIONS, ...chosen } as ListCheck;
        expect(await writeInPieces(content, pieceBytes, all)).toEqual(
          await writeInPieces(content, content.length + 1, all),
        );
        if (pieceBytes < content.length) several++;
      },
    ),
    { seed: 18, numRuns: sampleSize(500) },
  );
  expect(several).toBeGreaterThan(fewest(30));
});

test("long blocks are written whole", async () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `http://host${i}.example/${i % 7}`);
  lines[4000] = "http://evil.example/";
  lines[4500] = "http://ü.example/";
  const content = Buffer.from(lines.join("\n"));
  const { out } = await writeInPieces(content, content.length, OPTIONS);
  const expected = lines.map((url, i) => {
    return i === 4000 ? `LISTED      ${url}${REASON}\n` : `not listed  ${url}\n`;
  });
  expect(out).toBe(expected.join(""));
});
