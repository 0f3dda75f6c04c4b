import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLog } from "../../src/serve/log.ts";
import { versionMemory } from "../../src/serve/version-memory.ts";
import { readSeen } from "../../src/storage/seen-versions.ts";
import { temporaryFolder } from "../support/command.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

test("versions that cannot be saved are saved later, and both are logged once", async () => {
  const lines: string[] = [];
  const log = createLog(
    { write: (text) => void lines.push(JSON.parse(text).msg) },
    { level: "info" },
  );
  const seenFile = join(folder.path, "later", "lists.seen");
  const memory = versionMemory({ seen: new Map(), seenFile, log }, 1);
  const version = { version: 7, hash: "7".repeat(64) };
  memory.remember("malware", version);
  memory.remember("intranet", version);
  await expect.poll(() => lines.length).toBe(1);
  mkdirSync(join(folder.path, "later"));
  await expect.poll(() => lines.length).toBe(2);
  expect(lines).toEqual([
    expect.stringMatching(/^The highest versions seen cannot be saved: /),
    "The highest versions seen can be saved again.",
  ]);
  expect(await readSeen(seenFile)).toEqual(
    new Map([
      ["intranet", version],
      ["malware", version],
    ]),
  );
});
