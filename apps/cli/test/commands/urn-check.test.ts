import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const check = (argv: readonly string[], stdin: string | Uint8Array = "") =>
  run(["urn", "check", ...argv], { stdin });

describe("lines", () => {
  test("good URNs are only counted", async () => {
    expect(await check([], "\ufeffurn:a:b\r\n\n  \nurn:isbn:0-395-36341-1")).toEqual({
      status: 0,
      stdout: "",
      stderr: "urlhash: 2 URNs checked, 0 problems\n",
    });
    expect((await check([])).stderr).toBe("urlhash: 0 URNs checked, 0 problems\n");
  });

  test("a caret points at each problem", async () => {
    const text = "urn:isbn:0-395-36341-2\n\nurn:a:ü b\nurn:é:x\nurn:a:b\n";
    expect(await check([], text)).toEqual({
      status: 4,
      stdout: `1:10: Expected the last digit of the ISBN to match the others (RFC 3187 §5)
    urn:isbn:0-395-36341-2
             ^
3:7: Expected a character that may be unescaped in a namespace-specific string (RFC 2141 §2.4)
    urn:a:ü b
          ^ U+00FC
4:5: Expected an ASCII letter or digit at the start of the namespace identifier (RFC 2141 §2.1)
    urn:é:x
        ^ U+00E9
`,
      stderr: "urlhash: 4 URNs checked, 3 problems\n",
    });
  });

  test("only the namespaces that are named, in either case", async () => {
    const lines = "urn:nbn:de:gbv:089-3321752945\nURN:ISBN:0395363411\nurn:a:b\nurn:nbn:x\n";
    const { status, stdout } = await check(["--namespace", "nbn", "--namespace", "isbn"], lines);
    expect(status).toBe(4);
    expect(stdout).toContain('3:5: Expected the namespace identifier "nbn" or "isbn", not "a"\n');
    expect(stdout).toContain("4:9: Expected a two-letter country code");
    expect(stdout.match(/^\d/gm)).toEqual(["3", "4"]);
    for (const [nid, message] of [
      ["", "expected a value that is not empty"],
      ["urn:nbn", '--namespace is not a namespace: "urn:urn:nbn:a" at index 4'],
      ["nbn:de", '--namespace nbn:de has a ":" in it'],
    ]) {
      const ran = await check(["--namespace", nid!], lines);
      expect(ran.status).toBe(2);
      expect(ran.stderr).toContain(message);
    }
  });

  test("--syntax", async () => {
    expect((await check(["--syntax", "rfc8141"], "urn:ab:c?=q#f")).status).toBe(0);
    const { stdout } = await check([], "urn:ab:c~d");
    expect(stdout).toContain("RFC 8141 allows it: use --syntax rfc8141");
    for (const components of ["#x", "?=x", "?+x"]) {
      const uuid = `urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6${components}`;
      const refused = await check([], uuid);
      expect(refused.status).toBe(4);
      expect(refused.stdout).toContain(
        "hyphens between them (RFC 9562 §4). RFC 8141 allows it: use --syntax rfc8141\n",
      );
      expect((await check(["--syntax", "rfc8141"], uuid)).status).toBe(0);
    }
  });

  test("a problem has a column only if it is certain", async () => {
    const rows = "title;id\nÜber;urn:isbn:0-395-36341-2\nx;urn:é\ny\n\nurn:a;urn:a\n";
    const { stdout } = await check(["--column", "id"], rows);
    expect(stdout.match(/^\d+:(?:\d+:)?/gm)).toEqual(["2:15:", "3:7:", "4:", "6:"]);
  });

  test("what is not text is a problem, too", async () => {
    const bytes = Buffer.concat([Buffer.from("urn:a:b\nurn:a:\xff\n", "latin1")]);
    expect(await check([], bytes)).toEqual({
      status: 4,
      stdout: '2: "urn:a:\\xff" is not UTF-8\n',
      stderr: "urlhash: 2 URNs checked, 1 problem\n",
    });
    const long = await check(["--ndjson"], `urn:a:b\nurn:a:${"b".repeat(2 ** 21)}\nurn:b`);
    const records = long.stdout.trimEnd().split("\n");
    expect(records.map((record) => JSON.parse(record).error.code)).toEqual([
      "line-too-long",
      "nss-missing",
    ]);
    const wide = await check([], Buffer.from("\ufeffurn:a:b\n", "utf16le"));
    expect(wide.status).toBe(2);
    expect(wide.stderr).toContain("UTF-16");
  });

  test("several files are named, and one that is missing ends the command", async () => {
    const [a, b] = [folder.write("a\x1b.txt", "urn:a\n"), folder.write("b.txt", "\nurn:b\n")];
    const { status, stdout } = await check([a, b, "-"], "urn:c");
    expect(status).toBe(4);
    const shown = a.replace("\x1b", "\\u{1b}");
    expect(stdout.split("\n").filter((line) => !line.startsWith(" "))).toEqual([
      `${shown}:1:6: Expected ":" and a namespace-specific string (RFC 2141 §2)`,
      `${b}:2:6: Expected ":" and a namespace-specific string (RFC 2141 §2)`,
      '1:6: Expected ":" and a namespace-specific string (RFC 2141 §2)',
      "",
    ]);
    expect(await check([folder.path("missing")])).toMatchObject({ status: 2, stdout: "" });
  });
});

