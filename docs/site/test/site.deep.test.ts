import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLink } from "../../../apps/demo/src/web/model/share-link.ts";
import { violations } from "../../../apps/demo/test/browser/axe.ts";
import { openUrl, useBrowser } from "../../../apps/demo/test/browser/open-page.ts";
import {
  type StaticHost,
  startStaticHost,
} from "../../../apps/demo/test/browser/start-static-host.ts";
import { entryPoints } from "../api.js";
import { documents, pageOf } from "../pages.js";
import { groups } from "../sidebar.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SITE = fileURLToPath(new URL("../dist/", import.meta.url));

/** The path at which the host of these tests serves the site. */
const BASE = "/docs/";

useBrowser();

let built: { readonly stdout: string; readonly stderr: string };
let host: StaticHost;
let files: ReadonlySet<string>;
/** The HTML of each page of the site, without the page that checks URLs. */
let pages: ReadonlyMap<string, string>;

/** The build takes most of a minute on a quiet machine, and much longer beside other tests. */
const BUILD_TIMEOUT = 900_000;

beforeAll(async () => {
  const command = ["docs/site/build.js", "--base", BASE];
  built = await promisify(execFile)(process.execPath, command, { cwd: ROOT });
  host = await startStaticHost(SITE, BASE.slice(0, -1));
  files = new Set(
    readdirSync(SITE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => posix.relative(SITE, join(entry.parentPath, entry.name))),
  );
  const written = [...files].filter((file) => /^(?!check\/).*\.html$/.test(file));
  const read = written.map((file) => [file, readFileSync(join(SITE, file), "utf8")] as const);
  // Some examples have pages of their own.
  pages = new Map(read.filter(([, html]) => html.includes('<div id="app">')));
}, BUILD_TIMEOUT);
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
  expect(built.stdout.endsWith("Built docs/site/dist/index.html\n")).toBe(true);
  expect(`${built.stdout}${built.stderr}`).not.toMatch(/warn|dead link|\(!\)|not loaded/i);
});

test("it has a page for every document and every entry point", () => {
  const names = [...pages.keys()];
  const expected = [
    ...documents().map((document) => pageOf(document).replace(/md$/, "html")),
    ...entryPoints().map(({ name }) => `api/${name}.html`),
  ];
  expect(names).toEqual(expect.arrayContaining(expected));
  expect(expected.length).toBeGreaterThan(100);
  expect(pages.get("packages/urn/index.html")).toContain("When should I use this?");
  expect(pages.get("api/@x/canon.html")).toContain('id="canonicalize"');
});

