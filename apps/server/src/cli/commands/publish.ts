import { Failure } from "@x/command-line";
import { SOURCE_FORMATS } from "@x/list-source";
import { listNames } from "@x/list-store";
import { type Command, Option } from "commander";
import { isIntended, type KeptReason, writeMetrics } from "../../publish/write-metrics.ts";
import { checkServedName } from "../../serve/lists/threat-rows.ts";
import type { Context } from "../context.ts";
import { addSettings, reloadOptions, TRUST_CLOCK } from "../options.ts";
import { type Sources, withSources } from "../publishing/open-sources.ts";
import { type KeptLists, publishLists } from "../publishing/publish-lists.ts";
import { reloadingOnHangUp } from "../publishing/reload-settings.ts";
import type { PublishSettings } from "../publishing/settings.ts";
import { sourcesByList } from "../publishing/sources-by-list.ts";
import { watchLists } from "../publishing/watch-lists.ts";
import { checkStore, type StoreFiles, storeFilesToChange } from "../store-files.ts";

const HELP = `
NAME is a threat type that clients know (malware, social-engineering,
social-engineering-extended-coverage, unwanted-software,
potentially-harmful-application), or a name of your own.

SOURCE is a file, or a URL such as https://feed.example/urls.txt.`;

/** Warns about names in a setting that are probably misspelt, because no list has them. */
function warnOfUnknown(
  { keepNames, publicNames, interop, shareExceptions, maxRemoved }: PublishSettings,
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

/** Publishes once, and writes the metrics even if publishing fails. */
async function publishMeasured(
  sources: Sources,
  files: StoreFiles,
  settings: PublishSettings,
  context: Context,
): Promise<KeptLists> {
  const { metrics, dryRun } = settings;
  const failed: KeptReason = "failure";
  let kept: KeptLists = new Map([...sources.lists.keys()].map((list) => [list, failed]));
  try {
    kept = await publishLists(sources, files, settings, context);
    return kept;
  } finally {
    context.progress.erase();
    if (metrics !== undefined && !dryRun) await writeMetrics(metrics, kept, sources.states());
  }
}

export function registerPublish(program: Command, context: Context): void {
  const command = program
    .command("publish")
    .description("make a new version of each list whose sources changed")
    .argument(
      "<NAME=SOURCE...>",
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
    ...(["key", "public-key", "lifetime", "keep-names", "public-names", "interop"] as const),
    ...([
      "except",
      "share-exceptions",
      "max-removed",
      "metrics",
      "fetch-every",
      "fetch-size",
      "fetch-time",
    ] as const),
    ...(["allow-redirects-to", "allow-private", "keep", "window", "grace"] as const),
  ]).addHelpText("after", HELP);
  command.action(async (given: string[], settings: PublishSettings) => {
    if (settings.resume && settings.watch)
      throw new Failure("--resume is for a single run: use it without --watch");
    if (settings.ndjson && !settings.report) throw new Failure("--ndjson needs --report");
    const lists = sourcesByList(given);
    const files = storeFilesToChange(settings, context);
    const names = [...lists.keys(), ...(await listNames(files.storage))];
    for (const name of lists.keys()) checkServedName(name, names);
    await checkStore(files);
    warnOfUnknown(settings, names, context);
    await withSources(lists, files, settings, async (sources) => {
      if (settings.watch) {
        const read = () => reloadOptions<PublishSettings>(command);
        return reloadingOnHangUp(settings, read, context, (current) =>
          watchLists(sources, files, current, context, (context) =>
            publishMeasured(sources, files, current, context),
          ),
        );
      }
      const publishOnce = (context: Context) => publishMeasured(sources, files, settings, context);
      const kept = await publishOnce(context);
      if (![...kept.values()].every(isIntended)) context.exitWith(1);
    });
  });
}
