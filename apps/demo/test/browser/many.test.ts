import { readFile } from "node:fs/promises";
import type { Download, Page } from "playwright-core";
import { expect, test } from "vitest";
import { phishingHosts } from "../../src/phishing-list/phishing-list.ts";
import { dropFile, field, openPage, textOf, useBrowser } from "./open-page.ts";

useBrowser();

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function download(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name, exact: true }).click(),
  ]);
  return readFile(await (file as Download).path(), "utf8");
}

/** `count` URLs, one in a hundred of them listed. */
async function manyUrls(count: number): Promise<string> {
  const hosts = await phishingHosts();
  return Array.from({ length: count }, (_, i) =>
    i % 100 === 0
      ? `http://x.${hosts[i % hosts.length]}/a/${i}`
      : `https://h${i}.example/p/${i}?q=${i}`,
  ).join("\n");
}

test("pasted lines are checked, filtered and downloaded", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await field(page, "URLs, one per line").fill(
    'https://example.com/\r\n\nHTTP://Login.AZUKISHOP.live:80/a?b\nmailto:x\n=1+1.example/,"',
  );
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Done. 1 of 4 listed.").waitFor();
  const rows = page.locator("table.rows tbody tr");
  expect(await rows.locator(".tag").allInnerTexts()).toEqual([
    "not listed",
    "listed",
    "not a URL",
    "not listed",
  ]);
  expect(await textOf(rows.nth(1))).toContain("azukishop.live/");

  const records = (await download(page, "NDJSON")).trim().split("\n");
  expect(records.map((record) => JSON.parse(record))).toEqual([
    {
      line: 1,
      url: "https://example.com/",
      canonical: "https://example.com/",
      listed: false,
      matches: [],
    },
    {
      line: 3,
      url: "HTTP://Login.AZUKISHOP.live:80/a?b",
      canonical: "http://login.azukishop.live/a?b",
      listed: true,
      matches: [
        {
          list: "eth-phishing-detect",
          checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
          created: expect.any(String),
          expression: "azukishop.live/",
          prefix: "7bcb6bbd",
          confirmed: false,
          reading: "both",
        },
      ],
    },
    {
      line: 4,
      url: "mailto:x",
      error: {
        code: "authority-missing",
        message: expect.stringContaining("mailto:x"),
        expected: expect.any(String),
        index: 7,
        section: expect.any(String),
      },
    },
    {
      line: 5,
      url: '=1+1.example/,"',
      canonical: 'http://=1+1.example/,"',
      listed: false,
      matches: [],
    },
  ]);

  expect((await download(page, "CSV")).split("\r\n")).toEqual([
    "line,url,verdict,canonical,browser,list,expression,prefix,confirmed,reading,error",
    "1,https://example.com/,not listed,https://example.com/,,,,,,,",
    "3,HTTP://Login.AZUKISHOP.live:80/a?b,listed,http://login.azukishop.live/a?b,,eth-phishing-detect,azukishop.live/,7bcb6bbd,false,both,",
    "4,mailto:x,not a URL,,,,,,,,authority-missing",
    `5,"'=1+1.example/,""",not listed,"http://=1+1.example/,""",,,,,,,`,
    "",
  ]);

  await field(page, "Show").selectOption("listed");
  expect(await rows.count()).toBe(1);
  expect((await download(page, "CSV")).split("\r\n")).toHaveLength(3);
  await field(page, "Show").selectOption("all");
  await field(page, "Containing").fill("EXAMPLE.com");
  expect(await rows.count()).toBe(1);
});

test("100 000 URLs: progress, a page that answers meanwhile, all results", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await dropFile(page, "main", "urls.txt", bytesOf(await manyUrls(100_000)));
  await page.getByText("Checking …").waitFor();
  // Between two of its own turns the page never waits for all the work to be done.
  const turns = await page.evaluate(async () => {
    let count = 0;
    while (document.querySelector(".counts")?.textContent?.startsWith("checked100,000") !== true) {
      await new Promise((resolve) => setTimeout(resolve));
      count++;
    }
    return count;
  });
  expect(turns).toBeGreaterThan(20);
  await page.getByText("Done. 1,000 of 100,000 listed.").waitFor();
  expect(await page.locator("table.rows tbody tr").count()).toBe(100);
  await field(page, "Show").selectOption("listed");
  await page.getByText("1–100 of 1,000").waitFor();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByText("101–200 of 1,000").waitFor();
  expect((await download(page, "NDJSON")).trim().split("\n")).toHaveLength(1000);
});

test("a check is cancelled, what was found stays, and the next one runs", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await dropFile(page, "main", "urls.txt", bytesOf(await manyUrls(400_000)));
  await page.getByText("Checking …").waitFor();
  await page.locator("table.rows tbody tr").first().waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByText("Cancelled.").waitFor();
  const checked = await textOf(page.locator(".count dd").first());
  expect(Number(checked.replaceAll(",", ""))).toBeLessThan(400_000);
  expect(Number(checked.replaceAll(",", ""))).toBeGreaterThan(0);
  await page.waitForTimeout(300);
  expect(await textOf(page.locator(".count dd").first())).toBe(checked);

  await page.getByRole("button", { name: "Remove urls.txt" }).click();
  await field(page, "URLs, one per line").fill("azukishop.live");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Done. 1 of 1 listed.").waitFor();
});

test("bytes that are not UTF-8 are checked as they are, and are in the download", async () => {
  const { page } = await openPage({ fragment: "#many" });
  const bytes = Uint8Array.from([...bytesOf("http://a.example/"), 0xff, 0x0a]);
  await dropFile(page, "main", "bytes.txt", bytes);
  await page.getByText("Done.").waitFor();
  expect(JSON.parse(await download(page, "NDJSON"))).toMatchObject({
    url: "http://a.example/\ufffd",
    bytes: "687474703a2f2f612e6578616d706c652fff",
    canonical: "http://a.example/%FF",
  });
});

test("what came with a link is checked at once", async () => {
  const { page } = await openPage({ fragment: "#many?u=azukishop.live%0Aexample.com" });
  await page.getByText("Done. 1 of 2 listed.").waitFor();
});

test("nothing is checked while it is typed, and a check outlives a look at another screen", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await field(page, "URLs, one per line").pressSequentially("azukishop.live");
  expect(await page.locator(".counts").count()).toBe(0);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Done. 1 of 1 listed.").waitFor();
  await page.getByRole("tab", { name: "URN" }).click();
  await page.getByRole("tab", { name: "Many URLs" }).click();
  await page.getByText("Done. 1 of 1 listed.").waitFor();
  const stale = page.getByText("have changed since");
  expect(await stale.count()).toBe(0);
  await page.getByRole("button", { name: "Remove eth-phishing-detect" }).click();
  await stale.waitFor();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Done. 0 of 1 listed.").waitFor();
  expect(await stale.count()).toBe(0);
});
