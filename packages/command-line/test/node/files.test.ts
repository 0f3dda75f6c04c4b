import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeFile, replaceFile, replaceFileBy } from "@x/command-line/node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "files-"));
  file = join(folder, "file");
});
afterEach(() => rm(folder, { recursive: true }));

const read = () => readFile(file, "utf8");

test("a file is replaced as a whole, and keeps its mode", async () => {
  await writeFile(file, "old");
  await chmod(file, 0o600);
  await replaceFile(file, Buffer.from("new"), await stat(file));
  expect(await read()).toBe("new");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["file"]);
});

test("a file that cannot be written stays as it is, and nothing is left", async () => {
  await writeFile(file, "old");
  const failed = replaceFileBy(
    file,
    async (opened) => {
      await opened.writeFile("half");
      throw new Error("stop");
    },
    null,
  );
  await expect(failed).rejects.toThrow("stop");
  expect([await read(), await readdir(folder)]).toEqual(["old", ["file"]]);
  await mkdir(join(folder, "below"));
  await expect(replaceFile(join(folder, "below"), "x", null)).rejects.toMatchObject({
    path: join(folder, "below"),
  });
  expect((await readdir(folder)).sort()).toEqual(["below", "file"]);
});

test("files of processes that have ended are removed, and those of others only after a day", async () => {
  await replaceFileBy(
    file,
    async (_, temporary) => {
      const [host, pid] = temporary.split("-").slice(-3);
      const other = temporary.replace(`-${host}-${pid}-`, `-${"0".repeat(12)}-1-`);
      const dead = temporary.replace(`-${pid}-`, "-99999999-");
      const young = `${other.slice(0, -5)}${other.at(-5) === "0" ? 1 : 0}.tmp`;
      for (const each of [other, young, dead]) await writeFile(each, "");
      await utimes(other, 1, 1);
    },
    null,
  );
  expect(await readdir(folder)).toHaveLength(4);
  await replaceFile(file, "", null);
  expect(await readdir(folder)).toHaveLength(2);
});

test("changes at the same time are all made", async () => {
  await writeFile(file, "");
  const add = (text: string) => changeFile(file, async () => `${await read()}${text}`);
  await Promise.all(Array.from("abcdefghij", add));
  expect([...(await read())].sort().join("")).toBe("abcdefghij");
  expect(await readdir(folder)).toEqual(["file"]);
});

test("a program that handles signals itself may go on after one", async () => {
  const on = vi.spyOn(process, "on");
  await changeFile(file, async () => "text");
  expect(on).not.toHaveBeenCalled();
  await replaceFile(file, "other", null);
  expect(on).toHaveBeenCalledWith("SIGTERM", expect.any(Function));
  expect(process.listenerCount("SIGTERM")).toBe(0);
});

test("a file that stays as it is is not written", async () => {
  await changeFile(file, async () => null);
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ["", 1],
  [", even if the clock was set back", Date.now() / 1000 + 3600],
])("a lock that was left behind is removed after ten seconds%s", async (_, time) => {
  await writeFile(`${file}.lock`, "");
  await utimes(`${file}.lock`, time, time);
  await changeFile(file, async () => "new");
  expect([await read(), await readdir(folder)]).toEqual(["new", ["file"]]);
});

test("a change that took so long that another process made one is made again", async () => {
  await writeFile(file, "1");
  let rounds = 0;
  await changeFile(file, async () => {
    const before = await read();
    if (++rounds === 1) {
      await rm(`${file}.lock`);
      await writeFile(file, "2");
    }
    return `${before} and more`;
  });
  expect([rounds, await read()]).toEqual([2, "2 and more"]);
  expect(await readdir(folder)).toEqual(["file"]);
});

test("errors name the file, not the lock", async () => {
  const missing = join(folder, "none", "file");
  await expect(changeFile(missing, async () => "x")).rejects.toMatchObject({
    code: "ENOENT",
    path: missing,
  });
});
