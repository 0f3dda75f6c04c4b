import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { firstOf } from "@x/test-support/sample-size";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
  answered,
  answerText,
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

function listFile(name: string, entry: string, prefixBytes: number): Uint8Array {
  return encodePrefixList(prefixList([fullHash(entry)], { name, created: 0, prefixBytes }));
}

describe("the answer", () => {
  test("is the first thing below the URL, and says what it is based on", async () => {
    const { page } = await openPage({ fragment: "#url?u=http://x.azukishop.live/a/b" });
    await page.locator(".verdict.listed").waitFor();
    const text = await answerText(page);
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Listed/);
    expect(await textOf(panel(page, "Expressions and their hashes"))).toContain(
      "Only a hash prefix matches, but its length confirms the match.",
    );
    expect(text).toMatch(/About 1 harmless URL in \d+,\d{3},\d{3} is listed by chance\./);
    expect(text).toContain("azukishop.live/ is on metamask-crypto-phishing, a list of 2023-01-01.");
    expect(text).toContain("azukishop.live/ covers this host and everything below it.");
    const first = await page.evaluate(() => {
      const [field, answer] = [".entry textarea", "#screen > .entry + *"].map(
        (selector) => document.querySelector(selector)!,
      );
      const isBelow = answer!.getBoundingClientRect().top > field!.getBoundingClientRect().bottom;
      return isBelow && answer!.getAttribute("aria-label");
    });
    expect(first).toBe("Answer");
  });

  test("is certain when a full hash is on the list", async () => {
    const { page } = await openPage({ fragment: "#url?u=http://x.evil.example/" });
    await dropFile(page, "main", "full.list", listFile("full", "evil.example/", 32));
    await page.getByText("1 of 2 expressions is on full.").waitFor();
    // The announcement for screen readers may still be the previous verdict.
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Listed/);
    expect(await answerText(page)).not.toContain("by chance");
  });

  test("says which entry would list a URL", async () => {
    const { page } = await openPage({ fragment: "#url?u=http://good.example/a?b" });
    await page.locator(".verdict.clear").waitFor();
    expect(await textOf(panel(page, "Expressions and their hashes"))).toContain(
      "To list it, add the entry good.example/a?b, or good.example/ for the whole host.",
    );
  });

  test("is an error, never “not listed”, when the host cannot be decided", async () => {
    const url = "http://ev\u{2065}il.example/";
    const { page } = await openPage({ fragment: `#url?u=${encodeURIComponent(url)}` });
    await page.locator(".answer.doubt").waitFor();
    const text = await answerText(page);
    expect(text).toMatch(/Cannot tell[\s\S]*Browsers may open it[\s\S]*No verdict on this host/);
    expect(text).not.toMatch(/not listed|not on these|not a URL/i);
    expect(await textOf(panel(page, "Why there is no verdict"))).toContain("host-undecided");
    expect(await panel(page, "Why this is not a URL").count()).toBe(0);
    await field(page, "Link or message").fill("http://azukishop.live/");
    await page.locator(".answer.listed").waitFor();
  });

  /** Holds the files that match back until the page says that it loads lists. Returns what the page then shows. */
  async function openHeld(fragment: string, files: RegExp, read: (page: Page) => Promise<string>) {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let seen = "";
    const { page } = await openPage({
      fragment,
      prepare: async (context) => {
        await context.route(files, async (route) => {
          await held;
          await route.continue();
        });
        context.on("page", (opened) => {
          void opened
            .getByText("Loading the lists …")
            .waitFor()
            .then(async () => {
              seen = await read(opened);
              release();
            });
        });
      },
    });
    await page.locator(".verdict.clear").waitFor();
    return { page, seen };
  }

  test("is not green while lists load, and waits for them", async () => {
    const { seen } = await openHeld("#url?u=http://good.example/", /\.list$/, answerText);
    expect(seen).toMatch(/^Loading the lists …/);
  });

  test("waits for the table that a host needs if it is not ASCII", async () => {
    const fragment = `#url?u=${encodeURIComponent("http://b\u00fccher.example/")}`;
    const { page, seen } = await openHeld(fragment, /deferred-modules/, (opened) =>
      textOf(opened.locator(".answer")),
    );
    expect(seen).toMatch(/^Loading the lists …/);
    expect(seen).not.toContain("cher");
    expect(await textOf(page.locator(".sentence"))).toContain("xn--bcher-kva.example");
  });

  test("is not green when the built-in list failed to load", async () => {
    const { page, troubles } = await openPage({
      fragment: "#url?u=http://good.example/",
      prepare: async (context) => {
        // The service worker must get its files, because openPage waits for it.
        await context.route(/\.list$/, (route) =>
          route.request().serviceWorker() === null
            ? route.fulfill({ status: 500 })
            : route.continue(),
        );
      },
    });
    await page.getByText("The built-in list failed to load").first().waitFor();
    await page.locator(".verdict.doubt").waitFor();
    expect(await textOf(page.locator(".verdict"))).toMatch(/^Cannot tell\s+Do not open it if/);
    expect(await answerText(page)).toContain("No list is loaded.");
    expect(troubles.join("\n")).toContain("500");
    troubles.length = 0;
  });
});

