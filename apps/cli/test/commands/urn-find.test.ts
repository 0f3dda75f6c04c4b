import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
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

test("a run that is too long is reported when it may hold a URN, and the rest is searched", async () => {
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
