import process from "node:process";
import { type Ran, record } from "@x/test-support/process-streams";
import { main } from "../../src/cli/main.ts";

/** The same with environment variables. */
export async function runHereWith(
  env: Record<string, string>,
  folder: string,
  ...args: string[]
): Promise<Ran> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await record((io) => main(args, io), { env });
  } finally {
    process.chdir(before);
  }
}

/** Runs the command from its sources, in this process, with a folder as its working directory. */
export function runHere(folder: string, ...args: string[]): Promise<Ran> {
  return runHereWith({}, folder, ...args);
}
