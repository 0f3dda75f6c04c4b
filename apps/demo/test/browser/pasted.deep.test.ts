import { readFile } from "node:fs/promises";
import { firstOf } from "@x/test-support/sample-size";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { CONTACT } from "../../src/phishing-list/about.ts";
import { startServer } from "../../src/server/start-server.ts";
import { violations } from "./axe.ts";
import {
  answered,
  BUILT_PAGE,
  dropFile,
  EXAMPLE,
  field,
  openPage,
  openUrl,
  panel,
  paste,
  textOf,
  useBrowser,
} from "./open-page.ts";

useBrowser();

/** The text of the focused element; `none` if only the page or the screen has the focus. */
const focusedText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement!;
    return ["BODY", "MAIN"].includes(focused.tagName) || focused.id === "screen"
      ? "none"
      : focused.textContent!;
  });

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const fragmentOf = (text: string): string => `#url?u=${encodeURIComponent(text)}`;
const SAFELINKS = "https://eur01.safelinks.protection.outlook.com/?data=05&url=";
const MAIL = [
  "From: bank@good.example",
  "Subject: Your account",
  "MIME-Version: 1.0",
  "Content-Type: text/html",
  "",
  '<a href="https://azukishop.live/claim">www.bank.example</a> <a href="http://good.example/">x</a>',
].join("\r\n");

const sentence = async (page: Page): Promise<string> =>
  (await textOf(page.locator(".sentence"))).replaceAll("\n", " ");
const links = (page: Page) => page.getByRole("list", { name: "Links" }).locator(":scope > li");

test("a message becomes rows, the worst first; nothing is sent, and Back returns", async () => {
  const { page, requests } = await openPage({ isFolded: true });
  const before = requests.length;
  await field(page, "Link or message").fill(
    "Dear customer,\nhttps://good.example/a and hxxps://azukishop[.]live/claim,\nor http://www.bank.example@evil.example/",
  );
  await page.locator(".answer.listed").waitFor();
  expect(await sentence(page)).toBe("Do not open 2 of these 3 links");
  expect(await links(page).locator(".tag").allInnerTexts()).toEqual([
    "listed",
    "disguised",
    "not listed",
  ]);
  expect(await textOf(links(page).nth(1))).toContain("www.bank.example is only a user name.");
  await expect.poll(() => page.title()).toBe("Do not open 2 of these 3 links · urlhash");
  expect(await field(page, "Link or message").getAttribute("aria-invalid")).toBe("false");
  expect(await violations(page)).toEqual([]);
  await page
    .getByRole("button", { name: "See the answer for https://azukishop.live/claim" })
    .click();
  await page.locator(".verdict.listed").waitFor();
  expect(await sentence(page)).toBe("Opens azukishop.live.");
  await page.getByRole("button", { name: "Back to all links" }).click();
  await links(page).first().waitFor();
  expect(requests.slice(before)).toEqual([]);
});

const TEXTS = [
  ["[pay](https://azukishop.live/x) or https://good.example/", "Do not open 1 of these 2 links"],
  [
    '<p><a href="https://azukishop.live/x">a</a><img src=http://b.example/c.png>',
    "Do not open 1 of these 2 links",
  ],
  ["http://a.example/\nhttp://b.example/\nhttp://a.example/", "None of these 3 links is listed"],
  [
    "http://a.example/ and\nhttp://b.example/ or\nhttp://a.example/",
    "None of these 2 links is listed",
  ],
] as const;

test.each(firstOf(1, TEXTS))("%j has links", async (text, said) => {
  const { page } = await openPage({ fragment: fragmentOf(text), isFolded: true });
  await links(page).first().waitFor();
  expect(await sentence(page)).toBe(said);
});

test("a text with one link has the answer about that link", async () => {
  const { page } = await openPage({
    fragment: fragmentOf("Hello! Please see <https://azukishop.live/a>."),
    isFolded: true,
  });
  await page.locator(".verdict.listed").waitFor();
  expect(await sentence(page)).toBe("Opens azukishop.live.");
  expect(await textOf(page.locator(".only"))).toBe("The only link in this text.");
  expect(await page.locator(".url-parts").textContent()).toContain("azukishop.live");
});

