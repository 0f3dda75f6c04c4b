import { fileURLToPath } from "node:url";
import { type Ran, record } from "@x/test-support/process-streams";
import { type Ended, runProgram, type SpawnOptions } from "@x/test-support/spawn";

/** The built command. */
export const URLHASH: string = fileURLToPath(new URL("../../bin/urlhash.js", import.meta.url));

export function urlhash(argv: readonly string[], options?: SpawnOptions): Promise<Ended> {
  return runProgram(URLHASH, argv, options);
}

const BUILT = new URL("../../dist/main.js", import.meta.url).href;

/** Runs the built command in this process, for tests that do not need a separate process for each run. */
export async function urlhashHere(argv: readonly string[]): Promise<Ran> {
  const { main } = (await import(BUILT)) as typeof import("../../src/main.ts");
  return record((io) => main(argv, io));
}
