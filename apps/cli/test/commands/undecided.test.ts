import { readFileSync } from "node:fs";
import { decodePrefixList, encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { run } from "../run.ts";

const folder = temporaryFolder();
const hashes = ["evil.example/", "listed.example/"].map(fullHash);
const LIST = folder.write(
  "evil.list",
  encodePrefixList(prefixList(hashes, { name: "evil", prefixBytes: 32 })),
);
/** A future browser may drop U+2065, and would then open evil.example. */
const UNDECIDED = ["http://ev\u2065il.example/", "ev%E2%81%A5il.example", "http://a.\u2065/x"];
/** As the specification reads this URL, it is listed, whichever URL browsers open. */
const LISTED = "http://a\u2065\\@listed.example/";

describe("a host that cannot be decided is never said to be not listed", () => {
  test.each(UNDECIDED)("by check, in every format: %j", async (url) => {
    const text = await run(["check", "--list", LIST, url]);
    expect([text.status, text.stdout]).toEqual([4, ""]);
    expect(text.stderr).toContain("Browsers may open the URL, so do not treat it as safe");
    for (const format of ["json", "ndjson"]) {
      const ran = await run([
        "check",
        "--list",
        LIST,
        ...(format === "text" ? [] : [`--${format}`]),
        url,
      ]);
      expect([format, ran.status]).toEqual([format, 4]);
      expect(ran.stdout).toContain("host-undecided");
      expect(ran.stdout).not.toMatch(/"listed":\s*false|not-listed/);
    }
  });

  test.each(["text", "ndjson"])("by check --file: %s", async (format) => {
    const file = folder.write("urls.txt", [...UNDECIDED, "good.example", LISTED, ""].join("\n"));
    const argv = [
      "check",
      "--list",
      LIST,
      ...(format === "text" ? [] : [`--${format}`]),
      "--file",
      file,
    ];
    const { status, stdout, stderr } = await run(argv);
    expect(status).toBe(5);
    const lines = `${stdout}${format === "text" ? stderr : ""}`.split("\n");
    const isRefused = (line: string, i: number): boolean => {
      if (format === "text") return line.startsWith(`urlhash: line ${i + 1}: `);
      return line.startsWith(`{"line":${i + 1},`) && line.includes('"code":"host-undecided"');
    };
    for (const [i] of UNDECIDED.entries()) {
      expect(lines.some((line) => isRefused(line, i))).toBe(true);
    }
    const said = { text: /^not listed/, ndjson: /"listed":false/ }[format]!;
    expect(lines.filter((line) => said.test(line)).length).toBe(1);
  });

  test("but listed, if the reading of the specification is", async () => {
    const { status, stdout } = await run(["check", "--list", LIST, LISTED]);
    expect([status, stdout.startsWith("LISTED")]).toEqual([1, true]);
  });

  test("by helper squid", async () => {
    const stdin = "1 http://ev%E2%81%A5il.example/ -\n2 http://good.example/ -\n";
    const { stdout } = await run(["helper", "squid", "--list", LIST], { stdin });
    const [first, second] = stdout.split("\n");
    expect(first).toMatch(/^1 OK tag=unreadable message="no verdict: .*host-undecided/);
    expect(second).toBe("2 ERR");
  });

  test("by helper squid --tag-unchecked", async () => {
    const stdin = "1 http://ev%E2%81%A5il.example/ -\n";
    const argv = ["helper", "squid", "--list", LIST, "--tag-unchecked"];
    expect((await run(argv, { stdin })).stdout).toMatch(/^1 OK tag=unreadable /);
  });

  test.each([[["explain", "--list", LIST]], [["hash"]]])("%j refuses it", async (argv) => {
    const { status, stdout, stderr } = await run([...argv, UNDECIDED[0]!]);
    expect([status, stdout]).toEqual([4, ""]);
    expect(stderr).toContain("there is no verdict");
  });

  test.each(UNDECIDED)("canon has no canonical form for it, in every format: %j", async (url) => {
    const stdin = `${url}\nhttp://GOOD.example\n`;
    const text = await run(["canon"], { stdin });
    expect([text.status, text.stdout]).toEqual([4, "http://good.example/\n"]);
    expect(text.stderr).toContain("there is no verdict");
    const file = folder.write("canon.txt", stdin);
    expect(await run(["canon", "--file", file])).toEqual(text);
    for (const [format, argv] of [
      ["json", ["--json"]],
      ["ndjson", ["--ndjson"]],
    ] as const) {
      const ran = await run(["canon", ...argv], { stdin });
      expect([ran.status, ran.stderr]).toEqual([4, ""]);
      const records: unknown[] =
        format === "json"
          ? JSON.parse(ran.stdout)
          : ran.stdout
              .trim()
              .split("\n")
              .map((line) => JSON.parse(line));
      expect(records).toEqual([
        expect.objectContaining({
          line: 1,
          error: expect.objectContaining({ code: "host-undecided" }),
        }),
        { line: 2, url: "http://GOOD.example", canonical: "http://good.example/" },
      ]);
      expect(records[0]).not.toHaveProperty("canonical");
    }
  });

  test("list build refuses it as an entry", async () => {
    const source = folder.write("source.txt", `${UNDECIDED[0]}\nhttp://good.example/\n`);
    const output = folder.path("built.list");
    const { status, stderr } = await run(["list", "build", "--output", output, source]);
    expect(status).toBe(2);
    expect(stderr).toContain('line 1: "http://ev\\u{2065}il.example/": expected a host without');
    const skipped = await run([
      ...["list", "build", "--skip-bad", "--max-refused", "50", "--output", output, source],
    ]);
    expect(skipped.status).toBe(4);
    expect(decodePrefixList(readFileSync(output)).size).toBe(1);
  });
});
