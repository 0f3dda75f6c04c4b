import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSignedByOne, readNewest } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import type { Ran } from "@x/test-support/process-streams";
import { IS_DEEP } from "@x/test-support/sample-size";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { plainList } from "../../../../packages/list-store/test/support/plain-list.ts";
import { hashesOf } from "../../../../packages/list-store/test/support/publishing.ts";
import { readPublicKeys } from "../../src/cli/signing.ts";
import { waitFor } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";
import { v5Client } from "../support/plain-client.ts";
import { testServer } from "../support/serving.ts";

/* Runs the commands of docs/operations.md, and those of two other pages for operators. */

const PAGES = ["operations", "stores", "other-servers"]
  .map((name) => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), "utf8"))
  .join("\n");

/** The command blocks of a section. */
function blocksOf(title: string): string[] {
  const section = PAGES.split(/^## /m).find((each) => each.startsWith(`${title}\n`))!;
  return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block!);
}

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
  operator.write("urls.txt", ...hosts(0, 200));
  await operator.publish("malware=urls.txt");
});
afterEach(() => operator.remove());

const inFolder = (...names: string[]) => join(operator.path, ...names);

/** Runs a block line by line. Each command must succeed. */
async function runBlock(block: string): Promise<Ran[]> {
  const ran: Ran[] = [];
  for (const line of block.trim().split("\n")) {
    const [, folder = ".", command = line] = /^cd (\S+) && (.*)$/.exec(line) ?? [];
    const [program, ...args] = command.split(" ");
    if (program !== "urlhash-server") {
      execFileSync("sh", ["-ec", line], { cwd: operator.path });
      continue;
    }
    const result = await runHere(inFolder(folder), ...args);
    expect(result).toMatchObject({ status: 0 });
    ran.push(result);
  }
  return ran;
}

/** Returns the newest version of the list. Its signature is verified with the public keys in a file. */
async function newest(store = "lists", publicKeys = "lists.pub") {
  const keys = await readPublicKeys(inFolder(publicKeys));
  return (await readNewest({
    storage: directoryStorage(inFolder(store)),
    list: "malware",
    publicKeys: keys,
  }))!;
}

/** Starts a server that trusts the public keys in a file, and returns it with a client. */
async function served(publicKeys = "lists.pub") {
  const storage = directoryStorage(inFolder("lists"));
  const server = testServer(storage, await readPublicKeys(inFolder(publicKeys)));
  await server.refresh();
  return { server, client: v5Client(server.sender("client"), "mw-4b") };
}

const listOf = (lines: readonly string[]) =>
  plainList(hashesOf(lines.map((line) => line.replace("http://", ""))));

test("a bad download is refused, and can be allowed", { tags: "deep" }, async () => {
  operator.write("urls.txt", ...hosts(0, 50));
  expect((await operator.publish("malware=urls.txt")).status).toBe(1);
  await runBlock(blocksOf("A bad download")[0]!);
  expect((await newest()).manifest.contents.fullHashes).toBe(50);
});

test("an older version comes back", { tags: "deep" }, async () => {
  operator.write("urls.txt", ...hosts(0, 190));
  await operator.publish("malware=urls.txt");
  const [log] = await runBlock(blocksOf("Rollback")[0]!);
  expect(log!.stdout.trim().split("\n")).toHaveLength(2);
  expect((await newest()).manifest).toMatchObject({ version: 3, contents: { fullHashes: 200 } });
  await runBlock(blocksOf("Rollback")[1]!);
  expect((await newest()).manifest).toMatchObject({ version: 4, contents: { fullHashes: 190 } });
});

test("a list blocks nothing until it is published again", { tags: "deep" }, async () => {
  await runBlock(blocksOf("A list that must not block anything")[0]!);
  await operator.publish("malware=urls.txt");
  expect((await newest()).manifest).toMatchObject({ version: 2, contents: { fullHashes: 0 } });
  await runBlock(blocksOf("Rollback")[1]!);
  expect((await newest()).manifest).toMatchObject({ version: 3, contents: { fullHashes: 200 } });
});

