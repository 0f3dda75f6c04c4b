import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { refang } from "@x/list-source";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { FIRST_EXAMPLE } from "../../src/web/model/first-example.ts";
import { violations } from "./axe.ts";
import {
  answered,
  BUILT_PAGE,
  copiedBy,
  dropFile,
  EXAMPLE,
  field,
  historyHas,
  openPage,
  panel,
  textOf,
  useBrowser,
} from "./open-page.ts";

useBrowser();

const sentence = (page: Page): Promise<string> => textOf(page.locator(".sentence"));
const part = (page: Page) => page.getByRole("toolbar", { name: "The URL, part by part" });

test("the start answers first questions, and gives way to an answer", async () => {
  const { page } = await openPage({ isFolded: true, viewport: { width: 1280, height: 800 } });
  const notes = page.getByRole("region", { name: "Good to know" });
  const text = await textOf(notes);
  for (const answer of [
    "Paste the whole mail or SMS: nothing in it is opened.",
    "To copy one link, right-click it, or hold it on a phone",
    "Not on a list does not mean safe.",
    "Clicked it? Close the page.",
    "List: eth-phishing-detect of 2023-01-01, or your own.",
    "Safe Browsing v5 and v4, Web Risk. MIT license.",
    "For Node 20.19 or newer and current browsers.",
  ])
    expect(text).toContain(answer);
  expect(await notes.getByRole("link").allInnerTexts()).toEqual([
    "Google Safe Browsing",
    "Microsoft",
    "APWG",
    "README, as text",
  ]);
  await notes.getByRole("button", { name: "Lists" }).click();
  await panel(page, "Lists").waitFor();
  await page.locator(".fold > summary").click();
  await expect.poll(() => panel(page, "Lists").isVisible()).toBe(false);
  await notes.getByRole("button", { name: "Lists" }).click();
  await panel(page, "Lists").waitFor();
  expect(await page.evaluate(() => document.activeElement!.localName)).toBe("summary");
  await notes.getByRole("button", { name: "Many URLs" }).click();
  await page.getByRole("tab", { name: "Many URLs", selected: true }).waitFor();
  await page.goBack();
  await field(page, "Link or message").fill("http://good.example/");
  await page.locator(".answer.clear").waitFor();
  expect(await notes.count()).toBe(0);
});

