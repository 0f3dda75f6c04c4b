import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, waitFor } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { publishBriefly } from "../support/publish-briefly.ts";
import { get, servedFolder } from "../support/served-folder.ts";

const folder = servedFolder();
const { publish, started, storeFile } = folder;

/** Starts the server, and returns the problem that it reports with a store that was changed while it was down. */
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
    /^The list malware was rolled back: version 2 is gone; the version that is served is .* old\.\n$/,
  );
  // The version that the server verified before is still served.
  expect((await get(server.origin, "/v5/hashList/mw-4b")).status).toBe(200);
  server.child.kill("SIGTERM");
  await server.ended;
  expect(await refusal()).toBe(
    "The list malware was rolled back: it is at version 1, but version 2 was seen before.\n",
  );
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

// Windows has no named pipes in folders.
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