test("a list ends, and publish says which lists nobody signs", { tags: "deep" }, async () => {
  operator.write("urlhash-server.yaml", "lists:", "  spam:", "    sources: [urls.txt]");
  const forgotten = await operator.publish();
  expect(forgotten.stderr).toMatch(
    /warning: malware is no longer signed, .* version 1 expires at \d{4}-.*Z, .* retire malware/,
  );
  // Another call may publish the other list.
  expect((await operator.publish("spam=urls.txt")).stderr).toBe("");
  const [retired] = await runBlock(blocksOf("A list that ends")[0]!);
  expect(retired!.stdout).toBe("malware: retired, version 2\n");
  expect((await operator.publish()).stderr).toBe("");
  const again = await operator.publish("malware=urls.txt");
  expect(again).toMatchObject({ status: 2 });
  expect(again.stderr).toContain("Version 2 of malware retired the list");
  expect(await operator.log("malware")).toEqual(["200 +200 -0", "0 retired"]);
  expect(JSON.parse(operator.read("lists.seen")).malware).toMatchObject({
    version: 2,
    retired: true,
  });
});

test("publish warns of a list of another call that should have been signed again", async () => {
  const publishSpam = () => operator.publish("spam=urls.txt", "--set", "lifetime=1h");
  await publishSpam();
  expect((await operator.publish("malware=urls.txt")).stderr).toBe("");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 50 * 60_000 });
  try {
    const { stderr } = await operator.publish("malware=urls.txt");
    expect(stderr).toContain("spam is no longer signed");
  } finally {
    vi.useRealTimers();
  }
});

test("an exception is no longer blocked", { tags: "deep" }, async () => {
  const [added] = await runBlock(blocksOf("A false positive")[0]!);
  expect(added!.stdout).toMatch("malware has h3.example/ in version 1");
  expect((await newest()).manifest).toMatchObject({ version: 2, contents: { fullHashes: 199 } });
});

describe("a new signing key", () => {
  const [start, change, finish] = blocksOf("A new signing key") as [string, string, string];

  test("is announced, used, and at last the only one", { tags: "deep" }, async () => {
    const oldPublicKey = operator.read("lists.pub");
    operator.write("other.txt", "http://other.example/");
    await operator.publish("intranet=other.txt");
    const { server, client } = await served();
    const update = async () => {
      await server.refresh();
      await client.update();
      expect((await server.get("/v5/hashList/mw-4b")).status).toBe(200);
    };
    await update();

    await runBlock(start);
    await update();
    expect((await newest()).manifest.nextSigners).toHaveLength(2);
    await runBlock(change);
    // A running server accepts the new version, although it was started with the old key.
    await update();
    const [, newPublicKey] = operator.read("lists.pub").trim().split("\n");
    expect(await isSignedByOne((await newest()).note, [newPublicKey!])).toBe(true);
    operator.write("urls.txt", ...hosts(0, 210));
    await operator.publish("malware=urls.txt");
    await runBlock(finish);
    await update();

    expect(client.list()).toEqual(listOf(hosts(0, 210)));
    expect(operator.read("lists.pub")).toBe(`${newPublicKey}\n`);
    expect((await newest()).manifest.nextSigners).toEqual([newPublicKey]);
    for (const file of ["lists.key.next", "lists.key.old"]) {
      expect(existsSync(inFolder(file))).toBe(false);
    }
    operator.write("old.pub", oldPublicKey.trim());
    await expect(newest("lists", "old.pub")).rejects.toThrow(/not signed by a trusted key/);
    // The key is rotated once more.
    for (const block of [start, change, finish]) await runBlock(block);
    expect(operator.read("lists.pub")).not.toMatch(newPublicKey!);
  });

  test("may be started and switched again after an interruption, but not out of order", {
    tags: "deep",
  }, async () => {
    const run = (step: string) => operator.run(`rotate-key ${step}`);
    expect((await run("switch")).stderr).toMatch(/lists\.key\.next does not exist: run rotate-key/);
    expect((await run("finish")).stderr).toMatch(/no rotation to finish/);
    await run("start");
    const key = operator.read("lists.key.next");
    const { manifest } = await newest();
    expect((await run("start")).status).toBe(0);
    expect(operator.read("lists.key.next")).toBe(key);
    expect((await newest()).manifest.version).toBe(manifest.version);
    expect((await run("finish")).status).toBe(2);
    // This list was published without the new key, because it did not exist when the key was announced.
    operator.write("old.pub", operator.read("lists.pub").split("\n")[0]!);
    operator.write("other.txt", "http://other.example/");
    await operator.publish("intranet=other.txt", "--set", "public-keys=old.pub");
    expect((await run("switch")).stderr).toMatch(
      "Version 1 of intranet does not name the new key: run rotate-key start again",
    );
    await run("start");
    expect((await run("switch")).status).toBe(0);
    expect((await run("start")).stderr).toMatch(/finish the last rotation first/);
    expect((await run("finish")).status).toBe(0);
  });
});

