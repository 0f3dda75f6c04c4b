import { Failure } from "@x/command-line";
import { SOURCE_FORMATS } from "@x/list-source";
import { listNames, readNewest } from "@x/list-store";
import { type Command, Option } from "commander";
import { checkServedName } from "../../serve/lists/threat-rows.ts";
import type { LogLevel, ServerLog } from "../../serve/log.ts";
import type { CollectSettings } from "../collect-store.ts";
import { optionsReader } from "../config-file.ts";
import type { Context } from "../context.ts";
import { parseWhere } from "../option-values.ts";
import { addSettings, TRUST_CLOCK } from "../options.ts";
import { dailyCollection } from "../publishing/collect-daily.ts";
import { exitStatusFor } from "../publishing/intended-outcomes.ts";
import { chosenLists } from "../publishing/list-options.ts";
import { contextFrom, logContext, outputLog, quieter } from "../publishing/log-context.ts";
import { withSources } from "../publishing/open-sources.ts";
import type { Group, Outcomes, Publisher } from "../publishing/publish-lists.ts";
import { type PublisherMetrics, publishMeasured } from "../publishing/publish-measured.ts";
import { reloadingOnHangUp } from "../publishing/reload-on-hang-up.ts";
import { publishOrRenew } from "../publishing/renew-versions.ts";
import {
  type FetchOptions,
  type ListOptions,
  type ListSettings,
  type NamingOptions,
  RENEW_FRACTION,
  type RunOptions,
} from "../publishing/settings.ts";
import { watchLists } from "../publishing/watch-lists.ts";
import { sharedAbort } from "../shared-abort.ts";
import type { StoreOptions } from "../store-address.ts";
import { checkStore, readPublicKeys, type StoreFiles, storeFilesToChange } from "../store-files.ts";
import { ownVersion } from "../version.ts";

const HELP = `
NAME is a threat type that clients know (malware, social-engineering,
social-engineering-extended-coverage, unwanted-software,
potentially-harmful-application), or a name of your own.

SOURCE is a file, or a URL such as https://feed.example/urls.txt.

Lists with settings of their own are in a file: see --config.

With --watch, the log goes to standard output, one JSON object per line.`;

interface Options
  extends StoreOptions,
    Omit<RunOptions, "dryRun">,
    ListOptions,
    FetchOptions,
    CollectSettings {
  readonly config?: string;
  readonly metrics?: string;
  readonly logLevel: LogLevel;
  readonly quiet?: boolean;
  readonly watch?: boolean;
  readonly allOrNothing?: boolean;
}

type Publish = (groups: readonly Group[], context: Context) => Promise<Outcomes>;

interface ToPublish {
  readonly options: Options;
  readonly lists: readonly ListSettings[];
}

/** Warns if a setting names a list that does not exist, which is probably a typo. */
function warnOfUnknown(
  { interop, shareExceptions, maxRemoved }: NamingOptions,
  lists: readonly string[],
  { complain }: Context,
): void {
  const named = {
    interop,
    "share-exceptions": shareExceptions,
    "max-removed": maxRemoved.lists.keys(),
  };
  for (const [setting, names] of Object.entries(named)) {
    for (const name of names ?? []) {
      if (!lists.includes(name)) complain(`${setting} names ${name}, but there is no such list`);
    }
  }
}

function checkOptions({ resume, watch }: Options): void {
  if (resume && watch) throw new Failure("--resume is for a single run: use it without --watch");
}

/** The parts of a call that stay the same when the settings are read again. */
interface Call {
  readonly given: readonly string[];
  /** Whether an option is on the command line. */
  readonly isGiven: (name: string) => boolean;
  readonly files: StoreFiles;
  readonly context: Context;
  readonly log: ServerLog;
  readonly states: PublisherMetrics["states"];
}

/**
 * Returns the lists on the command line or in the file of lists. Throws if clients would mistake one list for another.
 */
async function toPublish(
  { given, isGiven, files, context }: Call,
  options: Options,
): Promise<ToPublish> {
  const lists = await chosenLists(given, options.config, options, isGiven);
  const names = [...lists.map(({ list }) => list), ...(await listNames(files.storage))];
  for (const { list } of lists) checkServedName(list, names);
  warnOfUnknown(options, names, context);
  return { options, lists };
}

/**
 * Warns of the lists in the store that nobody signs again before they expire: those that are not in the settings. Lists
 * that are not on the command line may have another publisher, unless it should have signed them again by now.
 */
async function warnOfUnsigned(
  { given, files, context }: Call,
  { options, lists }: ToPublish,
): Promise<void> {
  // Publishing reports a store or keys that cannot be read.
  const publicKeys = await readPublicKeys(options.publicKey ?? files.publicKeyFile).catch(() => []);
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
      `warning: nobody signs ${list} any more, because it is not in the settings: version ${version} ${left > 0 ? "expires" : "expired"} at ${time}, and look-ups fail from then on; end the list with urlhash-server retire ${list}, or put it back`,
      { list, version },
    );
  }
}

