import { availableParallelism } from "node:os";
import { Failure, wholeNumber } from "@x/command-line";
import type { Command } from "commander";
import { addFollowOption, FOLLOW_HELP, type FollowOptions, mostOpenOf } from "../check/chain.ts";
import type { CheckWithServerOptions } from "../check/check-with-server.ts";
import type { Follower } from "../check/follower.ts";
import { evaluatePartWithLists, type ListCheck } from "../check/list-evaluator.ts";
import { startThreads, type Threads } from "../check/threads.ts";
import type { RelayedOptions, ServerOptions } from "../client/open-client.ts";
import type { Context } from "../context.ts";
import type { EvaluatePart } from "../evaluate.ts";
import { evaluateInput } from "../evaluate.ts";
import { UNSURE_STATUS_HELP, VERDICT_STATUS_HELP } from "../exit-status.ts";
import {
  addColumnOption,
  addInputOptions,
  checkInputOptions,
  type InputOptions,
  inputHelp,
} from "../input/arguments-or-lines.ts";
import { addAsOption } from "../input/link-formats.ts";
import { type ListWithAbout, listWarnings, readEach } from "../input/list-files.ts";
import { watchLists } from "../input/watch-lists.ts";
import { addFormatOptions, type FormatOptions, formatOf } from "../output/format.ts";
import { sizeOf } from "../output/progress.ts";
import {
  addListsFromOption,
  addListUrlOptions,
  addMaxAgeOption,
  addRefangOption,
  addRelayOptions,
  addServerOptions,
  addUnwrapOption,
  addVerdictOptions,
  flagOf,
  LIST_URL_HELP,
  type ListUrlOptions,
  listUrlReader,
  REFANG_HELP,
  SERVER_HELP,
  UNWRAP_HELP,
  type VerdictOptions,
} from "./options.ts";

interface CheckOptions
  extends FollowOptions,
    FormatOptions,
    InputOptions,
    VerdictOptions,
    ListUrlOptions,
    RelayedOptions,
    Partial<ServerOptions> {
  readonly listsFrom?: string;
  readonly onlyListed?: boolean;
  readonly refang?: boolean;
  /** Automatic by default. */
  readonly workers?: number;
  readonly offline?: boolean;
  readonly unwrap: boolean;
}

const MAX_WORKERS = 256;
/**
 * About a million URLs. Two threads take a quarter more processor time for them than one, as each compiles its code.
 */
const LARGE_FILE_BYTES = 50e6;
/** With more threads, most of them would wait for the one that reads and writes. */
const MAX_AUTOMATIC_WORKERS = 8;

