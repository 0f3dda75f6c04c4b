import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSigningKey, publish, signerOf } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { fullHash } from "@x/sha256-prefix";
import { afterEach, expect, test } from "vitest";
import { parsePageSettings } from "../../src/page-settings.ts";
import { startServer } from "../../src/server/start-server.ts";
import { violations } from "./axe.ts";
import { answered, BUILT_PAGE, field, openUrl, panel, textOf, useBrowser } from "./open-page.ts";
import { type StaticHost, startStaticHost } from "./start-static-host.ts";

useBrowser();

const DAY_MS = 86_400_000;
const REPORTS = [{ name: "Help desk", href: "mailto:help@example.org" }];

let folder = "";
let host: StaticHost | undefined;
afterEach(async () => {
  await host?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a static host with the page, a signed list beside it, and the given settings. */
async function hostPage(settings: (publicKey: string) => unknown): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), "urlhash-page-"));
  await cp(BUILT_PAGE, folder, { recursive: true });
  const signer = await signerOf(await generateSigningKey("example.org"));
  await publish({
    storage: directoryStorage(join(folder, "lists")),
    list: "phishing",
    fullHashes: [fullHash("evil.example/")],
    signer,
    publicKeys: [signer.publicKey],
    lifetime: DAY_MS,
    about: { reason: "phishing", contact: "lists@example.org" },
  });
  await writeFile(join(folder, "settings.json"), JSON.stringify(settings(signer.publicKey)));
  host = await startStaticHost(folder, "/page");
  return host.url;
}

function storeSettings(publicKey: string): unknown {
  return { store: { url: "lists/", list: "phishing", publicKeys: [publicKey] }, reports: REPORTS };
}

