import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { directoryStorage } from "@x/list-store/node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { s3Server } from "../../../../packages/list-store/test/support/s3-server.ts";
import { staticHost } from "../../../../packages/list-store/test/support/static-host.ts";
import { run, serve, start, temporaryFolder, waitFor } from "../support/command.ts";
import { hosts } from "../support/operator.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder.remove();
});

const here = (...args: string[]) => run(folder.path, ...args);
const write = (from: number, to: number) =>
  writeFileSync(join(folder.path, "urls.txt"), `${hosts(from, to).join("\n")}\n`);

async function statusOf(origin: string, host: string): Promise<number> {
  const { status } = await fetch(`${origin}/lookup/status?url=http://${host}/`);
  return status;
}

test("several servers serve one bucket, and follow it", async () => {
  const bucket = await s3Server();
  try {
    vi.stubEnv("AWS_ENDPOINT_URL_S3", bucket.origin);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKTEST");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test-only");
    const store = ["--store", "s3://lists/web"];
    await here("init", ...store);
    write(0, 3);
    await here("publish", ...store, "malware=urls.txt");
    const servers = [await serve(folder.path, ...store), await serve(folder.path, ...store)];
    for (const { origin, stderr } of servers) {
      expect(stderr()).toMatch(/serving s3:\/\/lists\/web at http/);
      expect(await statusOf(origin, "h1.example")).toBe(403);
      expect(await statusOf(origin, "h4.example")).toBe(200);
    }
    write(0, 5);
    await here("publish", ...store, "malware=urls.txt");
    for (const { child, origin, ended } of servers) {
      await waitFor("the new version", async () => (await statusOf(origin, "h4.example")) === 403);
      child.kill("SIGTERM");
      expect((await ended).status).toBe(0);
    }
  } finally {
    await bucket.close();
  }
});

test("a server serves the lists of a static host that it is told", async () => {
  await here("init", "--store", "origin");
  write(0, 3);
  const publish = () =>
    here("publish", "--store", "origin", "malware=urls.txt", "unwanted-software=urls.txt");
  await publish();
  const host = await staticHost(directoryStorage(join(folder.path, "origin")));
  try {
    const store = ["--store", host.address, "--set", "files=origin"];
    const unnamed = await here("serve", ...store, "--port", "0");
    expect(unnamed).toMatchObject({ status: 2, stdout: "" });
    expect(unnamed.stderr).toMatch(/cannot list its files: name the lists \(served-lists\)/);
    const { child, origin, ended } = await serve(
      folder.path,
      ...store,
      "--set",
      "served-lists=malware",
    );
    expect(await statusOf(origin, "h1.example")).toBe(403);
    const { verdicts } = await (
      await fetch(`${origin}/lookup`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ urls: ["http://h1.example/"] }),
      })
    ).json();
    expect(verdicts[0].matches.map(({ list }: { list: string }) => list)).toEqual(["malware"]);
    write(0, 5);
    await publish();
    await waitFor("the new version", async () => (await statusOf(origin, "h4.example")) === 403);
    child.kill("SIGTERM");
    expect((await ended).status).toBe(0);
  } finally {
    await host.close();
  }
});

test("a server stops, and a copy, although the host of the store does not answer", async () => {
  await here("init", "--store", "origin");
  write(0, 3);
  await here("publish", "--store", "origin", "malware=urls.txt");
  const host = await staticHost(directoryStorage(join(folder.path, "origin")));
  try {
    const files = ["--set", "files=origin"];
    const server = await serve(
      ...[folder.path, "--store", host.address, "--set", "served-lists=malware", ...files],
    );
    const watch = ["--watch", "--every", "1s"];
    const copy = start(
      ...[folder.path, "copy", "--from", host.address, "--to", "mirror", "malware"],
      ...[...files, ...watch],
    );
    await waitFor("the copy", () => copy.stdout().includes("copied 1 version"));
    let waiting = 0;
    host.intercept(() => {
      waiting++;
      return true;
    });
    await waitFor("both to wait for an answer", () => waiting === 2);
    for (const { child } of [server, copy]) child.kill("SIGTERM");
    for (const { ended } of [server, copy]) expect((await ended).status).toBe(0);
    expect(server.stdout()).not.toContain('"level":50');
    // Both processes ended without another request to the host.
    expect(waiting).toBe(2);
  } finally {
    await host.close();
  }
});
