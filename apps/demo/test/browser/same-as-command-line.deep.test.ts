import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { toCsv, type UrlExplanation } from "@x/explain";
import { MAX_LINE_BYTES } from "@x/lookup/lines";
import { encodePrefixList } from "@x/prefix-list";
import { runProgram } from "@x/test-support/spawn";
import { beforeAll, expect, test } from "vitest";
import { phishingHosts, phishingList } from "../../src/phishing-list/phishing-list.ts";
import { URLHASH } from "../programs.ts";
import { BUILT_PAGE, dropFile, openPage, useBrowser } from "./open-page.ts";

useBrowser();

const SHAPES: readonly ((host: string, i: number) => string)[] = [
  (host) => host,
  (host, i) => `HTTP://user@login.${host.toUpperCase()}:80${i % 10}/%2561/../b//c?d=${i}#e`,
  (host, i) => `https://${host}./a/b/c/d/e/f/${i}.html?q`,
  (_, i) => `https://host${i}.example/path/${i}?q=${i}`,
  (_, i) => `http://${3_279_880_203 + i}/bl%25%36%31h`,
  (_, i) => `http://a.b.c.d.e.f.g/${i}/%00%ff/ü`,
  (_, i) => `http://[2001:DB8::${i}]/`,
  (_, i) => (i % 16 < 8 ? `mailto:${i}@example.com` : `http:///${i}`),
];

/** 1 000 URLs of every kind, listed and not, and some that are not URLs. */
async function urls(): Promise<string[]> {
  const hosts = await phishingHosts();
  return Array.from({ length: 1000 }, (_, i) => {
    return SHAPES[i % SHAPES.length]!(hosts[(i * 13) % hosts.length]!, i);
  });
}

let given: string[];
let listFile: string;

beforeAll(async () => {
  given = await urls();
  const assets = join(BUILT_PAGE, "assets");
  const name = (await readdir(assets)).find((file) => file.endsWith(".list"))!;
  listFile = join(assets, name);
});

test("the built-in list is the list of npm start", async () => {
  const made = encodePrefixList(phishingList(await phishingHosts()));
  expect(Buffer.compare(await readFile(listFile), made)).toBe(0);
});

async function commandLine(
  argv: readonly string[],
  lines: readonly string[],
): Promise<Record<string, unknown>[]> {
  const stdin = [Buffer.from(lines.join("\n"))];
  const { stdout } = await runProgram(URLHASH, [...argv, "--ndjson"], { stdin });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("verdicts of 1 000 URLs and a line that is too long", async () => {
  const { page } = await openPage();
  const all = [...given, "\u00fc".repeat(MAX_LINE_BYTES)];
  await dropFile(page, "main", "urls.txt", Buffer.from(all.join("\n")));
  await page
    .getByText(/^Do not open [\d,]+ of these [\d,]+ links$/)
    .first()
    .waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save as CSV" }).click(),
  ]);
  const table = await readFile(await file.path(), "utf8");
  const expected = await commandLine(["check", "--list", listFile], all);
  expect(expected).toHaveLength(1001);
  expect(expected.filter(({ listed }) => listed === true).length).toBeGreaterThan(300);
  expect(expected.filter(({ error }) => error !== undefined).length).toBeGreaterThan(50);
  expect(expected.filter(({ browser }) => browser !== undefined).length).toBeGreaterThan(50);
  expect(table).toBe(toCsv(expected as unknown as Parameters<typeof toCsv>[0]));
});

test("expressions and full hashes of many URLs", async () => {
  // Each run of `SHAPES.length` URLs has all shapes.
  const some = given.filter((_, i) => Math.floor(i / SHAPES.length) % 3 === 0);
  const { page } = await openPage();
  const shown = await page.evaluate(async (all) => {
    const results: string[] = [];
    for (const url of all) {
      location.replace(`#url?u=${encodeURIComponent(url)}`);
      while (document.querySelector("textarea")!.value !== url) {
        await new Promise((resolve) => setTimeout(resolve));
      }
      results.push([...document.querySelectorAll("pre.code")].at(-1)?.textContent ?? "{}");
    }
    return results;
  }, some);
  const records = await commandLine(["hash", "--bytes", "32"], some);
  const expected = records.map(({ canonical, expressions }) => ({
    canonical: canonical ?? "",
    expressions: ((expressions ?? []) as { expression: string; hash: string }[]).map(
      ({ expression, hash }) => [expression, hash],
    ),
  }));
  const onPage = shown.map((json) => {
    const { canonical, refused, expressions } = JSON.parse(json) as Partial<UrlExplanation>;
    if (canonical === undefined || refused !== null) return { canonical: "", expressions: [] };
    // The command uses only the reading of the specification.
    const own = expressions!.filter(({ reading }) => reading !== "browser");
    return { canonical, expressions: own.map(({ expression, hash }) => [expression, hash]) };
  });
  expect(onPage).toEqual(expected);
  expect(expected.flatMap(({ expressions }) => expressions).length).toBeGreaterThan(1000);
});
