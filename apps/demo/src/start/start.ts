import type { Io } from "../cli/context.ts";
import { main } from "../cli/main.ts";
import { buildRealList } from "./real-list.ts";
import { tour } from "./tour.ts";

/**
 * What `npm start` runs: without arguments a tour, with arguments the command `urlhash` on the list of real
 * phishing sites.
 *
 * @returns the exit status.
 */
export async function start(argv: readonly string[], io: Io): Promise<number> {
  const real = await buildRealList();
  return argv.length === 0 ? tour(real, io) : main(argv, io, { defaultLists: [real.file] });
}
