import { type ListSourceOptions, readListSource } from "@x/list-source";
import { expect, test } from "vitest";

/** The entries of a source with their dates. */
async function datesIn(lines: readonly string[], options: Omit<ListSourceOptions, "onEntry">) {
  const found: [string, string | undefined][] = [];
  const onEntry: ListSourceOptions["onEntry"] = ({ expression, date }) =>
    found.push([expression!, date]);
  await readListSource([Buffer.from(lines.join("\n"))], { ...options, onEntry });
  return found;
}

const EXPECTED = [
  ["a.example/", "2026-11-29"],
  ["b.example/", undefined],
  ["c.example/", "yesterday"],
];

test.each([
  [{ where: "all", column: "host", dateColumn: "seen" }],
  [{ where: "all", column: 1, dateColumn: 2 }],
  // Entries wait for the end of the table.
  [{ column: "host", dateColumn: "seen" }],
])("a table has dates with %j", async (options) => {
  const rows = ["host,seen", "a.example, 2026-11-29 ", "b.example,", "c.example,yesterday"];
  expect(await datesIn(rows, options)).toEqual(EXPECTED);
});

test("JSON has dates, too, which may be numbers", async () => {
  const records = [
    { host: "a.example", info: { seen: 1764320000 } },
    { host: "b.example" },
    { host: "c.example", info: { seen: null } },
  ];
  const options = { where: "all", column: "host", dateColumn: "info.seen" };
  const expected = [["a.example/", "1764320000"], ["b.example/"], ["c.example/"]];
  const lines = records.map((each) => JSON.stringify(each));
  const dates = (await datesIn(lines, options)).map((each) => each.filter(Boolean));
  expect(dates).toEqual(expected);
  const document = [JSON.stringify({ data: records })];
  const whole = await datesIn(document, { ...options, column: "data[].host" });
  expect(whole.map((each) => each.filter(Boolean))).toEqual(expected);
});

test("sources without the column are refused, and entries of other formats have no date", async () => {
  const options = { where: "all", column: "host", dateColumn: "seen" };
  await expect(datesIn(["host,when", "a.example,2026-11-29"], options)).rejects.toMatchObject({
    code: "date-column-missing",
  });
  expect(await datesIn(["a.example"], { dateColumn: "seen" })).toEqual([["a.example/", undefined]]);
  await expect(datesIn([], { dateColumn: 0 })).rejects.toThrow(TypeError);
});
