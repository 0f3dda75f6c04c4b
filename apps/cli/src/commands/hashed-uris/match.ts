import { explainMatch, unusableReason } from "@x/explain";
import { hashedUriMatcher } from "@x/hashed-uri";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { evaluateInput } from "../../evaluate-input.ts";
import { Failure } from "../../failure.ts";
import {
  addInputOptions,
  checkInputOptions,
  fileToRead,
  type InputOptions,
  textInputHelp,
} from "../../input/arguments-or-lines.ts";
import { type ListedHashedUri, placeOf, readHashedUriList } from "../../input/hashed-uri-lists.ts";
import { addFormatOptions, type FormatOptions, formatOf } from "../../output/format.ts";
import type { Finding, RefusedInput } from "../../output/results.ts";
import { collect } from "../options.ts";
import {
  addCanonicalFormOptions,
  type CanonicalFormOptions,
  checkHashing,
} from "./canonical-form-options.ts";

interface MatchOptions extends FormatOptions, InputOptions, CanonicalFormOptions {
  readonly list: readonly string[];
  readonly all?: boolean;
}

const HELP = `${textInputHelp("URI")}
A list has one hashed URI per line. In lists and in files of URIs, lines that
start with # are comments, and blanks around a line do not count.

Each entry has its own algorithm and flags. The variant and the base must be
those that the publisher used. Entries that can match nothing (an unknown
algorithm, a wrong number of digits) and lines that are not hashed URIs are
reported on stderr.
Text: "MATCHED" and the URI, and below it the first entry that it matches.
JSON: { "line" or "argument": 1, "uri", "matched": true, "entry": { "list",
"line", "hashed", "algorithm", "value", "fragment", "query" } }; with --all also
"matched": false, "entry": null.
For an input that is not a URI: { "line", "uri", "error": { "code", "message",
"expected", "index", "section" } }.

Exit status:
  0  nothing matched            2  failure: bad usage, unreadable file
  1  something matched          4  some input is not a URI, or not a hashed URI;
  5  1 and 4 together              the rest was processed

Examples:
  $ urlhash match --list HASHED.txt http://www.thus.net/
  $ urlhash match --list a.txt --list b.txt --ndjson < urls.txt`;

/** The entries of all lists. @throws {Failure} when stdin would be read twice. */
async function readEntries(
  { list, ...options }: MatchOptions,
  uris: readonly string[],
  context: Context,
): Promise<ListedHashedUri[]> {
  const readsStdin = [...list, fileToRead(uris, options)].filter((file) => file === "-");
  if (list.includes("-") && readsStdin.length > 1) throw new Failure("stdin can be read only once");
  const entries: ListedHashedUri[] = [];
  for (const file of list) await readHashedUriList(file, entries, context);
  return entries;
}

export function registerMatch(program: Command, context: Context): void {
  const { colours, stderr } = context;
  const command = program
    .command("match")
    .summary("match URIs against lists of hashed URIs")
    .description("Match URIs against lists of hashed URIs, in order and as they arrive.")
    .requiredOption("--list <file>", "hashed URIs; may be given more than once", collect);
  addCanonicalFormOptions(addInputOptions(command, "URI")).option(
    "--all",
    "write also URIs that do not match",
  );
  addFormatOptions(command)
    .addHelpText("after", HELP)
    .action(async (uris: string[], options: MatchOptions) => {
      checkInputOptions(uris, options, "URI");
      formatOf(options);
      const { variant, base, all = false } = options;
      checkHashing({ variant, base });
      const entries = await readEntries(options, uris, context);
      const matcher = hashedUriMatcher(entries, { variant, base });
      // The matcher returns the records that it was given.
      const match = (uri: string) => matcher(uri) as ListedHashedUri | null;
      for (const unusable of matcher.unusable) {
        const place = placeOf(unusable.hashed as ListedHashedUri);
        await stderr.write(`urlhash: ${place}: never matches: ${unusableReason(unusable)}\n`);
      }
      const evaluate = (uri: string | Uint8Array): Finding | RefusedInput => {
        const explained = explainMatch(uri, match);
        if ("error" in explained) return explained;
        const { entry } = explained;
        return {
          isListed: entry !== null,
          toRecord: () => explained,
          toText: (shown) =>
            entry === null
              ? `${colours.green("no match")}  ${shown}`
              : `${colours.red(colours.bold("MATCHED "))}  ${shown}\n` +
                colours.dim(`          ${entry.hashed}\n          ${placeOf(entry)}`),
        };
      };
      const evaluation = { noun: "URI", hasComments: true, onlyListed: !all, evaluate } as const;
      await evaluateInput(uris, options, evaluation, context);
    });
}
