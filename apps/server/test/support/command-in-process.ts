import process from "node:process";
import { type Ran, record, type StreamOptions } from "@x/test-support/process-streams";
import { main } from "../../src/cli/main.ts";

/** Runs the command as {@link runHere} does, with environment variables or a terminal. */
export async function runHereIn(
  options: StreamOptions,
  folder: string,
  ...args: string[]
): Promise<Ran> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await record((io) => main(args, io), options);
  } finally {
    process.chdir(before);
  }
}

/** Runs the command as {@link runHere} does, with environment variables. */
export function runHereWith(
  env: Record<string, string>,
  folder: string,
  ...args: string[]
): Promise<Ran> {
  return runHereIn({ env }, folder, ...args);
}

/** Runs the command from its sources, in this process, with a folder as its working directory. */
export function runHere(folder: string, ...args: string[]): Promise<Ran> {
  return runHereWith({}, folder, ...args);
}