describe("a column of a table", () => {
  const csv = folder.write(
    "records.csv",
    `title,id
One,urn:isbn:0-395-36341-1
"Zwei, ü",urn:isbn:0-395-36341-2
Three,
"Four
lines","urn:isbn:x"
Five,urn:isbn:0395363411,urn:isbn:1
"Six"", ",  urn:isbn:y
urn:isbn:z,urn:isbn:z
`,
  );

  test("by its name: every row is checked or reported", async () => {
    expect(await check(["--column", "id", csv])).toEqual({
      status: 4,
      stdout: `${csv}:3:20: Expected the last digit of the ISBN to match the others (RFC 3187 §5)
    urn:isbn:0-395-36341-2
             ^
${csv}:5: ${"Expected an ISBN: 10 digits, where the last may be X, or 13 digits that start with 978 or 979, with single hyphens between parts"} (RFC 3187 §5)
    urn:isbn:x
             ^
${csv}:7: the row cannot be read: expected as many fields as the header or the first row has, including the column
    Five,urn:isbn:0395363411,urn:isbn:1
${csv}:8:22: Expected an ISBN: 10 digits, where the last may be X, or 13 digits that start with 978 or 979, with single hyphens between parts (RFC 3187 §5)
    urn:isbn:y
             ^
${csv}:9: Expected an ISBN: 10 digits, where the last may be X, or 13 digits that start with 978 or 979, with single hyphens between parts (RFC 3187 §5)
    urn:isbn:z
             ^
`,
      stderr: "urlhash: 6 URNs checked, 5 problems\n",
    });
  });

  test("by its number, without a header", async () => {
    expect(await check(["--column", "2"], "1\turn:a:b\n2\turn:a\n")).toMatchObject({
      status: 4,
      stdout: expect.stringMatching(/^2:8: Expected ":"/),
      stderr: "urlhash: 2 URNs checked, 1 problem\n",
    });
  });

  test("JSON", async () => {
    const { stdout } = await check(["--column", "id", "--json", csv]);
    const records = JSON.parse(stdout);
    expect(records).toHaveLength(5);
    expect(records[0]).toEqual({
      file: csv,
      line: 3,
      column: 20,
      urn: "urn:isbn:0-395-36341-2",
      error: {
        message: "Expected the last digit of the ISBN to match the others.",
        code: "isbn-check-digit",
        index: 9,
        section: "RFC 3187 §5",
      },
    });
    expect(records[2]).toMatchObject({ line: 7, column: null, error: { code: "column-count" } });
    expect((await check(["--json"], "urn:a:b")).stdout).toBe("[]\n");
  });

  test("a column that is missing, or there twice, ends the command", async () => {
    expect(await check(["--column", "urn", csv])).toEqual({
      status: 2,
      stdout: "",
      stderr: `urlhash: ${csv} looks like a table that starts with "title,id": expected a header with a column "urn"\n`,
    });
    const twice = await check(["--column", "id"], "id,ID,id\nurn:a:b,urn:a:b,c\n");
    expect(twice).toMatchObject({ status: 2, stdout: "" });
    expect(twice.stderr).toContain('a table with 2 columns named "id": expected the number of one');
    expect((await check(["--column", ""])).status).toBe(2);
  });

  test("a line that is not text ends an open row", async () => {
    const bytes = Buffer.from('id,x\nurn:a:b,"\n\xff\nurn:a:c,d\n', "latin1");
    const { status, stdout, stderr } = await check(["--column", "id"], bytes);
    expect(status).toBe(4);
    expect(stdout.split("\n").filter((line) => /^\d/.test(line))).toEqual([
      "2: the row cannot be read: expected a closing quotation mark within 64 KiB",
      '3: "\\xff" is not UTF-8',
    ]);
    expect(stderr).toBe("urlhash: 3 URNs checked, 2 problems\n");
  });
});