const HELP = `${inputHelp("URL")}
Input of another format (a hosts file, JSON, a table, UTF-16, a picture) is
refused, as a whole or line by line. A file may be compressed with gzip.

With --column, the rows of a table are counted instead of lines; rows with more
or fewer fields than the first are reported. With --find, the inputs are the
links that "urlhash links" finds and that lead to a site. Parts of an email that
were not searched are reported, and an email whose links may be missing counts
as an input that is not a URL.

${REFANG_HELP}

A URL is listed if it is on a list as the specification reads it, or as browsers
do, which treat "\\" as "/", for example. It counts as safe only if every reading
is on a list of safe sites. A match is confirmed if the list has the full hash,
or a prefix so long that fewer than one harmless URL in a million matches by
chance; other matches are probable.

${UNWRAP_HELP}

${FOLLOW_HELP}

A URL that is on no list, but built to mislead people, is "disguised": browsers
open a different host from the one it seems to have (other-host), its user name
looks like a host (user-name), its host is a number for an IP address (address),
has letters that look like ASCII or imitates the name of a well-known site
(look-alike), or it has characters that change the order of text (bidi). A URL
without a verdict is "unsure", with the reason.

Text: the verdict and the URL. Below a listed URL, the expression that is
listed, its hash prefix and the list, and if the list is at a URL, the reason
and the contact that its publisher names.
JSON: { "line", "row" or "argument": 1, "url", "canonical", "browser",
"listed": true, "matches": [{ "list", "checksum", "created", "expression",
"prefix", "confirmed", "by", "reading", "inner", "about": { "reason", "contact"
} }], "safeMatches" }, and where they apply "disguises": [{ "code", "resembles",
"message" }], "reason" (then "listed" is null) and "chain". With --find,
"column" is beside "line", and in emails also "part". For an input that is not a
URL: { "line", "url", "error": { "code", "message", "expected", "index",
"section" } }.

${LIST_URL_HELP}
Its host is asked for a newer version once the last check is 30 minutes old, or
as old as --max-age. --lists-from picks up changed lists within a second.

With --server, the lists are those of a server. They are brought up to date if
the server says that this is due, and while the command runs. If a prefix of a
URL is listed, the server is asked for the full hashes, so that every verdict is
confirmed; it learns only that prefix. --offline uses only the lists that are
stored.
${SERVER_HELP}

With --relay, searches are encrypted for the server and sent through a relay, so
that the server does not learn who asks, and the relay not what is asked. The
keys of the server are in a file, or at a URL from which they are fetched
without the relay. If the relay does not answer, the URL is "unsure"; a search
is never sent directly.

With --server, JSON is { "line", "url", "canonical", "browser", "verdict",
"reason", "local", "matches": [{ "list", "threatTypes", "expression", "hash",
"confirmed", "reading" }], "expires", "problem" }. For unsure URLs, "local" says
what the stored lists alone say: listed, unlisted or null.
${VERDICT_STATUS_HELP}${UNSURE_STATUS_HELP}

Examples:
  $ urlhash check --list phishing.list http://evil.example/login
  $ urlhash check --list a.list --list b.list --ndjson < urls.txt
  $ urlhash check --list a.list --file urls.csv.gz --column url --only-listed
  $ urlhash check --list a.list --find --follow --file message.eml
  $ urlhash check --lists-from /var/lib/lists --ndjson < urls.txt
  $ urlhash check --server https://safebrowsing.googleapis.com --key-file key \\
      http://evil.example/login`;

/** The options that need `--server`, followed by those that cannot be used with it. */
const ONLY_WITH_SERVER = [
  "protocol",
  "lists",
  "keyFile",
  "database",
  "relay",
  "relayKeys",
  "relayUpdates",
  "offline",
];
const NOT_WITH_SERVER = ["list", "listsFrom", "safeList", "maxAge", "workers"];

/** Whether to check against the lists of a server. @throws {Failure} for options that cannot be combined. */
function isWithServer(
  command: Command,
  options: CheckOptions,
): options is CheckOptions & CheckWithServerOptions {
  const isServer = options.server !== undefined;
  const wrong = (isServer ? NOT_WITH_SERVER : ONLY_WITH_SERVER).find(
    (name) => command.getOptionValueSource(name) === "cli",
  );
  if (wrong === undefined && options.relay === undefined) {
    const alone = (["relayKeys", "relayUpdates"] as const).find((name) => options[name]);
    if (alone !== undefined) throw new Failure(`${flagOf(alone)} needs --relay`);
  }
  if (wrong === undefined) return isServer;
  throw new Failure(
    isServer ? `${flagOf(wrong)} cannot be used with --server` : `${flagOf(wrong)} needs --server`,
  );
}

/** @throws {Failure} when options contradict each other. */
function checkOptions(urls: readonly string[], options: CheckOptions): void {
  const { file, list, workers = 1, listsFrom, follow, offline } = options;
  checkInputOptions(urls, options);
  if (follow && workers > 1) throw new Failure("--follow cannot be used with --workers");
  if (follow && offline) throw new Failure("--follow cannot be used with --offline");
  if (workers > 1 && (file === undefined || file === "-")) {
    throw new Failure(
      "--workers needs --file: the program that writes to stdin may wait for each answer",
    );
  }
  if (list !== undefined && listsFrom !== undefined) {
    throw new Failure("name lists with --list or a folder with --lists-from, not both");
  }
  if (workers > 1 && listsFrom !== undefined) {
    throw new Failure("--lists-from cannot be used with --workers: name lists with --list");
  }
}

