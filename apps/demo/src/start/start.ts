import { type ClosedPipe, createContext, FAILED, type Io, main } from "@x/cli";
import { reasonOf } from "@x/command-line/node";
import { hasName } from "@x/sha256-prefix/has-name";
import { type PhishingListFile, writePhishingList } from "../phishing-list/phishing-list.ts";
import { serve } from "./serve-command.ts";
import { tour } from "./tour.ts";

const HELP = `Usage:
  npm start                   serve a page, show a tour with a list of phishing
                              sites, and serve the list to Firefox
  npm start -- serve          only serve the page (see npm start -- serve --help)
  npm start -- COMMAND …      run a command of urlhash, with the list of
                              phishing sites

Examples:
  $ npm start -- explain "http://3279880203/%2541/../b?q#top"
  $ npm start -- check azukishop.live example.com
  $ npm start -- urn equal urn:isbn:0-395-36341-1 URN:ISBN:0395363411
  $ npm start -- check --help

The help of urlhash follows. Here, write "npm start --" instead of "urlhash".

`;

const isHelp = (argv: readonly string[]) =>
  argv.length === 1 && ["--help", "-h", "help"].includes(argv[0]!);

/**
 * Runs `npm start`. Without arguments, the program shows a tour, and serves the list and the page. `serve` serves only
 * the page. Any other arguments go to `urlhash`, which uses the list of real phishing sites by default.
 *
 * @returns the exit status.
 */
export async function start(argv: readonly string[], io: Io): Promise<number> {
  const context = createContext(argv, io, {}, () => {});
  try {
    if (argv[0] === "serve") return await serve(argv.slice(1), context);
    if (isHelp(argv)) await context.stdout.write(HELP);
    let list: PhishingListFile;
    try {
      list = await writePhishingList();
    } catch (error) {
      const reason = reasonOf(error);
      await context.stderr.write(`urlhash: cannot build the list of phishing sites: ${reason}\n`);
      return FAILED;
    }
    if (argv.length > 0) return await main(argv, io, { defaultLists: [list.file] });
    return await tour(list, context);
  } catch (error) {
    if (hasName<ClosedPipe>(error, "ClosedPipe")) return 0;
    throw error;
  }
}
