import { type Ran, record, type StreamOptions } from "@x/test-support/process-streams";
import type { Settings } from "../src/context.ts";
import { main } from "../src/main.ts";

export type RunOptions = StreamOptions & Settings;

/** Runs `urlhash` in this process. */
export function run(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return record((io) => main(argv, io, options), options);
}