describe("what a browser opens", () => {
  const canonical = (page: Page) => panel(page, "Canonical URL");

  test("the example is spoofed: both URLs, and why", async () => {
    const { page } = await openPage({ fragment: EXAMPLE });
    await page.locator(".verdict.listed").waitFor();
    const said = await textOf(canonical(page));
    expect(said).toContain("http://www.wikipedia.org/wiki/URL");
    const opened = await page.evaluate(
      () => new URL(document.querySelector("textarea")!.value).href,
    );
    expect(said).toContain(`A browser opens another URL, which is looked up, too: ${opened}`);
    expect(await answerText(page)).toContain("Browsers treat a backslash as a slash");
    expect(await answerText(page)).toContain("Browsers open a listed URL.");
  });

  test("if only browsers open an input, the page says so", async () => {
    const { page } = await openPage({ fragment: "#url?u=https:azukishop.live" });
    await page.locator(".verdict.listed").waitFor();
    expect(await textOf(canonical(page))).toContain("Only browsers read this text as a URL.");
    expect(await textOf(canonical(page).locator(".big"))).toBe("https://azukishop.live/");
  });

  test("a URL that everybody reads in the same way has no second reading", async () => {
    const { page } = await openPage({ fragment: "#url?u=HTTP://a.example:80/%2561" });
    await canonical(page).getByText("in the same way").waitFor();
    expect(await textOf(canonical(page))).not.toContain("another URL");
  });
});

describe("lists", () => {
  const RECOGNIZED = [
    ["hosts.txt", "127.0.0.1 localhost\n0.0.0.0 evil.example # why\n", "a hosts file: 1 entry"],
    [
      "filters.txt",
      "! filters\n||evil.example^\nexample.com##.ad\n",
      ": 1 entry, 1 line that cannot be an entry",
    ],
    ["feed.csv", "url\nhttp://evil.example/\nhttp://bad.example/\n", ": 2 entries"],
    ["urls.txt", "http://evil.example/\n*.bad.example\n", ": 2 entries"],
  ] as const;

  test.each(firstOf(1, RECOGNIZED))("%s is recognized", async (name, text, found) => {
    const { page } = await openPage({ fragment: "#url?u=http://x.evil.example/" });
    await dropFile(page, "[data-drop=list]", name, bytesOf(text));
    await page.locator(".verdict.listed").waitFor();
    expect(await textOf(panel(page, "Lists"))).toContain(found);
  });

  const REFUSED = [
    [
      "e.txt",
      bytesOf("evil.example\nbad.example\nmailto:x\n"),
      /more than 10% of its lines [\s\S]*1 line was refused/,
    ],
    ["a.png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13), /PNG/],
    ["b.txt", Uint8Array.from(Buffer.from("\ufeffevil.example\n", "utf16le")), /UTF-16/],
    ["c.html", bytesOf("<!doctype html><title>Not found</title>\n"), /web page|HTML/],
    ["d.gz", Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3), /gzip/],
    ["f.txt", bytesOf("# nothing\n"), /no entries/],
    ["g.csv", bytesOf("id,url\n1,http://evil.example/\n"), /a table; it has "id" .*, "url"/],
  ] as const;

  test.each(firstOf(2, REFUSED))("%s is refused by name", async (name, content, reason) => {
    const { page } = await openPage();
    await dropFile(page, "[data-drop=list]", name, content);
    const lists = panel(page, "Lists");
    await lists.getByText(`${name} was not added: `).waitFor();
    expect(await textOf(lists)).toMatch(reason);
    expect(
      await lists.getByRole("list", { name: "Lists in use" }).getByRole("listitem").count(),
    ).toBe(1);
  });

  test("“Choose a list file” loads a list", async () => {
    const { page } = await openPage();
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      panel(page, "Lists").getByRole("button", { name: "Choose a list file" }).click(),
    ]);
    await chooser.setFiles({
      name: "mine.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("evil.example\n"),
    });
    await page.getByRole("button", { name: "Remove mine.txt" }).waitFor();
  });

  test("without any other list, a list of safe sites is said to be the reason", async () => {
    const { page } = await openPage({ fragment: "#url?u=http://x.evil.example/" });
    await dropFile(page, "main", "popular.list", listFile("popular", "evil.example/", 32));
    await page.getByRole("button", { name: "Remove metamask-crypto-phishing" }).click();
    await page.getByLabel("This is a list of safe sites: popular").check();
    await page.locator(".verdict.doubt").waitFor();
    const advice = "Do not open it if you did not expect it.";
    expect(await textOf(page.locator(".verdict"))).toContain(advice);
    expect(await answerText(page)).toContain("popular is marked as a list of safe sites.");
  });

  test("a list without a date is at least as old as its file", async () => {
    const { page } = await openPage({ fragment: "#url?u=http://x.good.example/" });
    const old = Date.UTC(2019, 0, 2);
    await dropFile(page, "[data-drop=list]", "old.txt", bytesOf("evil.example\n"), old);
    await page.locator(".verdict.doubt").waitFor();
    const lists = panel(page, "Lists").getByRole("list", { name: "Lists in use" });
    expect(await textOf(lists)).toContain("made 2019-01-02");
    await page.getByRole("button", { name: "Remove old.txt" }).click();
    await dropFile(page, "[data-drop=list]", "new.txt", bytesOf("evil.example\n"));
    await page.getByRole("button", { name: "Remove new.txt" }).waitFor();
    expect(await textOf(lists)).toContain("of unknown age");
  });

  test("a list of safe sites lists nothing, and says so; no link makes a list one", async () => {
    const { page, url } = await openPage({ fragment: "#url?u=http://x.evil.example/" });
    const file = listFile("popular", "evil.example/", 32);
    await dropFile(page, "main", "popular.list", file);
    await page.locator(".verdict.listed").waitFor();
    await page.getByLabel("This is a list of safe sites: popular").check();
    await page.locator(".verdict.clear").waitFor();
    expect(await answerText(page)).toContain("The URL is listed as safe on popular.");
    const link = await copiedBy(
      page.getByRole("button", { name: "Copy page link with this view" }),
    );
    const { page: other } = await openPage({ fragment: link.slice(url.length) });
    await dropFile(other, "main", "popular.list", file);
    await other.locator(".verdict.listed").waitFor();
    await other
      .getByLabel("This is a list of safe sites: popular")
      .and(other.locator(":not(:checked)"))
      .waitFor();
  });
});