export function registerCheck(program: Command, context: Context): void {
  const command = program
    .command("check")
    .summary("check URLs against lists of hash prefixes")
    .description("Check URLs against lists of hash prefixes, in order and with constant memory.");
  addInputOptions(command.optionsGroup("Input:"));
  addColumnOption(command).option("--find", "check the links in text, HTML, Markdown or emails");
  addFollowOption(addUnwrapOption(addRefangOption(addAsOption(command))));
  addVerdictOptions(command.optionsGroup("Lists:"));
  addListUrlOptions(addMaxAgeOption(addListsFromOption(command)));
  addServerOptions(command.optionsGroup("Lists of a server:")).option(
    "--offline",
    "use only the stored lists, and send no requests",
  );
  addRelayOptions(command)
    .optionsGroup("Output:")
    .option(
      "--only-listed",
      "write only URLs that are listed, unsure or disguised; inputs that are not URLs are still reported",
    )
    .option(
      "--workers <n>",
      `how many threads check the URLs of --file (default: 1; for a file of ${LARGE_FILE_BYTES / 1e6} MB or more, one for each core, up to ${MAX_AUTOMATIC_WORKERS})`,
      wholeNumber(1, MAX_WORKERS),
    );
  addFormatOptions(command).addHelpText("after", HELP);

  command.action(async (urls: string[], options: CheckOptions) => {
    checkOptions(urls, options);
    const isServer = isWithServer(command, options);
    // The modules for `--follow` and `--server` are loaded only when they are needed, so that other checks start fast.
    const follower = options.follow
      ? (await import("../check/follower.ts")).createFollower(context)
      : null;
    try {
      if (isServer) {
        const { checkWithServer } = await import("../check/check-with-server.ts");
        await checkWithServer(urls, options, context, follower);
      } else await checkWithLists(urls, options, context, follower);
    } finally {
      await follower?.close();
    }
  });
}

/** The number of threads that check the URLs. If it is 1, the main thread checks them itself. */
async function workersFor(
  { workers, file, find, follow, listsFrom }: CheckOptions,
  { io }: Context,
): Promise<number> {
  if (workers !== undefined) return workers;
  if (file === undefined || file === "-" || find || follow || listsFrom !== undefined) return 1;
  const bytes = await sizeOf(file, io);
  if (bytes === null || bytes < LARGE_FILE_BYTES) return 1;
  return Math.min(availableParallelism(), MAX_AUTOMATIC_WORKERS);
}

/** @throws {Failure} when an option is wrong, or something cannot be read or written. */
async function checkWithLists(
  urls: readonly string[],
  options: CheckOptions,
  context: Context,
  follower: Follower | null,
): Promise<void> {
  const { maxAge, listsFrom, unwrap } = options;
  const { onlyListed = false, refang = false } = options;
  const format = formatOf(options);
  const follow = follower?.follow ?? null;
  const { io, colours, stderr } = context;
  const readUrl = listUrlReader(options, context);
  const safeLists = await readEach(options.safeList ?? [], readUrl);
  const checkOf = (lists: readonly ListWithAbout[]): ListCheck => {
    const colour = colours.isColorSupported;
    return { lists, safeLists, format, onlyListed, refang, colour, unwrap };
  };

  let evaluatePart: EvaluatePart;
  const folder =
    listsFrom === undefined
      ? null
      : await watchLists(
          { folder: listsFrom },
          (line) => void io.stderr.write(`urlhash: ${line}\n`),
          (changed) => {
            evaluatePart = evaluatePartWithLists(checkOf(changed), follow);
          },
        );
  let threads: Threads | null = null;
  try {
    const lists =
      folder?.lists() ?? (await readEach(options.list ?? context.defaultLists, readUrl));
    if (lists.length === 0) throw new Failure("name a list to check against: --list FILE");
    await stderr.write(listWarnings([...lists, ...safeLists], maxAge));
    const workers = await workersFor(options, context);
    threads = workers > 1 ? startThreads(workers, checkOf(lists)) : null;
    evaluatePart = threads?.evaluatePart ?? evaluatePartWithLists(checkOf(lists), follow);
    await evaluateInput(
      { ...options, args: urls, noun: "URL" },
      (part, bytes) => evaluatePart(part, bytes),
      {
        format,
        mostOpen: threads?.mostOpen ?? mostOpenOf(urls, options),
      },
      context,
    );
  } finally {
    folder?.close();
    await threads?.end();
  }
}
