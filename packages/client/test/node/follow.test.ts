import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, type ClientOptions, createClient } from "@x/client";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { build } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { directoryStorage } from "../../src/node/index.ts";
import { fakeServer } from "../support/fake-server.ts";

const folder = temporaryFolder();

function followed(name: string) {
  const path = folder.path(name);
  const server = fakeServer({
    "mw-4b": { versions: [["evil.example/"]] },
    "se-4b": { versions: [["phish.example/"]] },
  });
  const open = (more: Partial<ClientOptions> = {}): Client => {
    const client = createClient({
      protocol: "v5",
      server: "https://lists.example",
      lists: ["mw-4b", "se-4b"],
      fetch: server.fetch,
      storage: directoryStorage(path),
      ...more,
    });
    onTestFinished(() => client.stop());
    return client;
  };
  return { path, server, writer: open(), reader: open({ updates: "follow" }), open };
}

const local = (client: Client, host: string) => client.checkLocally(`http://${host}/`).local;

test("a reader follows the lists of a writer, and asks the server only about listed URLs", async () => {
  const { server, writer, reader } = followed("lists");
  reader.start();
  reader.start();
  expect(reader.status().isStarted).toBe(true);
  expect(reader.checkLocally("http://good.example/").reason).toBe("not-loaded");
  await writer.update();
  await expect.poll(() => reader.checkLocally("http://good.example/").verdict).toBe("safe");
  expect(local(reader, "evil.example")).toBe("listed");
  await expect.poll(() => reader.status().nextUpdate).toBe(writer.status().nextUpdate);
  server.lists["se-4b"]!.versions.push(["new.example/"]);
  await writer.update();
  await expect.poll(() => local(reader, "new.example")).toBe("listed");
  expect(local(reader, "evil.example")).toBe("listed");
  await expect(reader.update()).rejects.toMatchObject({ code: "follows-storage" });
  expect(reader.status().requests).toMatchObject({ updates: 0, searches: 0 });
  expect((await reader.check("http://new.example/")).verdict).toBe("unsafe");
  // An update without changes makes the lists newer.
  const { checkedAt } = reader.status().lists[0]!;
  await writer.update();
  await expect.poll(() => reader.status().lists[0]!.checkedAt).toBeGreaterThan(checkedAt!);
  await reader.stop();
  expect(reader.status().isStarted).toBe(false);
});

test("a reader keeps a whole list instead of half of one, and deletes nothing", async () => {
  const { path, writer, reader, open } = followed("half");
  await writer.update();
  reader.start();
  await expect.poll(() => reader.checkLocally("http://good.example/").verdict).toBe("safe");
  const file = join(path, "list-mw-4b");
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, whole.length - 1));
  await expect.poll(() => reader.status().lists[0]!.error?.code).toBe("list-damaged");
  expect(reader.checkLocally("http://good.example/").verdict).toBe("safe");
  const late = open({ updates: "follow" });
  expect((await late.load()).lists[0]!.error?.code).toBe("list-damaged");
  expect(late.checkLocally("http://good.example/").reason).toBe("list-damaged");
  expect(readdirSync(path)).toContain("list-mw-4b");
  writeFileSync(file, whole);
  await expect.poll(() => reader.status().lists[0]!.error).toBeNull();
});

test("a reader goes on when the storage has failed", async () => {
  const { path, writer, open } = followed("failing");
  await writer.update();
  const storage = directoryStorage(path);
  let failures = 2;
  const reader = open({
    updates: "follow",
    storage: {
      ...storage,
      get: async (...given) => {
        if (failures-- > 0) throw new Error("the disk is away");
        return storage.get(...given);
      },
    },
  });
  reader.start();
  await expect.poll(() => reader.checkLocally("http://good.example/").verdict).toBe("safe");
});

test("a reader sees whole lists when the writer is killed at any time", {
  tags: "deep",
}, async () => {
  const { path, server, writer, reader } = followed("killed");
  const entries = Array.from({ length: 20_000 }, (_, i) => `listed${i}.example/`);
  server.lists["mw-4b"]!.versions.push(["evil.example/", ...entries]);
  await writer.update();
  reader.start();
  await expect.poll(() => local(reader, "evil.example")).toBe("listed");
  // The writer replaces the list with one of two complete lists in turn.
  const one = readFileSync(join(path, "list-mw-4b"));
  server.lists["mw-4b"]!.versions.push(["evil.example/"]);
  await writer.update();
  const other = readFileSync(join(path, "list-mw-4b"));
  const [a, b] = [folder.write("one", one), folder.write("other", other)];
  const built = folder.path("built");
  const storage = fileURLToPath(new URL("../../src/node/directory-storage.ts", import.meta.url));
  await build({
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true, resolve: { conditions: ["@x/source"] } },
    build: {
      ssr: storage,
      outDir: built,
      rolldownOptions: { output: { entryFileNames: "storage.mjs" } },
    },
  });
  const script = folder.write(
    "built/writer.mjs",
    `import { readFileSync } from "node:fs";
    import { directoryStorage } from "./storage.mjs";
    const [path, ...files] = process.argv.slice(2);
    const storage = directoryStorage(path);
    const values = files.map((file) => readFileSync(file));
    console.log("ready");
    for (let i = 0; ; i++) await storage.put("list-mw-4b", values[i % 2]);`,
  );
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, [script, path, a, b], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = once(child, "exit");
    await Promise.race([once(child.stdout, "data"), exit]);
    expect(child.exitCode).toBeNull();
    const end = performance.now() + 50 + round * 70;
    while (performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(local(reader, "evil.example")).toBe("listed");
    }
    child.kill("SIGKILL");
    await exit;
    const fresh = directoryStorage(path);
    const found = Buffer.from((await fresh.get("list-mw-4b"))!);
    expect(found.equals(one) || found.equals(other)).toBe(true);
  }
  expect(reader.status().lists[0]!.error).toBeNull();
  // A killed writer leaves no file that a reader treats as a list.
  server.lists["mw-4b"]!.versions.push(["after.example/"]);
  await writer.update();
  await expect.poll(() => local(reader, "after.example")).toBe("listed");
});