test("the answer is on one screen, and axe finds nothing", async () => {
  const { page } = await openPage({
    fragment: EXAMPLE,
    isFolded: true,
    viewport: { width: 1280, height: 800 },
  });
  expect(await sentence(page)).toBe("Looks like wikipedia.org. Opens login.azukishop.live.");
  expect(await textOf(page.locator(".badge"))).toBe("Probably listed");
  const bottom = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox())!;
    return y + height;
  };
  expect(await bottom(".answer")).toBeLessThan(800);
  await expect.poll(() => page.title()).toBe("Probably listed · urlhash");
  expect(await violations(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  for (const selector of [".url-entry textarea", ".sentence", ".badge", ".url-parts"]) {
    expect(await bottom(selector)).toBeLessThan(844);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

const VERDICTS = [
  [
    "http://azukishop.live/",
    "listed",
    "Opens azukishop.live, which is probably listed.",
    "Probably listed",
  ],
  [
    "http://good.example/",
    "clear",
    "Opens good.example, which is not on this list.",
    "Not on this list",
  ],
  [
    "hxxps://azukishop[.]live/",
    "listed",
    "Defanged. Restored, it opens azukishop.live, which is probably listed.",
    "Probably listed",
  ],
  ["asdf qwer", "error", "There is no link in this text.", "No link"],
] as const;

test("there are four verdicts, each with its sentence and its title", async () => {
  const { page } = await openPage({ isFolded: true });
  for (const [url, kind, said, title] of VERDICTS) {
    await field(page, "Link or message").fill(url);
    await page.locator(`.answer.${kind}`).waitFor();
    await expect.poll(() => sentence(page)).toBe(said);
    await page.waitForFunction((title) => document.title === title, `${title} · urlhash`);
  }
});

test("the first screen answers what a newcomer asks", async () => {
  const { page } = await openPage({ isFolded: true, viewport: { width: 1280, height: 800 } });
  const screen = () => textOf(page.locator("body"));
  expect(await screen()).toContain("in this tab and stays there: nothing is sent or opened");
  // Settings are folded.
  expect(await page.locator(".engine").isVisible()).toBe(false);

  await field(page, "Link or message").fill("https://www.example.com/a?b");
  await page.locator(".answer.clear").waitFor();
  for (const answer of [
    "Opens www.example.com, which is not on this list.",
    "This does not prove that it is safe. Do not open a link that you did not expect.",
    "Redirects are not followed",
    "This list is an old example.",
    "What counts is the end of the name, example.com: anything can stand before it.",
    "Nothing that you typed was sent.",
  ])
    expect(await screen()).toContain(answer);

  await field(page, "Link or message").fill("http://3279880203/blah");
  await page.locator(".answer.suspect").waitFor();
  expect(await sentence(page)).toBe(
    "Opens 195.127.0.11, an IP address written as one decimal number.",
  );
  expect(await screen()).toContain("3279880203 = 195·256³ + 127·256² + 0·256 + 11");
});

test.each([
  ["http://azukishop.live/", "listed"],
  [FIRST_EXAMPLE, "listed"],
  ["http://good.example/", "clear"],
  ["https://bit.ly/abc", "doubt"],
  ["https://\u0430pple.com/login", "suspect"],
  ["http://www.paypal.com@2130706433/", "suspect"],
  ["http://example.com/\u202egnp.exe", "suspect"],
  ["hxxps://azukishop[.]live/", "listed"],
  ["https://www.google.com/url?q=http%3A%2F%2Fazukishop.live%2F", "listed"],
  ["https://www.google.com/url?q=http%3A%2F%2Fgood.example%2F", "clear"],
  ["Hello, see http://azukishop.live/ and answer soon.", "listed"],
  ["http://ev\u2065il.example/", "doubt"],
  ["javascript:alert(1)", "error"],
])("%j: the evidence is on one line", async (text, kind) => {
  const { page } = await openPage({
    fragment: `#url?u=${encodeURIComponent(text)}`,
    isFolded: true,
    viewport: { width: 1280, height: 800 },
  });
  await page.locator(`.answer.${kind}`).waitFor();
  const apart = await page.locator(".evidence").evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const middles = [...range.getClientRects()].map(({ top, bottom }) => (top + bottom) / 2);
    return Math.max(...middles) - Math.min(...middles);
  });
  // The button is a little higher than the text, but by less than half a line.
  expect(apart).toBeLessThan(10);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
});

test("on a phone, the answer is high, and the URL and its names are whole", async () => {
  const { page } = await openPage({
    fragment: EXAMPLE,
    isFolded: true,
    viewport: { width: 390, height: 844 },
  });
  const top = async (selector: string) => (await page.locator(selector).boundingBox())!.y;
  expect(await top(".sentence")).toBeLessThan(844 * 0.45);
  await field(page, "Link or message").fill("https://\u0430pple.com/login");
  await page.locator(".answer.suspect").waitFor();
  const name = page.locator(".sentence .name").last();
  expect(await textOf(name)).toBe("xn--pple-43d.com");
  expect(await name.evaluate((element) => element.getClientRects().length)).toBe(1);
  // Names in the reasons are not broken, either: each is as high as a line.
  const names = page.getByRole("tabpanel", { name: "Why" }).locator(".name");
  const heights = await names.evaluateAll((all) => all.map((one) => one.clientHeight));
  expect(heights.length).toBeGreaterThan(1);
  expect(Math.max(...heights)).toBeLessThan(30);
  expect(await violations(page)).toEqual([]);
});

test("a URN is not a URL, and opens as a URN; Back returns", async () => {
  const { page } = await openPage({ fragment: "#url?u=urn:isbn:0451450523" });
  await page.getByRole("button", { name: "Open as a URN" }).click();
  expect(await field(page, "URN").inputValue()).toBe("urn:isbn:0451450523");
  await page.goBack();
  await expect.poll(() => field(page, "Link or message").inputValue()).toBe("urn:isbn:0451450523");
});

test.each([
  ["https://www.paypal.com.account-verify.example/", "www.paypal.com", "account-verify.example"],
  [
    "https://login.microsoftonline.com.session-89a.evil.top/auth",
    "login.microsoftonline.com",
    "evil.top",
  ],
])("%s: the headline says whose site it is, and nothing alarms", async (url, begins, site) => {
  const { page } = await openPage({ fragment: `#url?u=${encodeURIComponent(url)}` });
  await page.locator(".answer.clear").waitFor();
  expect(await sentence(page)).toBe(`Begins like ${begins}, but opens a site of ${site}.`);
  expect(await textOf(page.locator(".badge"))).toBe("Not on this list");
});

test("hosts of others that content delivery networks use are plain hosts", async () => {
  const { page } = await openPage({ isFolded: true });
  for (const host of [
    "www.example.com.edgekey.net",
    "www.example.com.cdn.cloudflare.net",
    "example.blogspot.com.br",
  ]) {
    await field(page, "Link or message").fill(`https://${host}/a`);
    await expect.poll(() => sentence(page)).toBe(`Opens ${host}, which is not on this list.`);
  }
});

test("an outdated list gives no verdict on what is not on it", async () => {
  const { page } = await openPage({ fragment: "#url?u=http://good.example/", isFolded: true });
  await page.locator(".answer.clear").waitFor();
  const created = Date.UTC(2020, 1, 3);
  const list = prefixList([fullHash("evil.example/")], { name: "mine", created });
  await dropFile(page, "main", "mine.list", encodePrefixList(list));
  await page.locator(".answer.doubt").waitFor();
  expect(await textOf(page.locator(".answer"))).toContain(
    "mine is out of date: it was made on 2020-02-03.",
  );
  await field(page, "Link or message").fill("http://evil.example/");
  await page.locator(".answer.listed").waitFor();
});

test("a damaged list is answered on the first screen", async () => {
  const { page } = await openPage({ isFolded: true });
  const bytes = encodePrefixList(prefixList([fullHash("a/")], { name: "x", created: 0 }));
  bytes[bytes.length - 1]! ^= 1;
  await dropFile(page, "main", "a.list", bytes);
  await page.getByText("a.list was not added: ").and(page.locator(":visible")).waitFor();
});

describe("the annotated URL", () => {
  test("pointing at a part explains it, and so does the keyboard", async () => {
    const { page } = await openPage({ fragment: EXAMPLE, isFolded: true });
    const parts = part(page).getByRole("button");
    expect((await parts.allInnerTexts()).map((text) => text.split("\n"))).toEqual([
      ["HTTP://"],
      ["login.AZUKISHOP.live", "browser goes here"],
      ["\\", "“\\” ends the host"],
      ["@"],
      ["www.wikipedia.org", "the rules look here"],
      [":80"],
      ["/wiki/%2555RL"],
      ["#top"],
    ]);
    const note = () => textOf(page.locator(".part-note"));
    expect(await note()).toMatch(/^Browsers treat a backslash as a slash/);
    await parts.nth(4).hover();
    expect(await note()).toBe(
      "Safe Browsing’s rules, which blocklists follow, find the host here: www.wikipedia.org.",
    );
    await parts.nth(4).focus();
    await page.keyboard.press("ArrowRight");
    expect(await note()).toBe("The port. Lists ignore it.");
    await page.keyboard.press("Home");
    expect(await note()).toBe("How the browser connects. Lists ignore it.");
    // The URL is one tab stop, and the note describes the focused part.
    const described = await page.evaluate(() => {
      const id = document.activeElement!.getAttribute("aria-describedby")!;
      return document.getElementById(id)!.textContent;
    });
    expect(described).toBe(await note());
    await page.keyboard.press("Tab");
    expect(await part(page).locator(":focus").count()).toBe(0);
  });

  test("letters that look like others are pointed out with their script", async () => {
    const { page, requests } = await openPage({ isFolded: true });
    const before = requests.length;
    await page.getByText("More examples").click();
    await page.getByRole("button", { name: "Look-alike letters" }).click();
    expect(await sentence(page)).toBe("Looks like apple.com, but is not. Opens xn--pple-43d.com.");
    // The host is one part, in which the letter is marked.
    const host = part(page).locator(".host");
    expect((await textOf(host)).split("\n")).toEqual([
      "\u0430pple.com",
      "browser goes here; “\u0430” is Cyrillic, not “a”",
    ]);
    expect(await host.locator("mark").allInnerTexts()).toEqual(["\u0430"]);
    expect(await part(page).getByRole("button").count()).toBe(3);
    // A disguised URL stands out more than other URLs that are not listed.
    await page.locator(".verdict.suspect").waitFor();
    expect(await textOf(page.locator(".verdict.suspect .badge"))).toBe("Disguised");
    expect(await textOf(page.locator(".verdict.suspect"))).toContain(
      "Do not open it: such a disguise is typical of phishing.",
    );
    expect(await textOf(page.locator(".evidence"))).toMatch(
      /^In its host, “\u0430” is Cyrillic, not “a”\. Not on eth-phishing-detect, /,
    );
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violations(page, ["color-contrast"])).toEqual([]);
    // No font is fetched for a letter.
    expect(requests.slice(before)).toEqual([]);
  });
});

