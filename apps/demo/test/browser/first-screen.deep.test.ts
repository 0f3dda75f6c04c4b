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
  EXAMPLE,
  field,
  historyHas,
  openPage,
  panel,
  SPOOFED,
  textOf,
  useBrowser,
} from "./open-page.ts";

useBrowser();

const sentence = async (page: Page): Promise<string> =>
  (await textOf(page.locator(".sentence"))).replaceAll("\n", " ");
const part = (page: Page) => page.locator(".url-parts");

test("the answer is on one screen, and axe finds nothing", async () => {
  const { page } = await openPage({
    fragment: EXAMPLE,
    isFolded: true,
    viewport: { width: 1280, height: 800 },
  });
  expect(await sentence(page)).toBe("Looks like wikipedia.org. Opens login.azukishop.live.");
  expect(await textOf(page.locator(".badge"))).toBe("Listed");
  const bottom = async (selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox())!;
    return y + height;
  };
  expect(await bottom(".answer")).toBeLessThan(800);
  await expect.poll(() => page.title()).toBe("Listed · urlhash");
  expect(await violations(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  for (const selector of [
    ".url-entry textarea",
    ".sentence",
    ".badge",
    ".url-parts",
    ".evidence",
  ]) {
    expect(await bottom(selector)).toBeLessThan(844);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

const VERDICTS = [
  ["http://azukishop.live/", "listed", "Opens azukishop.live.", "Listed"],
  ["http://good.example/", "clear", "Opens good.example.", "Not on this list"],
  ["hxxps://azukishop[.]live/", "listed", "Defanged. Restored, it opens azukishop.live.", "Listed"],
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
  expect(await screen()).toContain("nothing is sent or opened");
  expect((await screen()).split(/\s+/).length).toBeLessThan(120);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800);

  await field(page, "Link or message").fill("https://www.example.com/a?b");
  await page.locator(".answer.clear").waitFor();
  for (const answer of [
    "Opens www.example.com.",
    "This does not prove that it is safe. Do not open it if you did not expect it.",
    "Redirects are not followed",
    "a list of 2023-01-01. It covers only crypto phishing of that time.",
    "What counts is the end of the name: example.com. Anything can stand before it.",
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
  [SPOOFED, "listed"],
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
  ["javascript:alert(1)", "suspect"],
  ["mailto:jane@example.org", "error"],
])("%j: the evidence is on one line", async (text, kind) => {
  const { page } = await openPage({
    fragment: `#url?u=${encodeURIComponent(text)}`,
    isFolded: true,
    viewport: { width: 1280, height: 800 },
  });
  await page.locator(`.answer.${kind}`).waitFor();
  const heights = await page
    .locator(".evidence")
    .evaluateAll((all) => all.map((element) => element.clientHeight));
  expect(heights.every((height) => height < 30)).toBe(true);
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
  // Names in the reasons are not broken: each is as high as a line.
  const names = page.getByRole("tabpanel", { name: "Why" }).locator(".name");
  const heights = await names.evaluateAll((all) => all.map((one) => one.clientHeight));
  expect(heights.length).toBeGreaterThan(1);
  expect(Math.max(...heights)).toBeLessThan(30);
  await field(page, "Link or message").fill("https://\u0430pple.com/login");
  await page.locator(".answer.suspect").waitFor();
  const name = page.locator(".sentence .name").last();
  expect(await textOf(name)).toBe("xn--pple-43d.com.");
  expect(await name.evaluate((element) => element.getClientRects().length)).toBe(1);
  expect(await violations(page)).toEqual([]);
});

test.each([320, 1280])("%s px: no line of the sentence begins with a comma", async (width) => {
  const host = `www.${"verylongname".repeat(4)}.com.evil-host.ru`;
  const { page } = await openPage({
    fragment: `#url?u=http://${host}/`,
    isFolded: true,
    viewport: { width, height: 800 },
  });
  await expect.poll(() => sentence(page)).toMatch(/^Begins like www\.verylong\w+\.com, but /);
  const [sentenceLeft, commaLeft] = await page.locator(".sentence").evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (!texts.nextNode()!.textContent!.includes(","));
    const range = document.createRange();
    const at = texts.currentNode.textContent!.indexOf(",");
    range.setStart(texts.currentNode, at);
    range.setEnd(texts.currentNode, at + 1);
    return [element, range].map((each) => each.getBoundingClientRect().left);
  });
  expect(commaLeft).toBeGreaterThan(sentenceLeft! + 20);
});

test("a URN is not a URL, and opens as a URN; Back returns", async () => {
  const { page } = await openPage({ fragment: "#url?u=urn:isbn:0451450523" });
  await page.getByRole("button", { name: "Open as a URN" }).click();
  expect(await field(page, "URN").inputValue()).toBe("urn:isbn:0451450523");
  await page.goBack();
  await expect.poll(() => field(page, "Link or message").inputValue()).toBe("urn:isbn:0451450523");
  await field(page, "Link or message").fill("hashed:sha1=00");
  await expect.poll(() => sentence(page)).toBe("This is a hashed URI, not a link.");
});

test.each([
  [
    "https://www.smallshop.com.account-verify.example/",
    "www.smallshop.com",
    "account-verify.example",
  ],
  ["https://login.smallshop.com.session-89a.evil.top/auth", "login.smallshop.com", "evil.top"],
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
    await expect.poll(() => sentence(page)).toBe(`Opens ${host}.`);
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
  test("marks the parts that matter, and the details explain them", async () => {
    const { page } = await openPage({ fragment: EXAMPLE, isFolded: true });
    expect(await part(page).locator(".url-part").allTextContents()).toEqual([
      "HTTP://",
      "login.AZUKISHOP.live (browser goes here)",
      "\\ (“\\” ends the host)",
      "@",
      "www.wikipedia.org (not where it goes)",
      ":80",
      "/wiki/%2555RL",
      "#top",
    ]);
    expect(await page.locator(".part-legend li").allInnerTexts()).toEqual([
      "AZUKISHOP.live browser goes here",
      "\\ “\\” ends the host",
      "www.wikipedia.org not where it goes",
    ]);
    const why = await textOf(panel(page, "Why this verdict"));
    expect(why).toContain("Browsers treat a backslash as a slash");
    expect(why).toContain("which blocklists follow, find the host here: www.wikipedia.org.");
  });

  test.each([
    [
      "https://www.PAYPA1.com/login",
      "paypal.com",
      "1",
      "a digit, not the letter l",
      "paypa1.com differs from paypal.com.",
    ],
    [
      "https://rnicrosoft.com/",
      "microsoft.com",
      "rn",
      "instead of m",
      "rnicrosoft.com differs from microsoft.com.",
    ],
    [
      "https://paypal-secure-login.com/",
      "paypal.com",
      "paypal",
      "only a name inside paypal-secure-login.com",
      "paypal is only a name inside paypal-secure-login.com.",
    ],
    [
      "https://paypall.com/",
      "paypal.com",
      "l",
      "added to paypal.com",
      "paypall.com differs from paypal.com.",
    ],
    [
      "https://login.microsoftonline.com.a.evil.top/",
      "microsoftonline.com",
      "microsoftonline.com",
      "only a name inside evil.top",
      "microsoftonline.com is only a name inside evil.top.",
    ],
  ])(
    "%s: what imitates another site is marked and explained",
    async (url, site, marked, key, why) => {
      const { page } = await openPage({ fragment: `#url?u=${url}`, isFolded: true });
      await page.locator(".answer.suspect").waitFor();
      expect(await part(page).locator("mark").allInnerTexts()).toEqual([marked]);
      expect(await textOf(page.locator(".part-legend .imitating"))).toBe(`${marked} ${key}`);
      expect(await sentence(page)).toContain(`Looks like ${site}, but is not.`);
      const detail = panel(page, "Why this verdict").locator("p").first();
      expect(await textOf(detail)).toBe(`Disguised: ${why}`);
    },
  );

  test("letters that look like others are pointed out with their script", async () => {
    const { page, requests } = await openPage({ isFolded: true });
    const before = requests.length;
    await page.getByText("More examples").click();
    await page.getByRole("button", { name: "Look-alike letters" }).click();
    expect(await sentence(page)).toBe("Looks like apple.com, but is not. Opens xn--pple-43d.com.");
    const host = part(page).locator(".host");
    expect(await host.locator("mark").allInnerTexts()).toEqual(["\u0430"]);
    expect(await textOf(page.locator(".part-legend"))).toContain(
      "browser goes here; “\u0430” (U+0430) is Cyrillic, not “a”",
    );
    // A disguised URL stands out more than other URLs that are not listed.
    await page.locator(".verdict.suspect").waitFor();
    expect(await textOf(page.locator(".verdict.suspect .badge"))).toBe("Disguised");
    expect(await textOf(page.locator(".verdict.suspect"))).toContain(
      "Do not open it: such a disguise is typical of phishing.",
    );
    expect(await textOf(page.locator(".evidence"))).toMatch(
      /^Did you mean apple\.com\? The link is not on metamask-crypto-phishing, a list of 2023-01-01\.$/,
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
    .locator(".host, .host span:not(.hidden)")
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

test("details are tabs; the chosen one stays, and is in the link", async () => {
  const { page } = await openPage({ fragment: EXAMPLE, isFolded: true });
  const details = page.getByRole("tablist", { name: "Details" }).getByRole("tab");
  expect(await details.allInnerTexts()).toEqual(["Why", "Steps", "Hashes", "Code", "Lists"]);
  await panel(page, "Why this verdict").waitFor();
  await details.nth(0).focus();
  await page.keyboard.press("ArrowRight");
  await panel(page, "Canonicalization").waitFor();
  expect(await panel(page, "Why this verdict").count()).toBe(0);
  await historyHas(page, "tab=steps");
  await page.evaluate(() => {
    location.hash = "#url?u=http://a.example/";
  });
  await panel(page, "Canonicalization").waitFor();

  const fragment = "#url?u=http://a.example/&tab=hashes";
  const { page: other } = await openPage({ fragment, isFolded: true });
  await panel(other, "What would leave this machine").waitFor();
});

test("Enter ends a single line and moves to the answer; Shift and Enter add a line", async () => {
  const { page } = await openPage({ isFolded: true, viewport: { width: 320, height: 256 } });
  const box = field(page, "Link or message");
  const focused = () => page.evaluate(() => document.activeElement!.className);
  await box.pressSequentially("http://good.example/");
  await page.locator(".answer.clear").waitFor();
  await page.keyboard.press("Enter");
  expect(await box.inputValue()).toBe("http://good.example/");
  expect(await focused()).toMatch(/\banswer\b/);
  await box.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("http://b.example/");
  await page.keyboard.press("Enter");
  expect(await box.inputValue()).toBe("http://good.example/\nhttp://b.example/\n");
});

test("at a zoom of 400%, the verdict is in sight", async () => {
  const { page } = await openPage({
    fragment: "#url?u=http://azukishop.live/",
    isFolded: true,
    viewport: { width: 320, height: 256 },
  });
  const { y, height } = (await page.locator(".verdict.listed").boundingBox())!;
  expect(y + height).toBeLessThan(256);
  expect(await violations(page)).toEqual([]);
});

test("a red card begins to help at once, and its buttons do not compete", async () => {
  const { page } = await openPage({ fragment: EXAMPLE, isFolded: true });
  const steps = page.locator(".next-steps");
  const first = "Only looked at the page? Close it.";
  await steps.getByText(first).waitFor();
  expect(await steps.getByRole("listitem").count()).toBe(0);
  await page.getByRole("button", { name: "I already clicked it" }).click();
  expect(await steps.getByRole("listitem").allInnerTexts()).toHaveLength(6);
  await field(page, "Link or message").fill("http://good.example/");
  await page.locator(".answer.clear").waitFor();
  await page.getByRole("button", { name: "I already clicked it" }).click();
  expect(await textOf(page.locator(".answer"))).not.toContain(first);
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
  await page.getByRole("button", { name: "Report", exact: true }).click();
  const text = await copiedBy(page.getByRole("button", { name: "Copy report as plain text" }));
  await page.getByText("Copied", { exact: true }).first().waitFor();
  expect(text).toMatch(
    /^Looks like wikipedia\[\.\]org\. Opens login\[\.\]azukishop\[\.\]live\.\nListed\. Do not open it\./,
  );
  expect(text).not.toMatch(/https?:|[a-z]\.[a-z]/i);
  // The URL in the report can be refanged.
  const url = /^URL: (.*)$/m.exec(text)![1]!;
  expect(refang(url).toLowerCase()).toBe(typed.toLowerCase());
  expect(await copiedBy(page.getByRole("button", { name: "Copy as Markdown" }))).toMatch(
    /^\*\*Looks like wikipedia/,
  );
});

test("the picture of an answer is made in the tab, and contains nothing else", async () => {
  const { page, requests } = await openPage({ fragment: EXAMPLE, isFolded: true });
  const before = requests.length;
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save picture", exact: true }).click(),
  ]);
  const png = await readFile(await file.path());
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 480]);
  const chunks: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    chunks.push(png.toString("latin1", at + 4, at + 8));
  }
  // No chunk holds a text, a time or a place.
  const plain = ["IHDR", "sRGB", "gAMA", "IDAT", "IEND"];
  expect(chunks.filter((name) => !plain.includes(name))).toEqual([]);
  expect(requests.slice(before).filter((url) => !url.startsWith("blob:"))).toEqual([]);

  // The site and the disguise have the colours that they have on the page, and red is only for the verdict.
  const colours = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d", {
      willReadFrequently: true,
    })!;
    context.drawImage(picture, 0, 0);
    return [0, 230].map((top) => {
      const { data } = context.getImageData(0, top, picture.width, 230);
      const found = new Set<string>();
      for (let at = 0; at < data.length; at += 4) found.add(data.slice(at, at + 3).join());
      return ["156,28,21", "28,74,156", "108,44,134"].filter((colour) => found.has(colour));
    });
  }, png.toString("base64"));
  expect(colours).toEqual([["156,28,21"], ["28,74,156", "108,44,134"]]);
});

