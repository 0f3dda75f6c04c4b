import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { field, openPage, panel, textOf, useBrowser } from "./open-page.ts";

useBrowser();

/** Pastes a text, as from the clipboard of the system. */
async function paste(page: Page, label: string, text: string): Promise<void> {
  await field(page, label).fill("");
  await field(page, label).focus();
  await page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", data);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement!.dispatchEvent(event);
  }, text);
}

async function isWiderThanTheWindow(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
}

const HTML = "http://a.example/<img src=x onerror=alert(1)><script>alert(2)</script>";

test.each(["#url", "#many", "#hashed", "#urn"])("%s: HTML is text", async (fragment) => {
  const { page } = await openPage({ fragment });
  for (const box of await page.getByRole("textbox").all()) await box.fill(HTML);
  if (fragment === "#many") {
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("Done.").waitFor();
  }
  await page.waitForTimeout(300);
  expect(await page.locator("#page img, #page script").count()).toBe(0);
  expect(await textOf(page.locator("main"))).toContain("<img src=x onerror=alert(1)>");
});

test("characters that do not show, or move others, are spelled out", async () => {
  const { page } = await openPage();
  const hostile = "http://a.example/\u202egnp\u202c\u200b\u0000\u{e0041}z\u0301\u0301\u0301\u0301";
  await field(page, "URL").fill(hostile);
  const shown = await textOf(panel(page, "What would leave this machine").locator(".kept"));
  for (const spelling of [
    "\\u{202e}",
    "\\u{202c}",
    "\\u{200b}",
    "\\u{0}",
    "\\u{e0041}",
    "\\u{301}",
  ]) {
    expect(shown).toContain(spelling);
  }
  const outside = await textOf(page.locator("#page"));
  expect(outside).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u0000]/);
});

test("a URL of 1 MB: shown in short, used whole, and the page answers", async () => {
  const { page } = await openPage();
  const long = `http://a.example/${"%41b/".repeat(200_000)}?${"x".repeat(48_000)}`;
  await paste(page, "URL", long);
  await page
    .getByText(`${long.length.toLocaleString("en")} characters: kept and used whole`)
    .waitFor();
  await panel(page, "Canonical URL").getByText("more characters").first().waitFor();
  await page.getByRole("button", { name: "Copy the canonical URL" }).click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).length > 500_000);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`http://a.example/${"Ab/".repeat(200_000)}?${"x".repeat(48_000)}`);
  expect(await textOf(page.locator("footer"))).toContain("too long for a link");
  expect(await isWiderThanTheWindow(page)).toBe(false);
  // The screen shows a small part of it.
  expect((await textOf(page.locator("main"))).length).toBeLessThan(30_000);
  await page.getByRole("button", { name: "Clear URL" }).click();
  expect(await field(page, "URL").inputValue()).toBe("");
  expect(await textOf(page.locator(".verdict"))).toContain("No URL yet");
});

test.each([
  ["URN", `urn:example:${"a%c3%bc".repeat(140_000)}`],
  ["A text", "urn:example:a ".repeat(70_000)],
  ["A text", "urn:".repeat(250_000)],
  ["A text", "\n".repeat(1_000_000)],
])("%s of 1 MB", async (label, text) => {
  const { page } = await openPage({ fragment: "#urn" });
  await paste(page, label, text);
  await page.getByText(`${text.length.toLocaleString("en")} characters: kept`).waitFor();
  await page.waitForTimeout(500);
  expect(await isWiderThanTheWindow(page)).toBe(false);
  await page.getByRole("tab", { name: "URL", exact: true }).click();
  await field(page, "URL").waitFor();
});

test.each([
  ["URIs to publish, one a line", "http://a.example/b\n".repeat(10_000)],
  ["Candidates, one a line", `http://a.example/${"b".repeat(1_000_000)}`],
  ["More hashed URIs to match against, one a line", "hashed:sha1=00\n".repeat(10_000)],
])("hashed URIs: much in “%s”", async (label, text) => {
  const { page } = await openPage({ fragment: "#hashed" });
  await paste(page, label, text);
  await page.getByText(`${text.length.toLocaleString("en")} characters: kept`).waitFor();
  await page.waitForTimeout(500);
  expect(await isWiderThanTheWindow(page)).toBe(false);
  expect(await page.locator("main li").count()).toBeLessThan(2000);
});
