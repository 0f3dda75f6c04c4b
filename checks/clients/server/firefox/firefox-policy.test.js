import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { operator, settings, urlhashServer } from "../support/commands.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { webServer } from "../support/web-server.js";
import { firefox, settingsIn } from "./firefox.js";
import { installFirefox } from "./firefox-with-policies.js";

const { path, skip } = program("firefox-esr");
const EXAMPLE = new URL("../../../../docs/examples/firefox/policies.json", import.meta.url);
const SERVER = "https://lists.example.com";

test("the policy file has the settings that the server prints", async () => {
  const printed = await urlhashServer(
    "firefox",
    SERVER,
    ...settings({ "operator.name": "Example Ltd" }),
  );
  const { Preferences } = JSON.parse(readFileSync(EXAMPLE, "utf8")).policies;
  const values = Object.entries(Preferences).map(([name, { Value }]) => [name, Value]);
  assert.deepEqual(Object.fromEntries(values), settingsIn(printed));
  // Firefox itself writes the time of its next update.
  const open = Object.keys(Preferences).filter((name) => Preferences[name].Status !== "locked");
  assert.deepEqual(open, ["browser.safebrowsing.provider.google5.nextupdatetime"]);
});

describe("Firefox with a policy file", { skip, timeout: 600_000 }, () => {
  let server;
  let web;
  let browser;
  before(async () => {
    server = await urlListServer();
    web = await webServer();
    await server.publish({ malware: ["http://evil.test/bad/", "http://evil.test/later/"] });
    await server.start(...operator("Example Ltd", "a@example.com"));
    const policies = readFileSync(EXAMPLE, "utf8").replaceAll(SERVER, server.origin);
    const installed = installFirefox(path, join(server.folder, "firefox"), policies);
    const hosts = ["evil.test", "good.test"];
    browser = await firefox({ path: installed, origin: server.origin, protocol: null, hosts });
  });
  after(async () => {
    await browser?.remove();
    await server?.remove();
    await web?.close();
  });

  test("blocks a listed URL in a profile without settings, and loads its sibling", async () => {
    await browser.start();
    await browser.waitUntil(web.url("evil.test/bad/page.html"), "malware");
    assert.equal(await browser.open(web.url("evil.test/good/page.html")), "page");
    assert.equal(await browser.open(web.url("good.test/")), "page");
    assert.deepEqual(await server.updates("malware"), ["full"]);
  });

  test("the red page leads to the server's page, which never learns the URL", async () => {
    const listed = web.url("evil.test/bad/page.html?secret=1");
    await browser.waitUntil(listed, "malware");
    const { text, advisory, description } = await browser.redPage();
    assert.match(text, /Example Ltd/);
    assert.equal(advisory, `${server.origin}/blocked`);
    const withUrl = `${server.origin}/blocked#${encodeURIComponent(listed)}`;
    assert.equal(description, withUrl);
    const read = await browser.follow(description);
    assert.ok(read.includes(listed), read);
    assert.match(read, /Example Ltd/);
    assert.match(read, /a@example\.com/);
    await waitFor("the visit in the log", () =>
      server.log.some(({ route }) => route === "blocked"),
    );
    assert.ok(!JSON.stringify(server.log).includes("secret"));
  });

  test("fails open while the server is gone, except for what it confirmed minutes ago", async () => {
    await browser.waitUntil(web.url("evil.test/bad/page.html"), "malware");
    await server.stop();
    assert.equal(await browser.open(web.url("evil.test/bad/other.html")), "malware");
    assert.equal(await browser.open(web.url("evil.test/later/page.html")), "page");
  });
});
