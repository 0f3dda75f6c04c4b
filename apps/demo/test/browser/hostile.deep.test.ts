import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  answered,
  copiedBy,
  field,
  openPage,
  panel,
  paste,
  textOf,
  useBrowser,
} from "./open-page.ts";

useBrowser();

async function isWiderThanTheWindow(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
}

const HTML = "http://a.example/<img src=x onerror=alert(1)><script>alert(2)</script>";

test.each(["#url", "#urn"])("%s: HTML is text", async (fragment) => {
  const { page } = await openPage({ fragment });
  for (const box of await page.getByRole("textbox").all()) await box.fill(HTML);
  await answered(page);
  expect(await page.locator("#page img, #page script").count()).toBe(0);
  expect(await textOf(page.locator("main"))).toContain("<img src=x onerror=alert(1)>");
});

test("characters that are invisible, or that move others, are spelled out", async () => {
  const { page } = await openPage();
  const hostile = "http://a.example/\u202egnp\u202c\u200b\u{e0041}z\u0301\u0301\u0301\u0301";
  await field(page, "Link or message").fill(hostile);
  const shown = await textOf(page.locator(".url-parts"));
  for (const spelling of ["\\u{202e}", "\\u{202c}", "\\u{200b}", "\\u{e0041}", "\\u{301}"]) {
    expect(shown).toContain(spelling);
  }
  const outside = await textOf(page.locator("#page"));
  expect(outside).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
});

test("a URL of 1 MB is shortened on the screen but used whole, and the page stays responsive", async () => {
  const { page } = await openPage();
  const long = `http://a.example/${"%41b/".repeat(200_000)}?${"x".repeat(48_000)}`;
  await paste(page, "Link or message", long);
  await page
    .getByText(`${long.length.toLocaleString("en")} characters. The whole text is used`)
    .waitFor();
  await panel(page, "Canonical URL").getByText("more characters").first().waitFor();
  const copied = await copiedBy(page.getByRole("button", { name: "Copy the canonical URL" }));
  expect(copied).toBe(`http://a.example/${"Ab/".repeat(200_000)}?${"x".repeat(48_000)}`);
  expect(await textOf(page.locator("footer"))).toContain("too long for a link");
  expect(await isWiderThanTheWindow(page)).toBe(false);
  // The screen shows only a small part of the text.
  expect((await textOf(page.locator("main"))).length).toBeLessThan(30_000);
  await page.getByRole("button", { name: "Clear Link or message" }).click();
  expect(await field(page, "Link or message").inputValue()).toBe("");
  await page.getByRole("heading", { name: "Where does this link really go?" }).waitFor();
});

const LONG_TEXTS = [
  ["URN", `urn:example:${"a%c3%bc".repeat(140_000)}`],
  ["Compare it with", `urn:example:a${"%cd%85%cc%80".repeat(80_000)}`],
  ["URN", "urn:".repeat(250_000)],
  ["URN", "\n".repeat(1_000_000)],
] as const;

test.each(LONG_TEXTS)("%s of 1 MB", async (label, text) => {
  const { page } = await openPage({ fragment: "#urn" });
  await paste(page, label, text);
  await page.getByText(`${text.length.toLocaleString("en")} characters. The whole`).waitFor();
  await answered(page);
  expect(await isWiderThanTheWindow(page)).toBe(false);
  await page.getByRole("tab", { name: "Check", exact: true }).click();
  await field(page, "Link or message").waitFor();
});

test("while a URN of 1 MB is processed, the page stays responsive", async () => {
  const text = `urn:example:${"a%c3%bc".repeat(140_000)}`;
  const other = "Compare it with";
  const { page } = await openPage({ fragment: "#urn" });
  await answered(page);
  // Counts the turns of the page while it waits for the answer. If the work blocked the page, there would be only one
  // turn.
  const turns = await page.evaluateHandle(() => {
    const counter = { busy: 0 };
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      if (document.querySelector("[aria-busy=true]") !== null) counter.busy++;
      port2.postMessage(null);
    };
    port2.postMessage(null);
    return counter;
  });
  await paste(page, "URN", text);
  await page.waitForFunction((counter) => counter.busy > 2, turns);
  await field(page, other).fill("");
  await field(page, other).pressSequentially("urn:example:typed");
  expect(await field(page, other).inputValue()).toBe("urn:example:typed");
  await answered(page);
});