test.each(
  firstOf(2, [
    "\u201chttps://azukishop.live/\u201d",
    "\u8bf7\u70b9\u51fbhttps://azukishop.live/\u67e5\u770b",
    "*https://azukishop.live/*",
    "`https://azukishop.live/`",
  ]),
)("the link in %j is found", async (text) => {
  const { page } = await openPage({ fragment: fragmentOf(text), isFolded: true });
  await page.locator(".answer.listed").waitFor();
  expect(await textOf(page.locator(".only"))).toBe("The only link in this text.");
});

test("until all code is loaded, nothing is said about a text that may have links", async () => {
  const server = await startServer({ port: 0, folder: BUILT_PAGE });
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const text = "Hi, look: https://azukishop.live/ ok?";
  const { page } = await openUrl(server.url + fragmentOf(text), {
    isFolded: true,
    prepare: async (context) => {
      await context.route(/deferred-modules/, async (route) => {
        await isReleased;
        await route.continue();
      });
    },
  });
  await page.getByText("Looking for links …").first().waitFor();
  release();
  await page.locator(".answer.listed").waitFor();
  await server.stop(0);
});

test("a link in an email that shows another site says so", async () => {
  const { page } = await openPage({ fragment: fragmentOf(MAIL), isFolded: true });
  await links(page).first().waitFor();
  expect(await textOf(links(page).first())).toContain("The text shows www.bank.example instead.");
});

