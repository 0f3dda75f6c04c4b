import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { anyCharacter } from "@x/test-support/generated-text";
import { IS_DEEP } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import fc from "fast-check";
import { expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const LIST = folder.write(
  "l.list",
  encodePrefixList(prefixList([fullHash("evil.example/")], { name: "a\tb", prefixBytes: 8 })),
);

type Stdin = string | Uint8Array | readonly Uint8Array[];

async function rows(argv: readonly string[], stdin: Stdin): Promise<string[]> {
  const ran = await run([...argv, "--tsv", "--escaped"], { stdin });
  expect(ran.stderr).toBe("");
  const lines = ran.stdout.split("\n");
  expect(lines.pop()).toBe("");
  return lines;
}

const check = (stdin: Stdin, columns = "verdict,problem") =>
  rows(["check", "--list", LIST, "--columns", columns], stdin);

/** Escapes a string as ClickHouse does in TabSeparated. */
function escaped(text: string): string {
  const escapes: Record<string, string> = {
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\0": "\\0",
    "'": "\\'",
    "\\": "\\\\",
  };
  return text.replace(/[\b\f\n\r\t\0'\\]/g, (character) => escapes[character]!);
}

test("escapes are read, and NULL gives NULL", async () => {
  const input = [
    "http://ev\\til.exam\\nple/\\r",
    "http://evil.example\\\\@good.example/",
    "\\N",
    "",
    "\\\\N",
    "http://evil\\x2eexample/\\'",
    "http://good.example/\\",
    "http://good.example/\thttp://evil.example/",
    "http://good.example/\\nhttp://evil.example/",
    "mailto:x",
  ].join("\n");
  expect(await check(`${input}\n`)).toEqual([
    "listed\t",
    "listed\t",
    "\\N\t\\N",
    "blank\t",
    "disguised\tother-host",
    "listed\t",
    "not-listed\t",
    "not-a-url\tcolumn-count",
    "listed\t",
    "not-a-url\tauthority-missing",
  ]);
  expect(await check("evil.example\n\\N", "row,list,expression,prefix")).toEqual([
    "1\ta\\\\u{9}b\tevil.example/\tf001957c833da353",
    "2\t\\N\t\\N\t\\N",
  ]);
});

test("canon and hash have the same contract", async () => {
  const input = "HTTP://A.example/\\\\b\\n\\t\\'\n\\N\n\nmailto:x\n";
  expect(await rows(["canon"], input)).toEqual([
    "http://a.example/\\\\b'\t",
    "\\N\t\\N",
    "\t",
    "\tauthority-missing",
  ]);
  expect(await rows(["canon", "--columns", "canonical"], input)).toHaveLength(4);
  const hashed = await rows(["hash", "--columns", "problem,row"], input);
  expect(hashed).toEqual(["\t1", "\\N\t2", "\t3", "authority-missing\t4"]);
});

test("a byte order mark is part of a field, in the first row as in others", async () => {
  for (const first of ["\ufeffhttp://evil.example/", "\ufeff\\N", "\ufeff"]) {
    const [a, b, c] = await check(`${first}\n${first}\n\\N\n`);
    expect([a, c]).toEqual([b, "\\N\t\\N"]);
  }
});

test("a field of 2 MB has one row, and one that is too long is never cut short", {
  tags: "deep",
}, async () => {
  const long = `http://evil.example/?${"é".repeat(2 ** 20 - 100)}`;
  const tooLong = `http://evil.example/${"\\\\".repeat(2 ** 21)}`;
  expect(await check(`${long}\n${tooLong}\nhttp://evil.example/\n`)).toEqual([
    "listed\t",
    "not-a-url\tline-too-long",
    "listed\t",
  ]);
});

test("whatever the strings and the pieces, there is one row for each, with the verdict of the argument", {
  tags: "deep",
}, async () => {
  const text = fc.oneof(
    fc.constantFrom("http://evil.example/", "http://a.b/\\", "\t\n", "a'b", "\\N", "\0x"),
    fc.string({ unit: "grapheme", maxLength: 10 }).map((path) => `http://evil.example/${path}`),
    fc.string({ unit: anyCharacter, maxLength: 10 }),
  );
  let listed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(text), { minLength: 1 }),
      fc.nat(60),
      async (strings, at) => {
        const field = (string: string | null): string =>
          string === null ? "\\N" : escaped(string);
        const bytes = Buffer.from(strings.map((string) => `${field(string)}\n`).join(""));
        const found = await check([bytes.subarray(0, at), bytes.subarray(at)], "verdict");
        expect(found).toHaveLength(strings.length);
        for (const [i, string] of strings.entries()) {
          expect(found[i] === "\\N").toBe(string === null);
          if (string?.startsWith("http://evil.example/")) {
            expect(found[i]).toBe("listed");
            listed++;
          }
        }
      },
    ),
    { seed: 31, numRuns: IS_DEEP ? 300 : 30 },
  );
  expect(listed).toBeGreaterThan(30);
});

test("bytes that are not UTF-8 have a row", async () => {
  const input = Buffer.from("http://evil.example/\xff\\\\\n\xc3\n\xfe\\N\n", "latin1");
  expect((await check(input, "verdict"))[0]).toBe("listed");
  expect(await check(input)).toHaveLength(3);
});

test.each([
  [["check", "--list", LIST, "--escaped"], "--escaped needs --tsv"],
  [["canon", "--columns", "canonical"], "--columns needs --tsv"],
  [
    ["canon", "--tsv", "--columns", "verdict"],
    'there is no column "verdict": use row, canonical, problem',
  ],
  [
    ["check", "--list", LIST, "--tsv", "--escaped", "--column", "1"],
    "--escaped cannot be used with --column",
  ],
])("%j is refused", async (argv, message) => {
  expect(await run(argv)).toEqual({ status: 2, stdout: "", stderr: `urlhash: ${message}\n` });
});