test("another machine goes on where the old one stopped", async () => {
  await operator.run("except add", "http://h7.example/");
  operator.write("urls.txt", ...hosts(0, 201));
  await runBlock(blocksOf("Move to another machine")[0]!);
  const { manifest } = await newest("new-machine/lists");
  expect(manifest).toMatchObject({ version: 2, contents: { fullHashes: 200 } });
  expect((await newest()).manifest.version).toBe(1);
});

test("a mirror has what the store has", { tags: "deep" }, async () => {
  for (const count of [190, 195]) {
    operator.write("urls.txt", ...hosts(0, count));
    await operator.publish("malware=urls.txt");
    await runBlock(blocksOf("A mirror")[0]!);
    expect((await newest("mirror")).hash).toBe((await newest()).hash);
  }
  const { object: base } = (await newest()).manifest.base;
  const object = `objects/sha256/${base.slice(0, 2)}/${base}`;
  operator.write(`mirror/${object}`, "damaged");
  await runBlock(blocksOf("A mirror")[1]!);
  expect(operator.read(`mirror/${object}`)).toBe(operator.read(`lists/${object}`));
});

test("garbage is collected", async () => {
  const [, collected] = await runBlock(blocksOf("Too many files")[0]!);
  expect(collected!.stdout).toMatch(/^Deleted 0 objects/);
});

describe("an object is lost or damaged", () => {
  const [fromMirror, beginAgain] = blocksOf("An object is lost or damaged") as [string, string];

  /** Publishes a version, copies the store to a mirror, and damages every object of the store. */
  async function damage(): Promise<void> {
    await runBlock(blocksOf("A mirror")[0]!);
    const objects = inFolder("lists", "objects");
    for (const each of readdirSync(objects, { recursive: true, withFileTypes: true })) {
      if (each.isFile()) writeFileSync(join(each.parentPath, each.name), "damaged");
    }
    operator.write("urls.txt", ...hosts(0, 201));
    const refused = await operator.publish("malware=urls.txt");
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("is damaged: ") });
  }

  test("and a mirror has it", { tags: "deep" }, async () => {
    await damage();
    await runBlock(fromMirror);
    expect((await operator.publish("malware=urls.txt")).status).toBe(0);
    expect((await newest()).manifest).toMatchObject({ version: 2, contents: { fullHashes: 201 } });
  });

  test("and nobody has it", { tags: "deep" }, async () => {
    let { server } = await served();
    const client = v5Client((...request) => server.sender("client")(...request), "mw-4b");
    await client.update();
    await damage();
    await runBlock(beginAgain);
    expect((await newest()).manifest).toMatchObject({ version: 1, contents: { fullHashes: 201 } });
    // The token of the client names a version 1 that this store never had.
    ({ server } = await served());
    expect(await client.update()).toBe("full");
    expect(client.list()).toEqual(listOf(hosts(0, 201)));
  });
});