test("a pasted message with links behind its words is read like a file", async () => {
  const { page, requests } = await openPage({ isFolded: true });
  const before = requests.length;
  const html = `<style>a { color: red }</style><p style="color: red">Dear customer,
    <a href="https://azukishop.live/claim" onclick="alert(1)"><b>Click</b> here</a> or
    <a href="http://evil.example/">https://www.paypal.com/signin</a> or
    <a href="https://good.example/">https://good.example</a> or <a href="mailto:a@b.example">write</a>
    <a href="//c.example/a b">x &lt; y</a> <img src="http://d.example/e.png"><script>alert(1)</script>`;
  const plain =
    "Dear customer, Click here or https://www.paypal.com/signin or https://good.example or write x < y";
  await paste(page, "Link or message", plain, html);
  await links(page).first().waitFor();
  expect(await sentence(page)).toBe("Do not open 2 of these 5 links");
  const evil = links(page).filter({ hasText: "http://evil.example/" });
  expect(await textOf(evil)).toContain("The text shows www.paypal.com, but");
  expect(await page.getByRole("button", { name: "Use it as a list" }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  const remove = page.getByRole("button", { name: "Remove" });

  const shown = "https://www.paypal.com/";
  const decoy = "https://www.paypal.com/?azukishop.live";
  for (const [words, inside, said] of [
    ["Click here", "Click here", "Opens azukishop.live."],
    [shown, shown, "Shows www.paypal.com. Opens azukishop.live."],
    // Parts of the words may be hidden, so they are not in the plain text.
    ["Go", "Go<i hidden> to azukishop.live/x</i>", "Opens azukishop.live."],
    // The words may contain the host of the link.
    [decoy, decoy, "Shows www.paypal.com. Opens azukishop.live."],
  ] as const) {
    await remove.click();
    await paste(page, "Link or message", words, `<a href="https://azukishop.live/x">${inside}</a>`);
    await page.locator(".answer.listed").waitFor();
    expect(await sentence(page)).toBe(said);
    expect(await page.locator(".url-part.path").textContent()).toBe("/x");
  }

  await remove.click();
  await paste(page, "Link or message", "Go", '<form action="https://azukishop.live/p">Go</form>');
  await page.locator(".verdict.listed").waitFor();
  expect(requests.slice(before)).toEqual([]);
});

test("a pasted message that shows all its links stays a text", async () => {
  const { page } = await openPage({ isFolded: true });
  const box = field(page, "Link or message");
  const plain = "See https://good.example and write to a@b.example";
  const html =
    '<p>See <a href="https://good.example/">https://good.example</a> and <a href="mailto:a@b.example">write</a>';
  await paste(page, "Link or message", plain, html);
  await expect.poll(() => box.inputValue()).toBe(plain);
  await box.focus();
  await page.keyboard.press("Control+z");
  await expect.poll(() => box.inputValue()).toBe("");
});

test("rows and the answer about one link say the same about a host", async () => {
  const { page } = await openPage({ isFolded: true });
  const box = field(page, "Link or message");
  for (const [url, said, badge] of [
    [
      "https://www.smallshop.com.evil-host.ru/a",
      "Begins like www.smallshop.com, but opens a site of evil-host.ru.",
      "not listed",
    ],
    [
      "https://www.smallshop.com.s3.amazonaws.com/login.html",
      "Begins like www.smallshop.com, but is a page at amazonaws.com, where anyone can publish.",
      "not listed",
    ],
    ["https://a.github.io/", "A page at github.io, where anyone can publish.", "not listed"],
    ["https://bit.ly/x", "link shortener", "cannot tell"],
    ["https://t.co/x", "", "cannot tell"],
  ] as const) {
    await box.fill(url);
    await answered(page);
    await expect.poll(() => textOf(page.locator(".answer"))).toContain(said);
    expect(await textOf(page.locator(".badge"))).toMatch(new RegExp(`^${badge.slice(0, 3)}`, "i"));
    await box.fill(`See ${url}\nhttps://good.example/`);
    const title =
      badge === "cannot tell"
        ? "No verdict on 1 of these 2 links"
        : "None of these 2 links is listed";
    await expect.poll(() => sentence(page)).toBe(title);
    const row = links(page).filter({ hasText: url });
    expect(await textOf(row)).toContain(said);
    expect(await textOf(row.locator(".tag"))).toBe(badge);
  }
});

test("an email filter that leads to what the text shows is not warned of", async () => {
  const wrapped = `<a href="${SAFELINKS}https%3A%2F%2Fwww.paypal.com%2F">https://www.paypal.com</a>`;
  const { page } = await openPage({ fragment: fragmentOf(`${wrapped} Bye`), isFolded: true });
  await page.locator(".only").waitFor();
  expect(await textOf(page.locator(".answer"))).not.toContain("instead");
});

test("a wrapped link goes somewhere first, and all wrappers are named", async () => {
  const { page } = await openPage({ isFolded: true });
  const google = "https://www.google.com/url?q=https%3A%2F%2Fazukishop.live%2F";
  const box = field(page, "Link or message");
  await box.fill(google);
  await page.locator(".verdict.listed").waitFor();
  expect(await page.locator(".url-parts").first().textContent()).toContain(
    "browser goes here first",
  );
  await box.fill(`${SAFELINKS}${encodeURIComponent(google)}`);
  await expect
    .poll(() => sentence(page))
    .toMatch(/^Wrapped by Outlook SafeLinks, then by Google\. /);
});

test("what is no link is said in words, without a mistake and without codes", async () => {
  const { page } = await openPage({ isFolded: true });
  const box = field(page, "Link or message");
  for (const [text, said] of [
    ["geo:52.5,13.4", "A “geo:” link leads to no site."],
    ["mailto:jane@example.org", "This is an email address, not a link."],
    ["bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?amount=1", "A “bitcoin:” link leads to no site."],
    ["MATMSG:TO:a@b.example;SUB:x;BODY:y;;", "A “matmsg:” link leads to no site."],
    ["file://evil.example/share/a.exe", "This opens a file server, not a web page."],
    ["\u{1f3a3}\u{1f41f}", "There is no link in this text."],
    ["hello world", "There is no link in this text."],
  ] as const) {
    await box.fill(text);
    await answered(page);
    await expect.poll(() => sentence(page)).toBe(said);
    expect(await box.getAttribute("aria-invalid")).toBe("false");
    expect(await textOf(page.locator("main"))).not.toMatch(/Expected|For developers: /);
  }
  await box.fill("search-ms:query=a&crumb=location:\\\\evil.example\\share");
  await page.getByText("attackers use such links").waitFor();
  await box.fill("intent://evil.example/#Intent;scheme=https;end");
  await page.getByText("Phones with Android open it").waitFor();
  expect(await textOf(page.locator(".answer"))).not.toContain("Browsers do not open");
  await box.fill("https:// www. paypal .com/login");
  await expect.poll(() => sentence(page)).toMatch(/^Written with spaces\. Restored, it opens www/);
  expect(await violations(page)).toEqual([]);
});

test("a host is also shown in its own letters, unless they mislead", async () => {
  const { page } = await openPage({ isFolded: true });
  const box = field(page, "Link or message");
  await box.fill("https://xn--mnchen-3ya.de/");
  await expect.poll(() => sentence(page)).toMatch(/^Opens xn--mnchen-3ya\.de \(münchen\.de\)\.$/);
  await box.fill("https://xn--pple-43d.com/");
  await expect
    .poll(() => sentence(page))
    .toBe("Looks like apple.com, but is not. Opens xn--pple-43d.com.");
});

test("a pasted picture is said to be unreadable", async () => {
  const { page } = await openPage({ isFolded: true });
  await field(page, "Link or message").focus();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([new Uint8Array([137, 80, 78, 71, 0, 0])], "image.png"));
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement!.dispatchEvent(event);
  });
  await page.locator(".answer.doubt").waitFor();
  expect(await sentence(page)).toBe("Cannot read image.png");
  expect(await page.getByRole("button", { name: "Use it as a list" }).count()).toBe(0);
});

