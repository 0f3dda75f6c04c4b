import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@x/client";
import { expect, test } from "vitest";
import { run, waitFor } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { get, servedFolder } from "../support/served-folder.ts";

const folder = servedFolder();
const { publish, serving, started, storeFile } = folder;

test("with --prefix-bytes 4,8, a client of mw-8b follows the list and asks for no full hash", async () => {
  const server = await started("--set", "prefix-bytes=[4,8]", "--set", "cache=0s");
  const client = createClient({ protocol: "v5", server: server.origin, lists: ["mw-8b"] });
  await client.update();
  await publish("a", "b");
  await waitFor("the next version", async () => {
    const { lists } = await client.update();
    return lists[0]!.changed;
  });
  for (const host of ["a", "b"]) {
    const { verdict, matches } = await client.check(`http://${host}.example/`);
    expect([verdict, matches[0]?.by]).toEqual(["unsafe", "length"]);
  }
  expect((await client.check("http://c.example/")).verdict).toBe("safe");
  expect(client.status().requests.searches).toBe(0);
  await waitFor("a partial update in the log", () =>
    server.stdout().includes('"updates":["malware:partial"]'),
  );
});

// Windows has no signals that a process can handle.
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
    // The answer to a later request shows that the server has accepted the connection.
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
  const copy = join(folder.path, "copy", "lists");
  cpSync(storeFile(), copy, { recursive: true });
  const stored = readdirSync(copy, { recursive: true, withFileTypes: true });
  const folders = stored.filter((entry) => entry.isDirectory());
  const paths = [copy, ...folders.map(({ parentPath, name }) => join(parentPath, name))];
  for (const path of paths) chmodSync(path, 0o555);
  try {
    const options = ["--store", "copy/lists", "--set", "public-keys=lists.pub", "--first-start"];
    const server = await serving(...options);
    expect((await get(server.origin, "/readyz")).status).toBe(200);
    const files = () => readdirSync(join(folder.path, "copy"));
    await expect.poll(files).toEqual(["lists", "lists.seen"]);
    // Root may write into any folder, so the test checks that the server has written nothing.
    expect(readdirSync(copy, { recursive: true })).toHaveLength(stored.length);
  } finally {
    // The contents of a read-only folder could not be removed.
    for (const path of paths) chmodSync(path, 0o755);
  }
});

test("serves on when the store goes away, says so, and goes on when it is back", async () => {
  const server = await started();
  const ready = async () => (await get(server.origin, "/readyz")).text;
  renameSync(storeFile(), storeFile("..", "elsewhere"));
  await expect
    .poll(ready)
    .toMatch(/^The store cannot be read; the version that is served is \d+ \w+ old\.\n$/);
  expect((await get(server.origin, "/readyz")).status).toBe(503);
  expect((await get(server.origin, "/v5/hashList/mw-4b")).status).toBe(200);
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

test("does not start without the file of seen versions, unless it is told that this is the first start", async () => {
  rmSync(join(folder.path, "lists.seen"));
  const refused = await run(folder.path, "serve", "--store", "lists");
  expect(refused.status).toBe(2);
  expect(refused.stderr).toMatch(/of seen versions \S*lists\.seen does not exist.*--first-start/);
  const server = await started("--first-start");
  expect((await get(server.origin, "/readyz")).status).toBe(200);
  await waitFor("the file", () => existsSync(join(folder.path, "lists.seen")));
  server.child.kill("SIGTERM");
  await server.ended;
  // At the second start, the server has a file of seen versions.
  expect((await get((await started()).origin, "/readyz")).status).toBe(200);
});

test("opens private lists to hashed keys", async () => {
  const { stdout } = await runHere(folder.path, "key", "malware");
  const [, key, readers] = /\n {2}(\S+)\n[\s\S]*\n(readers:\n[\s\S]*)$/.exec(stdout)!;
  appendFileSync(join(folder.path, "urlhash-server.yaml"), readers!);
  const server = await started();
  expect((await get(server.origin, "/v5/hashList/mw-4b")).status).toBe(403);
  expect((await get(server.origin, `/v5/hashList/mw-4b?key=${key}`)).status).toBe(200);
  const named = (query: string) => get(server.origin, `/v5/hashLists?alt=json${query}`);
  expect((await named("")).text).not.toContain("mw-4b");
  expect((await named(`&key=${key}`)).text).toContain("mw-4b");
  const bad = await run(folder.path, "serve", "--set", `readers.somebody.key-sha256=${key}`);
  expect(bad.stderr).toMatch(/expected 64 hex digits/);
  expect(bad.stderr).not.toContain(key);
});

test("serves HTTPS", async () => {
  const [cert, key] = ["cert", "key"].map((name) =>
    fileURLToPath(new URL(`../support/tls/test-only.${name}.pem`, import.meta.url)),
  );
  const server = await started("--set", `tls.certificate=${cert!}`, "--set", `tls.key=${key!}`);
  const status = await new Promise((resolve, reject) => {
    httpsRequest(`${server.origin}/readyz`, { ca: readFileSync(cert!) }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(200);
  const half = await run(
    folder.path,
    "serve",
    "--store",
    "lists",
    "--set",
    `tls.certificate=${cert!}`,
  );
  expect(half.stderr).toMatch(/--set tls\.certificate: tls\.key: expected this setting/);
});
