import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { sampleSize } from "@x/test-support/sample-size";
import { afterEach, beforeEach, expect, test } from "vitest";
import { randomNumbers } from "../../../../packages/list-store/test/support/publishing.ts";
import { type Run, start, temporaryFolder, waitFor } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { conditional, type Feed, newFeed } from "../support/feed.ts";
import { hosts } from "../support/operator.ts";
import { writeAtOnce } from "../support/write-at-once.ts";

let folder: ReturnType<typeof temporaryFolder>;
let feed: Feed;
beforeEach(async () => {
  folder = temporaryFolder();
  feed = await newFeed();
  await runHere(folder.path, "init", "--store", "lists");
});
afterEach(async () => {
  folder.remove();
  await feed.close();
});

const listOf = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");
const publish = (...args: string[]) =>
  start(folder.path, "publish", "--store", "lists", `malware=${feed.url}`, ...args);
const watch = (...args: string[]) => publish("--watch", "--set", "fetch.every=1s", ...args);
const isPublished = (watching: Run, version: number) =>
  waitFor(`version ${version}`, () => watching.stdout().includes(`version ${version},`));
const metric = (name: string) => {
  const file = join(folder.path, "lists.prom");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return new RegExp(`^${name}\\{.*\\} (\\d+)$`, "m").exec(text)?.[1];
};
const countOf = (text: string, part: string) => text.split(part).length - 1;
/** Waits until the feed has received this many more requests. */
const asked = async (times: number) => {
  const before = feed.requests.length;
  await waitFor("requests", () => feed.requests.length >= before + times);
};

async function end(watching: Run): Promise<string> {
  watching.child.kill("SIGTERM");
  const { status, stderr } = await watching.ended;
  expect(status).toBe(0);
  return stderr;
}

test("--watch fetches, and publishes what has changed", async () => {
  feed.answer(conditional(listOf(...hosts(0, 3)), '"1"'));
  const watching = watch();
  await isPublished(watching, 1);
  await asked(3);
  feed.answer(conditional(listOf(...hosts(0, 4)), '"2"'));
  await isPublished(watching, 2);
  expect(await end(watching)).toBe("");
  expect(countOf(watching.stdout(), "malware: version")).toBe(2);
  // A source that was fetched less than an hour ago is not fetched again.
  const before = feed.requests.length;
  const next = publish("--watch", "--set", "fetch.every=1h");
  await waitFor("the list", () => next.stdout().includes("version 2"));
  expect(feed.requests.length).toBe(before);
  await end(next);
});

test("--watch goes on with the last good copy, and says so once per change", async () => {
  const more = join(folder.path, "more.txt");
  writeAtOnce(more, listOf("http://more.example/"));
  feed.send(listOf(...hosts(0, 3)));
  const watching = watch("malware=more.txt", "--set", "metrics=lists.prom");
  await isPublished(watching, 1);
  feed.send("<!doctype html>");
  await waitFor("the problem", () => watching.stdout().includes("the last good copy, of "));
  await waitFor("the metrics", () => metric("urlhash_publish_source_failed") === "1");
  await asked(3);
  expect(countOf(watching.stdout(), "the last good copy, of ")).toBe(1);
  // The other sources of the list are still published.
  writeAtOnce(more, listOf("http://more.example/", "http://most.example/"));
  await waitFor("version 2", () => watching.stdout().includes("version 2, 5 entries"));
  feed.answer((_, response) => response.writeHead(500).end());
  await waitFor("the next problem", () => watching.stdout().includes("answered 500"));
  feed.send(listOf(...hosts(0, 4)));
  await waitFor("version 3", () => watching.stdout().includes("version 3, 6 entries"));
  await waitFor("the metrics", () => metric("urlhash_publish_source_failed") === "0");
  await end(watching);
});