test("every link and its anchor resolve", () => {
  const ids = new Map([...pages].map(([file, html]) => [file, new Set(valuesOf("id", html))]));
  const broken: string[] = [];
  let followed = 0;
  for (const [file, html] of pages) {
    for (const link of [...valuesOf("href", html), ...valuesOf("src", html)]) {
      if (/^(?:https?|mailto|data):/.test(link)) continue;
      followed++;
      const [path, anchor] = link.split(/#(.*)/s);
      const resolved = posix.resolve(
        BASE,
        posix.dirname(file),
        path === "" ? posix.basename(file) : path!,
      );
      const name = posix.relative(BASE, resolved);
      const target = decodeURIComponent(
        path!.endsWith("/") ? posix.join(name, "index.html") : name,
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
      loaded.filter((url) => !url.startsWith(BASE)),
      file,
    ).toEqual([]);
  }
  for (const file of files) {
    expect(readFileSync(join(SITE, file)).includes(ROOT.slice(0, -1)), file).toBe(false);
  }
});

test("the libraries and fonts in it are listed with their licenses", () => {
  const text = readFileSync(join(SITE, "licenses.txt"), "utf8");
  expect([...text.matchAll(/^## (\S+) \d/gm)].map(([, name]) => name)).toEqual(
    expect.arrayContaining([
      "@fontsource-variable/atkinson-hyperlegible-next",
      "minisearch",
      "vitepress",
    ]),
  );
  expect(pages.get("index.html")).toContain(`href="${BASE}licenses.txt"`);
  expect(files).toContain("check/licenses.txt");
});

test("examples open in the page, with the URL or the URN that they show", () => {
  let links = 0;
  for (const html of pages.values()) {
    for (const [, href, text] of html.matchAll(
      /<a href="\/docs\/check\/index\.html(#[^"]*)"[^>]*><code[^>]*>(.*?)<\/code>/g,
    )) {
      links++;
      const { screen, values } = readLink(decoded(href!));
      const shown = Object.values(values).join(" and ");
      expect(["url", "urn"]).toContain(screen);
      expect(shown.startsWith(decoded(text!).trim()), `${text}: ${shown}`).toBe(true);
    }
  }
  expect(links).toBeGreaterThan(50);
  const names = ["packages/canon/index.html", "api/@x/canon.html", "docs/readings.html"];
  const canon = decoded(names.map((name) => pages.get(name)!).join(""));
  for (const url of ["http://b\u00fccher.example", "http://evil.example\\@good.example/"]) {
    expect(canon).toContain(`check/index.html#url?u=${encodeURIComponent(url)}"`);
  }
  const start = decoded(pages.get("index.html")!);
  expect(start).toContain('href="/docs/check/index.html#url?u=azukishop.live"');
  expect(start).toContain(`#url?u=${encodeURIComponent("http://3279880203/%2541/../b?q#top")}`);
});

test("an example whose answer needs another list does not open in the page", () => {
  const owner = pages.get("docs/is-my-site-listed.html")!;
  expect(owner).toContain("https://mysite.example/");
  const start = decoded(pages.get("index.html")!);
  expect(start).toContain("https://login.evil.example/a");
  for (const html of [owner, start])
    expect(html).not.toMatch(/index\.html#url\?u=[^"]*(?:mysite|login\.evil)/);
});

test("the page of an entry point begins with its purpose, an example and the functions", () => {
  const html = pages.get("api/@x/lookup.html")!;
  const places = [
    "without telling anyone the URLs",
    "> &quot;@x/lookup&quot;<",
    'id="functions"',
    'id="interfaces"',
  ];
  const indices = places.map((each) => html.indexOf(each, html.indexOf("<h1")));
  expect(Math.min(...indices)).toBeGreaterThan(0);
  expect(indices).toEqual(indices.toSorted((a, b) => a - b));
});

test("it starts with what it is, for whom, a few lines of code, and how to install it", async () => {
  const { page } = await openUrl(host.url);
  const headings = (await page.getByRole("heading").allInnerTexts()).map((text) =>
    text.replaceAll("\u200b", "").trim(),
  );
  expect(headings[0]).toContain("urlhash");
  expect(headings.slice(1, 4)).toEqual(["Who is it for?", "In five lines", "Install"]);
  // The page contains all text of the README.
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const expected = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  expect(headings.length).toBe(expected.length);
  expect(await page.locator("#who-is-it-for + ul > li strong").allInnerTexts()).toContain(
    "Anyone with URNs:",
  );
});

test("the sidebar begins with the starting points, and has each document once", async () => {
  const all = groups();
  expect(all.slice(0, 4).map(({ text }) => text)).toEqual([
    "Start",
    "I publish a list",
    "I run a server",
    "I build a program",
  ]);
  const links = all.flatMap(({ items }) => items.map(({ link }) => link));
  expect(links.length).toBe(documents().length - 1);
  expect(new Set(links).size).toBe(links.length);
  const { page } = await openUrl(`${host.url}docs/operations.html`);
  await page.locator(".VPSidebar").getByRole("link", { name: "Publish lists" }).click();
  await page.getByRole("heading", { level: 1, name: "Publish lists" }).waitFor();
});

test("the page and the documents link to each other", async () => {
  const { page } = await openUrl(host.url);
  await page.locator(".VPHero").getByRole("link", { name: "Check a URL" }).click();
  await page.locator("summary", { hasText: /^Help$/ }).click();
  await page.getByRole("link", { name: "Documentation", exact: true }).click();
  await page.getByRole("heading", { name: "In five lines" }).waitFor();
});

type Page = Awaited<ReturnType<typeof openUrl>>["page"];

/** Opens the search with its key, to which the page does not react until its script has started. */
async function openSearch(page: Page): Promise<ReturnType<Page["locator"]>> {
  const field = page.locator("#localsearch-input");
  const isOpen = () =>
    field.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
  do await page.keyboard.press("/");
  while (!(await isOpen()));
  return field;
}

test("a search for what people need has the right page on top", async () => {
  const { page } = await openUrl(host.url);
  const field = await openSearch(page);
  const topOf = async (query: string) => {
    await field.fill("");
    await page.locator(".VPLocalSearchBox .result").first().waitFor({ state: "detached" });
    await field.fill(query);
    const result = page.locator(".VPLocalSearchBox .result").first();
    await result.locator(".excerpt").waitFor();
    return (await result.getAttribute("href"))!.slice(BASE.length);
  };
  const tops: Readonly<Record<string, RegExp>> = {
    "hosts file": /hosts-file/,
    install: /^docs\/install\.html/,
    "false positive": /^docs\/operations\.html#a-false-positive$/,
    backup: /^docs\/operations\.html#(?:restore-a-)?backup$/,
    license: /license$/,
    cors: /^docs\/serving\.html#cors$/,
    firefox: /^docs\/examples\/firefox\//,
    mail: /^docs\/examples\/mail\//,
    v4: /^docs\/migrate-from-v4\.html/,
    migrate: /^docs\/migrate-from-v4\.html/,
    privacy: /^SECURITY\.html#privacy/,
    "reverse proxy": /^docs\/serving\.html#reverse-proxy$/,
    alerts: /^docs\/operations\.html#alerts$/,
    "api key": /^docs\/serving\.html#api-keys$/,
    dns: /dns/,
    lookup: /look/,
    urn: /urn/,
    canonicalize: /canon/,
  };
  for (const [query, expected] of Object.entries(tops)) {
    expect(await topOf(query), query).toMatch(expected);
  }
});

test.each(["light", "dark"] as const)(
  "axe finds nothing on any kind of page: %s",
  async (colorScheme) => {
    const names = [
      "index.html",
      "docs/index.html",
      "docs/operations.html",
      "docs/examples/nginx/index.html",
      "packages/urn/index.html",
      "packages/lookup/bench/index.html",
      "api/@x/canon.html",
    ];
    const { page } = await openUrl(host.url, { colorScheme });
    const found: string[] = [];
    for (const name of names) {
      await page.goto(`${host.url}${name}`);
      await page.locator("h1").first().waitFor();
      found.push(...(await violations(page)).map((violation) => `${name}: ${violation}`));
    }
    expect(found).toEqual([]);
  },
);

test.each([1280, 390])("it works in a browser that is %i px wide", async (width) => {
  const { page, requests } = await openUrl(host.url, {
    viewport: { width, height: 844 },
  });
  for (const name of ["docs/operations.html", "api/@x/urn.html", ""]) {
    await page.goto(`${host.url}${name}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(width);
  }
  await (await openSearch(page)).fill("rollback");
  await page.locator(".VPLocalSearchBox .result").first().waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "azukishop.live", exact: true }).click();
  await page.locator(".verdict.listed").waitFor();
  expect(requests.filter((url) => !url.startsWith(host.url))).toEqual([]);
});

test.each([1280, 390])("code is wrapped at a width of %i px", async (width) => {
  const { page } = await openUrl(host.url, { viewport: { width, height: 844 } });
  await page.goto(`${host.url}docs/publishing.html`);
  const blocks = page.locator('.vp-doc [class*="language-"]:not(.language-text) pre');
  await blocks.first().waitFor();
  const widths = await blocks.evaluateAll((all) =>
    all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  );
  expect(new Set(widths)).toEqual(new Set([0]));
});