describe("a store is restored from a copy", () => {
  const [copy] = blocksOf("Backup") as [string];
  const [restore, insist, oldKeys] = blocksOf("Restore a backup") as [string, string, string];

  test("which nobody has overtaken", { tags: "deep" }, async () => {
    await runBlock(copy);
    await runBlock(restore);
    operator.write("urls.txt", ...hosts(0, 201));
    expect((await operator.publish("malware=urls.txt")).status).toBe(0);
    expect((await newest()).manifest.version).toBe(2);
  });

  test("after which versions were lost, only when the operator insists", {
    tags: "deep",
  }, async () => {
    await runBlock(copy);
    operator.write("urls.txt", ...hosts(0, 202));
    await operator.publish("malware=urls.txt");
    let { server } = await served();
    const client = v5Client((...request) => server.sender("client")(...request), "mw-4b");
    await client.update();
    await runBlock(restore);
    const refused = await operator.publish("malware=urls.txt");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/version 1, but version 2 was seen before/);
    operator.write("urls.txt", ...hosts(0, 203));
    await runBlock(insist);
    expect((await newest()).manifest.version).toBe(2);
    ({ server } = await served());
    expect(await client.update()).toBe("full");
    expect(client.list()).toEqual(listOf(hosts(0, 203)));
  });

  test("on another machine, with its exceptions", { tags: "deep" }, async () => {
    await operator.run("except add", "http://h7.example/");
    await operator.publish("malware=urls.txt");
    await runBlock(copy);
    for (const name of readdirSync(operator.path)) {
      if (name !== "backup") rmSync(inFolder(name), { recursive: true });
    }
    for (const name of readdirSync(inFolder("backup"))) {
      renameSync(inFolder("backup", name), inFolder(name));
    }
    operator.write("urls.txt", ...hosts(0, 201));
    await runBlock(blocksOf("Move to another machine")[0]!);
    expect((await newest("new-machine/lists")).manifest).toMatchObject({
      version: 3,
      contents: { fullHashes: 200 },
    });
  });

  test.each([
    { steps: ["start"], problem: null },
    { steps: ["start", "switch"], problem: /Version 1 of malware does not name this signing key/ },
    { steps: ["start", "switch", "finish"], problem: /Version 1 of malware is not signed by a/ },
  ])("made before rotate-key $steps", { tags: "deep" }, async ({ steps, problem }) => {
    await runBlock(copy);
    for (const step of steps) await operator.run(`rotate-key ${step}`);
    await runBlock(restore);
    renameSync(inFolder("lists.seen"), inFolder("lists.seen.old"));
    operator.write("urls.txt", ...hosts(0, 203));
    const published = await operator.publish("malware=urls.txt");
    if (problem === null) expect(published.status).toBe(0);
    else {
      expect(published).toMatchObject({ status: 2, stderr: expect.stringMatching(problem) });
      await runBlock(oldKeys);
      for (const step of ["start", "switch", "finish"]) {
        expect(await operator.run(`rotate-key ${step}`)).toMatchObject({ status: 0 });
      }
    }
    // A mirror verifies that each version names the key that signed the next one.
    await runBlock(blocksOf("A mirror")[0]!);
    expect((await newest("mirror")).manifest.contents.fullHashes).toBe(203);
  });

  test("that was made while somebody published", { tags: "deep" }, async () => {
    let isDone = false;
    const publishing = (async () => {
      for (let version = 2; !isDone; version++) {
        operator.write("urls.txt", ...hosts(0, 200 + version));
        await operator.publish("malware=urls.txt");
      }
    })();
    const versionOf = async () => (await newest()).manifest.version;
    for (let round = 0; round < (IS_DEEP ? 3 : 1); round++) {
      execFileSync("rm", ["-rf", inFolder("backup")]);
      for (const line of copy.trim().split("\n")) {
        const before = await versionOf();
        await waitFor("a new version", async () => (await versionOf()) > before);
        execFileSync("sh", ["-ec", line], { cwd: operator.path });
      }
      const { manifest } = await newest("backup/lists");
      const server = testServer(
        directoryStorage(inFolder("backup", "lists")),
        await readPublicKeys(inFolder("lists.pub")),
      );
      await server.refresh();
      const client = v5Client(server.sender("client"), "mw-4b");
      await client.update();
      expect(client.list()).toHaveLength(manifest.contents.prefixes);
    }
    isDone = true;
    await publishing;
  });
});
