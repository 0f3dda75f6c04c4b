import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { Failure, type Output } from "@x/cli";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { servePage, USUAL_PORT } from "../../src/server/serve-page.ts";

const folder = temporaryFolder();

const silent: Output = { write: async () => {} };

/** Serves on a port that was free a moment ago. */
async function serve(stdout: Output) {
  mkdirSync(folder.path("web"), { recursive: true });
  folder.write("web/index.html", "page");
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  const served = servePage({ port, folder: folder.path("web") }, { stdout, stderr: silent });
  const isServing = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  return { served, isServing };
}

test("ends at the first signal, even if nobody reads its address", async () => {
  const { served, isServing } = await serve({ write: () => new Promise(() => {}) });
  await expect.poll(isServing).toBe(true);
  process.emit("SIGTERM");
  await served;
  expect(await isServing()).toBe(false);
});

test("frees its port when the address cannot be written", async () => {
  const { served, isServing } = await serve({
    write: () => Promise.reject(new Failure("cannot write the results: no space left on device")),
  });
  await expect(served).rejects.toThrow("no space left");
  expect(await isServing()).toBe(false);
  // The next signal is not swallowed.
  expect(process.listenerCount("SIGTERM")).toBe(0);
});

test("takes another port when the usual one is taken, unless a port is given", async () => {
  mkdirSync(folder.path("web"), { recursive: true });
  const other = createServer();
  // On a busy machine, somebody else may have it.
  other.on("error", () => {}).listen(USUAL_PORT, "127.0.0.1");
  await Promise.race([once(other, "listening"), once(other, "close"), once(other, "error")]);
  try {
    const given = { port: USUAL_PORT, folder: folder.path("web") };
    await expect(servePage(given, { stdout: silent, stderr: silent })).rejects.toThrow(
      `cannot serve on port ${USUAL_PORT}`,
    );
    let address = "";
    const stdout: Output = {
      write: async (text) => {
        address += text;
      },
    };
    const served = servePage({ folder: folder.path("web") }, { stdout, stderr: silent });
    await expect.poll(() => address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/);
    expect(address).not.toContain(`:${USUAL_PORT}/`);
    process.emit("SIGTERM");
    await served;
  } finally {
    other.close();
  }
});
