import { readFile } from "node:fs/promises";
import type { Download, Page } from "playwright-core";
import { expect, test } from "vitest";
import { phishingHosts } from "../../src/phishing-list/phishing-list.ts";
import { beyondTheWindow } from "./axe.ts";
import {
  answered,
  dropFile,
  field,
  historyHas,
  openPage,
  textOf,
  useBrowser,
} from "./open-page.ts";

useBrowser();

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function download(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name, exact: true }).click(),
  ]);
  return readFile(await (file as Download).path(), "utf8");
}

/** `count` URLs, one in a hundred of which is listed. */
async function manyUrls(count: number): Promise<string> {
  const hosts = await phishingHosts();
  return Array.from({ length: count }, (_, i) =>
    i % 100 === 0
      ? `http://x.${hosts[i % hosts.length]}/a/${i}`
      : `https://h${i}.example/p/${i}?q=${i}`,
  ).join("\n");
}

/** Drops a file of two million URLs, which takes seconds to check. The file is made in the page. */
async function dropLargeFile(page: Page): Promise<void> {
  await page.evaluate(
    (lines) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(Array(200).fill(lines), "urls.txt"));
      const options = { dataTransfer, bubbles: true, cancelable: true };
      document.querySelector("main")!.dispatchEvent(new DragEvent("drop", options));
    },
    `${await manyUrls(10_000)}\n`,
  );
}

test("pasted lines are checked, filtered and downloaded", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await field(page, "URLs, one per line").fill(
    'https://example.com/\r\n\nHTTP://Login.AZUKISHOP.live:80/a?b\nmailto:x\n@1.example/,"',
  );
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Done. 1 of 4 listed.").waitFor();
  await answered(page);
  const rows = page.locator("table.rows tbody tr");
  // On the page, listed rows come first; a download keeps the order of the lines.
  expect(await rows.locator(".tag").allInnerTexts()).toEqual([
    "listed",
    "not listed",
    "not a URL",
    "not a URL",
  ]);
  expect(await textOf(rows.nth(0))).toContain("azukishop.live/");

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
      url: '@1.example/,"',
      error: expect.objectContaining({ code: "url-unclear" }),
    },
  ]);

  expect((await download(page, "CSV")).split("\r\n")).toEqual([
    "line,url,verdict,canonical,browser,list,expression,prefix,confirmed,reading,error",
    "1,https://example.com/,not listed,https://example.com/,,,,,,,",
    "3,HTTP://Login.AZUKISHOP.live:80/a?b,listed,http://login.azukishop.live/a?b,,eth-phishing-detect,azukishop.live/,7bcb6bbd,false,both,",
    "4,mailto:x,not a URL,,,,,,,,authority-missing",
    `5,"'@1.example/,""",not a URL,,,,,,,,url-unclear`,
    "",
  ]);

  await page.getByRole("button", { name: "1 listed", exact: true }).click();
  await page.getByText("1–1 of 1", { exact: true }).waitFor();
  expect(await rows.count()).toBe(1);
  expect((await download(page, "CSV")).split("\r\n")).toHaveLength(3);
  await page.getByRole("button", { name: "1 listed", exact: true }).click();
  await page.getByText("1–4 of 4", { exact: true }).waitFor();
  await field(page, "Containing").fill("EXAMPLE.com");
  await page.getByText("1–1 of 1", { exact: true }).waitFor();
  expect(await rows.count()).toBe(1);
});

test("100 000 URLs: progress and all results", async () => {
  const { page } = await openPage({ fragment: "#many" });
  const content = bytesOf(await manyUrls(100_000));
  await Promise.all([
    page.getByText("Checking …").waitFor(),
    dropFile(page, "main", "urls.txt", content),
  ]);
  await page.getByText("Done. 1,000 of 100,000 listed.").waitFor();
  await answered(page);
  expect(await page.locator("table.rows tbody tr").count()).toBe(100);
  await page.getByRole("button", { name: "1,000 listed", exact: true }).click();
  await page.getByText("1–100 of 1,000").waitFor();
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.getByText("101–200 of 1,000").waitFor();
  expect((await download(page, "NDJSON")).trim().split("\n")).toHaveLength(1000);
});

