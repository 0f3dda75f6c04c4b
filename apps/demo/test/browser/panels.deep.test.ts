import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash, toHex } from "@x/sha256-prefix";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  answered,
  answerText,
  copiedBy,
  dropFile,
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

  test("colours the parts by role", async () => {
    const { page } = await openPage();
    await field(page, "Link or message").fill("https://a.b.c/1/2.html?param=1");
    const canonical = panel(page, "Canonical URL");
    expect(await textOf(canonical.getByTestId("canonical"))).toBe("https://a.b.c/1/2.html?param=1");
    expect(await canonical.getByTestId("canonical").locator(".part").allInnerTexts()).toEqual([
      "https",
      "a.b.c",
      "/1/2.html",
      "param=1",
    ]);
  });

  test("lists the expressions of the specification's example with their full hashes; the prefix length can be chosen", async () => {
    const { page } = await openPage();
    await field(page, "Link or message").fill("http://a.b.c/1/2.html?param=1");
    const grid = panel(page, "Expressions and their hashes");
    expect(await textOf(grid)).toContain("2 host suffixes × 4 path prefixes = 8 expressions");
    const written: string[] = [];
    for (const cell of await grid.locator(".cell").all()) {
      await cell.hover();
      const [expression, hash] = await grid.getByTestId("readout").locator(".data, .hash").all();
      expect(await textOf(hash!)).toBe(toHex(fullHash(await textOf(expression!))));
      written.push(await textOf(expression!));
    }
    expect(written.sort()).toEqual(
      [
        "a.b.c/",
        "a.b.c/1/",
        "a.b.c/1/2.html",
        "a.b.c/1/2.html?param=1",
        "b.c/",
        "b.c/1/",
        "b.c/1/2.html",
        "b.c/1/2.html?param=1",
      ].sort(),
    );
    const prefix = () => textOf(grid.locator(".hash strong"));
    expect((await prefix()).length).toBe(8);
    await grid.getByLabel("Prefix length").selectOption("16");
    expect((await prefix()).length).toBe(32);
    // A hash whose end is cut off is selected whole, as one line.
    await grid.locator(".hash").click();
    const expression = await textOf(grid.getByTestId("readout").locator(".data"));
    const selected = await page.evaluate(() => getSelection()!.toString());
    expect(selected).toBe(toHex(fullHash(expression)));
    expect(await copiedBy(grid.getByRole("button", { name: "Copy the full hash of" }))).toBe(
      selected,
    );
  });

  test("leads to the hashed URIs of the URL", async () => {
    const { page } = await openPage();
    await field(page, "Link or message").fill("http://www.thus.net");
    await page.getByRole("button", { name: "Hashed URIs of this URL" }).click();
    await answered(page);
    expect(await field(page, "URIs, one per line").inputValue()).toBe("http://www.thus.net");
    expect(await textOf(panel(page, "Hashed URIs"))).toContain(
      "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481",
    );
  });

  test("gives the verdict of the built-in list, and says which expression is on it", async () => {
    const { page } = await openPage();
    await page.getByText("More examples").click();
    await page.getByRole("button", { name: "Listed site in disguise" }).click();
    await page.locator(".verdict.listed").waitFor();
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Listed\s+Do not open it\.$/);
    expect(await textOf(page.locator(".evidence"))).toMatch(
      /^azukishop\.live\/ is on eth-phishing-detect, a list of 2023-01-01\.$/,
    );
    expect(await answerText(page)).toContain("1 of 6 expressions is on eth-phishing-detect.");
    expect(await textOf(page.getByTestId("readout"))).toContain("azukishop.live/");
    await field(page, "Link or message").fill("https://example.com/");
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Not on this list/);
  });

  test("says what would leave this machine, and what would not", async () => {
    const { page } = await openPage();
    await field(page, "Link or message").fill("http://a.b.c/1/2.html?param=1");
    const leaving = panel(page, "What would leave this machine");
    const sent = leaving.getByRole("list", { name: "Prefixes that would be sent" });
    expect(await sent.getByRole("listitem").allInnerTexts()).toEqual(
      [
        "a.b.c/1/2.html?param=1",
        "a.b.c/1/2.html",
        "a.b.c/",
        "a.b.c/1/",
        "b.c/1/2.html?param=1",
        "b.c/1/2.html",
        "b.c/",
        "b.c/1/",
      ].map((text) => toHex(fullHash(text).subarray(0, 4))),
    );
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
    await page.getByRole("button", { name: "Remove eth-phishing-detect" }).click();
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Cannot tell\s+No list/);
    await page.getByRole("button", { name: "Add the built-in list" }).click();
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Not on this list/);
  });
});