test("only the registrable domain of the host is bold, and the URL is copied as it is", async () => {
  const url = "http://paypal.com.login.evil.co.uk:80/a?b";
  const { page } = await openPage({ fragment: `#url?u=${url}`, isFolded: true });
  const bold = await part(page)
    .locator(".host .data, .host .data span")
    .evaluateAll((all) =>
      all.flatMap((element) =>
        Number(getComputedStyle(element).fontWeight) < 600
          ? []
          : [...element.childNodes].filter((node) => node instanceof Text).map(({ data }) => data),
      ),
    );
  expect(bold.join("")).toBe("evil.co.uk");
  const selected = await part(page).evaluate((element) => {
    getSelection()!.selectAllChildren(element);
    return getSelection()!.toString();
  });
  expect(selected).toBe(url);
});

test("details are tabs; the chosen one is remembered, and in the link", async () => {
  const { page } = await openPage({ fragment: EXAMPLE, isFolded: true });
  const details = page.getByRole("tablist", { name: "Details" }).getByRole("tab");
  expect(await details.allInnerTexts()).toEqual(["Why", "Steps", "Hashes", "Privacy", "Lists"]);
  await panel(page, "How sure is the verdict?").waitFor();
  await details.nth(0).focus();
  await page.keyboard.press("ArrowRight");
  await panel(page, "Canonicalization").waitFor();
  expect(await panel(page, "How sure is the verdict?").count()).toBe(0);
  await historyHas(page, "tab=steps");
  await page.evaluate(() => {
    location.hash = "#url?u=http://a.example/";
  });
  await page.reload();
  await panel(page, "Canonicalization").waitFor();

  const fragment = "#url?u=http://a.example/&tab=privacy";
  const { page: other } = await openPage({ fragment, isFolded: true });
  await panel(other, "What would leave this machine").waitFor();
});