test("a check leaves the page responsive, keeps its results when cancelled, and another can follow", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await dropLargeFile(page);
  await page.getByText("Checking …").waitFor();
  // The page gets many turns while the work is done. A shorter file might be checked in fewer turns.
  const turns = await page.evaluate(async () => {
    let count = 0;
    while (count < 40 && document.body.textContent.includes("Checking …")) {
      await new Promise((resolve) => setTimeout(resolve));
      count++;
    }
    return count;
  });
  expect(turns).toBeGreaterThan(20);
  await page.locator("table.rows tbody tr").first().waitFor();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByText("Cancelled.").waitFor();
  const checked = await textOf(page.locator(".checked-count strong"));
  expect(Number(checked.replaceAll(",", ""))).toBeLessThan(2_000_000);
  expect(Number(checked.replaceAll(",", ""))).toBeGreaterThan(0);
  await answered(page);
  expect(await textOf(page.locator(".checked-count strong"))).toBe(checked);

  await page.getByRole("button", { name: "Remove urls.txt" }).click();
  await field(page, "URLs, one per line").fill("azukishop.live");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Done. 1 of 1 listed.").waitFor();
  await answered(page);
});

test("bytes that are not UTF-8 are checked unchanged, and are in the download", async () => {
  const { page } = await openPage({ fragment: "#many" });
  const bytes = Uint8Array.from([...bytesOf("http://a.example/"), 0xff, 0x0a]);
  await dropFile(page, "main", "bytes.txt", bytes);
  await page.getByText("Done.").waitFor();
  await answered(page);
  expect(JSON.parse(await download(page, "NDJSON"))).toMatchObject({
    url: "http://a.example/\ufffd",
    bytes: "687474703a2f2f612e6578616d706c652fff",
    canonical: "http://a.example/%FF",
  });
});

test("the text of a link is checked at once", async () => {
  const { page } = await openPage({ fragment: "#many?u=azukishop.live%0Aexample.com" });
  await page.getByText("Done. 1 of 2 listed.").waitFor();
  await answered(page);
});

test("nothing is checked while it is typed, and results stay when another screen is opened", async () => {
  const { page } = await openPage({ fragment: "#many?u=" });
  await field(page, "URLs, one per line").pressSequentially("azukishop.live");
  expect(await page.locator(".checked-count").count()).toBe(0);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Done. 1 of 1 listed.").waitFor();
  await answered(page);
  await page.getByRole("tab", { name: "URN" }).click();
  await page.getByRole("tab", { name: "Many URLs" }).click();
  await page.getByText("Done. 1 of 1 listed.").waitFor();
  await answered(page);
  const stale = page.getByText("have changed since");
  expect(await stale.count()).toBe(0);
  await page.getByRole("button", { name: "Remove eth-phishing-detect" }).click();
  await stale.waitFor();
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("Done. 0 of 1 listed.").waitFor();
  await answered(page);
  expect(await stale.count()).toBe(0);
});

/** A part of the verdict bar. */
const part = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const rowsOf = (page: Page) => page.locator("table.rows tbody tr");

test("the example is prefilled and checked at the start", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await page.getByText("Done. 9 of 18 listed.").waitFor();
  await answered(page);
  expect(await field(page, "URLs, one per line").inputValue()).toContain("AZUKISHOP");
  expect(await part(page, "Example").count()).toBe(0);
  await part(page, "Clear URLs, one per line").click();
  await part(page, "Example").click();
  expect(await field(page, "URLs, one per line").inputValue()).toContain("AZUKISHOP");
});

test("the text is above the verdicts, and the verdicts are on the first screen", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await page.getByText("Done.").waitFor();
  await answered(page);
  const bar = (await page.locator(".verdict-bar").boundingBox())!;
  const box = (await field(page, "URLs, one per line").boundingBox())!;
  expect(bar.y).toBeGreaterThan(box.y + box.height);
  expect(bar.y + bar.height).toBeLessThan(900);
});

test("the parts of the verdict bar are as long as their counts, and filter the rows", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await page.getByText("Done.").waitFor();
  await answered(page);
  const bar = page.getByRole("group", { name: "Show only" }).getByRole("button");
  expect(await bar.allInnerTexts()).toEqual([
    "9 listed",
    "3 disguised",
    "4 not listed",
    "2 not a URL",
  ]);
  const widths = await bar.evaluateAll((all) => all.map((one) => one.clientWidth));
  expect(widths.indexOf(Math.max(...widths))).toBe(0);
  expect(widths[2]).toBeGreaterThan(widths[3]!);
  await part(page, "2 not a URL").click();
  await page.getByText("1–2 of 2", { exact: true }).waitFor();
  expect(await part(page, "2 not a URL").getAttribute("aria-pressed")).toBe("true");
  expect(await rowsOf(page).locator(".line").allInnerTexts()).toEqual(["16", "17"]);
  await part(page, "Show all rows").click();
  await page.getByText("1–18 of 18", { exact: true }).waitFor();
});

