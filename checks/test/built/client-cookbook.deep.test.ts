import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type PlainList, plainServer } from "@x/test-support/plain-server";
import { runProgram } from "@x/test-support/spawn";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ROOT } from "../repository.ts";

/*
 * Runs the unchanged programs of docs/cookbook.md, with the built packages, against a server that shares no code with
 * the packages.
 */

/** A folder below `checks/node_modules`, in which Node finds the packages. */
const folder = mkdtempSync(join(ROOT, "checks/node_modules/client-cookbook-"));
const path = (name: string): string => join(folder, name);

beforeAll(() => {
  writeFileSync(path("package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(path("key"), "k3y\n");
  const document = readFileSync(join(ROOT, "docs/cookbook.md"), "utf8");
  const programs = document.matchAll(/^```js\n\/\/ ([a-z0-9-]+\.js)\n(.*?)^```$/gms);
  for (const [, name, code] of programs) writeFileSync(path(name!), code!);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hashOf = (expression: string): string =>
  createHash("sha256").update(expression).digest("hex");
const prefixOf = (expression: string): string => hashOf(expression).slice(0, 8);

const list = (
  threatType: PlainList["threatType"],
  listed: string[],
  alsoPrefixes: string[] = [],
): PlainList => ({
  threatType,
  versions: [[...listed, ...alsoPrefixes].map(prefixOf)],
  fullHashes: listed.map(hashOf),
});

/** How the server treats searches. */
let searches: "answer" | "fail" | "hang";
let lists: Record<string, PlainList>;
let plain: ReturnType<typeof plainServer>;
let children: ChildProcess[];
let database: string;
let environment: Record<string, string>;

const server = createServer((request, response) => {
  const { method, url } = request as IncomingMessage & { method: string; url: string };
  const isSearch = url.startsWith("/v5/hashes:search");
  if (isSearch && searches === "hang") return;
  if (isSearch && searches === "fail") response.writeHead(503).end();
  else {
    const { status, headers, body } = plain.answer({ method, url });
    response.writeHead(status, headers).end(body);
  }
});

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  searches = "answer";
  lists = {
    "mw-4b": list("MALWARE", ["evil.example/"], ["alike.example/"]),
    "se-4b": list("SOCIAL_ENGINEERING", ["phish.example/login"]),
    "uws-4b": list("UNWANTED_SOFTWARE", []),
  };
  plain = plainServer({ lists, waits: { update: 1_800_000, found: 300_000, notFound: 300_000 } });
  children = [];
  database = mkdtempSync(path("database-"));
  environment = {
    SAFE_BROWSING_SERVER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SAFE_BROWSING_KEY_FILE: path("key"),
  };
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
});

/** Starts a program that can answer each line on its stdin with a line on its stdout. */
function start(program: string, ...argv: string[]) {
  const child = spawn(process.execPath, [path(program), ...argv], {
    env: { ...process.env, ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    child,
    line: async (): Promise<string> => (await lines.next()).value,
    async ask(line: string): Promise<string> {
      child.stdin!.write(`${line}\n`);
      return (await lines.next()).value;
    },
  };
}

describe("the mail gateway", () => {
  const HARMLESS = "http://good.example/ http://alike.example/";
  const LISTED = "http://good.example/ https://www.evil.example/x?y";

  test("several workers read the lists of one process, and switch to new versions", async () => {
    const keeper = start("keep-lists.js", database);
    expect(await keeper.line()).toBe("the lists are current");
    const workers = [start("check-mail.js", database), start("check-mail.js", database)];
    for (const { ask } of workers) {
      expect(await ask(HARMLESS)).toBe("deliver");
      expect(await ask(LISTED)).toBe("reject");
      expect(await ask("")).toBe("deliver");
      expect(await ask("http://new.example/")).toBe("deliver");
    }
    Object.assign(lists["mw-4b"]!, {
      versions: [...lists["mw-4b"]!.versions, [prefixOf("new.example/")]],
      fullHashes: [hashOf("new.example/")],
    });
    keeper.child.kill("SIGHUP");
    for (const { child, ask } of workers) {
      await expect.poll(() => ask("http://new.example/")).toBe("reject");
      // An earlier answer of the server still holds.
      expect(await ask(LISTED)).toBe("reject");
      child.stdin!.end();
      expect((await once(child, "close"))[0]).toBe(0);
    }
    keeper.child.kill("SIGTERM");
    expect((await once(keeper.child, "close"))[0]).toBe(0);
    expect(plain.requests.every(({ url }) => /[?&]key=k3y(?:&|$)/.test(url))).toBe(true);
    const updates = plain.requests.filter(({ url }) => url.includes(":batchGet"));
    expect(updates.length).toBe(2);
  });

  test("a message is quarantined when there is no verdict", async () => {
    const before = start("check-mail.js", database);
    expect(await before.ask("http://good.example/")).toBe("quarantine");
    const keeper = start("keep-lists.js", database);
    expect(await keeper.line()).toBe("the lists are current");
    for (const mode of ["fail", "hang"] as const) {
      searches = mode;
      const { ask } = start("check-mail.js", database);
      expect(await ask("http://good.example/")).toBe("deliver");
      expect(await ask(HARMLESS)).toBe("quarantine");
      expect(await ask(LISTED)).toBe("quarantine");
    }
  });
});

test("the crawler lets safe URLs through, and says why it holds others back", async () => {
  const urls = [
    "http://good.example/",
    "http://evil.example/",
    "http://alike.example/",
    "mailto:x",
  ];
  const ended = await runProgram(path("filter-urls.js"), [database], {
    stdin: [Buffer.from(urls.map((url) => `${url}\n`).join(""))],
    env: environment,
  });
  expect(ended).toEqual({
    status: 0,
    stdout: "http://good.example/\nhttp://alike.example/\n",
    stderr: "http://evil.example/ unsafe: MALWARE\nmailto:x unsure: url-invalid\n",
  });
});
