import { Failure, wholeNumber } from "@x/command-line";
import type { PrefixList } from "@x/prefix-list";
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
import { addAsOption, LINK_FORMATS_HELP } from "../input/link-formats.ts";
import { listWarnings, readEach } from "../input/list-files.ts";
import { watchLists } from "../input/watch-lists.ts";
import {
  addFormatOptions,
  addRowOptions,
  type FormatOptions,
  formatOf,
  ROWS_HELP,
  type RowOptions,
  rowFormatOf,
} from "../output/format.ts";
import { FOLLOWED_COLUMNS, VERDICT_COLUMNS } from "../output/verdicts.ts";
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
    RowOptions,
    VerdictOptions,
    ListUrlOptions,
    RelayedOptions,
    Partial<ServerOptions> {
  readonly listsFrom?: string;
  readonly onlyListed?: boolean;
  readonly refang?: boolean;
  readonly workers: number;
  readonly offline?: boolean;
  readonly unwrap: boolean;
}

const MAX_WORKERS = 256;

const HELP = `${inputHelp("URL")}
Input that has another format (a hosts file, JSON, a table, UTF-16, a picture)
is refused, as a whole or line by line. Arguments that look like another format
are refused, too.

A file may be compressed with gzip. With --column, the input is a
table (CSV or TSV), and its rows are counted instead of lines. If the column is
a number, the first row is read as data, not as a header. Rows with more or
fewer fields than the first are reported, and so are those with stray quotation
marks.

${REFANG_HELP}

A URL is listed if it is on a list in either reading: the specification's, or
that of browsers, which treat "\\" as "/", for example. A URL counts as safe only
if every reading is on a list of safe sites.

${UNWRAP_HELP}
A URL that has more inside than is opened is "unsure" if nothing is listed.

${FOLLOW_HELP}

With --find, the inputs are the links in --file or on stdin, as "urlhash links"
finds them; in JSON, "column" is beside "line", and in mails also "part". Links
that lead to no site, such as mailto: links, are left out. Parts of a mail that
were not searched are reported on stderr. A mail whose links may be missing
counts as an input that is not a URL.
${LINK_FORMATS_HELP}

A match is confirmed if the list has the full hash, or a prefix that is longer
than 4 bytes and so long that the odds of a match by chance are below one in a
million. JSON then has "by": "length". Other matches are probable: the prefix
may belong to another URL. Three lists of a million prefixes list 0.4 % of
harmless URLs by chance if they have 4 bytes of each hash, and none in practice
if they have 8.

An entry covers what lies below it as far as expressions reach: on hosts, the
last five labels, and in paths, the first three folders.

A URL that is on no list, but built to mislead people, is "disguised", with the
reason: browsers open another host than it seems (other-host), its user name
looks like a host (user-name), its host is a number for an IP address (address)
or has letters of another script that look like ASCII (look-alike), or it has
characters that change the order of text (bidi). With --follow, this also holds
for a URL that leads to such a URL. A listed URL is always "LISTED".

Text: "LISTED", "disguised" or "not listed" and the URL. Below a listed URL, the
expression that is listed, its hash prefix and the list.
JSON: { "line", "row" or "argument": 1, "url", "canonical", "browser",
"listed": true, "matches": [{ "list", "checksum", "created", "expression",
"prefix", "confirmed", "by", "reading", "inner" }], "safeMatches": [] }.
"browser" is present if browsers open another URL, and "safeMatches" if the URL
is on a list of safe sites; "disguises": [{ "code", "resembles", "message" }] if
it is disguised, with "url" if that is a URL that it leads to. "inner" is
present if a URL inside is listed: { "url", "wrapper", "certainty", "inside" }.
If a URL is unsure, "listed" is null, and "reason" says why.
With --follow, "chain": [{ "url", "written", "via", "status", "verdict",
"reason" }] has the given URL and those it leads to. If one of these is listed,
the matches are those of the last one.
For an input that is not a URL: { "line", "url", "error": { "code", "message",
"expected", "index", "section" } }.
TSV: one row for each line of input, including blank lines, without a header:
${VERDICT_COLUMNS.slice(0, 6).join(", ")},
${VERDICT_COLUMNS.slice(6).join(", ")}. The verdict is listed, not-listed, disguised,
unsure, undecided, not-a-url or blank. The problem of a disguised URL has the
reasons. With --follow, there is one more column, chain: the URLs, separated by
blanks. A URL is undecided if the host has characters that browsers may read
differently in the future: treat this as an error, not as "not listed". It is
not-a-url, too, if the URL is not listed and no site can have its host, as in
http://evil.example" (host-invalid), or if it is not clearly one URL, as in
_http://evil.example_ (url-unclear).
${ROWS_HELP}

${LIST_URL_HELP}
Its host is asked for a newer version once the last check is 30 minutes old, or
as old as --max-age; sooner for lists that expire soon. If the host cannot be
reached, the kept list is used with a warning until it expires.

--lists-from picks up changed lists within a second or on SIGHUP.

With --server, the lists are those of a server, as "urlhash update" keeps them.
They are brought up to date first if the server says that this is due, and kept
up to date while the command runs. If a prefix of a URL is listed, the server is
asked for the full hashes, so that every verdict is confirmed; it learns only
that prefix. --offline uses only the lists that are stored. When there is no
verdict, because lists are missing or too old or the server does not answer, the
URL is "unsure", with the reason.
${SERVER_HELP}

With --relay, searches are encrypted for the server and sent through a relay, so
that the server does not learn who asks, and the relay not what is asked. The
server must answer over Oblivious HTTP, as urlhash-server serve --ohttp does.
--relay-keys is a file with its keys, or the URL from which they are fetched
without the relay, as in https://lists.example/.well-known/ohttp-gateway. If the
relay does not answer, the URL is "unsure"; a search is never sent directly.

With --server, JSON is { "line", "url", "canonical", "browser", "verdict",
"reason", "local", "matches": [{ "list", "threatTypes", "expression", "hash",
"confirmed", "reading" }], "expires", "problem" }. The verdict is listed,
not-listed, unsure or disguised. For unsure URLs, "local" says what the stored
lists alone say: listed, unlisted or null. In TSV, the prefix is the full hash,
and the problem of an unsure URL is the reason.
${VERDICT_STATUS_HELP}${UNSURE_STATUS_HELP}

Examples:
  $ urlhash check --list phishing.list http://evil.example/login
  $ urlhash check --list a.list --list b.list --ndjson - < urls.txt
  $ urlhash check --list a.list --file urls.txt --workers 4 --only-listed
  $ urlhash check --list a.list --file urls.csv.gz --column url --ndjson
  $ urlhash check --list a.list --find --file message.eml
  $ urlhash check --list a.list --find --follow --file message.eml
  $ urlhash check --lists-from /var/lib/lists --tsv < urls.txt
  $ urlhash check --server https://safebrowsing.googleapis.com --key-file key \\
      http://evil.example/login
  $ urlhash check --server https://lists.example --relay https://relay.example \\
      --relay-keys lists.keys http://evil.example/login`;

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
  const { file, list, workers, listsFrom, onlyListed, follow, offline } = options;
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
  if (formatOf(options) !== "tsv") return;
  if (onlyListed) throw new Failure("--tsv writes a row for each line: leave out --only-listed");
}

