import { formatHashedUri, hashedUriMatcher } from "@x/hashed-uri";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { evaluateGiven } from "../evaluate-given.ts";
import { Failure } from "../failure.ts";
import { addFormatOptions, type FormatOptions, formatOf } from "../format.ts";
import { addGivenOptions, checkGiven, type GivenOptions, givenTextHelp } from "../given.ts";
import {
  type ListedHashedUri,
  placeOf,
  readHashedList,
  unusableText,
} from "../hashed/read-hashed-list.ts";
import { refusing, tryOptions } from "../hashed/refusing.ts";
import { addFormOptions, type FormOptions } from "../hashed/variant-option.ts";
import { collect } from "../list-files.ts";
import { onText } from "../on-text.ts";
import { writeWithProgress } from "../write-with-progress.ts";

interface MatchOptions extends FormatOptions, GivenOptions, FormOptions {
  readonly list: readonly string[];
  readonly all?: boolean;
}

const HELP = `${givenTextHelp("URI")}
Lists are hashed URIs, one per line. In lists and among URIs, comments (lines
that start with #) are left out, and so are blanks around a line.

Each entry has its own algorithm and flags; variant and base must be those of
its publisher. Entries that match nothing (an unknown algorithm, a wrong number
of digits) and lines that are no hashed URI are reported on stderr.
Text: "MATCHED" and the URI; below it the first entry that it matches.
JSON: { "line" or "argument": 1, "uri", "matched": true, "entry": { "list",
"line", "hashed", "algorithm", "value", "fragment", "query" } }; with --all also
"matched": false, "entry": null; of what is no URI: { "line", "uri", "error": {
"code", … } }.

Exit status:
  0  nothing matched            2  failure: bad usage, unreadable file
  1  something matched          4  some input is no URI, or no hashed URI; the
  5  1 and 4 together              rest was dealt with

Examples:
  $ urlhash match --list HASHED.txt http://www.thus.net/
  $ urlhash match --list a.txt --list b.txt --ndjson < urls.txt`;

/** The entries of all lists. @throws {Failure} when stdin is to be read twice. */
async function readHashedLists(
  { list, file }: MatchOptions,
  uris: readonly string[],
  context: Context,
): Promise<ListedHashedUri[]> {
  const readsUris = uris.includes("-") || file === "-" || (uris.length === 0 && !file);
  const times = list.filter((name) => name === "-").length + (readsUris ? 1 : 0);
  if (list.includes("-") && times > 1) throw new Failure("stdin can be read only once");
  const entries: ListedHashedUri[] = [];
  for (const name of list) await readHashedList(name, entries, context);
  return entries;
}

export function registerMatch(program: Command, context: Context): void {
  const { io, colours, stderr } = context;
  const command = program
    .command("match")
    .summary("which URIs match lists of hashed URIs")
    .description("Match URIs against lists of hashed URIs, in order, as they come.")
    .requiredOption("--list <file>", "hashed URIs; may be given more than once", collect);
  addFormOptions(addGivenOptions(command, "URI")).option("--all", "write also what does not match");
  addFormatOptions(command)
    .addHelpText("after", HELP)
    .action(async (uris: string[], options: MatchOptions) => {
      checkGiven(uris, options, "URI");
      const format = formatOf(options);
      const { variant, base, file, all = false } = options;
      const entries = await readHashedLists(options, uris, context);
      const match = hashedUriMatcher(entries, { variant, base });
      if (base !== undefined) tryOptions(() => match("a"));
      await stderr.write(
        match.unusable
          .map((entry) => {
            const place = placeOf(entry.hashed as ListedHashedUri);
            return `urlhash: ${place}: ${unusableText(entry)}\n`;
          })
          .join(""),
      );
      const evaluate = onText((uri) => {
        // The matcher returns the very records that it was given.
        const entry = refusing(() => match(uri)) as ListedHashedUri | null;
        if (entry === null) {
          return {
            isListed: false,
            toRecord: () => ({ matched: false, entry: null }),
            toText: (shown) => `${colours.green("no match")}  ${shown}`,
          };
        }
        const hashed = formatHashedUri(entry);
        const { list, line, ...parts } = entry;
        return {
          isListed: true,
          toRecord: () => ({ matched: true, entry: { list, line, hashed, ...parts } }),
          toText: (shown) =>
            `${colours.red(colours.bold("MATCHED "))}  ${shown}\n` +
            colours.dim(`          ${hashed}\n          ${placeOf(entry)}`),
        };
      });
      const blocks = evaluateGiven(
        uris,
        { ...(file === undefined ? {} : { file }), hasComments: true, noun: "URI" },
        evaluate,
        { format, onlyListed: !all, noun: "URI" },
        io,
      );
      await writeWithProgress(blocks, uris.length > 0 ? null : (file ?? "-"), format, context);
    });
}