test("hits are counted by entry and by host, as bars that filter the rows", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await page.getByText("Done.").waitFor();
  await answered(page);
  const barsOf = (title: string) =>
    page.getByRole("list", { name: title, exact: true }).getByRole("button");
  const read = async (title: string) =>
    (await barsOf(title).allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
  expect(await read("Hits by entry")).toEqual([
    "metamask1.io/ 4",
    "azukishop.live/ 3",
    "nfts-mints.com/ 2",
  ]);
  expect(await read("Hits by host")).toEqual([
    "nfts-mints.com 2",
    "metamask1.io 2",
    "support.metamask1.io 2",
    "login.azukishop.live 1",
    "azukishop.live 1",
    "mint.azukishop.live 1",
  ]);
  const widths = await page
    .locator(".hit-bars .bar")
    .evaluateAll((all) => all.slice(0, 3).map((one) => one.clientWidth));
  expect(widths).toEqual([...widths].sort((a, b) => b - a));
  expect(widths[0]).toBeGreaterThan(1.9 * widths[2]!);

  await barsOf("Hits by entry").first().click();
  await page.getByText("1–4 of 4", { exact: true }).waitFor();
  await barsOf("Hits by host").filter({ hasText: "support." }).click();
  await page.getByText("1–2 of 2", { exact: true }).waitFor();
  expect(await rowsOf(page).locator(".line").allInnerTexts()).toEqual(["12", "13"]);
  await barsOf("Hits by host").filter({ hasText: "support." }).click();
  await page.getByText("1–4 of 4", { exact: true }).waitFor();
  expect((await download(page, "NDJSON")).trim().split("\n")).toHaveLength(4);
});

test("rows are sorted by each column, up and down", async () => {
  const text = "b.example\nazukishop.live\nmailto:x\na.example";
  const { page } = await openPage({ fragment: `#many?u=${encodeURIComponent(text)}` });
  await page.getByText("Done.").waitFor();
  await answered(page);
  const lines = () => rowsOf(page).locator(".line").allInnerTexts();
  const sortBy = async (column: string, expected: string[]): Promise<void> => {
    await page.getByRole("button", { name: column, exact: true }).click();
    await expect.poll(lines).toEqual(expected);
  };
  await sortBy("URL", ["4", "2", "1", "3"]);
  const heads = page.locator("table.rows th");
  expect(await heads.nth(2).getAttribute("aria-sort")).toBe("ascending");
  await sortBy("URL", ["3", "1", "2", "4"]);
  expect(await heads.nth(2).getAttribute("aria-sort")).toBe("descending");
  await sortBy("Verdict", ["2", "3", "1", "4"]);
  await sortBy("Line", ["1", "2", "3", "4"]);
  await sortBy("Line", ["4", "3", "2", "1"]);
  await historyHas(page, "order=-line");
});

test("the user can jump to any page, and the link keeps it", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await dropFile(page, "main", "urls.txt", bytesOf(await manyUrls(1234)));
  await page.getByText("Done. 13 of 1,234 listed.").waitFor();
  await answered(page);
  await field(page, "Page").fill("12");
  await page.keyboard.press("Enter");
  await page.getByText("1,101–1,200 of 1,234").waitFor();
  // 13 listed rows come first.
  expect(await textOf(rowsOf(page).first().locator(".line"))).toBe("1099");
  await field(page, "Page").fill("99");
  await page.keyboard.press("Enter");
  await page.getByText("1,201–1,234 of 1,234").waitFor();
  expect(await field(page, "Page").inputValue()).toBe("13");
  await historyHas(page, "page=13");
  await field(page, "Containing").fill("azukishop");
  await page.getByText("1–1 of 1", { exact: true }).waitFor();
});

test("a row opens on the screen for one URL, and Back returns to the same rows", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await page.getByText("Done.").waitFor();
  await answered(page);
  await part(page, "9 listed").click();
  await page.getByText("1–9 of 9", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Explain https://azukishop.live/claim" }).click();
  await page.getByRole("tab", { name: "URL", exact: true, selected: true }).waitFor();
  expect(await field(page, "Link or message").inputValue()).toBe("https://azukishop.live/claim");
  await page.locator(".verdict.listed").waitFor();
  await page.goBack();
  await page.getByText("1–9 of 9", { exact: true }).waitFor();
});

test("the page says how many chance hits to expect", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await page
    .getByText(
      /about 1 harmless URL in [\d,]+ is listed by chance \(for URLs of average length\)\. Among 16 URLs, expect fewer/,
    )
    .waitFor();
  await dropFile(page, "main", "urls.txt", bytesOf(await manyUrls(10_000)));
  await page.getByText(/Among 10,000 URLs, expect about 0\.\d+ such chance hits\./).waitFor();
});

