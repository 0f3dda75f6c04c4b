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
const fragmentOf = (text: string): string => `#url?u=${encodeURIComponent(text)}`;
const sentence = async (page: Page): Promise<string> =>
  (await textOf(page.locator(".sentence"))).replaceAll("\n", " ");
const rowsOf = (page: Page) => page.locator(".found-links > li");
const part = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Waits for a title of the answer, such as "Do not open 1 of these 3 links". */
async function says(page: Page, title: string): Promise<void> {
  await expect.poll(() => sentence(page), { timeout: 60_000 }).toBe(title);
  await answered(page);
}

async function download(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), part(page, name).click()]);
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

test("lines are checked, filtered and downloaded as the command does", async () => {
  const { page } = await openPage();
  await field(page, "Link or message").fill(
    "https://example.com/\r\n\nHTTP://Login.AZUKISHOP.live:80/a?b\nmailto:x@a.example\n@1.example/,",
  );
  await says(page, "Do not open 1 of these 2 links");
  expect(await rowsOf(page).locator(".tag").allInnerTexts()).toEqual([
    "listed",
    "not listed",
    "not a URL",
    "not a URL",
  ]);
  expect(await textOf(rowsOf(page).nth(0))).toContain(
    "azukishop.live/ is on metamask-crypto-phishing",
  );

  expect((await download(page, "Save as CSV")).split("\r\n")).toEqual([
    "line,url,verdict,canonical,browser,list,expression,prefix,confirmed,reading,disguises,error",
    "1,https://example.com/,not listed,https://example.com/,,,,,,,,",
    "3,HTTP://Login.AZUKISHOP.live:80/a?b,listed,http://login.azukishop.live/a?b,,metamask-crypto-phishing,azukishop.live/,7bcb6bbdf9,true,both,,",
    "4,mailto:x@a.example,not a URL,,,,,,,,,authority-missing",
    `5,"'@1.example/,",not a URL,,,,,,,,,url-unclear`,
    "",
  ]);

  await part(page, "1 listed").click();
  await expect.poll(() => rowsOf(page).count()).toBe(1);
  expect((await download(page, "Save as CSV")).split("\r\n")).toHaveLength(3);
  await historyHas(page, "show=listed");
  await part(page, "1 listed").click();
  await expect.poll(() => rowsOf(page).count()).toBe(4);
});

test("100 000 URLs: progress, all results, and any page of them", async () => {
  const { page } = await openPage();
  await Promise.all([
    page.getByRole("progressbar").waitFor(),
    dropFile(page, "main", "urls.txt", bytesOf(await manyUrls(100_000))),
  ]);
  await says(page, "Do not open 1,000 of these 100,000 links");
  expect(await rowsOf(page).count()).toBe(100);
  await part(page, "998 listed").click();
  await page.getByText("1–100 of 998").waitFor();
  await part(page, "Next").click();
  await page.getByText("101–200 of 998").waitFor();
  // A line with several matches has several rows.
  const saved = (await download(page, "Save as CSV")).trim().split("\r\n").slice(1);
  expect(new Set(saved.map((row) => row.split(",")[0])).size).toBe(998);
  await historyHas(page, "page=2");
  await page.evaluate(() => {
    location.hash = "#url?show=listed&page=99";
  });
  await page.getByText("901–998 of 998").waitFor();
  await part(page, "Next").focus();
  expect(await part(page, "Next").getAttribute("aria-disabled")).toBe("true");
});

test("a check leaves the page responsive, and another text takes its place", async () => {
  const { page } = await openPage();
  // Two million URLs take seconds to check. The file is made in the page.
  await page.evaluate(
    (lines) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(Array(200).fill(lines), "urls.txt"));
      const options = { dataTransfer, bubbles: true, cancelable: true };
      document.querySelector("main")!.dispatchEvent(new DragEvent("drop", options));
    },
    `${await manyUrls(10_000)}\n`,
  );
  await page.getByRole("progressbar").waitFor();
  // The page gets many turns while the work is done. A shorter file might be checked in fewer turns.
  const turns = await page.evaluate(async () => {
    let count = 0;
    while (count < 40 && document.querySelector("progress") !== null) {
      await new Promise((resolve) => setTimeout(resolve));
      count++;
    }
    return count;
  });
  expect(turns).toBeGreaterThan(20);
  await rowsOf(page).first().waitFor();
  expect(await sentence(page)).toMatch(/^Checking … /);
  await page.getByRole("button", { name: "Remove urls.txt" }).click();
  await field(page, "Link or message").fill("azukishop.live/a\nazukishop.live/b");
  await says(page, "Do not open these 2 links");
});

test("bytes that are not UTF-8 are checked unchanged, and are in the download", async () => {
  const { page } = await openPage();
  const bytes = Uint8Array.from([...bytesOf("http://b.example/\nhttp://a.example/"), 0xff, 0x0a]);
  await dropFile(page, "main", "bytes.txt", bytes);
  await says(page, "None of these 2 links is listed");
  const [, , second] = (await download(page, "Save as CSV")).split("\r\n");
  expect(second).toBe(
    '2,"http://a.example/\ufffd",not listed,http://a.example/%FF,http://a.example/%EF%BF%BD,,,,,,,',
  );
});