test("a link whose text shows another site is as loud as a disguised one", async () => {
  const shown = "https://www.paypal.com/signin";
  const html = '<a href="https://account-verify.top/a">https://www.shop.example/signin</a>';
  const { page } = await openPage({ fragment: fragmentOf(`${html} <p>Bye</p>`), isFolded: true });
  await page.locator(".answer.suspect").waitFor();
  expect(await sentence(page)).toBe("Shows www.shop.example. Opens account-verify.top.");
  expect(await textOf(page.locator(".badge"))).toBe("Disguised");
  expect(await textOf(page.locator(".verdict"))).toContain("Do not open it");
  expect(await textOf(page.locator(".verdict"))).toContain("newsletter");
  expect(await textOf(page.locator(".answer"))).not.toContain("not prove");
  await expect.poll(() => page.title()).toBe("Disguised · urlhash");
  expect(await violations(page)).toEqual([]);

  const box = field(page, "Link or message");
  await box.fill(`${html} <a href="http://good.example/">Home</a>`);
  await expect.poll(() => sentence(page)).toBe("Do not open 1 of these 2 links");
  await page.locator(".answer.suspect").waitFor();
  expect(await textOf(links(page).first())).toMatch(
    /^disguised[\s\S]*The text shows www\.shop\.example, but the link opens account-verify\.top\./,
  );

  expect(await textOf(page.locator(".verdict"))).toContain("newsletter");

  // Newsletters do not forge hosts, or show those of well-known sites.
  const forged = "Such disguises are typical of phishing.";
  const tracked = `<a href="https://click.e.shop.example/u/?qs=abcdef">${shown}</a>`;
  await box.fill(`${tracked} <a href="http://good.example/">Home</a>`);
  await expect.poll(() => textOf(page.locator(".verdict"))).toBe(forged);
  await box.fill(`${tracked} Bye`);
  await expect.poll(() => sentence(page)).toBe("Shows www.paypal.com. Opens click.e.shop.example.");
  expect(await textOf(page.locator(".badge"))).toBe("Disguised");
  expect(await textOf(page.locator(".verdict"))).toContain("typical of phishing");
  expect(await textOf(page.locator(".answer"))).not.toContain("newsletter");
  expect(await textOf(panel(page, "Why this verdict"))).toContain(
    "The text shows www.paypal.com, but the link opens click.e.shop.example.",
  );
  await box.fill(`${html} <a href="https://paypa1.com/">Home</a>`);
  await expect.poll(() => sentence(page)).toBe("Do not open these 2 links");
  expect(await textOf(page.locator(".verdict"))).toBe(forged);
  await box.fill("https://paypa1.com/\nhttps://www.paypal.com@evil.example/");
  await expect.poll(() => sentence(page)).toBe("Do not open these 2 links");
  expect(await textOf(page.locator(".verdict"))).toBe(forged);
  await box.fill(`<a href="https://paypa1.com/signin">${shown}</a> Bye`);
  await expect.poll(() => sentence(page)).toBe("Shows www.paypal.com. Opens paypa1.com.");
  expect(await textOf(page.locator(".verdict"))).toContain("typical of phishing");
  expect(await textOf(page.locator(".answer"))).not.toContain("newsletter");

  // A wrapped link is not disguised if it leads to the shown host, or hides where it leads.
  for (const [wrapped, title] of [
    [`${SAFELINKS}https%3A%2F%2Fwww.good.example%2F`, "None of these 2 links is listed"],
    ["https://protect-us.mimecast.com/s/abc", "No verdict on 1 of these 2 links"],
  ] as const) {
    await box.fill(`<a href="${wrapped}">good.example</a> <a href="http://b.example/">Home</a>`);
    await expect.poll(() => sentence(page)).toBe(title);
  }
  await box.fill(`<a href="${SAFELINKS}https%3A%2F%2Fevil.example%2F">good.example</a>`);
  await expect.poll(() => sentence(page)).toBe("Shows good.example. Opens evil.example.");
  await page.locator(".answer.suspect").waitFor();
  expect(await textOf(page.locator(".badge"))).toBe("Disguised");

  // A text may show another domain of the same owner.
  const own = '<a href="https://youtu.be/a">youtube.com/watch?v=a</a>';
  await box.fill(`${own} <a href="http://b.example/">Home</a>`);
  await expect.poll(() => sentence(page)).toBe("None of these 2 links is listed");
  expect(await textOf(links(page).first())).not.toContain("instead");

  // No newsletter needs a link that imitates another site.
  await box.fill('<a href="https://paypa1.com/">www.paypal.com</a> Bye');
  await page.locator(".answer.suspect").waitFor();
  await expect.poll(() => sentence(page)).toBe("Shows www.paypal.com. Opens paypa1.com.");
  expect(await textOf(page.locator(".answer"))).not.toContain("newsletter");
  await box.fill("See https://paypa1.com/ and http://good.example/");
  await expect.poll(() => sentence(page)).toBe("Do not open 1 of these 2 links");
  expect(await textOf(page.locator(".answer"))).not.toContain("newsletter");

  // A listed link stays listed.
  await box.fill('<a href="https://azukishop.live/x">good.example</a> Bye');
  await page.locator(".answer.listed").waitFor();
  expect(await sentence(page)).toBe("Shows good.example. Opens azukishop.live.");
  expect(await textOf(page.locator(".badge"))).toBe("Listed");
});

