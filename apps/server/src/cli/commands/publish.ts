import { Failure } from "@x/command-line";
import { SOURCE_FORMATS } from "@x/list-source";
import { listNames } from "@x/list-store";
import { type Command, Option } from "commander";
import { checkServedName } from "../../serve/lists/threat-rows.ts";
import type { LogLevel } from "../../serve/log.ts";
import type { CollectSettings } from "../collect-store.ts";
import type { Context } from "../context.ts";
import { addSettings, reloadOptions, TRUST_CLOCK } from "../options.ts";
import { dailyCollection } from "../publishing/collect-daily.ts";
import { chosenLists } from "../publishing/list-options.ts";
import { logContext, outputLog } from "../publishing/log-context.ts";
import { withSources } from "../publishing/open-sources.ts";
import {
  type Group,
  type Outcomes,
  publishGroups,
  type TimedOutcome,
} from "../publishing/publish-lists.ts";
import { reloadingOnHangUp } from "../publishing/reload-settings.ts";
import type {
  FetchOptions,
  ListOptions,
  ListSettings,
  RunOptions,
} from "../publishing/settings.ts";
import { watchLists } from "../publishing/watch-lists.ts";
import { isIntended, type ListState, writeMetrics } from "../publishing/write-metrics.ts";
import type { StoreOptions } from "../store-address.ts";
import { checkStore, storeFilesToChange } from "../store-files.ts";
import { ownVersion } from "../version.ts";

const HELP = `
NAME is a threat type that clients know (malware, social-engineering,
social-engineering-extended-coverage, unwanted-software,
potentially-harmful-application), or a name of your own.

SOURCE is a file, or a URL such as https://feed.example/urls.txt.

Lists with settings of their own are in a file: see --config.

With --watch, the log goes to standard output, one JSON object per line.`;

/** All options of the command. Each part of the program gets those that it needs. */
interface Options
  extends StoreOptions,
    Omit<RunOptions, "dryRun">,
    ListOptions,
    FetchOptions,
    CollectSettings {
  readonly config?: string;
  readonly metrics?: string;
  readonly logLevel: LogLevel;
  readonly watch?: boolean;
  readonly allOrNothing?: boolean;
}

/** The lists to publish, and the options of the run. */
interface ToPublish {
  readonly options: Options;
  readonly lists: readonly ListSettings[];
}

