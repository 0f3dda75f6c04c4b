import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Run, run, serve, temporaryFolder, waitFor } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { publishBriefly } from "../support/publish-briefly.ts";

let folder: ReturnType<typeof temporaryFolder>;
let servers: Run[] = [];
beforeEach(async () => {
  folder = temporaryFolder();
  servers = [];
  await runHere(folder.path, "init", "--store", "lists");
  await publish("a");
});
afterEach(async () => {
  for (const { child } of servers) child.kill("SIGKILL");
  await Promise.all(servers.map(({ ended }) => ended));
  folder.remove();
});

async function publish(...names: string[]) {
  writeFileSync(
    join(folder.path, "urls.txt"),
    names.map((name) => `http://${name}.example/\n`).join(""),
  );
  return runHere(folder.path, "publish", "--store", "lists", "malware=urls.txt");
}

async function started(...args: string[]) {
  const server = await serve(folder.path, "--store", "lists", ...args);
  servers.push(server);
  return server;
}

async function get(origin: string, path: string) {
  const response = await fetch(origin + path);
  return { status: response.status, text: await response.text() };
}

const storeFile = (...path: string[]) => join(folder.path, "lists", ...path);

test("serves, is ready, takes up a new version within seconds, and ends at SIGTERM", async () => {
  const server = await started();
  expect(await get(server.origin, "/healthz")).toEqual({ status: 200, text: "ok\n" });
  expect(await get(server.origin, "/readyz")).toEqual({ status: 200, text: "ready\n" });
  const page = await get(server.origin, "/");
  expect(page.text).toContain('<th scope="row">malware</th>');
  expect(page.text).toContain(`${server.origin}/v5/hashLists:batchGet?`);
  await publish("a", "b");
  await waitFor("version 2", async () => {
    return (await get(server.origin, "/metrics")).text.includes(
      'urlhash_list_version{list="malware"} 2',
    );
  });
  await get(server.origin, "/v5/hashList/mw-4b");
  server.child.kill("SIGTERM");
  const { status, stdout } = await server.ended;
  expect(status).toBe(process.platform === "win32" ? null : 0);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toMatchObject({
    route: "v5.hashList.get",
    status: 200,
    updates: ["malware:full"],
  });
});

