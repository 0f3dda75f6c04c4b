import { constants, type Stats } from "node:fs";
import { open, readlink, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Failure } from "@x/command-line";
import { failTo, replaceFile, replaceFileBy } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import type { Context } from "../context.ts";

/** The help of every command with `-o`. */
export const OUTPUT_HELP = `
-o writes a file completely or not at all, and keeps its mode. It also writes to
pipes and devices; "-o -" is stdout.`;

/** @throws {Failure} when both a file and a JSON object would be written to stdout. */
export function checkJsonOutput(json: boolean | undefined, output: string | undefined): void {
  if (json && output === "-") throw new Failure("--json and -o - both write to stdout");
}

const MOST_LINKS = 40;

/** The destination of an output. */
type Target =
  /** A file to replace or create, with links resolved. */
  | { readonly kind: "file"; readonly path: string; readonly old: Stats | null }
  /** Stdout, a pipe or a device, which are written to and not replaced. */
  | { readonly kind: "stdout" }
  | { readonly kind: "stream"; readonly path: string };

/** An output that was checked and can be written. */
export interface OutputFile {
  /** The name of the output in messages. */
  readonly name: string;
  /** @throws {Failure} when the bytes cannot be written. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /**
   * Calls `write` with a temporary file name, and then gives the written file its final name.
   *
   * @throws {Failure} when the function fails, or the output is not a file.
   */
  readonly writeBy: (write: (temporary: string) => Promise<void>) => Promise<void>;
  /** Writes messages for people about the output: to stderr if the bytes may go to stdout. */
  readonly tell: (text: string) => Promise<void>;
}

async function statOf(file: string): Promise<Stats | null> {
  try {
    return await stat(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw error;
  }
}

/** Returns the path to write for a file that does not exist: its own path, or the target of a dangling link. */
async function missingFile(file: string): Promise<string> {
  let path = resolve(file);
  for (let links = 0; links < MOST_LINKS; links++) {
    const target = await readlink(path).catch(() => null);
    if (target === null) break;
    path = resolve(await realpath(dirname(path)), target);
  }
  return path;
}

async function targetOf(file: string): Promise<Target> {
  if (file === "-") return { kind: "stdout" };
  const stats = await statOf(file);
  if (stats === null) return { kind: "file", path: await missingFile(file), old: null };
  if (stats.isDirectory()) throw new Error("it is a directory");
  const path = stats.isFile() ? await realpath(file).catch(() => null) : null;
  // /dev/stdout may refer to a file that the shell has opened, which must not be replaced.
  if (path === null || /^\/(?:dev|proc)\//.test(file)) return { kind: "stream", path: file };
  if ((stats.mode & 0o222) === 0) throw new Error("it is read-only");
  return { kind: "file", path, old: stats };
}

async function writeStream(path: string, bytes: Uint8Array): Promise<void> {
  // Without other flags, this neither truncates nor creates a file.
  const handle = await open(path, constants.O_WRONLY);
  try {
    await handle.writeFile(bytes);
  } finally {
    await handle.close();
  }
}

/** Whether `file` is the name of the file with the `Stats` `a`. */
async function isSameFile(a: Stats | null, file: string): Promise<boolean> {
  const b = file === "-" ? null : await statOf(file).catch(() => null);
  return a !== null && b !== null && a.ino === b.ino && a.dev === b.dev;
}

/**
 * Checks an output before anything is read.
 *
 * @param inputs the files that will be read.
 * @throws {Failure} when the output cannot be written, or is one of the inputs.
 */
export async function openOutput(
  file: string,
  inputs: readonly string[],
  { stdout, stderr }: Pick<Context, "stdout" | "stderr">,
): Promise<OutputFile> {
  const name = file === "-" ? "stdout" : printable(file);
  const fail = failTo(`write ${name}`);
  const target = await targetOf(file).catch(fail);
  if (target.kind === "file") {
    const folder = dirname(target.path);
    const stats = await statOf(folder).catch(fail);
    if (!stats?.isDirectory()) fail(`there is no folder ${printable(folder)}`);
    for (const input of inputs) {
      if (!(await isSameFile(target.old, input))) continue;
      throw new Failure(`${name} is also an input: name another file to write`);
    }
  }
  return {
    name,
    write: async (bytes) => {
      if (target.kind === "stdout") return stdout.write(bytes);
      if (target.kind === "stream") return writeStream(target.path, bytes).catch(fail);
      return replaceFile(target.path, bytes, target.old).catch(fail);
    },
    writeBy: async (write) => {
      if (target.kind !== "file") return fail("it is not a file");
      return replaceFileBy(target.path, (_, temporary) => write(temporary), target.old).catch(fail);
    },
    tell: (text) => (target.kind === "file" ? stdout : stderr).write(text),
  };
}
