import { createContext, type Io } from "../cli/context.ts";
import { FAILED } from "../cli/exit-status.ts";
import { Failure, reasonOf } from "../cli/failure.ts";
import { main } from "../cli/main.ts";
import { ClosedPipe } from "../cli/output.ts";
import { servePage } from "../server/serve-page.ts";
import { buildRealList, type RealList } from "./real-list.ts";
import { tour } from "./tour.ts";

/** A port that is easily recognized; any other when it is taken. */
const PORT = 8017;

/** Serves the page until the process is told to stop. */
async function showPage(io: Io): Promise<void> {
  const context = createContext(io, [], () => {});
  try {
    await servePage({ port: PORT }, context);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await servePage({ port: 0 }, context);
  }
}

/**
 * What `npm start` runs: without arguments a tour and then the page, with arguments the command `urlhash` on the list of real
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
    const status = await tour(real, io);
    // Where nobody looks, nothing is left running.
    if (status === FAILED || io.env.CI) return status;
    await showPage(io);
    return status;
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    throw error;
  }
}