test("the page begins with the operator's current list, and asks for nothing later", async () => {
  const url = await hostPage(storeSettings);
  const { page, requests, troubles } = await openUrl(url, { isFolded: true });
  await answered(page);
  const before = requests.length;
  await field(page, "Link or message").fill("http://www.evil.example/secret");
  await page.locator(".verdict.listed").waitFor();
  expect(await textOf(page.locator(".evidence"))).toContain(" is on phishing, a list of ");
  await page.getByRole("tab", { name: "Lists", exact: true }).click();
  expect(await textOf(panel(page, "Lists"))).toContain("from the operator of this page, signed");
  await page.getByRole("button", { name: "Add the built-in list" }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(requests.slice(before)).toEqual([]);
  expect(requests.some((request) => request.startsWith(`${url}lists/`))).toBe(true);
  expect(requests.filter((request) => !request.startsWith(url))).toEqual([]);
  // The page also requests a version that does not exist yet.
  expect(troubles.every((text) => /status of 404/.test(text))).toBe(true);
  troubles.length = 0;
});

test("a listed site's owner learns the reason, whom to write to, and since when", async () => {
  const url = await hostPage(storeSettings);
  const { page, requests, troubles } = await openUrl(`${url}#url?u=http://evil.example/secret`, {
    isFolded: true,
  });
  await answered(page);
  const question = page.getByRole("button", { name: "Is this your site?" });
  await question.click();
  expect(await textOf(page.locator(".get-off"))).toContain("for this reason: phishing");
  const contact = page.locator(".get-off").getByRole("link", { name: "lists@example.org" });
  expect(await contact.getAttribute("href")).toMatch(/^mailto:lists@example\.org\?/);
  const before = requests.length;
  await page.getByRole("button", { name: "Since when?" }).click();
  const today = new Date().toISOString().slice(0, 8);
  await page.getByText(`evil.example/ has been on the list since ${today}`).waitFor();
  const later = requests.slice(before);
  expect(later.length).toBeGreaterThan(0);
  expect(later.filter((request) => !request.startsWith(`${url}lists/`))).toEqual([]);
  expect(later.filter((request) => /evil|secret/.test(request))).toEqual([]);
  expect(await violations(page)).toEqual([]);
  // An unlisted URL has none of this.
  await field(page, "Link or message").fill("http://good.example/");
  await page.locator(".verdict.clear").waitFor();
  expect(await question.count()).toBe(0);
  troubles.length = 0;
});

test("a list that another key signed is refused once, and the page begins with its own", async () => {
  const other = await signerOf(await generateSigningKey("example.net"));
  const url = await hostPage(() => storeSettings(other.publicKey));
  const { page, troubles } = await openUrl(`${url}#url?u=http://evil.example/`, { isFolded: true });
  await answered(page);
  await page.getByText("phishing was not added: ").and(page.locator(":visible")).waitFor();
  expect(await textOf(page.locator(".badge"))).toBe("Not on this list");
  await page.getByText("It covers only crypto phishing of that time.").waitFor();
  await page.getByRole("button", { name: "Get the current list" }).waitFor();
  troubles.length = 0;
});

test("the server of npm start gets the list of a store elsewhere, and does without it", async () => {
  const store = await hostPage(storeSettings);
  const settings = parsePageSettings(await (await fetch(`${store}settings.json`)).text());
  const server = await startServer({
    port: 0,
    folder: BUILT_PAGE,
    settings: { ...settings, store: { ...settings.store!, url: `${store}lists` } },
  });
  const fragment = "#url?u=http://evil.example/";
  const { page, requests, troubles } = await openUrl(server.url + fragment, { isFolded: true });
  await page.locator(".verdict.listed").waitFor();
  await answered(page);
  expect(requests.filter((request) => !request.startsWith(server.url))).toEqual([]);
  const own = await (await fetch(`${server.url}settings.json`)).text();
  for (const path of ["lists/../settings.json", "lists/%2e%2e/settings.json", "lists/a%2fb"]) {
    expect(["", own]).toContain(await (await fetch(server.url + path)).text());
  }

  await host!.stop();
  host = undefined;
  await page.reload();
  await page.locator(".verdict.clear").waitFor();
  await page.getByText("phishing was not added: ").and(page.locator(":visible")).waitFor();
  await page.getByRole("button", { name: "Get the current list" }).waitFor();
  expect(troubles.every((text) => /status of (?:404|502)/.test(text))).toBe(true);
  troubles.length = 0;
  await server.stop(0);
});

test("reports go where the operator wants them", async () => {
  const url = await hostPage(storeSettings);
  const { page } = await openUrl(`${url}#url?u=http://evil.example/`, { isFolded: true });
  await answered(page);
  await page.getByRole("button", { name: "Report", exact: true }).click();
  const places = page.locator(".report").getByRole("link");
  expect(await places.allInnerTexts()).toEqual(["Help desk"]);
  expect(await places.getAttribute("href")).toBe("mailto:help@example.org");
});

test("the page says who runs it, and where its source is", async () => {
  const operator = { name: "Example School", href: "https://school.example/" };
  const url = await hostPage(() => ({ operator, source: "https://source.example/" }));
  const { page } = await openUrl(url, { isFolded: true });
  await answered(page);
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Example School" });
  expect(await link.getAttribute("href")).toBe("https://school.example/");
  await page.getByText("Help", { exact: true }).click();
  const source = page.getByRole("contentinfo").getByText("Source", { exact: true });
  expect(await source.getAttribute("href")).toBe("https://source.example/");
});

test.each([
  ["javascript:alert(1)", { reports: [{ name: "x", href: "javascript:alert(1)" }] }],
  ["data: as the address of documents", { documents: "data:text/html,x" }],
  ["an operator without a name", { operator: { href: "https://a.example/" } }],
  ["a name that is not known", { stores: [] }],
  ["no key", { store: { url: "lists/", list: "phishing", publicKeys: [] } }],
])("settings with %s are refused as a whole, and the page says so", async (_, settings) => {
  const url = await hostPage(() => settings);
  const { page } = await openUrl(`${url}#url?u=http://evil.example/&tab=lists`, { isFolded: true });
  await answered(page);
  expect(await textOf(panel(page, "Lists"))).toContain(
    "The settings of this page could not be read",
  );
  await page.getByRole("button", { name: "Add a current list" }).waitFor();
  await page.getByRole("button", { name: "Report", exact: true }).click();
  expect(await page.locator(".report").getByRole("link").count()).toBe(3);
});

test("without settings, the lists are shown where one can be added", async () => {
  const url = await hostPage(() => ({}));
  const { page } = await openUrl(`${url}#url?u=http://evil.example/`, { isFolded: true });
  await answered(page);
  await page.getByRole("button", { name: "Add a current list" }).click();
  await page.getByRole("button", { name: "Choose a list file" }).waitFor();
});
