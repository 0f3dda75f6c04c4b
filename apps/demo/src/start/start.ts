import {
  ClosedPipe,
  type Context,
  createContext,
  FAILED,
  Failure,
  type Io,
  main,
  reasonOf,
} from "@x/cli";
import { type PhishingListFile, writePhishingList } from "../phishing-list/list-file.ts";
import { servePage } from "../server/serve-page.ts";
import { serve } from "./serve-command.ts";
import { serveList } from "./serve-list.ts";
import { headingOf, tour } from "./tour.ts";

/** A port that is easy to recognize. When it is taken, any other one is used. */
const PORT = 8017;

/** Serves the page until the process is told to stop. */
async function showPage(context: Context): Promise<void> {
  try {
    await servePage({ port: PORT }, context);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await servePage({ port: 0 }, context);
  }
}

async function showTour(list: PhishingListFile, context: Context): Promise<number> {
  const status = await tour(list, context);
  // In CI, nobody looks at the page.
  if (status === FAILED || context.io.env.CI) return status;
  const { stdout, colours } = context;
  await stdout.write(headingOf("4  The same in Firefox", colours));
  const server = await serveList(list.hosts, context);
  try {
    await stdout.write(headingOf("5  The same in a page", colours));
    await showPage(context);
  } finally {
    await server.stop();
  }
  return status;
}

/**
 * Runs `npm start`. Without arguments, it shows a tour and then the page. `serve` serves only the page. Any other
 * arguments go to `urlhash`, which then uses the list of real phishing sites.
 *
 * @returns the exit status.
 */
export async function start(argv: readonly string[], io: Io): Promise<number> {
  const context = createContext(argv, io, [], () => {});
  try {
    if (argv[0] === "serve") return await serve(argv.slice(1), context);
    let list: PhishingListFile;
    try {
      list = await writePhishingList();
    } catch (error) {
      const reason = reasonOf(error);
      await context.stderr.write(`urlhash: cannot build the list of phishing sites: ${reason}\n`);
      return FAILED;
    }
    if (argv.length > 0) return await main(argv, io, { defaultLists: [list.file] });
    return await showTour(list, context);
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    throw error;
  }
}
