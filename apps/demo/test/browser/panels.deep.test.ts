import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  answered,
  copiedBy,
  dropFile,
  EXAMPLE,
  field,
  openPage,
  panel,
  textOf,
  useBrowser,
} from "./open-page.ts";

useBrowser();

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("URL", () => {
  test("shows every step, with what changed marked in the text", async () => {
    const { page } = await openPage();
    await field(page, "Link or message").fill("http://U@EXAMPLE.com/%2561/../b#top");
    const all = panel(page, "Canonicalization");
    const steps = all.getByRole("listitem");
    expect(await steps.count()).toBe(5);
    const third = steps.filter({ hasText: "Unescape" });
    expect(await third.locator("del").allInnerTexts()).toEqual(["%2561"]);
    expect(await third.locator("ins").allInnerTexts()).toEqual(["a"]);
    const host = steps.filter({ hasText: "Lower-case" });
    expect(await textOf(host.locator("del"))).toBe("EXAMPLE");
    expect(await textOf(host.locator("ins"))).toBe("example");
    expect(await textOf(all)).toContain("5 of 15 steps changed something");
  });

  test("says which URL is canonical", async () => {
    const { page } = await openPage();
    await field(page, "Link or message").fill("https://a.b.c/1/2.html?param=1");
    const canonical = panel(page, "Canonical URL");
    expect(await textOf(canonical.locator(".big"))).toBe("https://a.b.c/1/2.html?param=1");
  });

  test("lists the expressions of the specification's example with their full hashes", async () => {
    const { page } = await openPage();
    await field(page, "Link or message").fill("http://a.b.c/1/2.html?param=1");
    const shown = panel(page, "Expressions and their hashes");
    const rows = shown.getByRole("listitem");
    const expected = [
      "a.b.c/1/2.html?param=1",
      "a.b.c/1/2.html",
      "a.b.c/",
      "a.b.c/1/",
      "b.c/1/2.html?param=1",
      "b.c/1/2.html",
      "b.c/",
      "b.c/1/",
    ].map((expression) => [expression, toHex(fullHash(expression))]);
    await expect.poll(() => rows.locator(".data").allInnerTexts()).toHaveLength(8);
    expect(await rows.locator(".data").allInnerTexts()).toEqual(expected.map(([first]) => first));
    expect(await rows.locator(".hash").allTextContents()).toEqual(expected.map(([, hash]) => hash));
    expect((await rows.locator(".hash strong").allTextContents()).join("")).toBe("");
    // A hash whose end is cut off is selected whole, as one line.
    await rows.locator(".hash").first().click();
    expect(await page.evaluate(() => getSelection()!.toString())).toBe(expected[0]![1]);
    const copy = shown.getByRole("button", { name: "Copy the expressions and their hashes" });
    const lines = expected.map(([expression, hash]) => `${hash}  ${expression}\n`);
    expect(await copiedBy(copy)).toBe(lines.join(""));
  });

  test("says which expressions only one reading has", async () => {
    const { page } = await openPage({ fragment: EXAMPLE });
    const shown = panel(page, "Expressions and their hashes");
    expect(await shown.getByRole("heading", { level: 3 }).allInnerTexts()).toEqual([
      "As blocklist rules read the link",
      "As browsers read the link",
    ]);
    const listed = shown.getByRole("listitem").filter({ has: page.locator(".tag") });
    expect(await textOf(listed)).toMatch(
      /^azukishop\.live\/\s+metamask-crypto-phishing\s+7bcb6bbd/,
    );
  });

  test("gives the verdict of the built-in list, and says which expression is on it", async () => {
    const { page } = await openPage();
    await page.getByText("More examples").click();
    await page.getByRole("button", { name: "Listed site in disguise" }).click();
    await page.locator(".verdict.listed").waitFor();
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Listed\s+Do not open it\.$/);
    expect(await textOf(page.locator(".evidence"))).toMatch(
      /^azukishop\.live\/ is on metamask-crypto-phishing, a list of 2023-01-01\.$/,
    );
    expect(await textOf(panel(page, "Expressions and their hashes"))).toContain(
      "1 of 6 expressions is on metamask-crypto-phishing.",
    );
    await field(page, "Link or message").fill("https://example.com/");
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Not on this list/);
  });

  test("says what would leave this machine, and what would not", async () => {
    const { page } = await openPage();
    await field(page, "Link or message").fill("http://a.b.c/1/2.html?param=1");
    const leaving = panel(page, "What would leave this machine");
    expect(await textOf(leaving)).toContain("32 bytes in all");
    expect(await textOf(leaving)).toContain("ten sent together hide much less than one");
    expect(await textOf(leaving)).toContain("Anyone who can guess a URL can compute its hashes.");
    expect(await textOf(leaving)).toContain("the other 28 bytes of each hash stay here");
  });

  test("says why an input is not a URL, and where", async () => {
    const { page } = await openPage();
    await field(page, "Link or message").fill("foo:someone@example.com");
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Not a URL/);
    const why = panel(page, "Why this is not a URL");
    expect(await textOf(why)).toContain("authority-missing");
    expect(await textOf(why.locator(".place mark"))).toBe("s");
  });
});