test("a wrapped link is opened, and the answer says what wraps it", async () => {
  const { page } = await openPage({ isFolded: true });
  const box = field(page, "Link or message");
  await box.fill(`${SAFELINKS}https%3A%2F%2Fazukishop.live%2Fclaim`);
  await page.locator(".verdict.listed").waitFor();
  expect(await sentence(page)).toBe(
    "Wrapped by Outlook SafeLinks. The link inside opens azukishop.live.",
  );
  expect(await textOf(panel(page, "Why this verdict"))).toMatch(
    /about the link inside: https:\/\/azukishop\.live\/claim\s+azukishop\.live\/ covers this host/,
  );
  await page.getByRole("button", { name: "Check only this link" }).click();
  await expect.poll(() => box.inputValue()).toBe("https://azukishop.live/claim");

  await box.fill(`${SAFELINKS}https%3A%2F%2Fgood.example%2F`);
  await page.locator(".verdict.clear").waitFor();
  expect(await sentence(page)).toBe(
    "Wrapped by Outlook SafeLinks. The link inside opens good.example.",
  );
  await box.fill("https://protect-us.mimecast.com/s/abc");
  await expect
    .poll(() => sentence(page))
    .toBe("Wrapped by Mimecast. Only Mimecast knows where it leads.");
  await box.fill("https://t.co/abc");
  await expect.poll(() => sentence(page)).toBe("Wrapped by X. Only X knows where it leads.");
  expect((await textOf(page.locator(".answer"))).split("knows where it leads")).toHaveLength(2);
  expect(await textOf(page.locator(".answer"))).not.toContain("not checked");
  expect(await textOf(page.locator(".badge"))).toBe("Cannot tell");
  // This URL is too long to be unwrapped.
  await box.fill(`http://good.example/?${"u=http%3A%2F%2Fb.example%2F&".repeat(4000)}`);
  await page.locator(".verdict.doubt").waitFor();
});

