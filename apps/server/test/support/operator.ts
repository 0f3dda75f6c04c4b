import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ran } from "@x/test-support/process-streams";
import { temporaryFolder } from "./command.ts";
import { runHere } from "./command-in-process.ts";
import { writeAtOnce } from "./write-at-once.ts";

/** A folder with a new store and functions that run the commands of its operator. */
export interface Operator {
  readonly path: string;
  write(name: string, ...lines: string[]): void;
  read(name: string): string;
  /** Runs a command on the store, from the sources of the command. */
  run(command: string, ...args: string[]): Promise<Ran>;
  publish(...args: string[]): Promise<Ran>;
  /** Runs a command without `--store`. */
  check(command: string, ...args: string[]): Promise<Ran>;
  /** Returns the number of entries and the changes of each version of a list, oldest first. */
  log(list: string): Promise<string[]>;
  remove(): void;
}

export async function newOperator(): Promise<Operator> {
  const { path, remove } = temporaryFolder();
  const run = (command: string, ...args: string[]) =>
    runHere(path, ...command.split(" "), "--store", "lists", ...args);
  await run("init");
  return {
    path,
    write: (name, ...lines) =>
      writeAtOnce(join(path, name), lines.map((line) => `${line}\n`).join("")),
    read: (name) => readFileSync(join(path, name), "utf8"),
    run,
    publish: (...args) => run("publish", ...args),
    check: (command, ...args) => runHere(path, command, ...args),
    async log(list) {
      const { stdout } = await run("log", list);
      const rows = stdout.trim().split("\n");
      return rows.map((row) => row.split("\t").slice(3).join(" ")).reverse();
    },
    remove,
  };
}

/** Returns the lines of a source, with hosts from one number up to, but not including, another. */
export function hosts(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, i) => `http://h${from + i}.example/`);
}
