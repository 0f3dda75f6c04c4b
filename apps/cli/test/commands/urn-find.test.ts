import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { MAX_RUN_BYTES } from "../../src/commands/urn/find-in-bytes.ts";
import { run } from "../run.ts";

const folder = temporaryFolder();
const find = (argv: readonly string[], stdin: string | Uint8Array = "") =>
  run(["urn", "find", ...argv], { stdin });
const TEXT = "See <urn:isbn:0451450523>, and\r\n«日本» (urn:ietf:rfc:2141).\n";

test("line, column and URN", async () => {
  expect(await find([], TEXT)).toEqual({
    status: 0,
    stderr: "",
    stdout: "1:6: urn:isbn:0451450523\n2:7: urn:ietf:rfc:2141).\n",
  });
  expect((await find(["--trim"], TEXT)).stdout).toContain("\n2:7: urn:ietf:rfc:2141\n");
});

test("JSON has indices in bytes, whatever the encoding", async () => {
  for (const encoding of ["utf8", "latin1"] as const) {
    const bytes = Buffer.from(TEXT.replace("日本", "é"), encoding);
    const { stdout } = await find(["--trim", "--json"], bytes);
    const records = JSON.parse(stdout);
    expect(records).toHaveLength(2);
    for (const { start, end, urn } of records) {
      expect(bytes.subarray(start, end).toString()).toBe(urn);
    }
    expect(records[1]).toMatchObject({ line: 2, nid: "ietf", nss: "rfc:2141", qComponent: null });
  }
  expect((await find(["--json"])).stdout).toBe("[]\n");
});

test("--syntax rfc8141 has components", async () => {
  const { stdout } = await find(["--ndjson", "--syntax", "rfc8141"], "urn:ab:c?=q#f");
  expect(JSON.parse(stdout)).toMatchObject({ nss: "c", qComponent: "q", fComponent: "f" });
});

test("files are named when there are several, and always in JSON", async () => {
  const [a, b] = [folder.write("a", "urn:a:1"), folder.write("b\x1b", "\nx urn:b:2")];
  expect((await find([a])).stdout).toBe("1:1: urn:a:1\n");
  const shown = b.replace("\x1b", "\\u{1b}");
  expect((await find([a, b, "-"], "urn:c:3")).stdout).toBe(
    `${a}:1:1: urn:a:1\n${shown}:2:3: urn:b:2\n-:1:1: urn:c:3\n`,
  );
  expect(JSON.parse((await find(["--ndjson", b])).stdout)).toMatchObject({ file: b, start: 3 });
  expect(await find([`${a}x`])).toEqual({
    status: 2,
    stdout: "",
    stderr: `urlhash: cannot read ${a}x: no such file or directory\n`,
  });
});

test("a run that is too long is reported when it may hold a URN, and the rest is searched", {
  tags: "deep",
}, async () => {
  const filler = "x".repeat(MAX_RUN_BYTES);
  expect(await find([], `${filler}:${filler} urn:a:b`)).toEqual({
    status: 0,
    stderr: "",
    stdout: `1:${2 * MAX_RUN_BYTES + 3}: urn:a:b\n`,
  });
  const ran = await find([], `a ${filler}-uRn:${filler}\nurn:a:b`);
  expect(ran).toEqual({
    status: 4,
    stderr: `urlhash: 1:3: more than ${MAX_RUN_BYTES} bytes without a space are not searched for URNs\n`,
    stdout: "2:1: urn:a:b\n",
  });
  const json = await find(["--ndjson"], `a ${filler}-urn:${filler}`);
  expect(JSON.parse(json.stdout)).toMatchObject({
    start: 2,
    end: 2 + 2 * MAX_RUN_BYTES + 5,
    error: { code: "run-too-long" },
  });
});