test("a dropped email is searched for links; a file that is a list can be used as one", async () => {
  const { page } = await openPage({ isFolded: true });
  await dropFile(page, "main", "strange.eml", bytesOf(MAIL));
  await links(page).first().waitFor();
  expect(await sentence(page)).toBe("Do not open 1 of these 2 links");
  expect(await textOf(page.locator(".answer"))).toContain("not the sender");
  expect(await focusedText(page)).toContain("strange.eml");
  await page.getByRole("button", { name: "See the answer for http://good.example/" }).click();
  await page.locator(".verdict.clear").waitFor();
  await page.goBack();
  await links(page).first().waitFor();

  await dropFile(page, "main", "hosts.txt", bytesOf("0.0.0.0 good.example\n0.0.0.0 b.example\n"));
  await page.getByText("None of these 2 links is listed").first().waitFor();
  await page.getByRole("button", { name: "Use it as a list" }).click();
  await page.getByRole("button", { name: "Remove hosts.txt" }).waitFor();
  await field(page, "Link or message").fill("http://good.example/");
  await page.locator(".verdict.listed").waitFor();
});

test("a dropped email with one link: its sender is not checked, and a file has the focus", async () => {
  const { page } = await openPage({ isFolded: true });
  const mail = "From: a@paypa1.com\nSubject: b\n\nSee http://good.example/";
  await dropFile(page, "main", "one.eml", bytesOf(mail));
  await page.locator(".verdict.clear").waitFor();
  const said = "The only link in one.eml. The sender was not checked.";
  expect(await textOf(page.locator(".only"))).toBe(said);
  expect(await focusedText(page)).toContain("one.eml");
  // A file cannot be in a link.
  expect(await page.getByRole("button", { name: /^Copy page link/ }).count()).toBe(0);
  await dropFile(page, "main", "two.txt", bytesOf("See http://good.example/"));
  await page.getByText("The only link in two.txt.").waitFor();
  expect(await textOf(page.locator(".only"))).toBe("The only link in two.txt.");
  expect(await focusedText(page)).toContain("two.txt");
});

test("a file that is not a text is not said to have no links", async () => {
  const { page } = await openPage({ isFolded: true });
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  await dropFile(page, "main", "qr.png", png);
  await page.locator(".answer.doubt").waitFor();
  expect(await sentence(page)).toBe("Cannot read qr.png");
  expect(await textOf(page.locator(".verdict"))).toContain("Files of this kind are not read");
  expect(await violations(page)).toEqual([]);

  // Only some links in a PDF file can be found.
  await dropFile(page, "main", "a.pdf", bytesOf("%PDF-1.7\n/URI (http://good.example/a)\n"));
  await page.getByText("This link is not listed").first().waitFor();
  expect(await textOf(page.locator(".answer.doubt"))).toContain("links are probably missing");

  const text = Buffer.from("\ufeffSee http://good.example/.", "utf16le");
  await dropFile(page, "main", "unicode.txt", text);
  await page.getByText("The only link in unicode.txt").waitFor();
  expect(await sentence(page)).toBe("Opens good.example.");
  await page.locator(".answer.clear").waitFor();

  await dropFile(page, "main", "empty.txt", bytesOf("Nothing."));
  await page.getByText("There is nothing to check.").waitFor();

  // An email with one link has the same answer as the link.
  const html = '<a href="https://evil.example/">www.bank.example</a>';
  await dropFile(page, "main", "one.eml", bytesOf(MAIL.replace(/<a[\s\S]*$/, html)));
  await expect.poll(() => sentence(page)).toBe("Shows www.bank.example. Opens evil.example.");
  expect(await textOf(page.locator(".only"))).toContain("The only link in one.eml");
});

