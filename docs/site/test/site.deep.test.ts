import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLink } from "../../../apps/demo/src/web/model/share-link.ts";
import { violations } from "../../../apps/demo/test/browser/axe.ts";
import { openUrl, textOf, useBrowser } from "../../../apps/demo/test/browser/open-page.ts";
import {
  type StaticHost,
  startStaticHost,
} from "../../../apps/demo/test/browser/start-static-host.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SITE = fileURLToPath(new URL("../dist/", import.meta.url));

useBrowser();

let built: { readonly stdout: string; readonly stderr: string };
let host: StaticHost;
let files: ReadonlySet<string>;
/** The HTML of each page of the site, without the playground. */
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  built = await promisify(execFile)(process.execPath, ["docs/site/build.js"], { cwd: ROOT });
  host = await startStaticHost(SITE, "/docs");
  files = new Set(
    readdirSync(SITE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => posix.relative(SITE, join(entry.parentPath, entry.name))),
  );
  const written = [...files].filter((file) => /^(?!playground\/|media\/).*\.html$/.test(file));
  pages = new Map(written.map((file) => [file, readFileSync(join(SITE, file), "utf8")]));
});
afterAll(() => host?.stop());

function decoded(attribute: string): string {
  return attribute
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function valuesOf(attribute: string, html: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, "g"))].map((found) =>
    decoded(found[1]!),
  );
}

test("it is built without a warning, and says where", () => {
  expect(built).toEqual({ stdout: "Built docs/site/dist/index.html\n", stderr: "" });
});

test("it has a page for every document and every entry point", () => {
  const names = [...pages.keys()];
  for (const name of [
    "modules/_x_urn.html",
    "modules/_x_canon_verify.html",
    "documents/Cookbook.html",
    "documents/_x_cli.html",
    "functions/_x_canon.canonicalize.html",
  ]) {
    expect(names).toContain(name);
  }
  expect(pages.get("modules/_x_urn.html")).toContain("When should I use this?");
});

