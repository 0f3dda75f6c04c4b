import { fileURLToPath } from "node:url";
import { type Ended, runProgram, type SpawnOptions } from "@x/test-support/spawn";

/** The built command. */
export const URLHASH: string = fileURLToPath(new URL("../../bin/urlhash.js", import.meta.url));

export function urlhash(argv: readonly string[], options?: SpawnOptions): Promise<Ended> {
  return runProgram(URLHASH, argv, options);
}
