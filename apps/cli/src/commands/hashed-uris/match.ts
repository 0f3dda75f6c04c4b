import { collect, Failure } from "@x/command-line";
import { explainMatch, inputText, type Refusal, unusableReason } from "@x/explain";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import {
  describeProblem,
  type HashedUri,
  type HashedUriListHeader,
  type HashedUriListLine,
  hashedUriMatcher,
  parseHashedUriListLine,
} from "@x/hashed-uri";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { REFUSED } from "../../exit-status.ts";
import { fileToRead } from "../../input/arguments-or-lines.ts";
import { refuseForeignInput } from "../../input/foreign-input.ts";
import { fileLines, nameOf, readBlocks } from "../../input/read-file.ts";
import type { Finding, RefusedInput } from "../../output/results.ts";
import {
  type EvaluatingOptions,
  type Evaluation,
  registerEvaluating,
} from "../evaluating-command.ts";
import {
  addCanonicalFormOptions,
  type CanonicalFormOptions,
  checkHashing,
  warningOfUri,
} from "./canonical-form-options.ts";

interface MatchOptions extends EvaluatingOptions, CanonicalFormOptions {
  readonly list: readonly string[];
  readonly all?: boolean;
}

const HELP = `A list has one hashed URI per line. In lists and in files of URIs, lines that
start with # are comments, and spaces around a line are ignored.

Each entry has its own algorithm and flags. The variant and the base are those
that the list names in its comments, as "urlhash hash-uris" writes them; for a
list that names none, give those that the publisher used. Entries that can match
nothing (an unknown algorithm, a wrong number of digits) and lines that are not
hashed URIs are reported on stderr.
Text: "MATCHED" and the URI, and below it the first entry that it matches.
JSON: { "line" or "argument": 1, "uri", "matched": true, "entry": { "list",
"line", "hashed", "algorithm", "value", "fragment", "query" } }; with --all also
"matched": false, "entry": null.`;

const EXAMPLES = `  $ urlhash match --list HASHED.txt http://www.thus.net/
  $ urlhash match --list a.txt --list b.txt --ndjson < urls.txt`;

const STATUS_HELP = `
Exit status:
  0  nothing matched            2  failure: bad usage, unreadable file
  1  something matched          4  some input is not a URI, or not a hashed URI;
  5  1 and 4 together              the rest was processed`;

/** Reads the lists. @throws {Failure} when stdin would be read twice, or a list cannot be read. */
async function readAll(
  { list, ...options }: MatchOptions,
  uris: readonly string[],
  context: Context,
): Promise<HashedUriList[]> {
  const readsStdin = [...list, fileToRead(uris, options)].filter((file) => file === "-");
  if (list.includes("-") && readsStdin.length > 1) throw new Failure("stdin can be read only once");
  const lists: HashedUriList[] = [];
  for (const file of list) lists.push(await readHashedUriList(file, context));
  return lists;
}

interface CanonicalForm {
  readonly variant: "N" | "P";
  readonly base: string | undefined;
}

/** Returns the variant and the base of a list. @throws {Failure} when an option contradicts the list. */
function formOf({ file, header }: HashedUriList, options: CanonicalFormOptions): CanonicalForm {
  for (const name of ["variant", "base"] as const) {
    const [said, given] = [header[name], options[name]];
    if (said === undefined || given === undefined || said === given) continue;
    const shown = `--${name} ${printable(given)}`;
    throw new Failure(`${nameOf(file)} was made with --${name} ${printable(said)}, not ${shown}`);
  }
  const { variant, base } = formWithout(options);
  return { variant: options.variant ?? header.variant ?? variant, base: base ?? header.base };
}

function formWithout({ variant = "N", base }: CanonicalFormOptions): CanonicalForm {
  return { variant, base };
}

/**
 * Matches URIs against each list with the list's own variant and base. If several entries match, the first one in the
 * order of the lists is the result.
 */
function matcherFor(lists: readonly HashedUriList[], options: CanonicalFormOptions) {
  const order = new Map<HashedUri, number>();
  const groups = new Map<string, { form: CanonicalForm; entries: ListedHashedUri[] }>();
  for (const list of lists) {
    const form = formOf(list, options);
    const key = JSON.stringify([form.variant, form.base]);
    const group = groups.get(key) ?? { form, entries: [] };
    groups.set(key, group);
    for (const entry of list.entries) {
      order.set(entry, order.size);
      group.entries.push(entry);
    }
  }
  const matchers = [...groups.values()].map(({ form, entries }) => hashedUriMatcher(entries, form));
  // Without entries, a matcher is still needed to refuse inputs that are not URIs.
  if (matchers.length === 0) matchers.push(hashedUriMatcher([], formWithout(options)));
  return {
    match(uri: string): ListedHashedUri | null {
      let first: HashedUri | null = null;
      for (const matcher of matchers) {
        const found = matcher(uri);
        if (found === null) continue;
        if (first === null || order.get(found)! < order.get(first)!) first = found;
      }
      // A matcher returns one of the entries that it was given, so the result still has its place in the list.
      return first as ListedHashedUri | null;
    },
    unusable: matchers
      .flatMap(({ unusable }) => unusable)
      .sort((a, b) => order.get(a.hashed)! - order.get(b.hashed)!),
  };
}

