import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { refang } from "@x/list-source";
import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { violations } from "./axe.ts";
import {
  answered,
  BUILT_PAGE,
  copiedBy,
  dropFile,
  field,
  openPage,
  panel,
  textOf,
  useBrowser,
} from "./open-page.ts";

useBrowser();

const sentence = (page: Page): Promise<string> => textOf(page.locator(".sentence"));
const part = (page: Page) => page.getByRole("toolbar", { name: "The URL, part by part" });

test("the first screen is one screen, and axe finds nothing", async () => {
  const { page } = await openPage({ isFolded: true, viewport: { width: 1280, height: 800 } });
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  expect(await height()).toBeLessThanOrEqual(800);
  expect(await sentence(page)).toBe("Looks like wikipedia.org. Opens login.azukishop.live.");
  expect(await textOf(page.locator(".badge"))).toBe("Probably listed");
  expect(
    await page.locator(".sentence").evaluate((element) => getComputedStyle(element).fontSize),
  ).toBe("28px");
  await expect.poll(() => page.title()).toBe("Probably listed · urlhash");
  expect(await violations(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  for (const selector of [".url-entry textarea", ".sentence", ".badge"]) {
    const { y, height } = (await page.locator(selector).boundingBox())!;
    expect(y + height).toBeLessThan(844);
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
  ["asdf qwer", "error", "This is not a URL.", "Not a URL"],
] as const;

test("there are four verdicts, each with its sentence and its title", async () => {
  const { page } = await openPage({ isFolded: true });
  for (const [url, kind, said, title] of VERDICTS) {
    await field(page, "URL").fill(url);
    await page.locator(`.answer.${kind}`).waitFor();
    await expect.poll(() => sentence(page)).toBe(said);
    await page.waitForFunction((title) => document.title === title, `${title} · urlhash`);
  }
});

test("the first screen answers what a newcomer asks", async () => {
  const { page } = await openPage({ isFolded: true, viewport: { width: 1280, height: 800 } });
  const screen = () => textOf(page.locator("body"));
  const tag = page.locator(".field-tag");
  expect(await textOf(tag)).toBe("Example");
  expect(await screen()).toContain("an old example that came with the page");
  // Settings are folded.
  expect(await page.locator(".engine").isVisible()).toBe(false);

  await field(page, "URL").fill("https://www.example.com/a?b");
  await page.locator(".answer.clear").waitFor();
  expect(await tag.count()).toBe(0);
  for (const answer of [
    "Opens www.example.com, which is not on this list.",
    "if you did not expect this link, do not open it.",
    "Redirects are not followed",
    "What counts is the end of the name: anything can stand before it.",
    "Nothing was sent.",
  ])
    expect(await screen()).toContain(answer);

  await field(page, "URL").fill("http://3279880203/blah");
  await page.locator(".answer.suspect").waitFor();
  expect(await sentence(page)).toBe(
    "Opens 195.127.0.11, an IP address written as one decimal number.",
  );
  expect(await screen()).toContain("3279880203 = 195·256³ + 127·256² + 0·256 + 11");
});

test("on a phone, the answer is high, and the URL and its names are whole", async () => {
  const { page } = await openPage({ isFolded: true, viewport: { width: 390, height: 844 } });
  const top = async (selector: string) => (await page.locator(selector).boundingBox())!.y;
  expect(await top(".sentence")).toBeLessThan(844 * 0.45);
  // The parts are one text, and their labels are below it.
  expect(await part(page).evaluate((parts) => getComputedStyle(parts).display)).toBe("block");
  expect(await page.locator(".part-legend").isVisible()).toBe(true);
  await page.getByRole("button", { name: "Look-alike letters" }).click();
  await page.locator(".answer.suspect").waitFor();
  const name = page.locator(".sentence .name").last();
  expect(await textOf(name)).toBe("xn--pple-43d.com");
  expect(await name.evaluate((element) => element.getClientRects().length)).toBe(1);
  expect(await violations(page)).toEqual([]);
});

test("a URN is not a URL, and opens as a URN; Back returns", async () => {
  const { page } = await openPage({ fragment: "#url?u=urn:isbn:0451450523" });
  await page.getByRole("button", { name: "Open as a URN" }).click();
  expect(await field(page, "URN").inputValue()).toBe("urn:isbn:0451450523");
  await page.goBack();
  await expect.poll(() => field(page, "URL").inputValue()).toBe("urn:isbn:0451450523");
});

test("an outdated list gives no verdict on what is not on it", async () => {
  const { page } = await openPage({ fragment: "#url?u=http://good.example/", isFolded: true });
  await page.locator(".answer.clear").waitFor();
  const created = Date.UTC(2020, 1, 3);
  const list = prefixList([fullHash("evil.example/")], { name: "mine", created });
  await dropFile(page, "main", "mine.list", encodePrefixList(list));
  await page.locator(".answer.doubt").waitFor();
  expect(await textOf(page.locator(".verdict"))).toContain(
    "mine is out of date: it was made on 2020-02-03.",
  );
  await field(page, "URL").fill("http://evil.example/");
  await page.locator(".answer.listed").waitFor();
});

test("a refused list is answered on the first screen", async () => {
  const { page } = await openPage({ isFolded: true });
  await dropFile(page, "main", "a.txt", new TextEncoder().encode("# nothing\n"));
  await page.getByText("a.txt was not added: ").and(page.locator(":visible")).waitFor();
});

describe("the annotated URL", () => {
  test("pointing at a part explains it, and so does the keyboard", async () => {
    const { page } = await openPage({ isFolded: true });
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
    // It is one tab stop, and what is said belongs to the part.
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
    // A disguise is not as quiet as any other site that is not listed.
    expect(await textOf(page.locator(".verdict.suspect .badge"))).toBe("Not on this list");
    expect(await textOf(page.locator(".verdict.suspect"))).toContain(
      "But such a disguise is typical of phishing: do not open it.",
    );
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await violations(page, ["color-contrast"])).toEqual([]);
    // No font is fetched for a letter.
    expect(requests.slice(before)).toEqual([]);
  });
});

describe("details", () => {
  test("are folded at first; what is unfolded is remembered, and in the link", async () => {
    const { page } = await openPage({ isFolded: true });
    expect(await page.locator("details.detail[open]").count()).toBe(0);
    await page.getByText("Steps (5 changed)").click();
    await panel(page, "Canonicalization").waitFor();
    await page.waitForFunction(() => history.state === "#url?open=steps");
    await page.goto("about:blank");
    await page.goBack();
    await page.evaluate(() => {
      location.hash = "#url?u=http://a.example/";
    });
    await page.reload();
    await panel(page, "Canonicalization").waitFor();
    expect(await page.locator("details.detail[open]").count()).toBe(1);

    const { page: other } = await openPage({ fragment: "#url?open=sent,x,how", isFolded: true });
    await panel(other, "What would leave this machine").waitFor();
    await panel(other, "How sure is the verdict?").waitFor();
    expect(await other.locator("details.detail[open]").count()).toBe(2);
  });
});

test("Back walks through examples", async () => {
  const { page } = await openPage({ isFolded: true });
  const box = field(page, "URL");
  const first = await box.inputValue();
  await page.getByRole("button", { name: "Defanged" }).click();
  await page.getByRole("button", { name: "Address as a number" }).click();
  expect(await box.inputValue()).toBe("http://3279880203/blah");
  await page.goBack();
  await expect.poll(() => box.inputValue()).toMatch(/^hxxps/);
  await page.goBack();
  await expect.poll(() => box.inputValue()).toBe(first);
});

test("the report is defanged, as plain text and as Markdown", async () => {
  const { page } = await openPage({ isFolded: true });
  const typed = await field(page, "URL").inputValue();
  const text = await copiedBy(page.getByRole("button", { name: "Copy report as plain text" }));
  await page.getByText("Copied", { exact: true }).first().waitFor();
  expect(text).toMatch(
    /^Looks like wikipedia\[\.\]org\. Opens login\[\.\]azukishop\[\.\]live\.\nProbably listed\. Do not open it\./,
  );
  expect(text).not.toMatch(/https?:|[a-z]\.[a-z]/i);
  // It can be turned back.
  const url = /^URL: (.*)$/m.exec(text)![1]!;
  expect(refang(url).toLowerCase()).toBe(typed.toLowerCase());
  expect(await copiedBy(page.getByRole("button", { name: "Copy as Markdown" }))).toMatch(
    /^\*\*Looks like wikipedia/,
  );
});

test("a link whose text is left out says so when it is copied", async () => {
  const { page } = await openPage({ isFolded: true });
  await field(page, "URL").fill(`http://a.example/${"b".repeat(17_000)}`);
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
  await page.locator(".verdict.listed").waitFor();
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
  // What tells what a text is instead of a URL takes another 14 kB. It is loaded right after the first answer.
  expect(gzipped.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(70_300);
  expect(await sizes(/\.woff2$/, ({ length }) => length)).toBeLessThan(70_000);
  expect(requests.filter((url) => url.endsWith(".woff2"))).toHaveLength(2);
});