describe("hashed URIs", () => {
  const result = (page: Page) => panel(page, "Hashed URIs");

  test("URIs are hashed, and looked for in a list", async () => {
    const { page } = await openPage({ fragment: "#hashed" });
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
    expect(await textOf(result(page).locator(".lead"))).toBe("3 of 4 URIs on the list.");
  });

  test("algorithm, variant and flags change the hashes", async () => {
    const { page } = await openPage({ fragment: "#hashed" });
    await field(page, "URIs, one per line").fill("http://10.20.30.40/abc?q#f");
    const code = result(page).locator("code");
    const form = result(page).locator("em .data");

    await field(page, "Algorithm").selectOption("md5");
    await answered(page);
    expect(await textOf(form)).toBe("http://10.20.30.40/abc");
    expect(await textOf(code)).toBe("hashed:md5=754a2c63a13aa2e8153d027066e31f8f");
    await field(page, "Keep the query (+query)").check();
    await field(page, "Keep the fragment (+frag)").check();
    await answered(page);
    expect(await textOf(code)).toMatch(/^hashed:md5=[0-9a-f]{32}\+frag\+query$/);
    expect(await textOf(form)).toBe("http://10.20.30.40/abc?q#f");
    await field(page, "Algorithm").selectOption("x-sha256");
    await answered(page);
    expect(await textOf(code)).toMatch(/^hashed:x-sha256=[0-9a-f]{64}\+frag\+query$/);
    await field(page, "Variant").selectOption("P");
    await field(page, "URIs, one per line").fill("http://a.example/TEST/");
    await answered(page);
    expect(await textOf(form)).toBe("http://a.example/test");
  });

  test("says what never matches and what is refused", async () => {
    const { page } = await openPage({ fragment: "#hashed" });
    await page.getByRole("button", { name: "Hashes that never match" }).click();
    await answered(page);
    const said = await textOf(result(page));
    expect(said).toContain('Line 1 of the list: It never matches: the algorithm "sha512"');
    expect(said).toContain("Line 2 of the list: It never matches: no sha1 hash has 4 digits.");
    expect(said).toMatch(/Line 3 of the list: .+ hexadecimal/);
    expect(await result(page).locator(".tag").allInnerTexts()).toEqual(["no match", "not a URI"]);
    expect(said).toContain("For developers: code character-excluded");
  });
});

describe("URN", () => {
  test("parts with their offsets, in the chosen syntax", async () => {
    const { page } = await openPage({ fragment: "#urn" });
    await field(page, "URN").fill("urn:example:a-b?=q#f");
    await answered(page);
    const cells = () =>
      panel(page, "Its parts")
        .locator("tbody tr")
        .evaluateAll((rows) =>
          rows.map((row) => [...row.children].map((cell) => cell.textContent)),
        );
    expect(await cells()).toEqual([
      ["scheme", "0", "3", "urn"],
      ["NID", "4", "11", "example"],
      ["NSS", "12", "15", "a-b"],
      ["q-component", "17", "18", "q"],
      ["f-component", "19", "20", "f"],
    ]);
    await field(page, "Syntax").selectOption("rfc2141");
    await answered(page);
    expect(await cells()).toEqual([
      ["scheme", "0", "3", "urn"],
      ["NID", "4", "11", "example"],
      ["NSS", "12", "20", "a-b?=q#f"],
    ]);
  });

  test("an error points at its character", async () => {
    const { page } = await openPage({ fragment: "#urn?syntax=rfc2141" });
    await field(page, "URN").fill("urn:example:a~b");
    await answered(page);
    const refused = panel(page, "Its parts");
    expect(await textOf(refused)).toContain("nss-character");
    expect(await textOf(refused.locator(".place mark"))).toBe("~");
    expect(await textOf(refused)).toMatch(/For developers\s+index 13; RFC 2141/);
    await field(page, "Syntax").selectOption("rfc8141");
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

  test("URNs are found and marked in a text", async () => {
    const { page } = await openPage({ fragment: "#urn" });
    await field(page, "A text").fill("See <urn:isbn:0451450523>\n(or urn:ietf:rfc:2141).");
    const found = panel(page, "URNs in a text");
    await answered(page);
    expect(await textOf(found.locator(".found-count"))).toBe("2 URNs found.");
    const marks = found.locator(".running-text mark");
    expect(await marks.allInnerTexts()).toEqual(["urn:isbn:0451450523", "urn:ietf:rfc:2141"]);
    await field(page, "Leave out punctuation at the end of a URN").uncheck();
    await answered(page);
    expect(await textOf(marks.last())).toBe("urn:ietf:rfc:2141).");
  });

  test("the first of many URNs are marked, and all are counted", async () => {
    const text = encodeURIComponent("urn:example:a ".repeat(1000));
    const { page } = await openPage({ fragment: `#urn?text=${text}` });
    await answered(page);
    const found = panel(page, "URNs in a text");
    expect(await textOf(found.locator(".found-count"))).toBe(
      "1,000 URNs found. The first 100 are marked.",
    );
    expect(await found.locator(".running-text mark").count()).toBe(100);
  });

  test("the page says how much of a long text is left out, however many lines it has", async () => {
    const text = encodeURIComponent(`urn:example:a${"\r\nx".repeat(500)}`);
    const { page } = await openPage({ fragment: `#urn?text=${text}` });
    await answered(page);
    const shown = panel(page, "URNs in a text").locator(".running-text");
    expect(await textOf(shown)).toContain("… 600 more characters …");
  });
});
