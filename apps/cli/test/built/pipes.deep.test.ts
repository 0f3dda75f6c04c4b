import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter } from "node:path";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { recordsIn } from "../verdicts.ts";
import { URLHASH, urlhash } from "./program.ts";

const PAGE = readFileSync(new URL("../../../../docs/warehouses.md", import.meta.url), "utf8");
const [, RECIPE] = /^## Spark.*?^```sh\n(.*?)^```$/ms.exec(PAGE)!;
const PARTS = 3;

const folder = temporaryFolder();
mkdirSync(folder.path("bin"));
/** Makes a program that a shell runs. */
const program = (name: string, script: string) =>
  chmodSync(folder.write(`bin/${name}`, `#!/bin/sh\n${script}\n`), 0o755);

/** Runs the recipe of the page on a machine with three cores. Returns its exit status. */
function runRecipe(): Promise<number> {
  for (const left of ["parts", "verdicts.ndjson"]) {
    rmSync(folder.path(left), { recursive: true, force: true });
  }
  program("nproc", `echo ${PARTS}`);
  program("urlhash", `exec "${process.execPath}" "${URLHASH}" "$@"`);
  const env = { ...process.env, PATH: `${folder.path("bin")}${delimiter}${process.env["PATH"]}` };
  return new Promise((resolve) => {
    execFile("sh", ["-c", RECIPE!], { cwd: folder.path("."), env }, (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    );
  });
}

/** The rows without their `line`, which counts from the beginning of each part. */
const rowsIn = (ndjson: string) => recordsIn(ndjson).map((row) => ({ ...row, line: null }));

test("pipes over the parts of a file give the rows of one run", async () => {
  const urls = Array.from({ length: 30_000 }, (_, i) => {
    if (i % 1000 === 7)
      return ["", "mailto:x", "http://ev\u2065il.example/", "a b"][(i / 1000) & 3]!;
    return `http://${i % 100 === 1 ? "evil" : `h${i}`}.example/${i}`;
  });
  folder.write("urls.txt", urls.join("\n"));
  folder.write("malware.list", encodePrefixList(prefixList([fullHash("evil.example/")])));
  expect(await runRecipe()).toBe(0);
  const argv = ["check", "--list", folder.path("malware.list"), "--ndjson"];
  const alone = await urlhash([...argv, "--file", folder.path("urls.txt")]);
  expect(alone.status).toBe(5);
  const joined = readFileSync(folder.path("verdicts.ndjson"), "utf8");
  const expected = rowsIn(alone.stdout);
  expect(expected.length).toBeGreaterThan(29_000);
  expect(rowsIn(joined)).toEqual(expected);
  for (const part of ["aa", "ab", "ac"]) {
    expect(existsSync(folder.path(`parts/${part}.ndjson`)), part).toBe(true);
  }
});

test("a part that fails leaves no joined file", async () => {
  folder.write("malware.list", "damaged");
  expect(await runRecipe()).not.toBe(0);
  expect(existsSync(folder.path("parts/aa"))).toBe(true);
  expect(existsSync(folder.path("verdicts.ndjson"))).toBe(false);
});