test("the code does the same check, and cannot do anything else when it is pasted", async () => {
  const { page } = await openPage({ isFolded: true });
  await field(page, "Link or message").fill("http://a.example/it's\u001b[2J");
  await page.getByRole("tab", { name: "Code" }).click();
  const copy = (title: string) =>
    copiedBy(page.getByRole("button", { name: `Copy the code: ${title}` }));
  expect(await copy("Shell")).toBe(
    "npx urlhash check --list metamask-crypto-phishing.list -- $'http://a.example/it\\'s\\x1b[2J'",
  );
  expect(await copy("TypeScript")).toContain('.check("http://a.example/it\'s\\u001b[2J");');
  expect(await copy("HTTP")).toContain("http://127.0.0.1:8080/lookup");
  expect(JSON.parse(await copy("The answer as JSON"))).toMatchObject({ listed: false });
  await field(page, "Link or message").fill("http://a.example/it's");
  expect(await copy("Shell")).toBe(
    "npx urlhash check --list metamask-crypto-phishing.list -- 'http://a.example/it'\\''s'",
  );
  expect(await violations(page)).toEqual([]);
});

test("a link whose text is left out says so when it is copied", async () => {
  const { page } = await openPage({ isFolded: true });
  await field(page, "Link or message").fill(`http://a.example/${"b".repeat(17_000)}`);
  await answered(page);
  await page.getByRole("button", { name: "Copy page link with this view" }).click();
  await page.getByText("Copied, without the long text").first().waitFor();
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
  // The code that recognizes other texts and finds links is loaded right after the first answer.
  expect(gzipped.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60_000);
  expect(await sizes(/\.woff2$/, ({ length }) => length)).toBeLessThan(70_000);
  expect(requests.filter((url) => url.endsWith(".woff2"))).toHaveLength(2);
});