test("a file that is a list, and lines of one, are not taken for URLs", async () => {
  const text = `0.0.0.0 a.example\n${"http://a.example/\n".repeat(20)}`;
  const { page } = await openPage({ fragment: `#many?u=${encodeURIComponent(text)}` });
  await page.getByText("Done. 0 of 21 listed.").waitFor();
  await answered(page);
  const first = rowsOf(page).first();
  expect(await textOf(first)).toMatch(/not a URL[\s\S]*looks like a line of a hosts file/);
  await dropFile(page, "main", "hosts.txt", bytesOf("0.0.0.0 a.example\n0.0.0.0 b.example\n"));
  await page.getByText(/^Failed: this looks like a hosts file/).waitFor();
  await dropFile(page, "[data-drop=list]", "x.txt", bytesOf("0.0.0.0 a.example\n"));
  await page.getByRole("button", { name: "Remove x.txt" }).waitFor();
});

test("a host that cannot be decided is an error, never “not listed”", async () => {
  const text = "http://ev\u{2065}il.example/\nhttp://good.example/";
  const fragment = `#many?u=${encodeURIComponent(text)}&try=evil.example`;
  const { page } = await openPage({ fragment });
  await page.getByText("Done. 0 of 2 listed.").waitFor();
  await answered(page);
  expect(await rowsOf(page).locator(".tag").allInnerTexts()).toEqual(["no verdict", "not listed"]);
  await part(page, "1 not listed").click();
  await page.getByText("1–1 of 1", { exact: true }).waitFor();
  expect(await rowsOf(page).locator(".line").allInnerTexts()).toEqual(["2"]);
});

test("places to drop files are marked while a file is dragged over the page", async () => {
  const { page } = await openPage({ fragment: "#many" });
  const areas = page.locator(".drop-area");
  expect(await areas.count()).toBe(2);
  const colour = () => areas.first().evaluate((area) => getComputedStyle(area).borderTopColor);
  const before = await colour();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], "x"));
    dispatchEvent(new DragEvent("dragover", { dataTransfer, cancelable: true }));
  });
  await page.getByText("Drop a file of URLs to check, or").waitFor();
  await expect.poll(colour).not.toBe(before);
});

test("Check, Cancel, Remove and the last page leave the focus where it can be used", async () => {
  const { page } = await openPage({ fragment: "#many" });
  await page.getByText("Done.").waitFor();
  await answered(page);
  const focused = () => page.evaluate(() => document.activeElement!.textContent!.trim());
  await part(page, "Check").focus();
  await page.keyboard.press("Enter");
  expect(await focused()).toBe("Check");
  await dropLargeFile(page);
  await page.getByText("Checking …").waitFor();
  await part(page, "Cancel").focus();
  await page.keyboard.press("Enter");
  await page.getByText("Cancelled.").waitFor();
  expect(await focused()).toBe("Cancel");
  await part(page, "Remove urls.txt").focus();
  await page.keyboard.press("Enter");
  await field(page, "URLs, one per line").waitFor();
  expect(await page.evaluate(() => document.activeElement!.className)).toContain("panel");
  await field(page, "URLs, one per line").fill("a.example\n".repeat(150));
  await part(page, "Check").click();
  await page.getByText("1–100 of 150").waitFor();
  await part(page, "Next").focus();
  await page.keyboard.press("Enter");
  await page.getByText("101–150 of 150").waitFor();
  expect(await focused()).toBe("Next");
  expect(await part(page, "Next").getAttribute("aria-disabled")).toBe("true");
});

test("on a phone, the results are short, and a tap anywhere on a row opens it", async () => {
  const { page } = await openPage({
    fragment: "#many",
    isFolded: true,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await page.getByText("1–18 of 18").waitFor();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThan(2400);
  const row = page.locator(".rows tbody tr").nth(1);
  expect(await textOf(row.locator(".open"))).toContain("https://azukishop.live/claim");
  // The page describes a text that is not a URL.
  expect(await textOf(page.locator(".rows"))).toContain("A “mailto:” link leads to no site.");
  // On a phone, the hash prefix is left out together with the words around it.
  expect(await textOf(row)).toMatch(/azukishop\.live\/ is probably on eth-phishing-detect$/);
  expect((await row.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  // A single page of rows needs no buttons for other pages.
  expect(await page.getByRole("button", { name: "Next", exact: true }).count()).toBe(0);
  expect(await beyondTheWindow(page)).toEqual([390]);
  const { width, height: tall } = (await row.boundingBox())!;
  await row.tap({ position: { x: width - 4, y: tall - 4 } });
  await page.getByRole("region", { name: "Answer", exact: true }).waitFor();
  expect(await field(page, "Link or message").inputValue()).toBe("https://azukishop.live/claim");
});