test("URN: the error of the second URN is shown", async () => {
  const { page } = await openPage({ fragment: "#urn?u=urn:example:foo&v=urn:example:%25zz" });
  await answered(page);
  const comparison = panel(page, "Are they the same name?");
  expect(await textOf(comparison)).toContain("What is wrong with the second one:");
  expect(await textOf(comparison)).toContain("escape-malformed");
});

test("a refusal by the page itself names no section of a specification", async () => {
  const { page } = await openPage({ fragment: `#url?u=${"ab".repeat(32)}` });
  await answered(page);
  const lines = await page.locator(".problem > *").allTextContents();
  expect(lines).toEqual([
    "Expected a URL. This looks like a hash.",
    "For developerscode hash-line",
  ]);
});

test.each(firstOf(2, ["#url?u=", "#urn?u=&v="]))(
  "%s: an empty field is not an error",
  async (fragment) => {
    const { page } = await openPage({ fragment });
    await answered(page);
    for (const box of await page.getByRole("textbox").all()) {
      expect(await box.getAttribute("aria-invalid")).not.toBe("true");
    }
    expect(await page.locator("main .problem, main .tag.error, main .verdict.error").count()).toBe(
      0,
    );
  },
);

test("a tab is visible, and a character that is not is named", async () => {
  const { page } = await openPage();
  await field(page, "Link or message").fill("http://a.example/\tb\u200b");
  const warning = page.getByText("This text has");
  await warning.waitFor();
  expect(await textOf(warning)).toBe("This text has 1 character that is not visible here: U+200B.");
});

test("help, the README of the project and the licenses of libraries are linked", async () => {
  const { page, url } = await openPage();
  await page.locator("summary", { hasText: /^Help$/ }).click();
  await page.getByText("What does “probably” mean?").waitFor();
  const help = await textOf(page.locator(".help dl"));
  for (const answer of [
    "a QR code",
    "Purple: what disguises it",
    "My site is listed",
    "static files",
  ])
    expect(help).toContain(answer);
  const linked = async (name: RegExp): Promise<string> => {
    const href = await page.getByRole("link", { name }).getAttribute("href");
    return page.evaluate(async (to) => (await fetch(to)).text(), `${url}${href}`);
  };
  expect(await linked(/^About the project/)).toMatch(/^# urlhash\n/);
  expect(await linked(/^Licenses/)).toMatch(/^# Licenses of the libraries in these files/);
});
