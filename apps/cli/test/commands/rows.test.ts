import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import fc from "fast-check";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const LIST = folder.write(
  "l.list",
  encodePrefixList(prefixList([fullHash("evil.example/")], { name: "a\tb", prefixBytes: 4 })),
);
const check = (stdin: string | readonly Uint8Array[]) =>
  run(["check", "--tsv", "--list", LIST], { stdin });

test("check --tsv: a row for each line, whatever it holds", async () => {
  const ran = await check(
    'http://evil.example/x\n\nhttp://good.example/\nmailto:x\n{"a": 1}\n  \nlast.example',
  );
  expect(ran).toMatchObject({ status: 5, stderr: "" });
  expect(ran.stdout.split("\n").map((row) => row.split("\t"))).toEqual([
    [
      "listed",
      "http://evil.example/x",
      "a\\u{9}b",
      "evil.example/",
      "f001957c",
      "probable",
      "both",
      "",
    ],
    ["blank", "", "", "", "", "", "", ""],
    ["not-listed", "http://good.example/", "", "", "", "", "", ""],
    ["not-a-url", "", "", "", "", "", "", "authority-missing"],
    ["not-a-url", "", "", "", "", "", "", "json-line"],
    ["blank", "", "", "", "", "", "", ""],
    ["not-listed", "http://last.example/", "", "", "", "", "", ""],
    [""],
  ]);
});

test("a file without lines has no rows, but stdin may have any bytes", async () => {
  const parquet = "PAR1\x15\x04\x15\x1c\nhttp://evil.example/\nPAR1";
  const argv = ["check", "--list", LIST, "--file", folder.write("f.parquet", parquet)];
  const refused = await run(argv);
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toMatch(
    /f\.parquet looks like a Parquet file: expected one URL per line \(urlhash sql "SELECT … FROM '.*f\.parquet'" reads it\)\n$/,
  );
  const rows = await run([...argv, "--tsv"]);
  expect(rows).toMatchObject({ status: 2, stdout: "" });
  expect(rows.stderr).toMatch(/f\.parquet looks like a Parquet file: expected text \(urlhash sql /);
  const list = await run(["check", "--list", LIST, "--file", LIST, "--tsv"]);
  expect(list).toMatchObject({ status: 2, stdout: "" });
  const table = await run(["check", "--list", LIST, "--file", LIST, "--column", "1"]);
  expect(table.stderr).toMatch(/l\.list looks like a prefix list: expected a table\n$/);
  expect((await check(parquet)).stdout.split("\n")).toHaveLength(4);
});

test("hash --tsv: a row for each line, whatever it holds", async () => {
  const ran = await run(["hash", "--tsv"], { stdin: "b.c/1\n\nmailto:x\n" });
  expect(ran).toMatchObject({ status: 4, stderr: "" });
  const prefix = toHex(fullHash("b.c/1").subarray(0, 4));
  expect(ran.stdout.split("\n")).toEqual([
    `http://b.c/1\t${prefix} b225cf5d\tb.c/1 b.c/\t`,
    "\t\t\t",
    "\t\t\tauthority-missing",
    "",
  ]);
});

test("whatever the lines and the pieces, there are as many rows as lines", {
  tags: "deep",
}, async () => {
  const line = fc.oneof(
    fc.constantFrom("", " ", "\t", "http://evil.example/", "a.b", "\ufeff", "x\ty", "mailto:x"),
    fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replaceAll("\n", "")),
  );
  let rows = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1 }), fc.nat(40), async (lines, at) => {
      const bytes = Buffer.from(`${lines.join("\n")}\n`);
      const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
      for (const ran of [await check(pieces), await run(["hash", "--tsv"], { stdin: pieces })]) {
        const found = ran.stdout.split("\n");
        expect(found.pop()).toBe("");
        expect(found).toHaveLength(lines.length);
        const fields = found.map((row) => row.split("\t").length);
        expect(new Set(fields).size).toBe(1);
      }
      rows += lines.length;
    }),
    { seed: 13, numRuns: 100 },
  );
  expect(rows).toBeGreaterThan(300);
});

test.each([
  [["--only-listed"], "--tsv writes a row for each line: leave out --only-listed"],
  [["--json"], "json and tsv cannot be used together: choose one format"],
])("--tsv with %j is refused", async (argv, message) => {
  expect(await run(["check", "--tsv", "--list", LIST, ...argv])).toEqual({
    status: 2,
    stdout: "",
    stderr: `urlhash: ${message}\n`,
  });
});

test("--header names the columns of the rows first", async () => {
  const all = await run(["check", "--tsv", "--list", LIST, "--header"], {
    stdin: "http://evil.example/\n",
  });
  const [header, row] = all.stdout.split("\n").map((line) => line.split("\t"));
  expect(header!.slice(0, 3)).toEqual(["verdict", "canonical", "list"]);
  expect(row).toHaveLength(header!.length);
  const chosen = ["canon", "--tsv", "--header", "--columns", "row,canonical"];
  expect(await run([...chosen, "http://a.example"])).toMatchObject({
    status: 0,
    stdout: "row\tcanonical\n1\thttp://a.example/\n",
  });
  expect((await run(chosen, { stdin: "" })).stdout).toBe("row\tcanonical\n");
  expect(await run(["canon", "--json", "--header", "http://a.example"])).toMatchObject({
    status: 2,
    stdout: "",
    stderr: "urlhash: --header needs --tsv\n",
  });
});
