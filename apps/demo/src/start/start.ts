import type { Io } from "../cli/context.ts";
import { FAILED } from "../cli/exit-status.ts";
import { reasonOf } from "../cli/failure.ts";
import { main } from "../cli/main.ts";
import { ClosedPipe } from "../cli/output.ts";
import { buildRealList, type RealList } from "./real-list.ts";
import { tour } from "./tour.ts";

/**
 * What `npm start` runs: without arguments a tour, with arguments the command `urlhash` on the list of real
 * phishing sites.
 *
 * @returns the exit status.
 */
export async function start(argv: readonly string[], io: Io): Promise<number> {
  let real: RealList;
  try {
    real = await buildRealList();
  } catch (error) {
    io.stderr.write(`urlhash: cannot build the list of phishing sites: ${reasonOf(error)}\n`);
    return FAILED;
  }
  if (argv.length > 0) return main(argv, io, { defaultLists: [real.file] });
  try {
    return await tour(real, io);
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    throw error;
  }
}