test("results change with the lists", async () => {
  const { page } = await openPage({ fragment: "#url?u=azukishop.live%0Aexample.com" });
  await says(page, "Do not open 1 of these 2 links");
  await page.getByRole("button", { name: "Remove metamask-crypto-phishing" }).click();
  await says(page, "None of these 2 links is listed");
});

test("the parts of the bar are as long as their counts", async () => {
  const text = `${"azukishop.live\n".repeat(9)}http://3279880203/\n${"a.example\n".repeat(3)}`;
  const { page } = await openPage({ fragment: fragmentOf(text) });
  await says(page, "Do not open 10 of these 13 links");
  const bar = page.getByRole("group", { name: "Show only" }).getByRole("button");
  expect(await bar.allInnerTexts()).toEqual(["9 listed", "1 disguised", "3 not listed"]);
  const widths = await bar.evaluateAll((all) => all.map((one) => one.clientWidth));
  expect(widths.indexOf(Math.max(...widths))).toBe(0);
  expect(widths[2]).toBeGreaterThan(widths[1]!);
});

test("a row opens the card, and Back returns to the same rows", async () => {
  const text = "https://azukishop.live/claim\nhttp://b.example/\nhttp://azukishop.live/";
  const { page } = await openPage({ fragment: fragmentOf(text) });
  await says(page, "Do not open 2 of these 3 links");
  await part(page, "2 listed").click();
  await expect.poll(() => rowsOf(page).count()).toBe(2);
  await page
    .getByRole("button", { name: "See the answer for https://azukishop.live/claim" })
    .click();
  expect(await field(page, "Link or message").inputValue()).toBe("https://azukishop.live/claim");
  await page.locator(".verdict.listed").waitFor();
  await page.getByRole("button", { name: "Back to all links" }).click();
  await expect.poll(() => rowsOf(page).count()).toBe(2);
});

test("lines of a list are not taken for URLs, and a file of them can be used as a list", async () => {
  const text = `0.0.0.0 a.example\n${"http://a.example/\n".repeat(20)}`;
  const { page } = await openPage({ fragment: fragmentOf(text) });
  await says(page, "None of these 20 links is listed");
  expect(await textOf(rowsOf(page).last())).toMatch(
    /not a URL[\s\S]*looks like a line of a hosts file/,
  );
  await dropFile(page, "main", "urls.txt", bytesOf("http://a.example/\nhttp://b.example/\n"));
  await says(page, "None of these 2 links is listed");
  await part(page, "Use it as a list").click();
  await page.getByRole("button", { name: "Remove urls.txt" }).waitFor();
  await field(page, "Link or message").fill("http://c.example/\nhttp://d.example/");
  await says(page, "None of these 2 links is listed");
  await part(page, "Use it as a list").click();
  // All lines are used, although no line end follows the last one. Back returns to the text.
  await page.getByRole("button", { name: "Remove your list" }).waitFor();
  expect(await field(page, "Link or message").inputValue()).toBe("");
  expect(await textOf(page.locator(".lists"))).toMatch(/your list\s+2 entries, of unknown age/);
  await page.goBack();
  await says(page, "Do not open these 2 links");

  // A list that is refused does not empty the field.
  await field(page, "Link or message").fill(
    "http://e.example/\nhttp://f.example/\nhttp://a.b\u2065.c/",
  );
  await says(page, "No verdict on 1 of these 3 links");
  await part(page, "Use it as a list").click();
  const reason = "Your list was not added: more than 10% of its lines could not be read.";
  await page.getByText(reason).and(page.locator(":visible")).waitFor();
  expect(await field(page, "Link or message").inputValue()).toContain("http://f.example/");
});

test("a host that cannot be decided has no verdict, never “not listed”", async () => {
  const text = "http://ev\u{2065}il.example/\nhttp://good.example/";
  const { page } = await openPage({ fragment: fragmentOf(text) });
  await says(page, "No verdict on 1 of these 2 links");
  expect(await rowsOf(page).locator(".tag").allInnerTexts()).toEqual(["cannot tell", "not listed"]);
});

test("while a file is dragged over the page, the page says where it can be dropped", async () => {
  const { page } = await openPage({ fragment: "#url?u=a.example" });
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], "x"));
    dispatchEvent(new DragEvent("dragover", { dataTransfer, cancelable: true }));
  });
  await page.getByText("or drop a list on “Lists”").waitFor();
});

test("on a phone, a tap anywhere on a row opens it", async () => {
  const { page } = await openPage({
    fragment: fragmentOf("https://azukishop.live/claim\nhttp://b.example/"),
    isFolded: true,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  await says(page, "Do not open 1 of these 2 links");
  const row = rowsOf(page).first();
  expect((await row.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  // A single page of rows needs no buttons for other pages.
  expect(await part(page, "Next").count()).toBe(0);
  expect(await beyondTheWindow(page)).toEqual([390]);
  const { width, height } = (await row.boundingBox())!;
  await row.tap({ position: { x: width - 4, y: height - 4 } });
  await page.locator(".verdict.listed").waitFor();
  expect(await field(page, "Link or message").inputValue()).toBe("https://azukishop.live/claim");
});