describe("lists", () => {
  test("a dropped file of @x/prefix-list is used, and can be removed", async () => {
    const { page } = await openPage({ fragment: "#url?u=http://x.evil.example/" });
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Not on this list/);
    const list = prefixList([fullHash("evil.example/")], { name: "mine", created: 0 });
    await dropFile(page, "main", "mine.list", encodePrefixList(list));
    await page.getByText("1 of 2 expressions is on mine.").waitFor();
    expect(await textOf(panel(page, "Lists"))).toContain(list.checksum);
    await page.getByRole("button", { name: "Remove mine" }).click();
    await page.locator(".verdict.clear").waitFor();
  });

  test("a text file is read as the command reads it; bad lines are reported", async () => {
    const { page } = await openPage({ fragment: "#url?u=http://x.evil.example/login/now" });
    const others = Array.from({ length: 10 }, (_, i) => `h${i}.example`).join("\n");
    const lines = `# a comment\r\nevil.example/login/\n\nmailto:nobody\n${others}\n`;
    await dropFile(page, "[data-drop=list]", "hosts.txt", bytesOf(lines));
    await page.getByText(/1 of \d+ expressions is on hosts\.txt\./).waitFor();
    const lists = panel(page, "Lists");
    await lists.getByText("1 line was refused").click();
    expect(await textOf(lists)).toContain("Line 4: ");
  });

  test("a broken file says what is wrong with it", async () => {
    const { page } = await openPage();
    const bytes = encodePrefixList(prefixList([fullHash("a/")], { name: "x", created: 0 }));
    bytes[bytes.length - 1]! ^= 1;
    await dropFile(page, "main", "broken.list", bytes);
    await page
      .getByText(/broken\.list was not added: /)
      .first()
      .waitFor();
    expect(await panel(page, "Lists").getByRole("listitem").count()).toBe(1);
  });

  test("without a list, no URL is said to be not listed", async () => {
    const { page } = await openPage({ fragment: "#url?u=http://x.evil.example/" });
    await page.getByRole("button", { name: "Remove metamask-crypto-phishing" }).click();
    expect(await textOf(page.locator(".verdict"))).toMatch(
      /^Cannot tell\s+Do not open it if you did not expect it\./,
    );
    expect(await textOf(page.locator(".evidence"))).toMatch(/^No list is loaded\./);
    await page.getByRole("button", { name: "Add the built-in list" }).click();
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Not on this list/);
  });
});

