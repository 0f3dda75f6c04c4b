import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { Failure, type Output } from "@x/cli";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { servePage } from "../../src/server/serve-page.ts";

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