test("what leads to no site is no link, and has no answer about a site", async () => {
  const { page } = await openPage({ isFolded: true });
  const box = field(page, "Link or message");
  for (const [text, said] of [
    ["javascript:void(0)", "This runs a program in the page that is open."],
    [
      "data:text/html,<script>alert(1)</script>",
      "This contains a whole page, which can imitate any site.",
    ],
    ["vbscript:x", "This runs a program in the page that is open."],
    ["DE89 3704 0044 0532 0130 00", "This is an account number (IBAN), not a link."],
    ["service@paypa1.com", "Looks like an address at paypal.com, but is not."],
    ["mailto:service@paypa1.com", "Looks like an address at paypal.com, but is not."],
    ["blob:https://good.example/1", "A “blob:” link leads to no site."],
    ["WIFI:S:cafe;T:WPA;P:secret;;", "A “wifi:” link leads to no site."],
    ["otpauth://totp/a?secret=b", "An “otpauth:” link leads to no site."],
    ["C:\\Users\\me\\mail.eml", "This names a file on a computer. It is not a link."],
    ["service@paypal.com", "This is an email address, not a link."],
    ["banana", "This is one word, not a link. Browsers search for it."],
  ] as const) {
    await box.fill(text);
    await answered(page);
    await expect.poll(() => sentence(page)).toBe(said);
    expect(await page.locator(".url-parts, .next-steps").count()).toBe(0);
  }
  await box.fill("javascript:location='http://azukishop.live/'");
  const inside = "There is another link in this one. It opens azukishop.live.";
  await expect.poll(() => sentence(page)).toBe(inside);
  await box.fill("  \n ");
  await page.getByRole("heading", { name: "Where does this link really go?" }).waitFor();
});

test("the letters of a right-to-left host are in their order, and its labels in theirs", async () => {
  const { page } = await openPage({
    fragment: fragmentOf("http://\u05d0\u05d1-\u05d2.\u05d3\u05d4.example/"),
  });
  const words = page.locator(".url-parts .host bdi");
  expect(await words.allInnerTexts()).toEqual(["\u05d0\u05d1-\u05d2", "\u05d3\u05d4"]);
  const [first, second] = await words.evaluateAll((all) =>
    all.map((word) => {
      const letter = (at: number): number => {
        const range = document.createRange();
        range.setStart(word.firstChild!, at);
        range.setEnd(word.firstChild!, at + 1);
        return range.getBoundingClientRect().left;
      };
      return { start: letter(0), next: letter(1) };
    }),
  );
  expect(first!.start).toBeGreaterThan(first!.next);
  expect(second!.start).toBeGreaterThan(first!.start);
});

test("several links: the list, its date, whose sites they are, and a table to save", async () => {
  const { page } = await openPage({ isFolded: true });
  await field(page, "Link or message").fill(
    "https://www.example.com/a, http://azukishop.live/x and https://www.smallshop.com.evil.top/",
  );
  await page.locator(".answer.listed").waitFor();
  expect(await textOf(page.locator(".evidence"))).toBe(
    "Looked up in metamask-crypto-phishing of 2023-01-01. It covers only crypto phishing of that time. Add a current list",
  );
  expect(await textOf(links(page).nth(2))).toContain("but opens a site of evil.top");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save as CSV" }).click(),
  ]);
  const rows = (await readFile(await file.path(), "utf8")).split("\r\n");
  expect(rows[1]).toMatch(/^1,http:\/\/azukishop\.live\/x,listed,/);
  expect(rows).toHaveLength(5);
  // A single tab would look as if it were chosen, and show nothing.
  expect(await page.getByRole("tablist", { name: "Details" }).count()).toBe(0);
  expect(await panel(page, "Lists").isVisible()).toBe(false);
  await page.getByRole("button", { name: "Add a current list" }).click();
  await panel(page, "Lists").waitFor();
  expect(await violations(page)).toEqual([]);
});

