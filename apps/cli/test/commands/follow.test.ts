import { encodePrefixList, prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { loopbackProxy } from "@x/test-support/loopback-proxy";
import { type FarmServer, farmServer, tableLookup } from "@x/test-support/redirect-farm";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type RunOptions, run } from "../run.ts";
import { startListServer } from "./list-server.ts";

const folder = temporaryFolder();
const list = prefixList([fullHash("evil.example/")], { name: "evil", prefixBytes: 4 });
const EVIL = folder.write("evil", encodePrefixList(list));

let farm: FarmServer;
let forbidden: FarmServer;
let here: string;
beforeEach(async () => {
  for (const name of ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]) {
    vi.stubEnv(name, undefined);
    vi.stubEnv(name.toUpperCase(), undefined);
  }
  forbidden = await farmServer((_, response) => response.end("private"));
  farm = await farmServer((url, response, port) => {
    const { pathname, searchParams } = url;
    const to = (location: string) => response.writeHead(302, { location }).end();
    const page = (html: string) =>
      response.writeHead(200, { "content-type": "text/html" }).end(html);
    if (pathname === "/end") page("<p>end");
    else if (pathname === "/two") to("/meta");
    else if (pathname === "/meta") page("<meta http-equiv=refresh content='0;url=/end'>");
    else if (pathname === "/evil") to("/to-evil");
    else if (pathname === "/to-evil") to("http://www.evil.example/login");
    else if (pathname === "/wrapped") {
      to(`http://short.test:${port}/end?u=http%3A%2F%2Fevil.example%2F`);
    } else if (pathname === "/loop") to("/loop#again");
    else if (pathname === "/private") to(`http://127.0.0.1:${forbidden.port}/`);
    else if (pathname === "/ftp") to("ftp://short.test/");
    else if (pathname === "/to") to(searchParams.get("url")!);
    else if (pathname.startsWith("/hop/")) to(`/hop/${Number(pathname.slice(5)) + 1}`);
    else response.writeHead(404).end();
  });
  here = `http://short.test:${farm.port}`;
});
afterEach(() => {
  vi.unstubAllEnvs();
  farm.close();
  forbidden.close();
});

function options(more: RunOptions = {}): RunOptions {
  const { lookup } = tableLookup({ "short.test": [["127.0.0.1"]] });
  const allowEndpoints = [{ address: "127.0.0.1", port: farm.port }];
  return { reach: { allowEndpoints, lookup }, ...more };
}
const check = (argv: readonly string[], more: RunOptions = {}) =>
  run(["check", "--list", EVIL, "--follow", ...argv], options(more));
const asked = () => farm.received.map(({ url }) => url);

