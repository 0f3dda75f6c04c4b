import { expect, test } from "vitest";
import { violations } from "./axe.ts";
import { openPage, textOf, useBrowser } from "./open-page.ts";

useBrowser();

test("the page starts with a question, a field and an example", async () => {
  const { page } = await openPage({ isFolded: true, viewport: { width: 1280, height: 800 } });
  await page.getByRole("heading", { name: "Where does this link really go?" }).waitFor();
  expect(await page.evaluate(() => document.activeElement!.localName)).toBe("textarea");
  const example = page.getByRole("region", { name: "Example" });
  expect(await textOf(example)).toContain("Looks like paypal.com. Opens azukishop.live.");
  // The example does not count as an answer.
  expect(await page.locator(".answer").count()).toBe(0);
  expect(await page.title()).toBe("Check · urlhash");
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(800);
  expect(await violations(page)).toEqual([]);
  await example.getByRole("button", { name: "See the answer" }).click();
  await page.locator(".answer.listed").waitFor();
  await page.goBack();
  await example.waitFor();
});