export function registerCheck(program: Command, context: Context): void {
  const command = program
    .command("check")
    .summary("check URLs against lists of hash prefixes")
    .description("Check URLs against lists of hash prefixes, in order and with constant memory.");
  const withLists = addListsFromOption(addVerdictOptions(addInputOptions(command)));
  const withUrls = addListUrlOptions(addColumnOption(addUnwrapOption(withLists)));
  const withServer = addRefangOption(addRelayOptions(addServerOptions(withUrls))).option(
    "--offline",
    "with --server, use only the lists that are stored, and send no requests",
  );
  const withFind = withServer.option(
    "--find",
    "check the links that are found in text, HTML, Markdown or mails",
  );
  addMaxAgeOption(addFollowOption(addAsOption(withFind)))
    .option(
      "--only-listed",
      "write only URLs that are listed, unsure or disguised, and inputs that are not URLs",
    )
    .option(
      "--workers <n>",
      "threads that check the URLs of --file",
      wholeNumber(1, MAX_WORKERS),
      1,
    );
  addFormatOptions(addRowOptions(command), { hasRows: true }).addHelpText("after", HELP);

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

/** @throws {Failure} when an option is wrong, or something cannot be read or written. */
async function checkWithLists(
  urls: readonly string[],
  options: CheckOptions,
  context: Context,
  follower: Follower | null,
): Promise<void> {
  const { workers, maxAge, listsFrom, unwrap } = options;
  const { onlyListed = false, refang = false } = options;
  const format = formatOf(options);
  const follow = follower?.follow ?? null;
  const columns = follow === null ? VERDICT_COLUMNS : FOLLOWED_COLUMNS;
  const rows = rowFormatOf(options, columns, format);
  const { io, colours, stderr } = context;
  const readUrl = listUrlReader(options, context);
  const safeLists = await readEach(options.safeList ?? [], readUrl);
  const checkOf = (lists: readonly PrefixList[]): ListCheck => {
    const colour = colours.isColorSupported;
    return { lists, safeLists, format, rows, onlyListed, refang, colour, unwrap };
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
    threads = workers > 1 ? startThreads(workers, checkOf(lists)) : null;
    evaluatePart = threads?.evaluatePart ?? evaluatePartWithLists(checkOf(lists), follow);
    await evaluateInput(
      { ...options, args: urls, noun: "URL" },
      (part, bytes) => evaluatePart(part, bytes),
      {
        format,
        header: rows.header,
        mostOpen: threads?.mostOpen ?? mostOpenOf(urls, options),
      },
      context,
    );
  } finally {
    folder?.close();
    await threads?.end();
  }
}
