import { createHash } from "node:crypto";
import { Writable } from "node:stream";
import { record } from "@x/test-support/process-streams";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { run } from "../run.ts";

const folder = temporaryFolder();
const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));

test("text: the canonical URL, then prefixes and expressions", async () => {
  expect(await run(["hash", "http://a.b.c/1/2.html?param=1"])).toEqual({
    status: 0,
    stderr: "",
    stdout: `http://a.b.c/1/2.html?param=1
  1cd5cf5e  a.b.c/1/2.html?param=1
  8b19a5a5  a.b.c/1/2.html
  f9c142c4  a.b.c/
  59e650c4  a.b.c/1/
  9b7d85bb  b.c/1/2.html?param=1
  1803dee4  b.c/1/2.html
  b225cf5d  b.c/
  ac5f446d  b.c/1/
`,
  });
});

test("--bytes sets the length of the prefixes", async () => {
  expect((await run(["hash", "--bytes", "8", "b.c"])).stdout).toBe(
    "http://b.c/\n  b225cf5dcf266f3f  b.c/\n",
  );
});

test.each(["0", "3", "33", "-8", "4e0", "0x20", "4.5", ""])(
  "--bytes %j is refused",
  async (bytes) => {
    const { status, stderr, stdout } = await run(["hash", `--bytes=${bytes}`, "b.c"]);
    expect(status).toBe(2);
    expect(stderr).toContain(": expected a whole number from 4 to 32");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stdout).toBe("");
  },
);

const RECORD = {
  line: 2,
  url: "b.c",
  canonical: "http://b.c/",
  expressions: [
    {
      expression: "b.c/",
      hash: createHash("sha256").update("b.c/").digest("hex"),
      prefix: "b225cf5d",
    },
  ],
};
const REFUSAL = {
  line: 3,
  url: "mailto:x",
  error: {
    code: "authority-missing",
    message: expect.stringContaining("mailto:x"),
    expected: expect.any(String),
    index: 7,
    section: expect.stringContaining("Web Risk"),
  },
};

test("NDJSON: one object per line, also for lines that are not URLs", async () => {
  const ran = await run(["hash", "--ndjson"], { stdin: "\nb.c\nmailto:x\n" });
  expect(
    ran.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([RECORD, REFUSAL]);
  expect(ran.status).toBe(4);
  expect(ran.stderr).toBe("");
});

test("--json: one array", async () => {
  const ran = await run(["hash", "--json"], { stdin: "\nb.c\nmailto:x\n" });
  expect(JSON.parse(ran.stdout)).toEqual([RECORD, REFUSAL]);
  expect((await run(["hash", "--json"], { stdin: "" })).stdout).toBe("[]\n");
});

test("formats exclude each other", async () => {
  const ran = await run(["hash", "--json", "--ndjson", "b.c"]);
  expect(ran).toEqual({
    status: 2,
    stdout: "",
    stderr: "urlhash: choose --json or --ndjson, not both\n",
  });
});

test("a line that is not a URL is reported, and the rest is hashed", async () => {
  const ran = await run(["hash"], { stdin: "b.c\r\n\r\nmailto:x\r\nb.c" });
  expect(ran.status).toBe(4);
  expect(ran.stdout).toBe("http://b.c/\n  b225cf5d  b.c/\n".repeat(2));
  expect(ran.stderr).toMatch(
    /^urlhash: line 3: "mailto:x" at index 7: expected "\/\/" and a host.*\n$/,
  );
});

test("a refused argument is reported with its number", async () => {
  const ran = await run(["hash", "b.c", "http:///x"]);
  expect(ran.status).toBe(4);
  expect(ran.stderr).toMatch(
    /^urlhash: argument 2: "http:\/\/\/x" at index 7: expected a host.*\n$/,
  );
});

test('"-" stands for the lines of stdin', async () => {
  const ran = await run(["hash", "--ndjson", "a.example", "-", "c.example"], {
    stdin: "b.example\n",
  });
  const given = ran.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(given.map(({ line, argument, url }) => [line, argument, url])).toEqual([
    [undefined, 1, "a.example"],
    [1, undefined, "b.example"],
    [undefined, 3, "c.example"],
  ]);
});

test("--file reads lines, and is not for arguments", async () => {
  const file = folder.write("urls", "b.c");
  expect((await run(["hash", "--file", file])).stdout).toBe("http://b.c/\n  b225cf5d  b.c/\n");
  expect(await run(["hash", "--file", file, "b.c"])).toEqual({
    status: 2,
    stdout: "",
    stderr: "urlhash: give URLs as arguments or with --file, not both\n",
  });
});

test("a file that cannot be read is a failure", async () => {
  const missing = folder.path("miss\x1bing");
  expect(await run(["hash", "--file", missing])).toEqual({
    status: 2,
    stdout: "",
    stderr: `urlhash: cannot read ${missing.replace("\x1b", "\\u{1b}")}: no such file or directory\n`,
  });
});

test("lines are bytes: a URL that is not UTF-8 is hashed as it is", async () => {
  const { stdout } = await run(["hash", "--ndjson"], {
    stdin: latin1("http://\x01\x80.com/\xe9\n"),
  });
  expect(JSON.parse(stdout)).toMatchObject({
    url: "http://\u0001\ufffd.com/\ufffd",
    bytes: Buffer.from("http://\x01\x80.com/\xe9", "latin1").toString("hex"),
    canonical: "http://%01%80.com/%E9",
  });
});

test("a byte order mark is no part of the first URL", async () => {
  const { stdout } = await run(["hash"], { stdin: "\ufeffb.c\n" });
  expect(stdout).toBe("http://b.c/\n  b225cf5d  b.c/\n");
});

test("a line that is too long is not dropped silently", async () => {
  const stdin = Buffer.from(`a.b/${"x".repeat(3_000_000)}\nb.c\n`);
  const ran = await run(["hash", "--ndjson"], { stdin });
  const [long, next] = ran.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(long).toMatchObject({ line: 1, error: { code: "line-too-long" } });
  expect(next).toMatchObject({ line: 2, canonical: "http://b.c/" });
  expect(ran.status).toBe(4);
});

test("results that cannot be written are a failure", async () => {
  const full = new Writable({
    write: (_, __, done) => done(Object.assign(new Error("ENOSPC"), { errno: -28 })),
  });
  const ran = await record((io) => main(["hash", "b.c"], { ...io, stdout: full }));
  expect(ran.status).toBe(2);
  expect(ran.stderr).toMatch(/^urlhash: cannot write the results: .*\n$/);
});

test("a line of a megabyte is hashed", async () => {
  const path = "x".repeat(1_000_000);
  const { stdout, status } = await run(["hash", "--ndjson"], { stdin: `a.b/${path}\n` });
  const hash = createHash("sha256").update(`a.b/${path}`).digest("hex");
  expect(JSON.parse(stdout).expressions[0].hash).toBe(hash);
  expect(status).toBe(0);
});
