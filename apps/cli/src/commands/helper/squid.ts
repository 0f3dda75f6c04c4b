import type { ProtocolName } from "@x/client";
import { durationValue, Failure } from "@x/command-line";
import type { LineBlock } from "@x/lookup/lines";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { ServerOptions } from "../../client/open-client.ts";
import type { Context } from "../../context.ts";
import { readKey } from "../../input/api-key.ts";
import { readBlocks } from "../../input/read-file.ts";
import type { ListPlace } from "../../input/watch-lists.ts";
import {
  addKeptListOptions,
  addListsFromOption,
  addPublicKeyOption,
  addVerdictOptions,
  flagOf,
  PROTOCOLS,
  SERVER_HELP,
  type VerdictOptions,
} from "../options.ts";
import { listVerdicts } from "./list-verdicts.ts";
import { serverVerdicts } from "./server-verdicts.ts";
import { answerRequests } from "./squid-requests.ts";
import type { VerdictSource } from "./verdict.ts";

const HELPER_HELP = `
The program that needs a helper starts it. The helper reads requests from stdin
and writes answers to stdout, until stdin ends.

Exit status: 0 on success, 2 on failure.

Example:
  $ urlhash help helper squid`;

export function registerHelper(program: Command, context: Context): void {
  const helper = program
    .command("helper")
    .summary("answer the requests of a proxy")
    .description("Check URLs for another program, in the protocol that it uses for its helpers.")
    .addHelpText("after", HELPER_HELP);
  registerSquidHelper(helper, context);
}

interface SquidOptions extends VerdictSourceOptions {
  readonly tagUnchecked?: boolean;
}

const HELP = `
Squid starts the command and asks it about each request:

  external_acl_type urlhash ttl=10 negative_ttl=10 children-max=1 \\
    concurrency=500 %URI /usr/local/bin/urlhash helper squid --list FILE
  acl listed external urlhash
  http_access deny listed

The format must be just %URI. The command understands lines with IDs (with
concurrency=) and without. A request for a tunnel (CONNECT host:443) is checked
as https://host/. With ssl-bump, Squid also asks about each URL in the tunnel.

Answers:
  ERR                                     the URL is not listed
  OK tag=listed message="..."             the URL is listed
  OK tag=unreadable message="..."         the URI is not a URL with a host, or
                                          its host cannot be decided
  BH message="..."                        the URL could not be checked: a list
                                          cannot be read, or the server is gone
Squid denies a request whose answer is BH, and does not cache the answer. With
--tag-unchecked, the answer is OK tag=unchecked instead, and a rule can exempt
it:

  acl unchecked tag unchecked
  http_access deny listed !unchecked

The command picks up changed lists within a second or on SIGHUP. A URL that is
on a list of safe sites (--safe-list) in every reading does not count as listed.

--server alone asks an urlhash-server (POST /lookup), which learns every URL.
With --protocol, the command keeps the lists of the server current, in the
folder --database, and the server learns only prefixes of listed hashes. While
lists are missing or too old, or the server does not confirm a match, the answer
is BH. Only one process may use a folder: let Squid start one helper
(children-max=1).
${SERVER_HELP}

Messages go to stderr, which Squid writes to its cache.log. They contain no
URLs.

Exit status: 0 when stdin ends or on SIGTERM, 2 for bad usage.

Examples:
  $ echo "1 http://evil.example/ -" | urlhash helper squid --list phishing.list
  $ urlhash helper squid --server https://safebrowsing.googleapis.com \\
      --protocol v5 --key-file key --database /var/spool/squid/urlhash`;

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('Expected a URL such as "http://127.0.0.1:8080".');
  }
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new InvalidArgumentError("Expected a URL without a user name, a password or a query.");
  }
  return url;
}

/** Passes blocks of lines on. Once reading is stopped, an error ends the blocks and is not thrown. */
async function* untilStopped(
  blocks: AsyncIterable<LineBlock>,
  isStopped: () => boolean,
): AsyncGenerator<LineBlock> {
  try {
    yield* blocks;
  } catch (error) {
    if (!isStopped()) throw error;
  }
}