test("Back returns to the start and to the example before", async () => {
  const { page } = await openPage({ isFolded: true });
  const box = field(page, "Link or message");
  const choose = async (name: string): Promise<void> => {
    await page.getByText("More examples").click();
    await page.getByRole("button", { name }).click();
  };
  await choose("Defanged");
  expect(await box.inputValue()).toMatch(/^hxxps/);
  await page.getByRole("button", { name: "Clear Link or message" }).click();
  await page.getByRole("heading", { name: "Where does this link really go?" }).waitFor();
  await choose("Address as a number");
  expect(await box.inputValue()).toBe("http://3279880203/blah");
  await page.goBack();
  await expect.poll(() => box.inputValue()).toBe("");
});

test("the report is defanged, as plain text and as Markdown", async () => {
  const { page } = await openPage({ fragment: EXAMPLE, isFolded: true });
  const typed = await field(page, "Link or message").inputValue();
  await page.getByText("Report it").click();
  const text = await copiedBy(page.getByRole("button", { name: "Copy report as plain text" }));
  await page.getByText("Copied", { exact: true }).first().waitFor();
  expect(text).toMatch(
    /^Looks like wikipedia\[\.\]org\. Opens login\[\.\]azukishop\[\.\]live\.\nProbably listed\. Do not open it\./,
  );
  expect(text).not.toMatch(/https?:|[a-z]\.[a-z]/i);
  // The URL in the report can be refanged.
  const url = /^URL: (.*)$/m.exec(text)![1]!;
  expect(refang(url).toLowerCase()).toBe(typed.toLowerCase());
  expect(await copiedBy(page.getByRole("button", { name: "Copy as Markdown" }))).toMatch(
    /^\*\*Looks like wikipedia/,
  );
});