/** Warns about names in a setting that are probably misspelt, because no list has them. */
function warnOfUnknown(
  { keepNames, publicNames, interop, shareExceptions, maxRemoved }: ListOptions,
  lists: readonly string[],
  { complain }: Context,
): void {
  const named = {
    "keep-names": keepNames,
    "public-names": publicNames,
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

const UNKNOWN: ListState = { kept: null, manifest: null, seconds: null, succeeded: null };

/** What is known about a list after it was published. */
function stateAfter(
  { kept, manifest, seconds }: TimedOutcome,
  { manifest: known, succeeded }: ListState = UNKNOWN,
): ListState {
  return {
    kept,
    seconds,
    manifest: manifest ?? known,
    succeeded: isIntended(kept) ? Date.now() : succeeded,
  };
}

/** The exit status after a run. */
function statusAfter(outcomes: Outcomes): number {
  const kept = [...outcomes.values()].map((outcome) => outcome.kept);
  if (kept.includes("failure")) return 2;
  return kept.every(isIntended) ? 0 : 1;
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
    .option("--allow-empty", "publish a list even if one of its sources is empty")
    .option("--allow-broad", "publish entries for whole top-level domains, such as com")
    .option("--skip-bad", "leave out lines that are refused, and publish the others")
    .option("--all-or-nothing", "publish no list if another one is refused")
    .option("--resume", "let lists that were rolled back or withdrawn follow their sources again")
    .option("--dry-run", "say what would be published, and write nothing")
    .option("--report", "say which entries some client cannot block, and why")
    .option("--ndjson", "write the report on every entry, as one JSON object per line")
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help)
    .option(
      "--watch",
      "keep running: publish whenever a source changes, sign again before versions expire, and collect garbage once a day (see gc)",
    );
  addSettings(command, [
    ...(["config", "key", "public-key", "lifetime", "min-interval"] as const),
    ...(["keep-names", "public-names", "interop", "except", "share-exceptions"] as const),
    ...([
      "max-removed",
      "metrics",
      "log-level",
      "fetch-every",
      "fetch-size",
      "fetch-time",
    ] as const),
    ...(["allow-redirects-to", "allow-private", "keep", "window", "grace"] as const),
  ]).addHelpText("after", HELP);
  command.action(async (given: string[], options: Options) => {
    const { dryRun = false, watch = false } = options;
    if (options.resume && watch)
      throw new Failure("--resume is for a single run: use it without --watch");
    if (options.report && watch)
      throw new Failure("--report is for a single run: use it without --watch");
    if (options.ndjson && !options.report) throw new Failure("--ndjson needs --report");
    const isGiven = (name: string) => command.getOptionValueSource(name) === "cli";
    const files = storeFilesToChange(options, context);
    const log = outputLog(context, options.logLevel);
    const telling = watch ? logContext(context, log) : context;
    const states = new Map<string, ListState>();

    /** What is published, and how. Reads the file of lists. */
    async function toPublish(options: Options): Promise<ToPublish> {
      const lists = await chosenLists(given, options.config, options, isGiven);
      const names = [...lists.map(({ list }) => list), ...(await listNames(files.storage))];
      for (const { list } of lists) checkServedName(list, names);
      warnOfUnknown(options, names, telling);
      return { options, lists };
    }

    /** @param replaced ends `--watch` when there are new settings. Returns whether it ended for that reason. */
    async function run({ options, lists }: ToPublish, replaced: AbortSignal): Promise<boolean> {
      let isReplaced = false;
      const groups = options.allOrNothing ? [lists] : lists.map((each) => [each]);
      const opening = { ...options, folder: files.fetchedFolder };
      await withSources(lists, opening, async (sources) => {
        const publisher = { files, sources, options, count: lists.length };
        /** Publishes, and writes the metrics even if publishing fails. */
        async function publishMeasured(
          some: readonly Group[],
          context: Context,
        ): Promise<Outcomes> {
          try {
            const outcomes = await publishGroups(some, publisher, context);
            for (const [list, outcome] of outcomes)
              states.set(list, stateAfter(outcome, states.get(list)));
            return outcomes;
          } catch (error) {
            for (const { list } of some.flat())
              states.set(list, { ...(states.get(list) ?? UNKNOWN), kept: "failure" });
            throw error;
          } finally {
            context.progress.erase();
            if (options.metrics !== undefined && !dryRun) {
              const own = lists.flatMap(({ list }) => {
                const state = states.get(list);
                return state === undefined ? [] : [[list, state] as const];
              });
              await writeMetrics(options.metrics, new Map(own), sources.states());
            }
          }
        }
        if (watch) {
          const collect = dryRun ? null : dailyCollection(files, options);
          const publishGroup = (group: Group, context: Context) =>
            publishMeasured([group], context);
          isReplaced = await watchLists(groups, publisher, telling, {
            publishGroup,
            collect,
            replaced,
            onStop: (signal) => log.info("stopping", { signal }),
          });
          return;
        }
        await sources.fetchDue(new AbortController().signal);
        context.exitWith(statusAfter(await publishMeasured(groups, context)));
      });
      return isReplaced;
    }

    const first = await toPublish(options);
    await checkStore(files);
    if (!watch) {
      await run(first, new AbortController().signal);
      return;
    }
    const read = async () => toPublish(await reloadOptions<Options>(command));
    const { shown: store } = files.address;
    log.info("started", { version: ownVersion(), store, pid: process.pid });
    await reloadingOnHangUp(first, read, telling, run);
    log.info("stopped");
  });
}