function registerSquidHelper(helper: Command, context: Context): void {
  const { io, stdout } = context;
  const command = helper
    .command("squid")
    .summary("answer the requests of Squid's external ACLs")
    .description("Tell Squid whether the URL of each request is listed.");
  addListsFromOption(addVerdictOptions(command))
    .addOption(
      new Option("--server <url>", "use a server instead of list files")
        .argParser(httpUrl)
        .conflicts(["list", "listsFrom", "safeList"]),
    )
    .addOption(
      new Option(
        "--protocol <protocol>",
        "lookup: ask an urlhash-server about each URL; others: keep the lists of the server",
      )
        .choices(["lookup", ...PROTOCOLS])
        .default("lookup"),
    );
  addPublicKeyOption(addKeptListOptions(command))
    .addOption(
      new Option("--timeout <time>", "how long the server may take to answer")
        .argParser(durationValue)
        .default(5000, '"5s"'),
    )
    .option("--tag-unchecked", 'answer "OK tag=unchecked" instead of BH')
    .addHelpText("after", HELP);

  command.action(async (options: SquidOptions) => {
    let isStopped = false;
    const stopReading = (): void => {
      isStopped = true;
      io.stdin.destroy();
    };
    const tell = (line: string): void => void io.stderr.write(`urlhash: ${line}\n`);
    const { verdictsOn, close } = await verdictSource(options, context, tell);
    process.once("SIGTERM", stopReading);
    try {
      const blocks = untilStopped(readBlocks("-", io), () => isStopped);
      const tagsUnchecked = options.tagUnchecked ?? false;
      await answerRequests(blocks, { verdictsOn, tagsUnchecked, stdout, stopReading });
    } finally {
      process.off("SIGTERM", stopReading);
      close();
    }
  });
}

/** The options that choose where verdicts come from. */
interface VerdictSourceOptions extends VerdictOptions, Omit<ServerOptions, "server" | "protocol"> {
  readonly listsFrom?: string;
  readonly server?: URL;
  /**
   * With `lookup`, the helper asks the server about each URL. With the other protocols, the helper keeps the server's
   * lists in a folder.
   */
  readonly protocol: ProtocolName | "lookup";
  /** The timeout for the server, in milliseconds. */
  readonly timeout: number;
}

/** @throws {Failure} when an option in `given` is set. */
function refuse(given: Readonly<Record<string, unknown>>, why: string): void {
  const name = Object.keys(given).find((key) => given[key] !== undefined);
  if (name === undefined) return;
  throw new Failure(`${flagOf(name)} ${why}`);
}

/** @throws {Failure} when the options do not name exactly one source of verdicts, or cannot be combined. */
async function verdictSource(
  options: VerdictSourceOptions,
  context: Context,
  tell: (line: string) => void,
): Promise<VerdictSource> {
  const { list, listsFrom, safeList, server, protocol, timeout } = options;
  if ([list, listsFrom, server].filter((given) => given !== undefined).length !== 1) {
    throw new Failure("name lists with --list or --lists-from, or a server with --server");
  }
  const { keyFile, publicKey, database, lists } = options;
  if (server === undefined) {
    refuse({ keyFile, publicKey, database, lists }, "needs --server");
    if (protocol !== "lookup") throw new Failure("--protocol needs --server");
    const places: ListPlace = listsFrom === undefined ? { files: list! } : { folder: listsFrom };
    return listVerdicts({ lists: places, safeLists: safeList ?? [] }, tell);
  }
  if (protocol !== "lookup") {
    // The client is loaded only when it is needed, so that other helpers start fast.
    const { keptListVerdicts } = await import("./kept-list-verdicts.ts");
    const kept = { ...options, server: server.href, protocol };
    return keptListVerdicts(kept, timeout, context, tell);
  }
  refuse({ publicKey, database, lists }, "needs --protocol, such as --protocol v5");
  return serverVerdicts({ server, key: await readKey(keyFile, context.io.env), timeout }, tell);
}
