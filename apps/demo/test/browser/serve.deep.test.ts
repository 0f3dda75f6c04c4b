import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { START } from "../programs.ts";

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function serve(...argv: readonly string[]) {
  const child = spawn(process.execPath, [START, "serve", ...argv]);
  children.push(child);
  const ended = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  let stderr = "";
  child.stderr.on("data", (piece: Buffer) => {
    stderr += piece;
  });
  const url = once(child.stdout, "data").then(([piece]) => String(piece).trim());
  return { child, ended, url, stderr: () => stderr };
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "prints its address, serves, and exits with status 0 at %s",
  async (signal) => {
    const { child, ended, url, stderr } = serve("--port", "0");
    const page = await fetch(await url);
    expect(await page.text()).toContain("<title>urlhash</title>");
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self';");
    expect(await (await fetch(`${await url}healthz`)).json()).toEqual({ status: "ok" });
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(stderr()).toBe("urlhash: serving the page; Ctrl-C stops\n");
  },
);

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "keeps serving when nobody reads its output, and ends at the first %s",
  async (signal) => {
    const port = await freePort();
    const { child, ended } = serve("--port", String(port));
    child.stdout.destroy();
    child.stderr.destroy();
    const url = `http://127.0.0.1:${port}/healthz`;
    const isServing = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isServing())) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill(signal);
    expect(await ended).toEqual([0, null]);
  },
);

test.each([
  ["a setting that is not known", '{"stores":[]}', "stores"],
  ["a store without a URL", '{"store":{"url":"lists/","list":"a","publicKeys":["k"]}}', "URL"],
  ["a missing file", null, "no such file"],
])("--settings with %s is refused", async (_, text, said) => {
  const folder = mkdtempSync(join(tmpdir(), "settings-"));
  const file = join(folder, "settings.json");
  if (text !== null) writeFileSync(file, text);
  const { ended, stderr } = serve("--port", "0", "--settings", file);
  expect((await ended)[0]).toBe(2);
  expect(stderr()).toContain("urlhash: cannot use the settings in ");
  expect(stderr()).toContain(said);
  rmSync(folder, { recursive: true });
});

test("a taken port is reported in one line", async () => {
  const first = serve("--port", "0");
  const { port } = new URL(await first.url);
  const second = serve("--port", port);
  expect(await second.ended).toEqual([2, null]);
  expect(second.stderr()).toBe(`urlhash: Port ${port} of 127.0.0.1 is in use by another program\n`);
});

test.each(["65536", "x", "-1", "1e3", ""])("--port %s is refused", async (port) => {
  const { ended, stderr } = serve("--port", port);
  expect((await ended)[0]).toBe(2);
  expect(stderr()).toContain("--port");
});

// Windows has no `mkfifo`.
test.skipIf(process.platform === "win32")(
  "ends at the first SIGTERM when its standard output is full",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "full-"));
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const full = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    for (const size of [4096, 1]) {
      try {
        for (;;) writeSync(full, Buffer.alloc(size));
      } catch {
        // The pipe is full.
      }
    }
    const port = await freePort();
    const child = spawn(process.execPath, [START, "serve", "--port", String(port)], {
      stdio: ["ignore", full, "ignore"],
    });
    children.push(child);
    const ended = once(child, "exit");
    const isServing = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isServing).toBe(true);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    closeSync(full);
    rmSync(folder, { recursive: true });
  },
);
