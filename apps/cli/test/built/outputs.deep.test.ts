import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { decodePrefixList } from "@x/prefix-list";
import { IS_DEEP } from "@x/test-support/sample-size";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { URLHASH, urlhash } from "./program.ts";

const folder = temporaryFolder();
const SOURCE = folder.write("source", "evil.example\n");
const build = (output: string, ...extra: string[]) =>
  urlhash(["list", "build", SOURCE, "-o", output, ...extra]);
const sizeOf = (bytes: Uint8Array): number => decodePrefixList(bytes).size;
const leftovers = (path: string): string[] =>
  readdirSync(dirname(path)).filter((name) => name.startsWith(".urlhash-"));

describe.skipIf(process.platform === "win32")("-o", () => {
  test("writes to a pipe, also behind a link, and leaves it in place", async () => {
    const [fifo, link] = [folder.path("fifo"), folder.path("to-fifo")];
    execFileSync("mkfifo", [fifo]);
    symlinkSync(fifo, link);
    for (const output of [fifo, link]) {
      const reader = spawn("cat", [fifo]);
      const pieces: Buffer[] = [];
      reader.stdout.on("data", (piece: Buffer) => pieces.push(piece));
      const [ended] = await Promise.all([build(output), once(reader, "close")]);
      expect(ended).toMatchObject({ status: 0, stdout: "" });
      expect(sizeOf(Buffer.concat(pieces))).toBe(1);
    }
    expect(lstatSync(fifo).isFIFO()).toBe(true);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  test.skipIf(process.getuid?.() !== 0)("writes to a device, and leaves it in place", async () => {
    // A device node with the device numbers of /dev/null.
    const [device, link] = [folder.path("null"), folder.path("to-null")];
    const made = spawnSync("mknod", [device, "c", "1", "3"]);
    if (made.status !== 0) return;
    symlinkSync(device, link);
    for (const output of [device, link]) {
      const ended = await build(output);
      // A container may forbid opening devices. Even then, the node must stay in place.
      if (ended.status !== 0) expect(ended.stderr).toContain("cannot write");
      expect(lstatSync(device).isCharacterDevice()).toBe(true);
    }
    expect(readlinkSync(link)).toBe(device);
  });

  test("- is stdout, and what is told goes to stderr", async () => {
    const child = spawn(process.execPath, [URLHASH, "list", "build", SOURCE, "-o", "-"]);
    const pieces: Buffer[] = [];
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    const [[status]] = await Promise.all([once(child, "close")]);
    expect(status).toBe(0);
    expect(sizeOf(Buffer.concat(pieces))).toBe(1);
  });

  test("makes the target of a dangling link", async () => {
    mkdirSync(folder.path("deep"));
    symlinkSync("target.list", folder.path("deep/second"));
    symlinkSync("deep/second", folder.path("first"));
    expect(await build(folder.path("first"))).toMatchObject({ status: 0 });
    expect(lstatSync(folder.path("first")).isSymbolicLink()).toBe(true);
    expect(sizeOf(readFileSync(folder.path("deep/target.list")))).toBe(1);
  });

  test("keeps the mode, and does not replace a read-only file", async () => {
    const kept = folder.write("kept.list", "old");
    chmodSync(kept, 0o640);
    await build(kept);
    expect(statSync(kept).mode & 0o777).toBe(0o640);
    chmodSync(kept, 0o444);
    const bytes = readFileSync(kept);
    expect(await build(kept, "--bytes", "32")).toEqual({
      status: 2,
      stdout: "",
      stderr: `urlhash: cannot write ${kept}: it is read-only\n`,
    });
    expect(readFileSync(kept)).toEqual(bytes);
  });

  test("refuses an output that is also an input, before anything is read", async () => {
    const link = folder.path("to-source");
    symlinkSync(SOURCE, link);
    for (const output of [SOURCE, link]) {
      expect(await build(output)).toMatchObject({
        status: 2,
        stderr: `urlhash: ${output} is also an input: name another file to write\n`,
      });
    }
    expect(readFileSync(SOURCE, "utf8")).toBe("evil.example\n");
  });

  test("takes names as long as the system does", async () => {
    const long = folder.path(`${"n".repeat(250)}.list`.slice(0, 255));
    expect(await build(long)).toMatchObject({ status: 0 });
    expect(existsSync(long)).toBe(true);
  });

  test("names what cannot be written", async () => {
    expect((await build(folder.path("."))).stderr).toContain("it is a directory");
    expect((await build(folder.path("no/such"))).stderr).toContain("there is no folder");
  });

  test("removes what killed runs left, and nothing of others", async () => {
    const output = folder.path("swept/l.list");
    mkdirSync(dirname(output));
    await build(output);
    const own = spawn(process.execPath, ["-e", ""]);
    await once(own, "close");
    const { createHash } = await import("node:crypto");
    const { hostname } = await import("node:os");
    const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 12);
    const name = (target: string, pid: number) =>
      folder.path(`swept/.urlhash-${hash(target)}-${hash(hostname())}-${pid}-0123456789ab.tmp`);
    const left = name(basename(output), own.pid!);
    const running = name(basename(output), process.pid);
    const other = name("other.list", own.pid!);
    for (const file of [left, running, other]) writeFileSync(file, "x");
    await build(output);
    expect([left, running, other].map((file) => existsSync(file))).toEqual([false, true, true]);
  });
});

/** Interrupts a build with a signal `delay` milliseconds after it started to read, and checks the list. */
async function interrupt(signal: NodeJS.Signals, delay: number): Promise<void> {
  const output = folder.path("signals/l.list");
  const source = folder.path("signals-source");
  const child = spawn(process.execPath, [URLHASH, "list", "build", source, "-o", output]);
  const closed = once(child, "close");
  await new Promise((resolve) => setTimeout(resolve, delay));
  child.kill(signal);
  await closed;
  // The file is either the old list or the new one.
  expect([1, 20_000]).toContain(sizeOf(readFileSync(output)));
  if (signal !== "SIGKILL") expect(leftovers(output)).toEqual([]);
}

test.skipIf(process.platform === "win32")(
  "a signal at any moment leaves the old list or the new one, and nothing beside it",
  async () => {
    mkdirSync(folder.path("signals"));
    await build(folder.path("signals/l.list"));
    const hosts = Array.from({ length: 20_000 }, (_, i) => `h${i}.example`);
    writeFileSync(folder.path("signals-source"), hosts.join("\n"));
    const rounds = IS_DEEP ? 4 : 1;
    const start = performance.now();
    await urlhash(["list", "build", folder.path("signals-source"), "-o", folder.path("timed")]);
    const duration = performance.now() - start;
    for (let round = 0; round < rounds; round++) {
      const delay = (duration * (round + 0.5)) / rounds;
      for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const)
        await interrupt(signal, delay);
    }
    await build(folder.path("signals/l.list"));
    expect(leftovers(folder.path("signals/l.list"))).toEqual([]);
  },
  600_000,
);

test("what never ends is bounded", async () => {
  for (const file of ["/dev/zero", "/dev/urandom"].filter((name) => existsSync(name))) {
    const ended = await urlhash(["check", "--list", file, "a.b"]);
    expect(ended).toMatchObject({ status: 2, stdout: "" });
    expect(ended.stderr).toContain("is not a list");
    const matched = await urlhash(["match", "--list", file, "http://a.b/"]);
    expect(matched).toMatchObject({ status: 2, stdout: "" });
    expect(matched.stderr).toContain("bytes that are not text");
  }
});
