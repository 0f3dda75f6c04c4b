import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import type { Output } from "@x/cli";
import { Failure } from "@x/command-line";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { servePage } from "../../src/server/serve-page.ts";

const folder = temporaryFolder();

const silent: Output = { write: async () => {} };

/** Serves a page on any free port. `write` receives the address. */
function serve(write: Output["write"]) {
  mkdirSync(folder.path("web"), { recursive: true });
  folder.write("web/index.html", "page");
  let address = "";
  const stdout: Output = {
    write(text) {
      address += text;
      return write(text);
    },
  };
  const served = servePage({ port: 0, folder: folder.path("web") }, { stdout, stderr: silent });
  const isServing = () =>
    fetch(address.trim()).then(
      ({ ok }) => ok,
      () => false,
    );
  return { served, isServing };
}

test("ends at the first signal, even if nobody reads its address", async () => {
  const { served, isServing } = serve(() => new Promise(() => {}));
  await expect.poll(isServing).toBe(true);
  process.emit("SIGTERM");
  await served;
  expect(await isServing()).toBe(false);
});

test("frees its port when the address cannot be written", async () => {
  const before = new Set(process.listeners("SIGTERM"));
  const { served, isServing } = serve(() =>
    Promise.reject(new Failure("cannot write the results: no space left on device")),
  );
  await expect(served).rejects.toThrow("no space left");
  expect(await isServing()).toBe(false);
  // The server leaves no handler that would ignore the next signal.
  expect(process.listeners("SIGTERM").filter((each) => !before.has(each))).toEqual([]);
});

test("takes another port when the usual one is taken, unless a port is given", async () => {
  mkdirSync(folder.path("web"), { recursive: true });
  // Not the port that npm start uses, because npm start may be running, and may end at any time.
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port: usualPort } = other.address() as AddressInfo;
  try {
    const given = { port: usualPort, folder: folder.path("web") };
    await expect(servePage(given, { stdout: silent, stderr: silent })).rejects.toThrow(
      `Port ${usualPort} of 127.0.0.1 is in use by another program`,
    );
    let address = "";
    const stdout: Output = {
      write: async (text) => {
        address += text;
      },
    };
    const usual = { usualPort, folder: folder.path("web") };
    const served = servePage(usual, { stdout, stderr: silent });
    await expect.poll(() => address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/);
    expect(address).not.toContain(`:${usualPort}/`);
    process.emit("SIGTERM");
    await served;
  } finally {
    other.close();
  }
});

test("a host that does not resolve is not called a port", async () => {
  const output: Output = { write: async () => {} };
  const served = servePage({ host: "no-such-host.invalid" }, { stdout: output, stderr: output });
  await expect(served).rejects.toThrow(
    new Failure('The host "no-such-host.invalid" does not resolve to an address'),
  );
});