// Windows has no signals: a process that is told to end just ends.
test.skipIf(process.platform === "win32")(
  "finishes the answers that are under way when it is told to end",
  async () => {
    const server = await started();
    const { port } = new URL(server.origin);
    const { connect } = await import("node:net");
    const body =
      '{"threatInfo":{"threatTypes":["MALWARE"],"threatEntryTypes":["URL"],"threatEntries":[{"url":"http://a.example/"}]}}';
    const socket = connect(Number(port), "127.0.0.1");
    let received = "";
    socket.on("data", (data) => {
      received += data;
    });
    socket.write(
      `POST /v4/threatMatches:find HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    );
    await new Promise((resolve) => socket.once("connect", resolve));
    // The server must have taken the connection before it stops taking any.
    await get(server.origin, "/healthz");
    server.child.kill("SIGTERM");
    await waitFor("the server to take no more connections", () =>
      get(server.origin, "/healthz").then(
        () => false,
        () => true,
      ),
    );
    socket.write(body.slice(20));
    await waitFor("the answer", () => received.includes("MALWARE"));
    expect((await server.ended).status).toBe(0);
  },
);

test("needs to read the store and nothing else", async () => {
  mkdirSync(join(folder.path, "copy"));
  cpSync(storeFile(), join(folder.path, "copy", "lists"), { recursive: true });
  chmodSync(join(folder.path, "copy", "lists"), 0o555);
  const options = ["--store", "copy/lists", "--public-key", "lists.pub", "--first-start"];
  const server = await serve(folder.path, ...options);
  servers.push(server);
  expect((await get(server.origin, "/readyz")).status).toBe(200);
  const files = () => readdirSync(join(folder.path, "copy"));
  await expect.poll(files).toEqual(["lists", "lists.seen"]);
});

test("serves on when the store goes away, says so, and goes on when it is back", async () => {
  const server = await started();
  const ready = async () => (await get(server.origin, "/readyz")).text;
  renameSync(storeFile(), storeFile("..", "elsewhere"));
  await expect.poll(ready).toMatch(/^The store cannot be read; what is served is \d+ \w+ old\.\n$/);
  expect((await get(server.origin, "/readyz")).status).toBe(503);
  expect((await get(server.origin, "/v5/hashList/mw-4b")).status).toBe(200);
  expect((await get(server.origin, "/")).text).toContain("The store cannot be read");
  expect((await get(server.origin, "/metrics")).text).toContain(
    'urlhash_list_ready{list="malware"} 0',
  );
  await expect.poll(server.stdout).toMatch(/The store \S*lists does not exist/);
  renameSync(storeFile("..", "elsewhere"), storeFile());
  await expect.poll(ready).toBe("ready\n");
});

test("does not start without a public key", async () => {
  rmSync(join(folder.path, "lists.pub"));
  const { status, stderr } = await run(folder.path, "serve", "--store", "lists");
  expect(status).toBe(2);
  expect(stderr).toMatch(/The public key .*lists\.pub does not exist/);
});

test("says when the port is in use", async () => {
  const server = await started();
  const { port } = new URL(server.origin);
  const { status, stderr } = await run(folder.path, "serve", "--store", "lists", "--port", port);
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /^urlhash-server: Port \d+ of 127\.0\.0\.1 is in use by another program\n$/m,
  );
});

/** What the server says of a store that was changed while it was down. */
async function refusal(): Promise<string> {
  const server = await started();
  const { status, text } = await get(server.origin, "/readyz");
  expect(status).toBe(503);
  expect((await get(server.origin, "/v5/hashList/mw-4b")).status).toBe(503);
  await waitFor("the log to say so", () => server.stdout().includes(text.trim()));
  return text;
}

test("refuses a damaged store", async () => {
  writeFileSync(storeFile("lists", "malware", "v", "000000000001"), "damage");
  expect(await refusal()).toBe("Version 1 of malware is damaged: it is not a manifest.\n");
});

test("refuses a store that another key signed", async () => {
  await runHere(folder.path, "init", "--store", "other");
  cpSync(join(folder.path, "other.pub"), join(folder.path, "lists.pub"));
  expect(await refusal()).toMatch(/^Version 1 of malware is not signed by a trusted key: /);
});

test("refuses an expired store", async () => {
  await publishBriefly(storeFile(), ["b.example/"], 1000);
  const published = Date.now();
  await waitFor("the version to expire", () => Date.now() > published + 1000);
  expect(await refusal()).toMatch(/^Version 2 of malware expired at \S+\.\n$/);
});

test("refuses a store that is rolled back, also after it was started again", async () => {
  cpSync(storeFile(), join(folder.path, "backup"), { recursive: true });
  await publish("a", "b");
  const server = await started();
  expect((await get(server.origin, "/readyz")).status).toBe(200);
  rmSync(storeFile(), { recursive: true });
  cpSync(join(folder.path, "backup"), storeFile(), { recursive: true });
  const { text } = await waitFor("the problem", async () => {
    const ready = await get(server.origin, "/readyz");
    return ready.status === 503 ? ready : null;
  }).then((found) => found!);
  expect(text).toMatch(
    /^The list malware is rolled back: version 2 is gone; what is served is .* old\.\n$/,
  );
  // What it verified before is served on.
  expect((await get(server.origin, "/v5/hashList/mw-4b")).status).toBe(200);
  server.child.kill("SIGTERM");
  await server.ended;
  expect(await refusal()).toBe(
    "The list malware is rolled back: it is at version 1, but version 2 was seen before.\n",
  );
});

test("does not start without the file of seen versions, unless it is told that this is the first start", async () => {
  rmSync(join(folder.path, "lists.seen"));
  const refused = await run(folder.path, "serve", "--store", "lists");
  expect(refused.status).toBe(2);
  expect(refused.stderr).toMatch(/lists\.seen of seen versions does not exist.*--first-start/);
  const server = await started("--first-start");
  expect((await get(server.origin, "/readyz")).status).toBe(200);
  await waitFor("the file", () => existsSync(join(folder.path, "lists.seen")));
  server.child.kill("SIGTERM");
  await server.ended;
  // This is the second start.
  expect((await get((await started()).origin, "/readyz")).status).toBe(200);
});

test("does not start when the file of seen versions is damaged, and leaves it as it is", async () => {
  const seen = join(folder.path, "lists.seen");
  writeFileSync(seen, "damage");
  for (const options of [[], ["--first-start"]]) {
    const { status, stderr } = await run(folder.path, "serve", "--store", "lists", ...options);
    expect(status).toBe(2);
    expect(stderr).toMatch(/lists\.seen is damaged: it does not say which versions were seen/);
  }
  expect(readFileSync(seen, "utf8")).toBe("damage");
});

// Windows has no such pipes.
test.skipIf(process.platform === "win32")(
  "a pipe in a store is a problem, and holds nobody up",
  async () => {
    for (const file of ["head", "v/000000000001"]) {
      rmSync(storeFile("lists", "malware", file));
      execFileSync("mkfifo", [storeFile("lists", "malware", file)]);
    }
    expect(await refusal()).toBe(
      "The file lists/malware/head of the store is not a regular file.\n",
    );
    rmSync(storeFile("lists", "malware", "head"));
    // A publisher does not wait for the pipe, either.
    expect((await publish("a")).stderr).toMatch(/is missing|not a regular file/);
  },
);

test("opens private lists to hashed keys", async () => {
  const { stdout } = await runHere(folder.path, "key", "malware");
  const [, key, line] = /\n {2}(\S+)\n[\s\S]*\n {2}(\S+ malware)\n/.exec(stdout)!;
  writeFileSync(join(folder.path, "keys"), `${line}\n`);
  const server = await started("--keys", "keys");
  expect((await get(server.origin, "/v5/hashList/mw-4b")).status).toBe(403);
  expect((await get(server.origin, `/v5/hashList/mw-4b?key=${key}`)).status).toBe(200);
  expect((await get(server.origin, "/")).text).not.toContain("malware</th>");
  writeFileSync(join(folder.path, "keys"), "not a hash\n");
  const bad = await run(folder.path, "serve", "--store", "lists", "--keys", "keys");
  expect(bad.stderr).toMatch(/keys:1: expected the SHA-256 of a key/);
});

test("serves HTTPS", async () => {
  const [cert, key] = ["cert", "key"].map((name) =>
    fileURLToPath(new URL(`../support/tls/test-only.${name}.pem`, import.meta.url)),
  );
  const server = await started("--tls-cert", cert!, "--tls-key", key!);
  const status = await new Promise((resolve, reject) => {
    httpsRequest(`${server.origin}/readyz`, { ca: readFileSync(cert!) }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(200);
  const half = await run(folder.path, "serve", "--store", "lists", "--tls-cert", cert!);
  expect(half.stderr).toMatch(/HTTPS needs both/);
});
