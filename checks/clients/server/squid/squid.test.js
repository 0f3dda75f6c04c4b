import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { operator, URLHASH, urlhashFolder, urlhashServer } from "../support/commands.js";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { squid } from "./squid.js";

const { path, skip } = program("squid");

/** A folder with a list that Squid can read. */
function listFolder() {
  const { path: at, publish } = urlhashFolder("squid-lists");
  return {
    folder: at("lists"),
    publish: (urls) => publish("urls", urls),
    damage() {
      writeFileSync(at("damaged"), "damaged");
      renameSync(at("damaged"), at("lists/urls.list"));
    },
  };
}

const becomes = (open, url, expected) =>
  waitFor(`${url} to be ${expected}`, async () => (await open(url)) === expected);

const says = (proxy, pattern) => waitFor("the helper to say so", () => pattern.test(proxy.log()));

const LISTED = ["http://evil.test/", "http://mixed.test/bad/", "http://[2001:db8::1]/x"];

describe("Squid with list files", { skip, timeout: 600_000 }, () => {
  let lists;
  let proxy;
  before(async () => {
    lists = listFolder();
    lists.publish(LISTED);
    proxy = await squid({ path, listFolder: lists.folder });
  });
  after(() => proxy?.stop());

  test("denies a listed URL, and loads its sibling", async () => {
    for (const [url, expected] of [
      ["http://evil.test/", "denied"],
      ["http://login.evil.test:8080/a?b", "denied"],
      ["http://mixed.test/bad/page", "denied"],
      ["http://mixed.test/%62ad/page", "denied"],
      ["http://mixed.test/x/../bad/", "denied"],
      ["http://[2001:db8::1]/x", "denied"],
      ["http://mixed.test/good/page", "page"],
      ["http://mixed.test/%2562ad/x", "denied"],
      ["http://mixed.test/%2fbad", "page"],
      ["http://[2001:db8::1]/y", "page"],
      ["http://[2001:db8::2]/x", "page"],
      ["http://good.test/?http://evil.test/", "page"],
      ["http://evil.test..a/", "refused 400"],
    ]) {
      assert.equal(await proxy.open(url), expected, url);
    }
  });

  test("denies a listed page over HTTPS with ssl-bump, and loads its sibling", async () => {
    assert.equal(await proxy.openBumped("https://evil.test/page"), "denied");
    assert.equal(await proxy.openBumped("https://mixed.test/bad/page"), "denied");
    assert.equal(await proxy.openBumped("https://mixed.test/good/page"), "page");
    assert.equal(await proxy.openBumped("https://good.test/"), "page");
  });

  test("without ssl-bump, denies tunnels to listed hosts only", async () => {
    assert.equal(await proxy.openTunnelled("https://evil.test/page"), "denied");
    assert.equal(await proxy.openTunnelled("https://mixed.test/bad/page"), "page");
    assert.equal(await proxy.openTunnelled("https://good.test/"), "page");
  });

  test("gives the verdict of `urlhash check` on 1000 URLs", async () => {
    const hosts = "evil.test mixed.test a.mixed.test good.test [2001:db8::1] 1.2.3.4".split(" ");
    const paths = "/,/bad/,/bad,/%62ad/x,//bad/,/bad%2fx,/a b,/x?y=é,/bad?q#f,/x".split(",");
    const urls = Array.from({ length: 1000 }, (_, i) => {
      const port = i % 3 === 0 ? ":8080" : "";
      const scheme = i % 7 === 0 ? "https" : "http";
      return `${scheme}://${hosts[i % 6]}${port}${paths[Math.floor(i / 6) % 10]}${i % 2 ? "" : `&n=${i}`}`;
    });
    const blocked = await proxy.blocks(urls);
    assert.deepEqual(proxy.refusals(), []);
    const source = join(lists.folder, "check.txt");
    writeFileSync(source, `${urls.join("\n")}\n`);
    const list = join(lists.folder, "urls.list");
    const argv = [URLHASH, "check", "--list", list, "--ndjson", "--file", source];
    const { stdout } = spawnSync(process.execPath, argv, { encoding: "utf8" });
    const expected = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).listed === true);
    assert.deepEqual(blocked, expected);
    assert.ok(expected.includes(true) && expected.includes(false));
  });

  test("follows an addition and a removal in the list file", async () => {
    lists.publish(["http://mixed.test/good/", "http://good.test/"]);
    await becomes(proxy.open, "http://good.test/", "denied");
    await becomes(proxy.open, "http://evil.test/", "page");
    await becomes(proxy.openBumped, "https://mixed.test/good/page", "denied");
    await becomes(proxy.openBumped, "https://mixed.test/bad/page", "page");
  });

  test("restarts the helper when it is killed", async () => {
    proxy.killHelper();
    // Squid 5.7 ends (assertion failed: Write.cc:40) if it writes to a helper before it has noticed the end of it.
    await waitFor("Squid to notice", () => /WARNING: \S+ \S+ exited/.test(proxy.log()));
    await becomes(proxy.open, "http://other.test/", "page");
    assert.equal(await proxy.open("http://good.test/again"), "denied");
  });

  test("keeps the list when the file is damaged", async () => {
    lists.damage();
    await says(proxy, /the previous list stays in use/);
    assert.equal(await proxy.open("http://good.test/new"), "denied");
    assert.equal(await proxy.open("http://evil.test/new"), "page");
  });
});

