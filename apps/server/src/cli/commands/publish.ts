import { Failure } from "@x/command-line";
import { printable } from "@x/explain/printable";
import { SOURCE_FORMATS } from "@x/list-source";
import { listNames, readNewest } from "@x/list-store";
import { type Command, Option } from "commander";
import { checkServedName } from "../../serve/lists/threat-rows.ts";
import type { ServerLog } from "../../serve/log.ts";
import { type Context, ownVersion, sharedAbort } from "../context.ts";
import { describeError } from "../errors.ts";
import { contextFrom, logContext, outputLog } from "../log-context.ts";
import { addSettings, collectWhere, LOG_LEVEL, TRUST_CLOCK } from "../options.ts";
import { chosenLists, type ListSettings, type SourceOptions } from "../publishing/list-settings.ts";
import { isIntended } from "../publishing/metrics.ts";
import { withSources } from "../publishing/open-sources.ts";
import { type Publisher, RENEW_FRACTION, type RunOptions } from "../publishing/publish-lists.ts";
import { publishOrRenew } from "../publishing/renew-versions.ts";
import { watchLists } from "../publishing/watch-lists.ts";
import {
  findSettings,
  type GivenSettings,
  readSettingsAgain,
  type SettingsOptions,
} from "../settings/settings-file.ts";
import { readPublicKeys } from "../signing.ts";
import { checkStore, checkWritable, type StoreFiles, storeFiles } from "../store-files.ts";
import { dailyCollection } from "./gc.ts";

const HELP = `
NAME is a threat type that clients know (malware, social-engineering,
social-engineering-extended-coverage, unwanted-software,
potentially-harmful-application), or a name of your own.

SOURCE is a file, or a URL such as https://feed.example/urls.txt.

Without NAME=SOURCE, the lists and their sources are in the settings file.

With --watch, the log goes to standard output: text on a terminal, and elsewhere
one JSON object per line.`;

interface Options extends SettingsOptions, SourceOptions, RunOptions {
  readonly watch?: boolean;
}

/** The parts of a call that stay the same when the settings are read again. */
interface Call {
  readonly names: readonly string[];
  readonly options: Options;
  readonly context: Context;
  readonly states: Publisher["states"];
}

interface ToPublish {
  readonly given: GivenSettings;
  readonly files: StoreFiles;
  readonly lists: readonly ListSettings[];
}

/**
 * Returns the lists on the command line or in the settings. Throws if clients would mistake one list for another.
 */
async function toPublish(
  { names, options, context }: Call,
  given: GivenSettings,
): Promise<ToPublish> {
  const files = storeFiles(given.settings, context);
  checkWritable(files.address);
  const lists = chosenLists(names, given, options);
  const all = [...lists.map(({ list }) => list), ...(await listNames(files.storage))];
  for (const { list } of lists) checkServedName(list, all);
  for (const [name, { sources }] of Object.entries(given.settings.lists)) {
    if (sources === undefined && !all.includes(name))
      context.complain(`lists.${name} has settings, but there is no such list`);
  }
  return { given, files, lists };
}

/**
 * Warns of the lists in the store that nobody signs again before they expire: those that are not in the settings. Lists
 * that are not on the command line may have another publisher, unless it should have signed them again by now.
 */
async function warnOfUnsigned(
  { names: given, context }: Call,
  { files, lists }: ToPublish,
): Promise<void> {
  // Publishing reports a store or keys that cannot be read.
  const publicKeys = await readPublicKeys(files.publicKeyFile).catch(() => []);
  const names = await listNames(files.storage).catch(() => []);
  const own = new Set(lists.map(({ list }) => list));
  for (const list of names.filter((name) => !own.has(name))) {
    const newest = await readNewest({ ...files, list, publicKeys }).catch(() => null);
    if (newest === null || newest.manifest.retired) continue;
    const { version, issued, expires } = newest.manifest;
    const left = expires - Date.now();
    if (given.length > 0 && left > (expires - issued) * RENEW_FRACTION) continue;
    const time = `${new Date(expires).toISOString().slice(0, 19)}Z`;
    context.complain(
      `warning: ${list} is no longer signed, because it is not in the settings: version ${version} ${left > 0 ? "expires" : "expired"} at ${time}, and lookups fail from then on; end the list with urlhash-server retire ${list}, or put it back`,
      { list, version },
    );
  }
}