test("every link and its anchor resolve", () => {
  const ids = new Map([...pages].map(([file, html]) => [file, new Set(valuesOf("id", html))]));
  const broken: string[] = [];
  let followed = 0;
  for (const [file, html] of pages) {
    for (const link of [...valuesOf("href", html), ...valuesOf("src", html)]) {
      if (/^(?:https?|mailto):/.test(link)) continue;
      followed++;
      const [path, anchor] = link.split(/#(.*)/s);
      const resolved = path === "" ? file : posix.join(posix.dirname(file), path!);
      const target = decodeURIComponent(
        resolved
          .replace(/\?.*$/, "")
          .replace(/\.?\/?$/, (end) => (end === "./" || end === "." ? "index.html" : end)),
      );
      const known = ids.get(target);
      if (!files.has(target) || (anchor && known && !known.has(decodeURIComponent(anchor)))) {
        broken.push(`${file}: ${link}`);
      }
    }
  }
  expect(broken).toEqual([]);
  expect(followed).toBeGreaterThan(5000);
});

test("no page loads anything from another host, and no file names this machine", () => {
  for (const [file, html] of pages) {
    const loaded = [
      ...valuesOf("src", html),
      ...[...html.matchAll(/<link [^>]*>/g)].flatMap(([tag]) => valuesOf("href", tag)),
    ];
    expect(
      loaded.filter((url) => /^(?:[a-z]+:|\/)/i.test(url)),
      file,
    ).toEqual([]);
  }
  for (const file of files) {
    expect(readFileSync(join(SITE, file)).includes(ROOT.slice(0, -1)), file).toBe(false);
  }
});

test("the libraries in its scripts are listed with their licenses", () => {
  const text = readFileSync(join(SITE, "licenses.txt"), "utf8");
  expect([...text.matchAll(/^## (\S+) \d/gm)].map(([, name]) => name)).toEqual(["lunr", "typedoc"]);
  // The names of libraries that TypeDoc's bundler has left in the script.
  const script = readFileSync(join(SITE, "assets/main.js"), "utf8");
  const bundled = [...script.matchAll(/^([\w@-]+)\/\S+\.js:$/gm)].map(([, name]) => name);
  expect(bundled).toEqual(["lunr"]);
  expect(pages.get("index.html")).toContain('href="licenses.txt"');
  expect(files).toContain("playground/licenses.txt");
});

test("examples open in the page, with the URL or the URN that they show", () => {
  let links = 0;
  for (const html of pages.values()) {
    for (const [, href, text] of html.matchAll(
      /<a href="[^"]*playground\/index\.html(#[^"]*)"[^>]*><code>(.*?)<\/code>/g,
    )) {
      links++;
      const { screen, values } = readLink(decoded(href!));
      const shown = Object.values(values).join(" and ");
      expect(["url", "urn"]).toContain(screen);
      expect(shown.startsWith(decoded(text!).trim()), `${text}: ${shown}`).toBe(true);
    }
  }
  expect(links).toBeGreaterThan(50);
  const canon = decoded(pages.get("modules/_x_canon.html")!);
  for (const url of ["http://b\u00fccher.example", "http://evil.example\\@good.example/"]) {
    expect(canon).toContain(`playground/index.html#url?u=${encodeURIComponent(url)}"`);
  }
  const start = decoded(pages.get("index.html")!);
  expect(start).toContain('href="playground/index.html#url?u=azukishop.live"');
  expect(start).toContain(`#url?u=${encodeURIComponent("http://3279880203/%2541/../b?q#top")}`);
});

test("it starts with what it is, for whom, how to install it, and a few lines of code", async () => {
  const { page } = await openUrl(host.url);
  const main = page.locator(".col-content");
  const headings = await main.getByRole("heading").allInnerTexts();
  expect(headings.slice(0, 4)).toEqual(["urlhash", "For whom", "Install", "In five lines"]);
  // The page contains all text of the README.
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const expected = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  expect(headings.toSorted()).toEqual([...expected, "Packages"].sort());
  expect(await page.locator(".cards > li strong").allInnerTexts()).toEqual([
    "Forums, chats and bots",
    "Mail",
    "Tables and logs",
    "Networks",
    "Proxies and browsers",
    "Publishers of blocklists",
    "Programs that check URLs",
    "Anyone with URNs",
  ]);
});

test("guides come first and packages later, and entry points for other packages are not listed", async () => {
  const { page } = await openUrl(host.url);
  const groups = page.locator("#tsd-nav-container > li > details > summary");
  await groups.first().waitFor();
  expect(await groups.allInnerTexts()).toEqual([
    "Guides",
    "Set up clients",
    "Programs",
    "Packages",
    "Project",
    "Measurements and tests",
  ]);
  await groups.nth(3).click();
  const listed = await page.locator("#tsd-nav-container a").allInnerTexts();
  expect(listed).toContain("@x/canon/readings");
  expect(listed).not.toContain("@x/canon/bytes");
  expect([...pages.keys()]).toContain("modules/_x_canon_bytes.html");
});

test("the page and the documents link to each other", async () => {
  const { page } = await openUrl(host.url);
  await page.getByRole("link", { name: "Try a URL" }).click();
  await page.locator("summary", { hasText: /^Help$/ }).click();
  await page.getByRole("link", { name: "Documentation", exact: true }).click();
  await page.getByRole("heading", { name: "In five lines" }).waitFor();
});

test("a search for what people need has the right page on top", async () => {
  const { page } = await openUrl(host.url);
  const results = page.locator("#tsd-search-results li");
  const field = page.locator("#tsd-search-input");
  await page.keyboard.press("/");
  const topOf = async (query: string) => {
    await field.fill("");
    await expect.poll(() => results.count()).toBe(0);
    await field.fill(query);
    return textOf(results.first());
  };
  const pages: Readonly<Record<string, string>> = {
    install: "Install the packages",
    "check a url": "Check URLs in a shell",
    "hosts file": "Formats of lists",
    "google api key": "Serve the lists of other servers",
    cli: "@x/cli",
    performance: "Measurements: server",
    firefox: "Firefox",
    mail: "Mail",
    privacy: "Ask without saying who asks",
    "publish a list": "Publish lists",
    canonicalize: "@x/canon.canonicalize",
  };
  for (const [query, name] of Object.entries(pages)) {
    expect([query, await topOf(query)]).toEqual([query, name]);
  }
});

test("axe finds nothing on any kind of page", async () => {
  const names = [...pages.keys()];
  const oneOfEachFolder = new Map(names.map((name) => [posix.dirname(name), name])).values();
  const atTheTop = names.filter((name) => !name.includes("/"));
  const others = ["modules/_x_urn.html", "playground/index.html"];
  const kinds = new Set([...oneOfEachFolder, ...atTheTop, ...others]);
  expect(kinds.size).toBeGreaterThan(8);
  const { page } = await openUrl(host.url);
  const found: string[] = [];
  for (const name of kinds) {
    await page.goto(`${host.url}${name}`);
    await page
      .locator(name.startsWith("playground/") ? ".example.listed" : "h1")
      .first()
      .waitFor();
    found.push(...(await violations(page)).map((violation) => `${name}: ${violation}`));
  }
  expect(found).toEqual([]);
});

test.each([1280, 390])("it works in a browser that is %i px wide", async (width) => {
  const { page, context, requests } = await openUrl(host.url, {
    viewport: { width, height: 844 },
  });
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

  // The page has loaded the search index.
  await page.waitForFunction(() => "searchData" in window);
  await context.setOffline(true);
  await page.locator("#tsd-search-trigger").click();
  await page.locator("#tsd-search-input").fill("canonicalizeHierarchical");
  const result = page.locator("#tsd-search-results a").first();
  expect(await textOf(result)).toContain("canonicalizeHierarchical");
  await page.locator("#tsd-search-input").fill("rollback");
  await page.locator("#tsd-search-results a", { hasText: "Operations" }).waitFor();
  await context.setOffline(false);
  await page.locator("#tsd-search-results a", { hasText: "Operations" }).click();
  await page.getByRole("heading", { level: 1, name: "Operations" }).waitFor();

  await page.goBack();
  await page.getByRole("link", { name: "azukishop.live", exact: true }).click();
  await page.locator(".verdict.listed").waitFor();
  expect(requests.filter((url) => !url.startsWith(host.url))).toEqual([]);
});
