import { Failure } from "@x/command-line";
import { SOURCE_FORMATS } from "@x/list-source";
import { listNames, readNewest } from "@x/list-store";
import { type Command, Option } from "commander";
import { checkServedName } from "../../serve/lists/threat-rows.ts";
import type { ServerLog } from "../../serve/log.ts";
import type { Context } from "../context.ts";
import { parseWhere } from "../option-values.ts";
import { addSettings, LOG_LEVEL, TRUST_CLOCK } from "../options.ts";
import { dailyCollection } from "../publishing/collect-daily.ts";
import { exitStatusFor } from "../publishing/intended-outcomes.ts";
import { chosenLists, type SourceOptions } from "../publishing/list-settings.ts";
import { contextFrom, logContext, outputLog } from "../publishing/log-context.ts";
import { withSources } from "../publishing/open-sources.ts";
import type { Group, Outcomes, Publisher } from "../publishing/publish-lists.ts";
import { type PublisherMetrics, publishMeasured } from "../publishing/publish-measured.ts";
import { reloadingOnHangUp } from "../publishing/reload-on-hang-up.ts";
import { publishOrRenew } from "../publishing/renew-versions.ts";
import { type ListSettings, RENEW_FRACTION, type RunOptions } from "../publishing/settings.ts";
import { watchLists } from "../publishing/watch-lists.ts";
import {
  type GivenSettings,
  readSettings,
  readSettingsAgain,
  type SettingsOptions,
} from "../settings/settings-file.ts";
import { sharedAbort } from "../shared-abort.ts";
import { checkStore, readPublicKeys, type StoreFiles, storeFilesToChange } from "../store-files.ts";
import { ownVersion } from "../version.ts";

const HELP = `
NAME is a threat type that clients know (malware, social-engineering,
social-engineering-extended-coverage, unwanted-software,
potentially-harmful-application), or a name of your own.

SOURCE is a file, or a URL such as https://feed.example/urls.txt.

Without NAME=SOURCE, the lists and their sources are in the settings file.

With --watch, the log goes to standard output, one JSON object per line.`;

interface Options extends SettingsOptions, SourceOptions, RunOptions {
  readonly watch?: boolean;
}

type Publish = (groups: readonly Group[], context: Context) => Promise<Outcomes>;

interface ToPublish {
  readonly given: GivenSettings;
  readonly files: StoreFiles;
  readonly lists: readonly ListSettings[];
}

function checkOptions({ resume, watch }: Options): void {
  if (resume && watch) throw new Failure("--resume is for a single run: use it without --watch");
}

/** The parts of a call that stay the same when the settings are read again. */
interface Call {
  readonly names: readonly string[];
  readonly options: Options;
  readonly context: Context;
  readonly log: ServerLog;
  readonly states: PublisherMetrics["states"];
}

/**
 * Returns the lists on the command line or in the settings. Throws if clients would mistake one list for another.
 */
async function toPublish(
  { names, options: { input, column, where }, context }: Call,
  given: GivenSettings,
): Promise<ToPublish> {
  const files = storeFilesToChange(given.settings, context);
  const lists = chosenLists(names, given, {
    ...(input && { input }),
    ...(column && { column }),
    ...(where && { where }),
  });
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
      `warning: nobody signs ${list} any more, because it is not in the settings: version ${version} ${left > 0 ? "expires" : "expired"} at ${time}, and look-ups fail from then on; end the list with urlhash-server retire ${list}, or put it back`,
      { list, version },
    );
  }
}

/** Opens the sources, and calls `use` with the lists in groups and a function that publishes groups. */
function withPublisher<Result>(
  { states, options }: Call,
  { given: { settings }, files, lists }: ToPublish,
  use: (publisher: Publisher, groups: readonly Group[], publish: Publish) => Promise<Result>,
): Promise<Result> {
  const { watch = false, dryRun = false } = options;
  const groups = settings["all-or-nothing"] ? [lists] : lists.map((each) => [each]);
  const measured = { file: dryRun ? null : (settings.metrics ?? null), lists, states };
  const opening = { fetch: settings.fetch, folder: files.fetchedFolder, watch, dryRun };
  return withSources(lists, opening, (sources) => {
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
  const { context, log, options } = call;
  const store = first.files.address.shown;
  log.info("started", { version: ownVersion(), store, pid: process.pid });
  await reloadingOnHangUp(first, readAgain, context, async (what, replaced) => {
    await warnOfUnsigned(call, what);
    return withPublisher(call, what, (publisher, groups, publish) =>
      watchLists(groups, publisher, context, {
        publish,
        collect: options.dryRun ? null : dailyCollection(what.files, what.given.settings.keep),
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
    .option("--resume", "let lists that were rolled back or withdrawn follow their sources again")
    .option("--dry-run", "say what would be published, and write nothing")
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help)
    .option(LOG_LEVEL.flags, LOG_LEVEL.help)
    .option(
      "--watch",
      "keep running: publish whenever a source changes, sign again before versions expire, and collect garbage once a day (see gc)",
    );
  addSettings(command).addHelpText("after", HELP);
  command.action(async (names: string[], options: Options) => {
    checkOptions(options);
    const { watch: isWatch } = options;
    const given = await readSettings(options);
    const { level } = given.settings.log;
    const log = outputLog(context, level);
    const call: Call = {
      names,
      options,
      context: isWatch ? logContext(context, log) : contextFrom(level, context),
      log,
      states: new Map(),
    };
    const first = await toPublish(call, given);
    await checkStore(first.files);
    if (!isWatch) return publishOnce(call, first);
    let inUse = given;
    return watch(call, first, async () => {
      const next = await readSettingsAgain(options, inUse);
      const settings = await toPublish(call, next);
      inUse = next;
      return settings;
    });
  });
}