/** Opens the sources, and calls `use` with the publisher of the lists. */
async function withPublisher<Result>(
  call: Call,
  what: ToPublish,
  use: (publisher: Publisher) => Promise<Result>,
): Promise<Result> {
  const { states, options } = call;
  const { given, files, lists } = what;
  const { fetch, metrics } = given.settings;
  await warnOfUnsigned(call, what);
  return withSources(lists, { fetch, folder: files.fetchedFolder, ...options }, (sources) =>
    use({ lists, files, sources, options, metrics, states }),
  );
}

/** Publishes once. The exit status is 2 if a list failed, and 1 if a list or a source is not up to date. */
function publishOnce(call: Call, what: ToPublish): Promise<void> {
  const { context } = call;
  return withPublisher(call, what, async (publisher) => {
    const { sources, lists } = publisher;
    await sources.fetchDue(sharedAbort().signal);
    const outcomes = await publishOrRenew(lists, publisher, context);
    const reasons = [...(outcomes?.values() ?? [])].map(({ kept }) => kept);
    const isOld =
      sources.states().some(({ failed }) => failed) || !reasons.every((each) => isIntended(each));
    context.exitWith(outcomes === null || reasons.includes("failure") ? 2 : Number(isOld));
  });
}

/**
 * Publishes lists whenever their sources change, until SIGTERM or SIGINT. SIGHUP reads the settings again. If they
 * cannot be read, the problem is reported, and the old ones stay in use.
 */
async function watch(
  call: Call,
  first: ToPublish,
  readAgain: () => Promise<ToPublish>,
  log: ServerLog,
): Promise<void> {
  const { context, options } = call;
  const store = first.files.address.shown;
  log.info("started", { version: ownVersion(), store, pid: process.pid });
  let current = first;
  let replaced = new AbortController();
  const onHangUp = async () => {
    try {
      current = await readAgain();
      context.print("the settings were read again");
      replaced.abort();
    } catch (error) {
      const problem = describeError(error) ?? (error as Error).message;
      context.complain(printable(`the settings stay as they were: ${problem}`), {
        isFailure: true,
      });
    }
  };
  const watchCurrent = () => {
    const { files, given } = current;
    return withPublisher(call, current, (publisher) =>
      watchLists(publisher, context, {
        collect: options.dryRun ? null : dailyCollection(files, given.settings.keep),
        replaced: replaced.signal,
        onStop: (signal) => log.info("stopping", { signal }),
      }),
    );
  };
  process.on("SIGHUP", onHangUp);
  try {
    while (await watchCurrent()) replaced = new AbortController();
  } finally {
    process.off("SIGHUP", onHangUp);
  }
  log.info("stopped");
}

export function registerPublish(program: Command, context: Context): void {
  const command = program
    .command("publish")
    .description("make a new version of each list whose sources changed")
    .argument(
      "[NAME=SOURCE...]",
      "a list and its source, a file or URL; name a list again to add more sources",
    )
    .addOption(
      new Option("--input <format>", "the format of the sources (default: recognized)").choices(
        SOURCE_FORMATS,
      ),
    )
    .option("--column <name>", "the column of a table, or the field or path of JSON")
    .option(
      "--where <condition>",
      'the rows that are entries, as in "verdict=malicious", or "all"; may be given more than once',
      collectWhere,
    )
    .option("--resume", "publish lists again that were rolled back or withdrawn")
    .option("--dry-run", "say what would be published, and write nothing")
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help)
    .option(LOG_LEVEL.flags, LOG_LEVEL.help)
    .option(
      "--watch",
      "keep running: publish whenever a source changes, sign again before versions expire, and collect garbage once a day (see gc)",
    );
  addSettings(command).addHelpText("after", HELP);
  command.action(async (names: string[], options: Options) => {
    const { watch: isWatch, resume } = options;
    if (resume && isWatch)
      throw new Failure("--resume is for a single run: use it without --watch");
    let inUse = await findSettings(options);
    const { level } = inUse.settings.log;
    const log = outputLog(context, level);
    const printing = isWatch ? logContext(context, log) : contextFrom(level, context);
    const call: Call = { names, options, context: printing, states: new Map() };
    if (inUse.warning !== null) printing.complain(`warning: ${inUse.warning}`);
    const first = await toPublish(call, inUse);
    await checkStore(first.files);
    if (!isWatch) return publishOnce(call, first);
    const readAgain = async () => {
      const next = await readSettingsAgain(options, inUse);
      const what = await toPublish(call, next);
      inUse = next;
      return what;
    };
    return watch(call, first, readAgain, log);
  });
}
