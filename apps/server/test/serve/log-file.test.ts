import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { logFile } from "../../src/serve/log.ts";

const folder = mkdtempSync(join(tmpdir(), "server-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every line is written, in order", async () => {
  const file = join(folder, "log");
  const problems: Error[] = [];
  const log = logFile(file, (error) => problems.push(error));
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`);
  for (const line of lines) {
    log.write(line);
    if (line.endsWith("000\n")) await new Promise(setImmediate);
  }
  await log.close();
  expect(readFileSync(file, "utf8")).toBe(lines.join(""));
  expect(problems).toEqual([]);
});

test("a log that cannot be written is reported once, and its end is not waited for", async () => {
  const file = join(folder, "read-only");
  writeFileSync(file, "");
  const descriptor = openSync(file, "r");
  const problems: Error[] = [];
  const log = logFile(descriptor, (error) => problems.push(error));
  for (let i = 0; i < 10; i++) {
    log.write("x".repeat(40_000));
    await new Promise(setImmediate);
  }
  await log.close();
  closeSync(descriptor);
  expect(problems.map((error) => "code" in error && error.code)).toEqual(["EBADF"]);
});

test("a reader that is too slow loses lines, and the server no memory", async () => {
  const file = join(folder, "slow");
  const problems: Error[] = [];
  const log = logFile(file, (error) => problems.push(error));
  // Nothing is written before the next turn of the event loop.
  for (let i = 0; i < 100; i++) log.write("x".repeat(2 ** 20));
  await log.close();
  expect(problems.map(({ message }) => message)).toEqual(["its reader is too slow"]);
  expect(readFileSync(file).length).toBe(16 * 2 ** 20);
});