/** Opens the sources, and calls `use` with the lists in groups and a function that publishes groups. */
function withPublisher<Result>(
  { files, states }: Call,
  { options, lists }: ToPublish,
  use: (publisher: Publisher, groups: readonly Group[], publish: Publish) => Promise<Result>,
): Promise<Result> {
  const { allOrNothing = false, metrics, dryRun = false } = options;
  const groups = allOrNothing ? [lists] : lists.map((each) => [each]);
  const measured = { file: dryRun ? null : (metrics ?? null), lists, states };
  return withSources(lists, { ...options, folder: files.fetchedFolder }, (sources) => {
    const publisher = { files, sources, options, count: lists.length };
    return use(publisher, groups, (some, context) =>
      publishMeasured(some, publisher, measured, context),
    );
  });
}

async function publishOnce(call: Call, what: ToPublish): Promise<void> {
  const { context } = call;
  await warnOfUnsigned(call, what);
  await withPublisher(call, what, async (publisher, groups, publish) => {
    const { sources } = publisher;
    await sources.fetchDue(sharedAbort().signal);
    const outcomes = await publishOrRenew(groups, publisher, publish, context);
    const reasons = [...(outcomes?.values() ?? [])].map(({ kept }) => kept);
    const isOld = sources.states().some(({ failed }) => failed);
    const status = outcomes === null ? exitStatusFor(["failure"]) : exitStatusFor(reasons);
    context.exitWith(status === 0 && isOld ? 1 : status);
  });
}

/** Publishes lists whenever their sources change, until SIGTERM or SIGINT. SIGHUP reloads the settings. */
async function watch(
  call: Call,
  first: ToPublish,
  readAgain: () => Promise<ToPublish>,
): Promise<void> {
  const { files, context, log } = call;
  log.info("started", { version: ownVersion(), store: files.address.shown, pid: process.pid });
  await reloadingOnHangUp(first, readAgain, context, async (what, replaced) => {
    await warnOfUnsigned(call, what);
    return withPublisher(call, what, (publisher, groups, publish) =>
      watchLists(groups, publisher, context, {
        publish,
        collect: what.options.dryRun ? null : dailyCollection(files, what.options),
        replaced,
        onStop: (signal) => log.info("stopping", { signal }),
      }),
    );
  });
  log.info("stopped");
}

export function registerPublish(program: Command, context: Context): void {
  const command = program
    .command("publish")
    .description("make a new version of each list whose sources changed")
    .argument(
      "[NAME=SOURCE...]",
      "a list and a file or URL to read it from; name a list again to add more sources",
    )
    .addOption(
      new Option("--input <format>", "the format of the sources (default: recognized)").choices(
        SOURCE_FORMATS,
      ),
    )
    .option("--column <name>", "the CSV column, or JSON field or path, that holds the entries")
    .option(
      "--where <condition>",
      'the rows that are entries, as in "verdict=malicious" (may be repeated), or "all"',
      parseWhere,
    )
    .option("--allow-empty", "publish a list even if one of its sources is empty")
    .option("--allow-broad", "publish entries for suffixes such as com and co.uk")
    .option("--skip-bad", "leave out lines that are refused, and publish the others")
    .option("--all-or-nothing", "publish no list if another one is refused")
    .option("--resume", "let lists that were rolled back or withdrawn follow their sources again")
    .option("--dry-run", "say what would be published, and write nothing")
    .option("--quiet", "print only problems, as --log-level warn does")
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help)
    .option(
      "--watch",
      "keep running: publish whenever a source changes, sign again before versions expire, and collect garbage once a day (see gc)",
    );
  addSettings(command, [
    ...(["config", "key", "public-key", "lifetime", "min-interval"] as const),
    ...(["interop", "except", "never-block"] as const),
    "share-exceptions",
    ...(["max-removed", "metrics", "log-level"] as const),
    ...(["fetch-every", "fetch-size", "fetch-time"] as const),
    ...(["allow-redirects-to", "allow-private", "keep", "window", "grace"] as const),
  ]).addHelpText("after", HELP);
  command.action(async (given: string[], options: Options) => {
    checkOptions(options);
    const { watch: isWatch } = options;
    const level = options.quiet ? quieter(options.logLevel, "warn") : options.logLevel;
    const log = outputLog(context, level);
    const call: Call = {
      given,
      isGiven: (name) => command.getOptionValueSource(name) === "cli",
      files: storeFilesToChange(options, context),
      context: isWatch ? logContext(context, log) : contextFrom(level, context),
      log,
      states: new Map(),
    };
    const first = await toPublish(call, options);
    await checkStore(call.files);
    if (isWatch) {
      const readAgain = optionsReader<typeof options>(command);
      let inUse = options;
      await watch(call, first, async () => {
        const next = await readAgain(inUse);
        const settings = await toPublish(call, next);
        inUse = next;
        return settings;
      });
    } else await publishOnce(call, first);
  });
}
