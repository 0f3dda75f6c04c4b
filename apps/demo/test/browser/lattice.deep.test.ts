import { fullHash, toHex } from "@x/sha256-prefix";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { EXAMPLE, field, openPage, panel, textOf, useBrowser } from "./open-page.ts";

useBrowser();

const lattices = (page: Page): Locator => page.locator(".lattice");

/** Returns the row headers, the column headers and the names of the cells. */
async function read(
  lattice: Locator,
): Promise<{ hosts: string[]; paths: string[]; cells: string[] }> {
  return {
    hosts: await lattice.getByRole("rowheader").allInnerTexts(),
    paths: (await lattice.getByRole("columnheader").allInnerTexts()).slice(1),
    cells: await lattice
      .getByRole("button")
      .evaluateAll((all) => all.map((cell) => cell.getAttribute("aria-label")!)),
  };
}

const EIGHT_EXPRESSIONS = "#url?u=http://a.b.c/1/2.html?param=1";

describe("the lattice of expressions", () => {
  test("is a table of host suffixes and path prefixes, after the steps", async () => {
    const { page } = await openPage({ fragment: EIGHT_EXPRESSIONS });
    expect(await lattices(page).count()).toBe(1);
    const { hosts, paths, cells } = await read(lattices(page));
    expect(hosts).toEqual(["a.b.c", "b.c"]);
    expect(paths).toEqual(["/1/2.html?param=1", "/1/2.html", "/1/", "/"]);
    expect(cells).toEqual(
      hosts.flatMap((host) =>
        paths.map((path) => {
          const prefix = toHex(fullHash(host + path)).slice(0, 8);
          return `${host}${path}, hash prefix ${prefix}, not listed`;
        }),
      ),
    );
    const isAfter = await page.evaluate(() => {
      const lattice = document.querySelector(".lattice")!;
      const steps = document.querySelector(".steps")!;
      return (lattice.compareDocumentPosition(steps) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
    });
    expect(isAfter).toBe(true);
  });

  test("marks the hits, and shows the hash of the first one at the start", async () => {
    const { page } = await openPage({ fragment: "#url?u=http://x.azukishop.live/a/b" });
    await page.locator(".verdict.listed").waitFor();
    const hits = page.locator(".cell.hit");
    expect(await hits.count()).toBe(1);
    expect(await hits.getAttribute("aria-label")).toBe(
      "azukishop.live/, hash prefix 7bcb6bbd, on eth-phishing-detect",
    );
    const readout = page.getByTestId("readout");
    expect(await textOf(readout)).toContain(toHex(fullHash("azukishop.live/")));
    expect(await textOf(readout)).toContain("eth-phishing-detect");
    const [hit, other] = await Promise.all(
      [hits, page.locator(".cell:not(.hit)").first()].map((cell) =>
        cell.evaluate((element) => getComputedStyle(element).backgroundColor),
      ),
    );
    expect(hit).not.toBe(other);
  });

  test("shows the hash of the cell under the pointer, by the chosen prefix length", async () => {
    const { page } = await openPage({ fragment: EIGHT_EXPRESSIONS });
    await page.getByRole("button", { name: /^b\.c\/1\/, / }).hover();
    const readout = page.getByTestId("readout");
    expect(await textOf(readout)).toContain(toHex(fullHash("b.c/1/")));
    await field(page, "Prefix length").selectOption("8");
    expect(await textOf(readout.locator("strong"))).toBe(toHex(fullHash("b.c/1/")).slice(0, 16));
    await page.getByRole("button", { name: /^b\.c\/, / }).click();
    expect(await textOf(readout)).toContain(toHex(fullHash("b.c/")));
  });

  test("is one tab stop, and arrow keys move in it", async () => {
    const { page } = await openPage({ fragment: EIGHT_EXPRESSIONS });
    await field(page, "Prefix length").focus();
    await page.keyboard.press("Tab");
    const readout = page.getByTestId("readout");
    const shown = async (): Promise<string> => textOf(readout.locator(".data"));
    expect(await shown()).toBe("a.b.c/1/2.html?param=1");
    await page.keyboard.press("ArrowRight");
    expect(await shown()).toBe("a.b.c/1/2.html");
    await page.keyboard.press("ArrowDown");
    expect(await shown()).toBe("b.c/1/2.html");
    await page.keyboard.press("ArrowDown");
    expect(await shown()).toBe("b.c/1/2.html");
    await page.keyboard.press("End");
    expect(await shown()).toBe("b.c/");
    expect(await textOf(readout)).toContain(toHex(fullHash("b.c/")));
    await page.keyboard.press("Tab");
    const next = await page.evaluate(() => document.activeElement!.textContent);
    expect(next).toBe("Copy the full hash of b.c/");
    await page.keyboard.press("Shift+Tab");
    expect(await shown()).toBe("b.c/");
  });

  test("is drawn for both readings where they differ", async () => {
    const { page } = await openPage({ fragment: EXAMPLE });
    await page.locator(".verdict.listed").waitFor();
    expect(await lattices(page).count()).toBe(2);
    const [specification, browser] = [lattices(page).first(), lattices(page).last()];
    expect(await textOf(specification.locator("caption"))).toMatch(
      /^As the specification reads it:/,
    );
    expect((await read(specification)).hosts).toEqual(["www.wikipedia.org", "wikipedia.org"]);
    expect(await specification.locator(".hit").count()).toBe(0);
    expect(await textOf(browser.locator("caption"))).toMatch(/^As browsers read it:/);
    expect((await read(browser)).hosts).toEqual(["login.azukishop.live", "azukishop.live"]);
    expect(await browser.locator(".hit").count()).toBe(1);
  });

  test("has one reading if only browsers read the text as a URL", async () => {
    const { page } = await openPage({ fragment: "#url?u=https:azukishop.live" });
    await page.locator(".verdict.listed").waitFor();
    expect(await read(lattices(page))).toEqual({
      hosts: ["azukishop.live"],
      paths: ["/"],
      cells: ["azukishop.live/, hash prefix 7bcb6bbd, on eth-phishing-detect"],
    });
  });

  test("has at most 30 cells, however long the URL is", async () => {
    const url = `http://${"a.".repeat(100)}example/${"b/".repeat(500)}?q`;
    const { page } = await openPage({ fragment: `#url?u=${encodeURIComponent(url)}` });
    const { hosts, paths, cells } = await read(lattices(page));
    expect([hosts.length, paths.length, cells.length]).toEqual([5, 6, 30]);
    await panel(page, "Expressions and their hashes").locator(".cell").last().hover();
    expect(await textOf(page.getByTestId("readout").locator(".data"))).toMatch(/^a\.example\/$/);
  });
});
