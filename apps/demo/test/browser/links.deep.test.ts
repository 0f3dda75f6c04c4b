import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { firstOf } from "@x/test-support/sample-size";
import { expect, test } from "vitest";
import {
  copiedBy,
  dropFile,
  field,
  historyHas,
  openPage,
  panel,
  textOf,
  useBrowser,
} from "./open-page.ts";

useBrowser();

test("a copied link reproduces the view in another browser", async () => {
  const { page, url } = await openPage();
  const typed = "http://exämple.com/%2541?a=b&c=d+e#f\nsecond line";
  await field(page, "Link or message").fill(typed);
  await field(page, "Prefix length").selectOption("8");
  const link = await copiedBy(page.getByRole("button", { name: "Copy link to this view" }));
  expect(link.startsWith(`${url}#url?`)).toBe(true);

  const other = await openPage({ fragment: link.slice(url.length) });
  expect(await field(other.page, "Link or message").inputValue()).toBe(typed);
  expect(await field(other.page, "Prefix length").inputValue()).toBe("8");
  for (const { page: one } of [{ page }, other]) {
    await one.locator(".answer [role=status]", { hasText: "Not on this list" }).waitFor();
  }
  expect(await textOf(other.page.locator("main"))).toBe(await textOf(page.locator("main")));
});

test.each(firstOf(1, ["#hashed", "#urn"]))(
  "%s: a reload keeps what is on the screen, and the address does not say what it is",
  async (fragment) => {
    const { page } = await openPage({ fragment });
    const box = page.getByRole("textbox").first();
    await box.fill("urn:example:a+b&c=d");
    await historyHas(page, "a%2Bb%26c%3Dd");
    expect(await page.evaluate(() => location.hash)).toBe(fragment);
    await page.reload();
    expect(await page.getByRole("textbox").first().inputValue()).toBe("urn:example:a+b&c=d");
  },
);

test("tabs are entries of the history, and keep their texts", async () => {
  const { page } = await openPage();
  await field(page, "Link or message").fill("http://first.example/");
  await page.getByRole("tab", { name: "Tools" }).click();
  expect(await page.evaluate(() => location.hash)).toBe("#urn");
  await page.waitForFunction(() => document.title === "URN · urlhash");
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
  await page.getByRole("tab", { name: "URN", selected: true }).waitFor();
  expect(await field(page, "URN").inputValue()).toBe("urn:example:typed");
});

test("a link made with another list says that the list is missing", async () => {
  const { page, url } = await openPage({ fragment: "#url?u=http://evil.example/" });
  const list = prefixList([fullHash("evil.example/")], { name: "mine", created: 0 });
  await dropFile(page, "main", "mine.list", encodePrefixList(list));
  await page.locator(".verdict.listed").waitFor();
  await historyHas(page, "lists=");
  const link = await copiedBy(page.getByRole("button", { name: "Copy link to this view" }));

  const { page: other } = await openPage({ fragment: link.slice(url.length) });
  await panel(other, "Lists").getByText("made with a list that is not on this page").waitFor();
  expect(await textOf(other.locator(".verdict"))).toMatch(
    /^Cannot tell\s+Not listed, but not for certain/,
  );
  await dropFile(other, "main", "mine.list", encodePrefixList(list));
  await other.locator(".verdict.listed").waitFor();
  expect(await other.getByText("made with a list").count()).toBe(0);
});

test("nonsense in the address gives the first screen", async () => {
  const { page } = await openPage({ fragment: "#%E0%A4%A?bytes=99&u=%zz&engine=x" });
  await page.getByRole("tab", { name: "Check", exact: true, selected: true }).waitFor();
  // The host in the link has invalid escapes, so the page shows no answer and no details.
  await field(page, "Link or message").fill("example.com");
  expect(await field(page, "Prefix length").inputValue()).toBe("4");
});