test.each([
  [
    "\\\\fileserver\\share\\a.docx",
    "This is a Windows network path. It opens a file server, not a web page.",
  ],
  ["4006381333931", "This is a number, not a link."],
  ["01701234567", "This is a number, not a link."],
  ["+49 170 1234567", "This is a telephone number, not a link."],
  ["banana", "This is one word, not a link. Browsers search for it."],
])("%s: what it is, in a sentence, and no alarm", async (text, said) => {
  const { page } = await openPage({ fragment: fragmentOf(text), isFolded: true });
  await page.locator(".answer.error").waitFor();
  expect(await sentence(page)).toBe(said);
  // No details describe the text as if it were a link.
  expect(await textOf(page.locator("main"))).not.toMatch(/this page|entries/);
});

test("a URL that is too long to be looked into: what was checked, and what was not", async () => {
  const { page } = await openPage({ isFolded: true });
  await paste(page, "Link or message", `http://a.example/${"b".repeat(100_000)}`);
  await page.locator(".answer.doubt").waitFor();
  const answer = await textOf(page.getByRole("region", { name: "Answer", exact: true }));
  expect(await sentence(page)).toBe(
    "Opens a.example. It may have links inside that were not looked at.",
  );
  expect(answer).toContain("Not listed, but not for certain.");
  expect(answer).not.toContain("may be listed");
  expect(answer.split("links inside")).toHaveLength(2);
});

test("the words of the specifications are behind a click", async () => {
  const { page } = await openPage({ isFolded: true });
  const jargon = /expression|prefix|canonical|checksum|defang/i;
  expect(await textOf(page.locator(".url-entry"))).not.toMatch(jargon);
  for (const [text, kind] of [
    ["http://azukishop.live/a", "listed"],
    ["https://www.example.com/a", "clear"],
    ["https://www.example.com/a and http://azukishop.live/", "listed"],
  ] as const) {
    await field(page, "Link or message").fill(text);
    await page.locator(`.answer.${kind}`).waitFor();
    expect(await textOf(page.locator("main"))).not.toMatch(jargon);
  }
  await field(page, "Link or message").fill("http://azukishop.live/a");
  await page.getByRole("tab", { name: "Hashes" }).click();
  expect(await textOf(panel(page, "Expressions and their hashes"))).toMatch(
    /1 of 2 expressions is on metamask-crypto-phishing\.[\s\S]*Only a hash prefix matches, but its length confirms the match/,
  );
  // What matches is bold, and nothing else.
  expect((await page.locator(".hash strong").allInnerTexts()).join("")).toBe("7bcb6bbdf9");
  await page.getByRole("button", { name: "Is this your site?" }).click();
  expect(await textOf(page.locator(".get-off"))).toMatch(
    /^The built-in list is MetaMask’s of 2023\. Only MetaMask can take azukishop\.live\/ off the newest one:\s+ask on GitHub$/,
  );
  const contact = page.getByRole("link", { name: "ask on GitHub" });
  expect(await contact.getAttribute("href")).toBe(CONTACT);
});

/** The cumulative layout shift of the page, as browsers measure it. */
async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
            sum += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
      }),
  );
}

test.each(firstOf(2, ["", EXAMPLE, fragmentOf("http://good.example/")]))(
  "%s: nothing on a phone jumps while the page loads",
  async (fragment) => {
    const { page } = await openPage({
      fragment,
      isFolded: true,
      viewport: { width: 390, height: 844 },
    });
    expect(await layoutShift(page)).toBeLessThan(0.01);
  },
);

test("nothing on a phone jumps when the list is what comes last", async () => {
  const server = await startServer({ port: 0, folder: BUILT_PAGE });
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { page } = await openUrl(server.url + EXAMPLE, {
    isFolded: true,
    viewport: { width: 390, height: 844 },
    prepare: async (context) => {
      await context.route(/\.list$/, async (route) => {
        await isReleased;
        await route.continue();
      });
    },
  });
  await page.getByText("Loading the lists …").first().waitFor();
  // The footer appears together with all modules that are loaded later.
  await page.locator("footer").waitFor();
  release();
  await page.locator(".verdict.listed").waitFor();
  await answered(page);
  expect(await layoutShift(page)).toBeLessThan(0.05);
  await server.stop(0);
});
