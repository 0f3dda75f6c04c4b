import { expect, test } from "vitest";
import { copiedBy, field, historyHas, openPage, textOf, useBrowser } from "./open-page.ts";

useBrowser();

test("a copied link reproduces the view in another browser", async () => {
  const { page, url } = await openPage();
  const typed = "http://exämple.com/%2541?a=b&c=d+e#f\nsecond line";
  await field(page, "Link or message").fill(typed);
  await page.getByRole("tab", { name: "Hashes" }).click();
  const link = await copiedBy(page.getByRole("button", { name: "Copy page link with this view" }));
  expect(link.startsWith(`${url}#url?`)).toBe(true);

  const other = await openPage({ fragment: link.slice(url.length) });
  expect(await field(other.page, "Link or message").inputValue()).toBe(typed);
  await other.page.getByRole("tab", { name: "Hashes", selected: true }).waitFor();
  for (const { page: one } of [{ page }, other]) {
    await one.locator(".answer [role=status]", { hasText: "Not on this list" }).waitFor();
  }
  expect(await textOf(other.page.locator("main"))).toBe(await textOf(page.locator("main")));
});

test("a reload keeps what is on the screen, and the address does not say what it is", async () => {
  const { page } = await openPage({ fragment: "#urn" });
  await field(page, "URN").fill("urn:example:a+b&c=d");
  await historyHas(page, "a%2Bb%26c%3Dd");
  expect(await page.evaluate(() => location.hash)).toBe("#urn");
  await page.reload();
  expect(await field(page, "URN").inputValue()).toBe("urn:example:a+b&c=d");
});

test("tabs are entries of the history, and keep their texts", async () => {
  const { page } = await openPage();
  await field(page, "Link or message").fill("http://first.example/");
  await page.getByRole("tab", { name: "Tools" }).click();
  expect(await page.evaluate(() => location.hash)).toBe("#urn");
  await page.waitForFunction(() => document.title === "URNs · urlhash");
  await page.goBack();
  await expect
    .poll(() => field(page, "Link or message").inputValue())
    .toBe("http://first.example/");
  await page.goForward();
  await field(page, "Compare it with").waitFor();
});

test("a link typed into the address bar is followed", async () => {
  const { page } = await openPage();
  await page.evaluate(() => {
    location.hash = "#urn?u=urn:example:typed";
  });
  await page.getByRole("tab", { name: "URNs", selected: true }).waitFor();
  expect(await field(page, "URN").inputValue()).toBe("urn:example:typed");
});

test("nonsense in the address gives the first screen", async () => {
  const { page } = await openPage({ fragment: "#%E0%A4%A?page=x&u=%zz&engine=x" });
  await page.getByRole("tab", { name: "Check", exact: true, selected: true }).waitFor();
  await field(page, "Link or message").fill("example.com");
  await page.locator(".answer.clear").waitFor();
});