describe("files as people publish them", () => {
  const urnsIn = async (text: string | Uint8Array, ...argv: readonly string[]) => {
    const { status, stdout } = await find(argv, text);
    expect(status).toBe(0);
    return stdout.replaceAll(/^\d+:\d+: /gm, "").trimEnd();
  };

  test.each([
    ["<iq id='1'><ping xmlns='urn:xmpp:ping'/></iq>", "urn:xmpp:ping"],
    ["['urn:isbn:0451450523','urn:isbn:0395363411']", "urn:isbn:0451450523\nurn:isbn:0395363411"],
    [
      String.raw`"First line\r\nurn:x-example:uid:1:233247\r\nSecond"`,
      "urn:x-example:uid:1:233247",
    ],
    [
      String.raw`"\u003curn:uuid:c757873d-ec9a-4326-a141-556f43239520\u003e"`,
      "urn:uuid:c757873d-ec9a-4326-a141-556f43239520",
    ],
    ["GET /authorize?scope=openid%20urn:example:scope HTTP/1.1", "urn:example:scope"],
    ["see =3Curn:isbn:0451450523=3E.", "urn:isbn:0451450523"],
    ["\u001b[1;32murn:isbn:0451450523\u001b[0m", "urn:isbn:0451450523"],
    ["**urn:isbn:0451450523**", "urn:isbn:0451450523"],
    [
      "__urn:isbn:0451450523__ and _urn:isbn:0395363411_",
      "urn:isbn:0451450523\nurn:isbn:0395363411",
    ],
  ])("%j", async (text, expected) => {
    expect(await urnsIn(text)).toBe(expected);
    expect(await urnsIn(text, "--trim")).toBe(expected);
    expect(await urnsIn(text, "--syntax", "rfc8141")).toBe(expected);
  });

  test.each([
    ["&quot;urn:isbn:0451450523&quot;", "urn:isbn:0451450523"],
    ['<a href="?urn=urn:nbn:se:uu:diva-1&amp;lang=en">', "urn:nbn:se:uu:diva-1"],
    ["magnet:?xt=urn:btih:c12fe&dn=name", "urn:btih:c12fe"],
  ])("%j under RFC 8141", async (text, expected) => {
    expect(await urnsIn(text, "--syntax", "rfc8141")).toBe(expected);
  });

  test.each([
    "urn:nbn:de:bsz:352-\n246910",
    "urn:nbn:de:bsz:352\u00ad-246910",
    "urn:nbn:de:bsz:352\u2011246910",
    "urn:uuid:c757873d\u2026",
    "?urn:nir:stato:decreto.legislativo:2013-03-14;33~art13",
    "<p>urn:nbn:de:bsz:352&shy;246910</p>",
    "<p>urn:nbn:de:bsz:352&#8209;246910</p>",
  ])("%j is cut", async (text) => {
    const { stdout, stderr, status } = await find([], text);
    expect(status).toBe(0);
    const [place] = stdout.split(" ");
    expect(stderr).toBe(`urlhash: ${place} the name may be cut off: it seems to continue\n`);
    const json = await find(["--ndjson"], text);
    expect(JSON.parse(json.stdout)).toMatchObject({ isCut: true });
  });

  test.each(["urn:a:b\n246910", "urn:a:b- c", "urn:a:b\u201d", "urn:a:bé", "«urn:a:b»"])(
    "%j is not cut",
    async (text) => {
      expect((await find([], text)).stderr).toBe("");
      const json = await find(["--ndjson"], text);
      expect(JSON.parse(json.stdout)).not.toHaveProperty("isCut");
    },
  );

  test("a byte order mark is not a column", async () => {
    const { stdout } = await find([], "\ufeffurn:isbn:0395363411\n\ufeffurn:a:b");
    expect(stdout).toBe("1:1: urn:isbn:0395363411\n2:2: urn:a:b\n");
    const json = await find(["--ndjson"], "\ufeffx urn:a:b");
    expect(JSON.parse(json.stdout)).toMatchObject({ line: 1, column: 3, start: 5, end: 12 });
  });

  test("UTF-16 and UTF-32 in the middle of a file are reported", async () => {
    const wide = Buffer.from("\ufeffx Urn:c:d\n", "utf16le");
    const bytes = Buffer.concat([Buffer.from("urn:a:b\n"), wide, Buffer.from("\nurn:e:f\n")]);
    expect(await find([], bytes)).toEqual({
      status: 4,
      stdout: "1:1: urn:a:b\n4:1: urn:e:f\n",
      stderr: "urlhash: 2:7: text in UTF-16 or UTF-32 is not searched for URNs\n",
    });
    for (const other of [Buffer.from(wide).swap16(), Buffer.from("u\0\0\0r\0\0\0n\0\0\0:\0\0\0")]) {
      const { status, stdout } = await find(
        ["--ndjson"],
        Buffer.concat([Buffer.from("some text\n".repeat(200)), other]),
      );
      expect(status).toBe(4);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: "wide-characters" } });
    }
  });

  test.each([
    "urn%3Aisbn%3A0451450523",
    "https://resolver.example/?id=URN%3aisbn%3A0451450523&x=urn",
    "%3Curn%253Aisbn%253A0451450523%3E",
    "urn&#58;isbn:0451450523",
    "urn&#x3A;isbn:0451450523",
    "urn&colon;isbn:0451450523",
    '{"id":"\\nurn\\u003aisbn:0451450523"}',
    "urn=3Aisbn=3A0451450523",
  ])("%j has a URN only for those who decode it, which is reported", async (text) => {
    const ran = await find([], `urn:a:b ${text}\n`);
    const column = `urn:a:b ${text}`.search(/(?<!x=)urn(?!:|$)/i) + 1;
    expect(ran).toEqual({
      status: 4,
      stdout: "1:1: urn:a:b\n",
      stderr: `urlhash: 1:${column}: a URN with an escaped colon is not read: decode the text first\n`,
    });
    const [, record] = JSON.parse((await find(["--json"], `urn:a:b ${text}\n`)).stdout);
    expect(record).toMatchObject({ start: column - 1, error: { code: "encoded" } });
  });

  test.each([
    "nameid=urn\\:oasis\\:names\\:tc\\:SAML\\:1.1",
    "nameid=urn\\\\:oasis",
    "urn:oasis\\:names",
    "urn:oasis%3Anames",
    "urn:isbn&#58;1",
    "urn%u003Aisbn",
    "urn\\72isbn",
    "urn\\072isbn",
    "urn\\u{3a}isbn",
    "urn\\U0000003Aisbn",
    "urn&amp;#58;isbn",
    "urn&#0000000058;isbn",
    "end.urn\\:isbn",
  ])("%j is reported, and is not another URN", async (text) => {
    const ran = await find(["--ndjson"], `${text}\n`);
    expect(ran).toMatchObject({ status: 4, stdout: expect.stringContaining('"encoded"') });
    expect(ran.stdout).not.toContain('"urn"');
  });

  test.each([
    [
      "x-urn:a:b",
      3,
      "other-scheme",
      "the characters before urn: make it the end of another scheme",
    ],
    ["end of a sentence.urn:isbn:1", 19, "other-scheme", "put a space between them"],
    ["urn:nbn:\\_x", 1, "escaped-name", "at the start of its name is not read"],
    ["see urn:x\\-acme:b", 5, "escaped-name", "an escape in its NID"],
    ["(urn:nbn:\\u002Bx)", 2, "escaped-name", "decode the text first"],
  ] as const)("%j is not read, which is reported", async (text, column, code, message) => {
    const ran = await find([], `${text}\n`);
    expect(ran).toMatchObject({ status: 4, stdout: "" });
    expect(ran.stderr).toMatch(new RegExp(`^urlhash: 1:${column}: .*${message}`));
    const [record] = JSON.parse((await find(["--json"], `${text}\n`)).stdout);
    expect(record).toMatchObject({ start: column - 1, error: { code } });
  });

  test.each([
    ["%PDF-1.7\nurn:a:b", "a PDF document"],
    ["PAR1\x15\x04\x15\x1c\nurn:a:b\nPAR1", "a Parquet file"],
  ])("%j is refused", async (start, what) => {
    expect(await find([], start)).toMatchObject({
      ...{ status: 2, stdout: "" },
      stderr: expect.stringContaining(`looks like ${what}`),
    });
  });

  test.each(["return%3A1", "burn%3A", "x_turn=3A", "urn 3A", "urn%3B", "urn%25", "return\\:"])(
    "%j has none",
    async (text) => {
      expect(await find([], text)).toEqual({ status: 0, stdout: "", stderr: "" });
    },
  );
});
