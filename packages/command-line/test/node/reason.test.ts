import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Failure } from "@x/command-line";
import { failTo, reasonOf } from "@x/command-line/node";
import { expect, test } from "vitest";

const thrownBy = async (run: () => unknown): Promise<unknown> => {
  try {
    return await run();
  } catch (error) {
    return error;
  }
};

test("a reason has no name of a system call", async () => {
  const folder = await mkdtemp(join(tmpdir(), "reason-"));
  const read = (path: string) => thrownBy(() => readFile(path));
  expect(reasonOf(await read(folder))).toBe("it is a directory");
  expect(reasonOf(await read(join(folder, "none")))).toBe("no such file or directory");
  expect(reasonOf(await read("/dev/null/x"))).toBe("part of its path is not a directory");
  await rm(folder, { recursive: true });
});

test("errors of other libraries keep their messages", async () => {
  const damaged = await thrownBy(() => gunzipSync(Buffer.of(1, 2, 3)));
  expect(reasonOf(damaged)).toBe("incorrect header check");
  expect(reasonOf("text")).toBe("text");
});

test("failTo passes failures on, and names the file in other errors", () => {
  const failure = new Failure("one line");
  expect(() => failTo("read a")(failure)).toThrow(failure);
  const error = Object.assign(new Error("EACCES: permission denied"), {
    errno: -13,
    code: "EACCES",
  });
  expect(() => failTo("read a")(error)).toThrow(new Failure("cannot read a: permission denied"));
});
