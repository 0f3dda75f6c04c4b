import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { fewest, sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type BulkCheck, bulkCheck } from "../../../src/web/model/bulk/bulk-check.ts";
import { downloadOf } from "../../../src/web/model/bulk/download.ts";
import { type RowFilter, selector } from "../../../src/web/model/bulk/selection.ts";
import {
  ROW_ORDERS,
  ROW_VERDICTS,
  type Row,
  toNdjson,
  verdictOfRow,
} from "../../../src/web/model/row.ts";
import { judge } from "../../../src/web/model/row-verdict.ts";

const HOSTS = ["a.example", "b.example", "c.example"];
const LISTS = {
  lists: [
    prefixList(["a.example/", "b.example/x"].map(fullHash), { name: "one", created: 0 }),
    prefixList([fullHash("a.example/x")], { name: "two", created: 0 }),
  ],
  safeLists: [prefixList([fullHash("c.example/")], { name: "safe", created: 0 })],
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const never = async (): Promise<void> => {};

function checkAll(bytes: Uint8Array): BulkCheck {
  const check = bulkCheck(bytes, LISTS, "javascript");
  while (check.checkNext());
  return check;
}

function rowsOf(check: BulkCheck): Row[] {
  return Array.from({ length: check.lines.size() }, (_, i) => check.rowAt(i));
}

/** The rows of one scan of all bytes. */
function plainRows(bytes: Uint8Array): Row[] {
  const { scan, checkMany } = checker(LISTS.lists, { safeLists: LISTS.safeLists });
  const judged = judge({ checkMany });
  return scan(bytes, { all: true }).findings.map(({ line, start, end, ...found }): Row => {
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
  ),
  fc.constantFrom("", " ", "mailto:x", "0.0.0.0 a.example", "\ufeffb.example", "ü.example/ü", "="),
  fc.string({ maxLength: 20 }),
);
const lines = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\n\n")), { maxLength: 30 })
  .map((all) => all.flat().join(""));
const texts = fc.tuple(lines, line).map((parts) => parts.join(""));

test("rows made on demand are the same as those of one scan", { tags: "deep" }, () => {
  const seen = { listed: 0, disguised: 0, "not-listed": 0, "not-a-url": 0 };
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
        expect(check.lines.verdictAt(i)).toBe(verdictOfRow(row));
      }
      expect(check.done()).toBe(bytes.length);
    }),
    { seed: 5, numRuns: sampleSize(120) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(fewest(50));
});

test("a line of several pieces, a byte order mark and a last line without an end", () => {
  const long = `http://a.example/${"y".repeat(200_000)}`;
  const bytes = encode(`\ufeffa.example\r\n\r\n${long}\nb.example/x`);
  const check = checkAll(bytes);
  expect(rowsOf(check)).toEqual(plainRows(bytes));
  expect(rowsOf(check).map(({ line }) => line)).toEqual([1, 3, 4]);
  expect(check.counts).toEqual({ listed: 3, disguised: 0, "not-listed": 0, "not-a-url": 0 });
});

function isLeft(row: Row, { show, find, entry, host }: RowFilter): boolean {
  if (show !== "all" && verdictOfRow(row) !== show) return false;
  if (entry !== "" || host !== "") {
    if ("error" in row || !row.listed) return false;
    const url = row.matches[0]!.inner?.url ?? row.canonical ?? row.browser!;
    if (host !== "" && new URL(url).host !== host) return false;
    if (entry !== "" && !row.matches.some(({ expression }) => expression === entry)) return false;
  }
  const canonical = "error" in row ? "" : (row.canonical ?? "");
  return [row.url, canonical].some((text) => text.toLowerCase().includes(find.toLowerCase()));
}

test("filters leave the same rows as a plain filter, even while the check runs", {
  tags: "deep",
}, async () => {
  const filter: fc.Arbitrary<RowFilter> = fc.record({
    show: fc.constantFrom("all", ...ROW_VERDICTS),
    find: fc.constantFrom("", "EXAMPLE", "/x", "m"),
    entry: fc.constantFrom("", "a.example/", "a.example/x"),
    host: fc.constantFrom("", "a.example", "x.a.example"),
  });
  let left = 0;
  await fc.assert(
    fc.asyncProperty(texts, filter, fc.constantFrom(...ROW_ORDERS), async (text, asked, order) => {
      // A piece ends before the last line.
      const bytes = encode(`${`http://a.example/x?${"q".repeat(500)}\n`.repeat(150)}${text}`);
      const check = bulkCheck(bytes, LISTS, "javascript");
      const select = selector(check, never, 16);
      check.checkNext();
      const early = await select(asked, order);
      while (check.checkNext());
      const late = await select(asked, order);
      expect(early.length).toBeLessThanOrEqual(late.length);
      const expected = rowsOf(check).flatMap((row, i) => (isLeft(row, asked) ? [i] : []));
      expect([...late].sort((a, b) => a - b)).toEqual(expected);
      left += late.length;
      const key = order.replace("-", "");
      const rows = Array.from(order.startsWith("-") ? late.toReversed() : late, check.rowAt);
      const keys = rows.map((row) =>
        key === "listed"
          ? row.line + (verdictOfRow(row) === "listed" ? 0 : 1e6)
          : key === "line"
            ? row.line
            : key === "verdict"
              ? ["listed", "disguised", "not-a-url", "not-listed"].indexOf(verdictOfRow(row))
              : Buffer.from(row.url).toString("hex"),
      );
      const sorted = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      expect(keys).toEqual(sorted);
      const file = await downloadOf(check, late, "ndjson", never);
      const all = Array.from(late, check.rowAt);
      expect(await file.text()).toBe(toNdjson(all));
    }),
    { seed: 7, numRuns: 30 },
  );
  expect(left).toBeGreaterThan(500);
});

test("hits on more names than are kept are still counted in the total", { tags: "deep" }, () => {
  const count = 12_000;
  const hosts = Array.from({ length: count }, (_, i) => `h${i}.a.example`);
  const { tally } = checkAll(encode(`${hosts.join("\n")}\n${"h7.a.example\n".repeat(3)}`));
  expect(tally.hosts().total).toBe(count + 3);
  expect(tally.hosts().most[0]).toEqual({ name: "h7.a.example", list: null, count: 4 });
  expect(tally.entries().most).toEqual([{ name: "a.example/", list: "one", count: count + 3 }]);
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
