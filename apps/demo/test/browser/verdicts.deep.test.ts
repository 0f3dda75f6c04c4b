import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { firstOf } from "@x/test-support/sample-size";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  answerText,
  dropFile,
  EXAMPLE,
  field,
  openPage,
  panel,
  textOf,
  useBrowser,
} from "./open-page.ts";

useBrowser();

const fragmentOf = (url: string): string => `#url?u=${encodeURIComponent(url)}`;
const DEFANGED = "hxxps://login[.]azukishop[.]live/wallet";

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`);
  });
}

describe("a text that is not a URL", () => {
  const TEXTS = ["Your parcel waits: call +44 20 7946 0958 now", "one,two,three four"] as const;
  test.each(firstOf(1, TEXTS))("%j has no link", async (text) => {
    const { page } = await openPage({ fragment: fragmentOf(text) });
    await page.locator(".answer.error").waitFor();
    const said = await answerText(page);
    expect(await textOf(page.locator(".badge"))).toBe("No link");
    expect(said).toContain("There is no link in this text.");
    expect(said).toContain("a message without a link can be a scam, too");
    expect(said).not.toContain("looks like");
    expect(said).not.toMatch(/not listed/i);
    expect(await panel(page, "Canonical URL").count()).toBe(0);
    expect(await field(page, "Link or message").getAttribute("aria-invalid")).toBe("false");
    expect(await violations(page)).toEqual([]);
  });

  test("one click turns a defanged URL back; it is listed", async () => {
    const { page } = await openPage({ fragment: fragmentOf(DEFANGED) });
    await page.locator(".answer.listed").waitFor();
    expect(await textOf(page.locator(".sentence"))).toMatch(
      /^Defanged\.\s+Restored, it opens login\.azukishop\.live\.$/,
    );
    expect(await page.locator(".badge").allInnerTexts()).toEqual(["Listed"]);
    expect(await page.locator(".url-parts").textContent()).toBe(
      "https://login.azukishop.live (browser goes here)/wallet",
    );
    // The page shows no error, because a defanged URL is not a mistake.
    expect(await field(page, "Link or message").getAttribute("aria-invalid")).toBe("false");
    expect(await panel(page, "Why this is not a URL").count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Check only this link" }).click();
    await expect
      .poll(() => field(page, "Link or message").inputValue())
      .toBe("https://login.azukishop.live/wallet");
    expect(await page.getByRole("button", { name: "Check only this link" }).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement!.getAttribute("aria-label"))).toBe(
      "Answer",
    );
  });

  test("there is nothing to turn back in other texts", async () => {
    for (const text of ["asdf qwer", "http://[2001:db8::1]/a[.]b"]) {
      const { page } = await openPage({ fragment: fragmentOf(text) });
      await page.locator(".answer:not(.none)").waitFor();
      expect(await page.getByRole("button", { name: "Check only this link" }).count()).toBe(0);
    }
  });
});

describe("what browsers do not open", () => {
  const URLS = [
    ["azukishop.live", true],
    ["hxxp://azukishop.live/", false],
    ["urn://azukishop.live", false],
  ] as const;
  test.each(firstOf(2, URLS))("%s is listed; no other URL is opened", async (url, isOpened) => {
    const { page } = await openPage({ fragment: fragmentOf(url) });
    await page.locator(".answer.listed").waitFor();
    const text = (await answerText(page)) + (await textOf(panel(page, "Canonical URL")));
    expect(text).not.toContain("another URL");
    expect(text.includes("Browsers do not open this link.")).toBe(!isOpened);
    expect(text.includes("Browsers read this text in the same way.")).toBe(isOpened);
  });
});

describe("certainty", () => {
  test("a match is not called probable when chance is below one in a million", async () => {
    const { page } = await openPage({ fragment: fragmentOf("http://x.evil.example/") });
    await page.getByRole("button", { name: /^Remove metamask-crypto-phishing/ }).click();
    const list = prefixList([fullHash("evil.example/")], {
      name: "eight",
      created: 0,
      prefixBytes: 8,
    });
    await dropFile(page, "main", "eight.list", encodePrefixList(list));
    await page.locator(".verdict.listed").waitFor();
    expect(await textOf(page.locator(".badge"))).toBe("Listed");
    expect(await textOf(panel(page, "Expressions and their hashes"))).toContain(
      "but its length confirms the match",
    );
  });
});

/** Whether a computed colour is green: it has more green than red and blue. */
function isGreen(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  return green - red > 8 && green - blue > 8;
}

test("a colour can be green", () => {
  expect(["rgb(27, 102, 56)", "rgb(134, 214, 162)", "rgb(227, 242, 232)"].every(isGreen)).toBe(
    true,
  );
  expect(["rgb(156, 28, 21)", "rgb(127, 208, 216)", "rgb(85, 91, 98)"].some(isGreen)).toBe(false);
});

describe.each(firstOf(1, ["light", "dark"] as const))("%s: nothing is green", (colorScheme) => {
  const VIEWS = [
    ["not listed", fragmentOf("http://good.example/%2561")],
    ["many URLs", fragmentOf("http://azukishop.live/\nhttp://a.example/\nhttp://b.example/")],
    ["the start", ""],
    ["a spoofed host", EXAMPLE],
    ["URN", "#urn"],
  ] as const;
  test.each(firstOf(2, VIEWS))("%s", async (_, fragment) => {
    const { page } = await openPage({ fragment, colorScheme });
    if (fragment === "#urn") await page.locator(".part.r-component, .part.nid").first().waitFor();
    else if (fragment === "") await page.locator(".example.listed").waitFor();
    else await page.locator(".answer:not(.none) .sentence").waitFor();
    const colours = await page.evaluate(() =>
      [...document.querySelectorAll("body *")].flatMap((element) => {
        const { color, backgroundColor, borderLeftColor } = getComputedStyle(element);
        return [color, backgroundColor, borderLeftColor].map(
          (colour) => `${colour} ${element.localName}.${element.className}`,
        );
      }),
    );
    expect(colours.length).toBeGreaterThan(150);
    expect([...new Set(colours.filter(isGreen))]).toEqual([]);
    expect(await violations(page)).toEqual([]);
  });
});

test("in forced colours, inserted and removed text differ by their lines", async () => {
  const { page } = await openPage({ fragment: EXAMPLE, forcedColors: "active" });
  await page.locator(".verdict.listed").waitFor();
  const lineOf = (name: string) =>
    page
      .locator(name)
      .first()
      .evaluate((element) => getComputedStyle(element).textDecorationLine);
  expect(await lineOf("ins")).toBe("underline");
  expect(await lineOf("del")).toBe("line-through");
});