describe("check", () => {
  test("without --follow, nothing is requested", async () => {
    expect(await run(["check", "--list", EVIL, `${here}/evil`], options())).toMatchObject({
      status: 0,
      stderr: "",
    });
    expect(asked()).toEqual([]);
  });

  test("a URL that may have more URLs inside than are opened is not followed", async () => {
    const inside = Array.from({ length: 40 }, (_, i) => `u=http://b${i}.example/`).join("&");
    const { status, stdout } = await check([`${here}/end?${inside}`]);
    expect([status, stdout.split(" ")[0]]).toEqual([8, "unsure"]);
    expect(asked()).toEqual([]);
  });

  test("a listed URL at the end of a chain is not requested, and the given URL is listed", async () => {
    expect(await check([`${here}/evil`])).toEqual({
      status: 1,
      stderr: `urlhash: requesting ${here}/evil\nurlhash: requesting ${here}/to-evil\n`,
      stdout: `LISTED      ${here}/evil
            leads to ${here}/to-evil (redirect, status 302)
            leads to http://www.evil.example/login (redirect, status 302)
            evil.example/ (f001957c) is on evil
`,
    });
    expect(asked()).toEqual(["/evil", "/to-evil"]);
  });

  test("a chain that was followed to its end is not listed", async () => {
    expect(await check([`${here}/two`])).toMatchObject({
      status: 0,
      stdout: `not listed  ${here}/two
            leads to ${here}/meta (redirect, status 302)
            leads to ${here}/end (refresh in the page, status 200)
`,
    });
    expect((await check([`${here}/end`])).stdout).toBe(`not listed  ${here}/end\n`);
  });

  test("what is listed, refused or no URL is not requested", async () => {
    const stdin = `http://evil.example/\n127.0.0.1 ${here.slice(7)}\nhxxp://short[.]test/\n\n`;
    const ran = await check([], { stdin });
    expect(ran.status).toBe(5);
    expect(ran.stderr).not.toContain("requesting");
    expect(asked()).toEqual([]);
  });

  test("a listed URL inside a URL of the chain counts, unless --no-unwrap", async () => {
    const ran = await check([`${here}/wrapped`]);
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain("inside the URL: http://evil.example/");
    expect(asked()).toEqual(["/wrapped"]);
    expect((await check(["--no-unwrap", `${here}/wrapped`])).status).toBe(0);
  });

  test.each([
    ["/loop", "loop", "it leads back to a URL that was already requested"],
    ["/private", "address-refused", "the address is private or local"],
    ["/ftp", "scheme-unsupported", "only http and https URLs can be requested"],
    ["/missing", "status", "the server answers with status 404"],
    ["/to?url=http://[", "url-invalid", "the target of the redirect is not a URL"],
    ["/hop/1", "hops", "there are more than 20 redirects"],
    ["/to?url=http://nowhere.test/", "request-failed", "there is no usable response (no address"],
  ])("%s is unsure: %s", { tags: "deep" }, async (path, code, text) => {
    const stdin = `${here}${path}\n`;
    const told = await check([], { stdin });
    expect(told.status).toBe(40);
    expect(told.stdout).toMatch(/^unsure {6}http/);
    expect(told.stdout).toContain(`not followed to its end: ${text}`);
    const json = await check(["--ndjson"], { stdin });
    expect(json.status).toBe(40);
    expect(JSON.parse(json.stdout)).toMatchObject({ listed: null, reason: `follow-${code}` });
    expect((await check(["--only-listed"], { stdin })).stdout).toBe(told.stdout);
    expect(forbidden.received).toEqual([]);
  });

  test("an unfinished chain is not only disguised", async () => {
    const ran = await check([`http://www.bank.com@short.test:${farm.port}/loop`]);
    expect(ran.status).toBe(40);
    const finished = await check([`http://www.bank.com@short.test:${farm.port}/end`]);
    expect(finished.status).toBe(16);
  });

  test("a URL that leads to a disguised one is disguised, too", async () => {
    const port = farm.port;
    const chain = `${here}/to?url=http://www.xn--80ak6aa92e.com:${port}/two`;
    const { lookup } = tableLookup({
      "short.test": [["127.0.0.1"]],
      "www.xn--80ak6aa92e.com": [["127.0.0.1"]],
    });
    const allowEndpoints = [{ address: "127.0.0.1", port }];
    const reach = { reach: { allowEndpoints, lookup } };
    const ran = await check([chain], reach);
    expect(ran.status).toBe(16);
    expect(ran.stdout).toMatch(/^disguised {3}http:\/\/short/);
    expect(ran.stdout).toContain(
      `http://www.xn--80ak6aa92e.com:${port}/two: Did you mean apple.com? In its host, “а” (U+0430) is`,
    );
    const [record] = JSON.parse((await check(["--json", chain], reach)).stdout);
    expect(record).toMatchObject({ listed: false, chain: [{}, {}, {}, {}] });
    // The URLs after the first disguised one have the same host, so their disguises are not repeated.
    const url = `http://www.xn--80ak6aa92e.com:${port}/two`;
    expect(record.disguises).toMatchObject([{ code: "look-alike", url }]);
  });

  test("private addresses are refused, in every spelling", async () => {
    const port = forbidden.port;
    for (const host of ["127.0.0.1", "0x7f.1", "2130706433", "[::1]", "localhost"]) {
      const ran = await check([`http://${host}:${port}/`]);
      expect([host, ran.status & 40]).toEqual([host, 40]);
      expect(ran.stdout).toContain("the address is private or local");
    }
    expect(forbidden.received).toEqual([]);
    // Without the setting `reach`, the private address of the test server is not reached.
    const ran = await run([
      "check",
      "--list",
      EVIL,
      "--follow",
      `http://127.0.0.1:${farm.port}/end`,
    ]);
    expect(ran.status).toBe(40);
    expect(asked()).toEqual([]);
  });

  test("JSON has the chain", async () => {
    const stdin = `${here}/evil\n\n${here}/two\nnot a url\nhttp://evil.example/\n`;
    const records = JSON.parse((await check(["--json"], { stdin })).stdout);
    expect(records[0]).toMatchObject({
      listed: true,
      matches: [{ expression: "evil.example/" }],
      chain: [
        { url: `${here}/evil`, via: "given", status: 302, verdict: "not-listed", reason: null },
        { url: `${here}/to-evil`, written: "/to-evil", via: "location", status: 302 },
        { url: "http://www.evil.example/login", status: null, verdict: "listed" },
      ],
    });
    expect(records[1]).toMatchObject({ line: 3, listed: false, chain: [{}, {}, { via: "meta" }] });
    expect(records.at(-1)).not.toHaveProperty("chain");
  });

  test("many URLs, in the order of the input", { tags: "deep" }, async () => {
    const paths = Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? "/evil" : "/end"));
    const urls = paths.map((path, i) => `${here}${path}?${i}`);
    for (const ran of [await check(urls), await check([], { stdin: `${urls.join("\n")}\n` })]) {
      expect(ran.status).toBe(1);
      const verdicts = ran.stdout.split("\n").filter((line) => /^\S/.test(line));
      expect(verdicts).toEqual(
        urls.map((url, i) => `${i % 3 === 0 ? "LISTED    " : "not listed"}  ${url}`),
      );
    }
  });

  test("--find follows the links of an email", { tags: "deep" }, async () => {
    const mail = `Subject: x\n\nsee ${here}/evil, ${here}/end and mailto:a@b.example\n`;
    const ran = await check(["--find", "--as", "mail", "--json"], { stdin: mail });
    expect(ran.status).toBe(1);
    expect(
      JSON.parse(ran.stdout).map((record: Record<string, unknown>) => [
        record["url"],
        record["listed"],
      ]),
    ).toEqual([
      [`${here}/evil`, true],
      [`${here}/end`, false],
    ]);
  });

  test("through the proxy that the environment names, which stderr says", async () => {
    const proxy = await loopbackProxy(`127.0.0.1:${farm.port}`);
    vi.stubEnv("http_proxy", `http://user:secret@${proxy.address}`);
    const ran = await check(["http://elsewhere.test/evil"]);
    proxy.close();
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain(
      `requesting http://elsewhere.test/evil through the proxy ${proxy.address}\n`,
    );
    expect(ran.stderr).not.toContain("secret");
    expect(proxy.asked.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "GET http://elsewhere.test/evil",
      "GET http://elsewhere.test/to-evil",
    ]);
  });

  test("with --server, each URL of the chain is checked by the client", async () => {
    const server = await startListServer();
    const place = ["--server", server.url, "--lists", "mw-4b", "--database", folder.path("db")];
    const ran = async (...argv: string[]) =>
      run(["check", ...place, "--follow", ...argv], options());
    const listed = await ran("--json", `${here}/evil`, `${here}/loop`, `${here}/end`);
    expect(listed.status).toBe(41);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { verdict: "listed", local: "unlisted", matches: [{ confirmed: true }], chain: [{}, {}, {}] },
      { verdict: "unsure", reason: "follow-loop", matches: [] },
      { verdict: "not-listed", reason: null, chain: [{ status: 200 }] },
    ]);
    const text = await ran(`${here}/evil`, `${here}/loop`);
    expect(text.stdout).toContain("leads to http://www.evil.example/login");
    expect(text.stdout).toContain("it leads back to a URL that was already requested");
    server.close();
  });

  test.each([
    [["--follow", "--workers", "2", "--file", "x"], "--follow cannot be used with --workers"],
    [["--follow", "--offline", "--server", "http://a.example"], "cannot be used with --offline"],
  ])("%j is refused", async (argv, message) => {
    const urls = argv.includes("--file") ? [] : ["http://a.example/"];
    const ran = await run(["check", ...argv, ...urls], options());
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain(message);
  });
});