test("Squid fails closed while no list can be read, and opens when there is one", {
  skip,
  timeout: 600_000,
}, async () => {
  const lists = listFolder();
  const proxy = await squid({ path, listFolder: lists.folder });
  try {
    assert.equal(await proxy.open("http://good.test/"), "denied");
    assert.equal(await proxy.openTunnelled("https://good.test/"), "denied");
    lists.publish(LISTED);
    await becomes(proxy.open, "http://good.test/", "page");
    assert.equal(await proxy.open("http://evil.test/"), "denied");
  } finally {
    await proxy.stop();
  }
});

describe("Squid with urlhash-server", { skip, timeout: 600_000 }, () => {
  let server;
  let proxy;
  let open;
  before(async () => {
    server = await urlListServer();
    await server.publish({ malware: LISTED });
    await server.start();
    const { origin } = server;
    const page = await urlhashServer("blocked-page", "squid", ...operator("100% Example <Ltd>"));
    const both = [squid({ path, origin, page }), squid({ path, origin, tagUnchecked: true })];
    const [first, second] = await Promise.allSettled(both);
    [proxy, open] = [first.value, second.value];
    assert.deepEqual([first.reason, second.reason], [undefined, undefined]);
  });
  after(async () => {
    await proxy?.stop();
    await open?.stop();
    await server?.remove();
  });

  test("denies a listed URL, and loads its sibling", async () => {
    assert.equal(await proxy.open("http://login.evil.test/a?b"), "denied");
    assert.equal(await proxy.open("http://mixed.test/bad/page"), "denied");
    assert.equal(await proxy.open("http://mixed.test/good/page"), "page");
    assert.equal(await proxy.openBumped("https://mixed.test/bad/page"), "denied");
    assert.equal(await proxy.openBumped("https://mixed.test/good/page"), "page");
    assert.equal(await open.open("http://evil.test/"), "denied");
    assert.equal(await open.open("http://good.test/"), "page");
  });

  test("shows people who are blocked the URL, the reason, and whom to ask", async () => {
    const text = await proxy.read("http://evil.test/<a>?b=100%25");
    assert.match(text, /^<!doctype html>/);
    assert.match(text, /<bdi>http:\/\/evil\.test\/(&lt;|%3C)a(&gt;|%3E)\?<\/bdi>/);
    assert.match(text, /The reason: [^<]*malware/);
    assert.match(text, /100% Example &lt;Ltd&gt;/);
    assert.match(text, /"mailto:lists@example\.com\?subject=Blocked%20by%20mistake"/);
  });

  test("follows an addition and a removal", async () => {
    await server.publish({ malware: ["http://evil.test/", "http://good.test/"] });
    await becomes(proxy.open, "http://good.test/", "denied");
    await becomes(proxy.open, "http://mixed.test/bad/page", "page");
  });

  test("fails closed while the server is gone, or open if it is told to, and recovers", async () => {
    await server.stop();
    assert.equal(await proxy.open("http://other.test/"), "denied");
    assert.equal(await open.open("http://other.test/"), "page");
    await says(proxy, /: connection refused: no URLs are checked in the meantime/);
    await server.start();
    await becomes(proxy.open, "http://other.test/", "page");
    await becomes(open.open, "http://evil.test/new", "denied");
    await says(proxy, /answers again/);
  });
});

test("Squid with the lists of a server, which learns no URL", {
  skip,
  timeout: 600_000,
}, async () => {
  const server = await urlListServer();
  let proxy;
  try {
    await server.publish({ malware: LISTED });
    await server.start();
    proxy = await squid({ path, origin: server.origin, keepsLists: true });
    await becomes(proxy.open, "http://good.test/", "page");
    assert.equal(await proxy.open("http://login.evil.test/a?b"), "denied");
    assert.equal(await proxy.open("http://mixed.test/bad/page"), "denied");
    assert.equal(await proxy.open("http://mixed.test/good/page"), "page");
    const isSearch = ({ route = "" }) => /search/i.test(route);
    await waitFor("a search in the log", () => server.log.some(isSearch));
    assert.ok(!server.log.some(({ route = "" }) => /lookup/i.test(route)));
    await server.stop();
    // The helper remembers confirmed matches, and URLs on no list need no server.
    assert.equal(await proxy.open("http://evil.test/"), "denied");
    assert.equal(await proxy.open("http://good.test/other"), "page");
    assert.match(await proxy.read("http://[2001:db8::1]/x"), /denied/i);
  } finally {
    await proxy?.stop();
    await server.remove();
  }
});