test("--watch begins with the last good copy while the server is away, and waits as long as it asks", async () => {
  feed.send(listOf(...hosts(0, 3)));
  expect((await publish().ended).status).toBe(0);
  feed.answer((_, response) => response.writeHead(503, { "retry-after": "3600" }).end());
  const before = feed.requests.length;
  const other = await newFeed();
  try {
    other.answer(conditional(listOf("http://other.example/"), '"1"'));
    const watching = watch(`malware=${other.url}`);
    await waitFor("the problem", () => watching.stdout().includes("answered 503"));
    await waitFor("both sources", () => watching.stdout().includes("version 2, 4 entries"));
    await waitFor("other requests", () => other.requests.length >= 4);
    expect(feed.requests.length).toBe(before + 1);
    await end(watching);
  } finally {
    await other.close();
  }
});

test("--watch ends at once, although a download does not", async () => {
  feed.answer((_, response) => response.write("http://a.example/\n"));
  const watching = watch();
  await waitFor("the request", () => feed.requests.length > 0);
  await end(watching);
  expect(readdirSync(join(folder.path, "lists.fetched"))).toEqual([]);
});

test("an authority of one's own signs the certificate of a source", async () => {
  const file = (name: string) => join(import.meta.dirname, "../support/tls", name);
  const [cert, key] = ["test-only.cert.pem", "test-only.key.pem"].map((name) =>
    readFileSync(file(name)),
  );
  const secure = await newFeed((handler) => createServer({ cert, key }, handler));
  try {
    const url = `https://127.0.0.1:${secure.port}/urls.txt`;
    secure.send(listOf(...hosts(0, 3)));
    // The same host with TLS on another port does not get the password.
    feed.answer((_, response) => response.writeHead(301, { location: url }).end());
    expect((await publish().ended).stderr).toMatch(/another port; .*add 127\.0\.0\.1 to fetch/);
    const publishFrom = (source: string) =>
      start(
        folder.path,
        ...["publish", "--store", "lists", `malware=${source}`],
        ...["--set", "fetch.redirects-to=127.0.0.1"],
      ).ended;
    const named = feed.url.replace("//", "//user:secret@");
    const refused = await publishFrom(named);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/certificate/) });
    process.env["NODE_EXTRA_CA_CERTS"] = file("test-only.cert.pem");
    expect((await publishFrom(named)).stdout).toMatch(/version 1, 3 entries/);
    expect(feed.requests.at(-1)!.headers.authorization).toBe(`Basic ${btoa("user:secret")}`);
    expect(secure.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    // A redirect from HTTPS to HTTP is always refused.
    secure.answer((_, response) => response.writeHead(301, { location: feed.url }).end());
    expect((await publishFrom(url)).stderr).toMatch(/which is not encrypted/);
  } finally {
    delete process.env["NODE_EXTRA_CA_CERTS"];
    await secure.close();
  }
});

test("a publisher that is killed while it fetches leaves a whole copy, and a list of it", async () => {
  const bodies = [listOf(...hosts(0, 3000)), listOf(...hosts(0, 3001))];
  feed.send(bodies[0]!);
  const began = Date.now();
  await publish().ended;
  const usual = Date.now() - began;
  const fetched = join(folder.path, "lists.fetched");
  const [copy] = readdirSync(fetched);
  const random = randomNumbers(4);
  let killed = 0;
  for (let round = 1; round <= sampleSize(12, 4); round++) {
    const body = bodies[round % 2]!;
    feed.answer((_, response) => {
      // The body is sent in pieces, so that the process may be killed between two of them.
      response.writeHead(200, { "content-length": body.length });
      for (let i = 0; i < body.length; i += 9000) response.write(body.slice(i, i + 9000));
      response.end();
    });
    const dying = round % 3 === 0 ? watch() : publish();
    await new Promise((resolve) => setTimeout(resolve, usual * (0.4 + 0.7 * random())));
    if (dying.child.kill("SIGKILL")) killed++;
    await dying.ended;
    const text = readFileSync(join(fetched, copy!), "utf8");
    expect(bodies).toContain(text.slice(4096));
    expect(JSON.parse(text.slice(0, 4096))).toMatchObject({ bytes: text.length - 4096 });
  }
  expect(killed).toBeGreaterThan(0);
  feed.send(bodies[0]!);
  expect(await publish().ended).toMatchObject({ status: 0, stderr: "" });
});