describe("explain", () => {
  const explain = (argv: readonly string[]) => run(["explain", "--follow", ...argv], options());

  test("shows where a URL leads", async () => {
    const ran = await explain(["--list", EVIL, `${here}/evil`]);
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain(`urlhash: requesting ${here}/to-evil\n`);
    expect(ran.stdout).toContain("Where it leads\n");
    expect(ran.stdout).toContain("LISTED. It leads to a URL that is on a list.\n");
    expect(ran.stdout).toContain("evil.example/ (f001957c) is on evil\n");
    expect(ran.stdout).not.toContain("Not listed");
    const [record] = JSON.parse((await explain(["--json", "--list", EVIL, `${here}/evil`])).stdout);
    expect(record).toMatchObject({
      listed: true,
      matches: [],
      chain: [{}, {}, { verdict: "listed" }],
    });
  });

  test("an unfinished chain is unsure", async () => {
    const ran = await explain(["--list", EVIL, `${here}/loop`]);
    expect(ran.status).toBe(40);
    expect(ran.stdout).toContain("Unsure. It was not followed to its end.\n");
    expect(ran.stdout).not.toContain("Not listed");
    const [record] = JSON.parse((await explain(["--json", "--list", EVIL, `${here}/loop`])).stdout);
    expect(record).toMatchObject({ listed: null, reason: "follow-loop" });
  });

  test("without a list, and what is not followed", async () => {
    const ran = await explain([`${here}/two`, "127.0.0.1 a.example", "http://a b/"]);
    expect(ran.status).toBe(4);
    expect(ran.stdout).toContain(`leads to ${here}/end (refresh in the page, status 200)`);
    expect(asked()).toEqual(["/two", "/meta", "/end"]);
    expect((await explain([`${here}/end`])).stdout).toContain("Where it leads\n  nowhere else\n");
  });
});
