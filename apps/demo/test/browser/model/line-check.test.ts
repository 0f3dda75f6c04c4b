import { localHost } from "@x/canon/local-hosts";
import { readUrl } from "@x/canon/readings";
import { toCsv } from "@x/explain";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Check, isOneUrlPerLine, lineCheck } from "../../../src/web/model/line-check.ts";
import { judge } from "../../../src/web/model/row-verdict.ts";
import {
  NO_COUNTS,
  ROW_VERDICTS,
  type Row,
  type RowVerdict,
} from "../../../src/web/model/verdicts.ts";
import { checkJobs } from "../../../src/web/workers/check-jobs.ts";

const HOSTS = ["a.example", "b.example", "c.example"];
const LISTS = {
  lists: [
    prefixList(["a.example/", "b.example/x"].map(fullHash), { name: "one", created: 0 }),
    prefixList([fullHash("a.example/x")], { name: "two", created: 0 }),
  ],
  safeLists: [prefixList([fullHash("c.example/")], { name: "safe", created: 0 })],
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A short link. */
const SHORT = "https://bit.ly/x";

function verdictOfRow(row: Row): RowVerdict {
  if ("error" in row) return row.error.code === "host-undecided" ? "cannot-tell" : "not-a-url";
  if (row.url === SHORT) return "cannot-tell";
  if (row.listed || row.disguises !== undefined) return row.listed ? "listed" : "disguised";
  const { browser, specification } = readUrl(row.url);
  const { host } = (browser ?? specification)!;
  return /[.:]/.test(host) || localHost(host) !== null ? "not-listed" : "cannot-tell";
}

function checkAll(bytes: Uint8Array): Check {
  const check = lineCheck(bytes, LISTS);
  while (check.checkNext());
  return check;
}

function rowsOf(check: Check): Row[] {
  return Array.from({ length: check.size() }, (_, i) => check.rowAt(i));
}

/** The rows of one scan of all bytes. */
function plainRows(bytes: Uint8Array): Row[] {
  const { scan, checkMany } = checker(LISTS.lists, { safeLists: LISTS.safeLists });
  const judged = judge({ checkMany });
  return scan(bytes, { all: true }).verdicts.map(({ line, start, end, ...found }): Row => {
    return { line: line + 1, ...judged(bytes.subarray(start, end), found).toRecord() };
  });
}

const line = fc.oneof(
  fc.constantFrom(
    ...HOSTS.flatMap((host) => [host, `http://x.${host}/x`, `HTTP:\\\\${host}/%78?q`]),
  ),
  fc.constantFrom(
    "http://u.example@d.example/",
    "https://www.google.com/url?q=http%3A%2F%2Fa.example%2F",
    "hxxp://b[.]example/x",
    SHORT,
  ),
  fc.constantFrom("", " ", "mailto:x", "0.0.0.0 a.example", "\ufeffb.example", "ü.example/ü", "="),
  fc.string({ maxLength: 20 }),
);
const lines = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\n\n")), { maxLength: 30 })
  .map((all) => all.flat().join(""));
const texts = fc.tuple(lines, line).map((parts) => parts.join(""));

test("rows made on demand are the same as those of one scan", { tags: "deep" }, () => {
  const seen = { ...NO_COUNTS } as Record<RowVerdict, number>;
  fc.assert(
    fc.property(texts, fc.boolean(), (text, isLong) => {
      // The text is longer than a piece, so that lines end in the next piece.
      const bytes = encode(
        isLong ? `${text}\n${`http://l.example/${"l".repeat(500)}\n`.repeat(200)}` : text,
      );
      const check = checkAll(bytes);
      const rows = rowsOf(check);
      expect(rows).toEqual(plainRows(bytes));
      for (const row of rows) seen[verdictOfRow(row)]++;
      for (const [i, row] of rows.entries()) {
        expect(check.verdictAt(i)).toBe(verdictOfRow(row));
      }
      expect(check.done()).toBe(bytes.length);
    }),
    { seed: 5, numRuns: sampleSize(180) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(50));
});

test("a line of several pieces, a byte order mark and a last line without an end", () => {
  const long = `http://a.example/${"y".repeat(200_000)}`;
  const bytes = encode(`\ufeffa.example\r\n\r\n${long}\nb.example/x`);
  const check = checkAll(bytes);
  expect(rowsOf(check)).toEqual(plainRows(bytes));
  expect(rowsOf(check).map(({ line }) => line)).toEqual([1, 3, 4]);
  expect(check.counts).toEqual({ ...NO_COUNTS, listed: 3 });
});

const jobs = checkJobs();

/** All rows of a text on all pages, and the lines of them in the table to save. */
async function shownRows(text: string, show: RowVerdict | "all") {
  const { job, isLines } = await jobs.openCheck({
    source: new Blob([text]),
    ...LISTS,
  });
  while ((await jobs.continueCheck(job)).done < new Blob([text]).size && isLines);
  const rows: Row[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const part = jobs.rows({ job, show, page });
    rows.push(...part.rows.map(({ row }) => row));
    pages = part.pages;
  }
  const table = await (await jobs.table({ job, show })).text();
  const [, ...saved] = table.trimEnd().split("\r\n");
  return { rows, saved, isLines };
}

test("a filter leaves the rows of one verdict; without one, the worst come first", {
  tags: "deep",
}, async () => {
  let left = 0;
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.constantFrom("all" as const, ...ROW_VERDICTS),
      async (some, show) => {
        // More than one page of rows, and enough URLs that the text is read line by line.
        const text = `${"http://a.example/x?q\nhttp://d.example/\n".repeat(200)}${some}`;
        const { rows, saved, isLines } = await shownRows(text, show);
        expect(isLines).toBe(true);
        const plain = plainRows(encode(text));
        const expected = plain.filter((row) => show === "all" || verdictOfRow(row) === show);
        expect(saved).toEqual(toCsv(expected).trimEnd().split("\r\n").slice(1));
        const rank = (row: Row): number => ROW_VERDICTS.indexOf(verdictOfRow(row));
        expect(rows).toEqual(expected.toSorted((a, b) => rank(a) - rank(b) || a.line - b.line));
        left += rows.length;
      },
    ),
    { seed: 7, numRuns: sampleSize(30) },
  );
  expect(left).toBeGreaterThan(fewest(500));
});

