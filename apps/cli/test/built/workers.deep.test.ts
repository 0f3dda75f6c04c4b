import { availableParallelism } from "node:os";
import { gzipSync } from "node:zlib";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { recordsIn, verdictIn } from "../verdicts.ts";
import { urlhash } from "./program.ts";

const folder = temporaryFolder();
const list = folder.write("test.list", encodePrefixList(prefixList([fullHash("evil.example/")])));

/** Options for Node that make each thread but the first say so. */
const NAMES_THREADS = [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    import { isMainThread } from "node:worker_threads";
    if (!isMainThread) process._rawDebug("a thread");
  `)}`,
];

test("large files are checked by a thread for each core", async () => {
  const urls = Array.from({ length: 1_700_000 }, (_, i) => {
    return `http://${i % 1000 === 1 ? "evil" : `h${i}`}.example/page/${i % 7}\n`;
  });
  const large = folder.write("large", urls.join(""));
  const small = folder.write("small", urls.slice(0, 1_000_000).join(""));
  const checked = async (...argv: string[]) => {
    const all = ["check", "--list", list, "--only-listed", ...argv];
    const { status, stdout, stderr } = await urlhash(all, { nodeOptions: NAMES_THREADS });
    return { status, stdout, threads: stderr.split("a thread").length - 1 };
  };
  const { stdout, ...alone } = await checked("--file", large, "--workers", "1");
  expect(alone).toEqual({ status: 1, threads: 0 });
  const cores = availableParallelism();
  const threads = cores === 1 ? 0 : Math.min(cores, 8);
  expect(await checked("--file", large)).toEqual({ status: 1, stdout, threads });
  expect(await checked("--file", small)).toMatchObject({ status: 1, threads: 0 });
});

test("a closed pipe ends workers too; what was found until then counts", async () => {
  const file = folder.write("evil", "evil.example\n".repeat(100_000));
  for (const workers of ["1", "2"]) {
    const argv = ["check", "--list", list, "--file", file, "--workers", workers];
    expect(await urlhash(argv, { closeAfter: 1 })).toMatchObject({ status: 1, stderr: "" });
  }
});

test("workers give the same verdicts on compressed files and tables, too", async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => {
    if (i % 778 === 0) return ["", "mailto:x", "a,b"][i % 3]!;
    return `http://${i % 1000 === 1 ? "evil" : `h${i}`}.example/`;
  });
  const plain = folder.write("plain", `${lines.join("\n")}\n`);
  const gz = folder.write("rows.gz", gzipSync(`${lines.join("\n")}\n`));
  const csv = folder.write("rows.csv", lines.map((line, i) => `"${line}","\n${i}"\n`).join(""));
  const argv = ["check", "--list", list, "--ndjson", "--file"];
  const verdicts = async (...options: string[]) => {
    const ran = await urlhash([...argv, ...options]);
    expect(ran).toMatchObject({ status: 5, stderr: "" });
    return recordsIn(ran.stdout).map((record) => {
      return `${record.row ?? record.line} ${verdictIn(record)} ${record.error?.code}`;
    });
  };
  const expected = await verdicts(plain);
  expect(expected).toHaveLength(lines.filter((line) => line !== "").length);
  for (const [file, ...options] of [
    [gz, "--workers", "2"],
    [csv, "--column", "1", "--workers", "2"],
    [plain, "--workers", "2"],
    [csv, "--column", "1"],
    [gz],
  ]) {
    expect(await verdicts(file!, ...options)).toEqual(expected);
  }
});

test("workers write all verdicts before the damage in a file", async () => {
  const whole = gzipSync("http://a.example/\n".repeat(200_000), { level: 0 });
  const file = folder.write("cut.gz", whole.subarray(0, -100_000));
  const argv = ["check", "--list", list, "--file", file, "--workers", "2"];
  const { status, stdout, stderr } = await urlhash(argv);
  const rows = stdout.split("\n").length - 1;
  expect(rows).toBeGreaterThan(190_000);
  expect(status).toBe(2);
  expect(stderr).toMatch(new RegExp(`: it is damaged or cut off .*, after line ${rows}\n$`));
});

test("workers report hosts that cannot be decided, too", async () => {
  const lines = Array.from({ length: 60_000 }, (_, i) => `http://h${i}.example/`);
  lines[1] = lines[59_998] = "http://ev\u2065il.example/";
  const file = folder.write("undecided", `${lines.join("\n")}\n`);
  for (const workers of ["1", "2"]) {
    const argv = ["check", "--list", list, "--file", file, "--ndjson", "--only-listed"];
    const { status, stdout } = await urlhash([...argv, "--workers", workers]);
    const records = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ line, error }) => [line, error?.code])).toEqual([
      [2, "host-undecided"],
      [59_999, "host-undecided"],
    ]);
    expect(status).toBe(4);
  }
});