export function registerMatch(program: Command, context: Context): void {
  registerEvaluating<MatchOptions>(program, context, {
    name: "match",
    summary: "match URIs against lists of hashed URIs",
    description: "Match URIs against lists of hashed URIs, in order and as they arrive.",
    help: HELP,
    examples: EXAMPLES,
    statusHelp: STATUS_HELP,
    noun: "URI",
    addOptions: (command) =>
      addCanonicalFormOptions(
        command.requiredOption(
          "--list <file>",
          "a list of hashed URIs; may be given more than once",
          collect,
        ),
      ).option("--all", "also write URIs that do not match"),
    evaluation: matching,
  });
}

async function matching(
  options: MatchOptions,
  context: Context,
  uris: readonly string[],
): Promise<Evaluation> {
  const { colours, stderr } = context;
  const { variant, base, all = false } = options;
  checkHashing({ variant, base });
  const lists = await readAll(options, uris, context);
  const matcher = matcherFor(lists, { variant, base });
  for (const unusable of matcher.unusable) {
    const place = placeInList(unusable.hashed as ListedHashedUri);
    await stderr.write(`urlhash: ${place}: never matches: ${unusableReason(unusable)}\n`);
  }
  const evaluate = (uri: string | Uint8Array): Finding | RefusedInput => {
    const explained = explainMatch(uri, matcher.match);
    if ("error" in explained) return explained;
    const { entry } = explained;
    return {
      isListed: entry !== null,
      warning: entry === null ? warningOfUri(inputText(uri) as string) : null,
      toRecord: () => explained,
      toText: (shown) =>
        entry === null
          ? `${colours.gray("no match")}  ${shown}`
          : `${colours.red(colours.bold("MATCHED "))}  ${shown}\n` +
            colours.dim(`          ${entry.hashed}\n          ${placeInList(entry)}`),
    };
  };
  return { hasComments: true, onlyListed: !all, evaluate };
}

/** A hashed URI and its place in a list. */
interface ListedHashedUri extends HashedUri {
  readonly list: string;
  readonly line: number;
}

/** A list of hashed URIs, with its header. */
interface HashedUriList {
  readonly file: string;
  readonly header: HashedUriListHeader;
  readonly entries: readonly ListedHashedUri[];
}

/** Formats the place of a line for messages, such as `hosts.txt line 3`. */
function placeInList({ list, line }: Pick<ListedHashedUri, "list" | "line">): string {
  return `${nameOf(list)} line ${line}`;
}

function parseLine(bytes: Uint8Array, header: HashedUriListHeader): HashedUriListLine | Refusal {
  const text = inputText(bytes);
  if (typeof text !== "string") return text;
  const line = parseHashedUriListLine(text, header);
  return line.kind === "refused" ? { error: describeProblem(text, line) } : line;
}

/**
 * Reads a list of hashed URIs (`-` is stdin). Reports lines that are not hashed URIs, and a header whose count differs
 * from the number of entries.
 *
 * @throws {Failure} when the file cannot be read, or looks like another format.
 */
async function readHashedUriList(
  list: string,
  { io, stderr, addStatus }: Context,
): Promise<HashedUriList> {
  const entries: ListedHashedUri[] = [];
  let header: HashedUriListHeader = {};
  let refused = 0;
  const onStart = (start: Uint8Array): void =>
    refuseForeignInput(start, nameOf(list), "hashed URI");
  for await (const block of readBlocks(list, io, () => {}, onStart)) {
    let errors = "";
    for (const { number: line, bytes } of fileLines(block)) {
      const parsed = parseLine(bytes, header);
      if ("error" in parsed) {
        refused++;
        errors += `urlhash: ${placeInList({ list, line })}: ${printable(parsed.error.message)}\n`;
      } else if (parsed.kind === "header") {
        header = parsed.header;
      } else if (parsed.kind === "entry") {
        entries.push({ ...parsed.hashed, list, line });
      }
    }
    await stderr.write(errors);
  }
  const { count } = header;
  if (count !== undefined && count !== entries.length) {
    refused++;
    const has = `says that it has ${counted(count, "hashed URI", "hashed URIs")}, but has ${entries.length}`;
    await stderr.write(`urlhash: ${nameOf(list)} ${has}: part of it may be missing\n`);
  }
  if (entries.length === 0 && refused === 0) {
    await stderr.write(
      `urlhash: warning: ${nameOf(list)} has no hashed URIs: nothing can match it\n`,
    );
  }
  if (refused > 0) addStatus(REFUSED);
  return { file: list, header, entries };
}