describe("hashed URIs", () => {
  const result = (page: Page) => panel(page, "Hashed URIs");

  test("URIs are hashed, and looked for in a list", async () => {
    const { page } = await openPage({ fragment: "#hashed" });
    await page.getByText("Examples", { exact: true }).click();
    await page.getByRole("button", { name: "Spellings that are equal (§4.4)" }).click();
    await answered(page);
    const rows = result(page).getByRole("listitem");
    expect(await rows.locator("code").first().textContent()).toBe(
      "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481",
    );
    expect(await rows.locator(".tag").allInnerTexts()).toEqual([
      "on the list",
      "on the list",
      "on the list",
      "no match",
    ]);
    expect(await textOf(result(page))).toContain("3 of 4 URIs on the list.");
  });

  test("a list says its variant", async () => {
    const { page } = await openPage({ fragment: "#hashed" });
    await field(page, "URIs, one per line").fill("http://a.example/TEST/\nhttp://a.example/test");
    await field(page, "A list of hashed URIs").fill("# hashed-uri variant: P");
    await answered(page);
    const [first, second] = await result(page).locator("code").allInnerTexts();
    expect(first).toBe(second);
    expect(await textOf(result(page))).toContain("The list is empty.");
  });

  test("says what never matches and what is refused", async () => {
    const { page } = await openPage({ fragment: "#hashed" });
    await page.getByText("Examples", { exact: true }).click();
    await page.getByRole("button", { name: "Hashes that never match" }).click();
    await answered(page);
    const said = await textOf(result(page));
    expect(said).toContain('Line 1 of the list never matches: the algorithm "sha512"');
    expect(said).toContain("Line 2 of the list never matches: no sha1 hash has 4 digits.");
    expect(said).toMatch(/Line 3 of the list: .+ hexadecimal/);
    expect(await result(page).locator(".tag").allInnerTexts()).toEqual(["no match"]);
  });

  test("a hashed URI in the box leads to them", async () => {
    const one = "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481";
    const { page } = await openPage({ fragment: `#url?u=${one}` });
    await page.getByRole("button", { name: "Open as a hashed URI" }).click();
    await answered(page);
    expect(await field(page, "A list of hashed URIs").inputValue()).toBe(one);
    expect(await textOf(result(page))).toContain("1 of 3 URIs on the list.");
  });
});

describe("URN", () => {
  test("parts, each with its name", async () => {
    const { page } = await openPage({ fragment: "#urn" });
    await field(page, "URN").fill("urn:example:a-b?=q#f");
    await answered(page);
    const facts = panel(page, "Its parts").locator(".facts");
    expect((await facts.locator("dt, dd").allInnerTexts()).slice(0, 8)).toEqual([
      "NID",
      "example",
      "NSS",
      "a-b",
      "q-component",
      "q",
      "f-component",
      "f",
    ]);
  });

  test("an error points at its character", async () => {
    const { page } = await openPage({ fragment: "#urn" });
    await field(page, "URN").fill("urn:example:a b");
    await answered(page);
    const refused = panel(page, "Its parts");
    expect(await textOf(refused)).toContain("nss-character");
    expect(await textOf(refused.locator(".place mark"))).toBe(" ");
    expect(await textOf(refused)).toMatch(/For developers\s+index 13; RFC 8141/);
    await field(page, "URN").fill("urn:example:a~b");
    await answered(page);
    expect(await refused.locator(".problem").count()).toBe(0);
  });

  test("normal form and display form", async () => {
    const { page } = await openPage({ fragment: "#urn" });
    await field(page, "URN").fill("URN:Example:Z%c3%bcrich");
    await answered(page);
    const facts = panel(page, "Its parts").locator(".facts");
    expect(await facts.locator("ins").allInnerTexts()).toEqual(["urn:example:Z%C3%BC"]);
    expect(await textOf(facts)).toContain("urn:example:Zürich");
    await page.getByText("Examples", { exact: true }).click();
    await page.getByRole("button", { name: "A wrong check digit" }).click();
    await answered(page);
    expect(await textOf(facts)).toContain("(RFC 3187 §5)");
  });

  const COMPARED: readonly [string, string, string, RegExp][] = [
    ["URN:FOO:a123%2c456", "urn:foo:a123%2C456", "Equivalent", /case of “urn”.*NID.*escapes/],
    ["urn:foo:a123,456", "urn:foo:a123%2C456", "Not equivalent", /no rule of the namespace “foo”/],
    ["urn:a1:x", "nothing", "Cannot be compared", /second is not a URN/],
    ["urn:isbn:0-395-36341-1", "urn:isbn:0395363411", "Equivalent", /rule of the namespace “isbn”/],
    ["urn:a1:x", "urn:b1:x", "Not equivalent", /NIDs differ/],
  ];
  test.each(COMPARED)("%s and %s: %s", async (a, b, verdict, rule) => {
    const { page } = await openPage({ fragment: "#urn" });
    await field(page, "URN").fill(a);
    await field(page, "Compare it with").fill(b);
    await answered(page);
    const first = panel(page, "Are they the same name?");
    expect(await textOf(first.locator(".tag"))).toBe(verdict);
    expect(await textOf(first)).toMatch(rule);
  });
});