test("a link whose text is left out says so when it is copied", async () => {
  const { page } = await openPage({ isFolded: true });
  await field(page, "Link or message").fill(`http://a.example/${"b".repeat(17_000)}`);
  await answered(page);
  await page.getByRole("button", { name: "Share a link to this view" }).click();
  await page.getByText("Copied, without the text that is too long").first().waitFor();
});

test("the page has a picture for links to it, which no reader loads", async () => {
  const html = await readFile(join(BUILT_PAGE, "index.html"), "utf8");
  const [, file] = /property="og:image" content="\.\/(assets\/[^"]+\.png)"/.exec(html)!;
  const png = await readFile(join(BUILT_PAGE, file!));
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(await readFile(join(BUILT_PAGE, "sw.js"), "utf8")).not.toContain(".png");
});

test("what the first answer needs is small", async () => {
  const { page, requests } = await openPage({ isFolded: true });
  await page.locator(".example.listed").waitFor();
  const assets = join(BUILT_PAGE, "assets");
  const sizes = async (pattern: RegExp, size: (file: Buffer) => number): Promise<number> => {
    const names = (await readdir(assets)).filter((name) => pattern.test(name));
    expect(names.length).toBeGreaterThan(0);
    const files = await Promise.all(names.map((name) => readFile(join(assets, name))));
    return files.reduce((sum, file) => sum + size(file), 0);
  };
  const [, name] = /src="\.\/assets\/(index-[^"]+\.js)"/.exec(
    await readFile(join(BUILT_PAGE, "index.html"), "utf8"),
  )!;
  const code = await readFile(join(assets, name!), "utf8");
  const imported = [...code.matchAll(/(?:^|;)import(?:[^"'()]*from)?["']\.\/([^"']+)["']/g)];
  const first = [name!, ...imported.map((found) => found[1]!)];
  const gzipped = await Promise.all(
    first.map(async (file) => gzipSync(await readFile(join(assets, file))).length),
  );
  // The code that recognizes other texts and finds links is loaded right after the first answer. Texts that are not
  // clearly one URL, and URLs inside in more encodings, which the first answer must not call harmless, cost 1.1 kB. That
  // a checker also checks hosts, which the page does not need, costs 0.2 kB.
  expect(gzipped.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(75_550);
  expect(await sizes(/\.woff2$/, ({ length }) => length)).toBeLessThan(70_000);
  expect(requests.filter((url) => url.endsWith(".woff2"))).toHaveLength(2);
});