test.each([
  ["http://a.example/\nb.example\n", true],
  ["http://a.example/\r\n\r\nhxxp://b[.]example/x\r\n", true],
  [`${"a.example\n".repeat(20)}0.0.0.0 b.example`, true],
  ["http://a.example/", false],
  ["http://a.example/\nSee this", false],
  ["Hello,\nhttp://a.example/\nhttp://b.example/", false],
  ['<a href="http://a.example/">\n<a href="http://b.example/">', false],
  ["[a](http://a.example/)\n[b](http://b.example/)", false],
  ["http://www.google.com/foo\tbar\rbaz\n2", false],
  ["", false],
])("%j has one URL per line: %s", (text, expected) => {
  expect(isOneUrlPerLine(encode(text))).toBe(expected);
});

test("a URL inside another one, a defanged one and a disguise have the verdicts of the command", () => {
  const text = [
    "https://www.google.com/url?q=http%3A%2F%2Fa.example%2F",
    "hxxp://a[.]example/y",
    "http://www.bank.example@d.example/",
    "http://c.example@c.example/",
    `http://d.example/?${"u=http%3A%2F%2Fe.example%2F&".repeat(10_000)}`,
    "hxxp://",
    "https://www.google.com/url?q=http%3A%2F%2Fd.example%22%2F",
  ].join("\n");
  const rows = rowsOf(checkAll(encode(text)));
  expect(rows.map(verdictOfRow)).toEqual([
    "listed",
    "listed",
    "disguised",
    // A list of safe sites has this URL.
    "not-listed",
    // This URL is too long to be unwrapped.
    "not-a-url",
    "not-a-url",
    "not-a-url",
  ]);
  expect(rows[0]).toMatchObject({ matches: [{ inner: { url: "http://a.example/" } }] });
  expect(rows[1]).toMatchObject({ url: "hxxp://a[.]example/y", canonical: "http://a.example/y" });
  expect(rows[2]).toMatchObject({ disguises: [{ code: "user-name" }] });
  expect(rows[4]).toMatchObject({ error: { code: "unwrap-limit" } });
  expect(rows[6]).toMatchObject({ error: { code: "host-invalid" } });
});
