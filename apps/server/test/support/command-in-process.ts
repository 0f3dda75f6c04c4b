import process from "node:process";
import { type Ran, record } from "@x/test-support/process-streams";
import { main } from "../../src/cli/main.ts";

/** Runs the command from its sources, in this process, with a folder as its working directory. */
export async function runHere(folder: string, ...args: string[]): Promise<Ran> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await record((io) => main(args, io));
  } finally {
    process.chdir(before);
  }
}
