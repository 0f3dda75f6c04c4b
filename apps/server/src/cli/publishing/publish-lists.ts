import { tmpdir } from "node:os";
import { join } from "node:path";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import { listNames, type Published, publish, UNFINISHED_FOLDER } from "@x/list-store";
import type { ListContents } from "../../publish/read-list.ts";
import type { ReadProgress } from "../../publish/read-sources.ts";
import type { KeptReason } from "../../publish/write-metrics.ts";
import { type ScratchFile, scratchFile } from "../../storage/scratch-file.ts";
import { readSeen } from "../../storage/seen-versions.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Context } from "../context.ts";
import { checkStore, rememberPublished, type StoreFiles, storedList } from "../store-files.ts";
import { removalCheck, TooManyRemoved } from "./check-removals.ts";
import {
  describeExceptions,
  describeHold,
  describeNames,
  describePublished,
} from "./describe-published.ts";
import { readStoreExceptions } from "./except-file.ts";
import type { Sources } from "./open-sources.ts";
import { reportSource } from "./report-source.ts";
import { type PublishSettings, RENEW_FRACTION } from "./settings.ts";
import { type PublisherKeys, readKeys } from "./signing.ts";

/** For each list, why an older version was kept; `null` if its newest version matches its sources. */
export type KeptLists = ReadonlyMap<string, KeptReason | null>;

/** Warns if there is no file of seen versions, because then an old copy of the store would go unnoticed. */
async function warnOfUnseen({ storage, seenFile }: StoreFiles, { complain }: Context) {
  if ((await readSeen(seenFile)) !== null || (await listNames(storage)).length === 0) return;
  complain(
    printable(
      `warning: the file of seen versions ${seenFile} does not exist; if the store is an old copy, servers that have seen newer versions will refuse what is published now`,
    ),
  );
}

function describeRead({ share, entries }: ReadProgress): string {
  const percent = share === null ? "" : `, ${Math.floor(100 * share)} %`;
  return percent + (entries === 0 ? "" : `, ${counted(entries, "entry", "entries")} so far`);
}

/** Reads the sources of all lists. `null` stands for a list with a source that is refused. */
async function readLists(
  sources: Sources,
  files: StoreFiles,
  settings: PublishSettings,
  context: Context,
  scratch: ScratchFile,
): Promise<Map<string, ListContents | null>> {
  const { skipBad = false, input: format, column, allowEmpty, allowBroad } = settings;
  const { readList } = await import("../../publish/read-list.ts");
  const { jsonReporter, textReporter } = await import("../../publish/report-entries.ts");
  const exceptions = await readStoreExceptions(files, settings);
  const print = (lines: readonly string[]) => {
    for (const line of lines) context.print(printable(line));
  };
  const read = new Map<string, ListContents | null>();
  for (const [list, given] of sources.lists) {
    const reporter = !settings.report ? null : settings.ndjson ? jsonReporter() : textReporter();
    const isPublic = settings.publicNames?.has(list);
    const opened = given.map((source) => sources.open(source, context));
    const usable = opened.filter((source) => source !== null);
    let isAccepted = usable.length === opened.length;
    const contents = await readList(usable, {
      ...{ format, column, allowEmpty, allowBroad, exceptions, scratch },
      sharesExceptions: settings.shareExceptions?.has(list) ?? false,
      variants: settings.interop?.has(list) ?? false,
      names: isPublic ? "public" : settings.keepNames?.has(list) ? "private" : "none",
      onText: reporter === null ? undefined : (...entry) => print(reporter.add(...entry)),
      onSource(report) {
        if (!reportSource(report, skipBad, context)) isAccepted = false;
      },
      beforeRead(progress) {
        context.progress.show(`${list}: reading ${printable(progress.source)}`, () =>
          describeRead(progress),
        );
        return context.drained();
      },
      beforeSort(share) {
        context.progress.show(`${list}: sorting`, () =>
          share === 0 ? "" : `, ${Math.floor(100 * share)} %`,
        );
        return context.drained();
      },
    });
    for (const line of describeExceptions(list, contents)) context.complain(printable(line));
    if (reporter !== null) print(reporter.summary(list));
    read.set(list, isAccepted ? contents : null);
  }
  return read;
}

/** Publishes the contents of lists. Returns for each list why an older version was kept, or `null`. */
async function publishEach(
  lists: ReadonlyMap<string, ListContents>,
  files: StoreFiles,
  settings: PublishSettings & PublisherKeys,
  { complain, progress }: Pick<Context, "complain" | "progress">,
  onPublished: (published: Published) => Promise<void>,
): Promise<Map<string, KeptReason | null>> {
  const { lifetime, trustClock: trustsClock = false, dryRun = false } = settings;
  const { signer, publicKeys, resume = false, maxRemoved } = settings;
  const kept = new Map<string, KeptReason | null>();
  for (const [list, { fullHashes, names }] of lists) {
    const stored = await storedList(files, list, publicKeys);
    const renewWithin = lifetime * RENEW_FRACTION;
    const checkChange = removalCheck(files.storage, maxRemoved);
    try {
      const published = await publish({
        ...{ ...stored, fullHashes, names, sha256 },
        ...{ signer, lifetime, renewWithin, trustsClock, dryRun },
        ...{ respectsHold: !resume, checkChange },
        onProgress: ({ step, objects }) =>
          progress.show(`${list}: ${step}`, () =>
            objects === 0 ? "" : ` ${counted(objects, "object", "objects")}`,
          ),
      });
      kept.set(list, published.isHeld ? holdOf(published) : null);
      await onPublished(published);
    } catch (error) {
      if (!(error instanceof TooManyRemoved)) throw error;
      for (const line of error.message.split("\n")) complain(printable(line));
      kept.set(list, "removals");
    }
  }
  return kept;
}

const holdOf = ({ manifest }: Published): KeptReason =>
  manifest.withdrawn ? "withdrawal" : "rollback";

const hasRefusal = (kept: KeptLists) => [...kept.values()].includes("removals");

/**
 * The folder for temporary files. It is in the store's directory if possible: that disk has room for the list, and the
 * publisher may not be allowed to write anywhere else.
 */
function scratchFolder({ address }: StoreFiles, { dryRun = false }: PublishSettings): string {
  if (address.kind !== "directory" || dryRun) return tmpdir();
  return join(address.directory, UNFINISHED_FOLDER);
}

/**
 * Publishes all lists, or none if a source is refused or too much would be removed. A list that was rolled back or
 * withdrawn stays as it is, and the others are published.
 */
export async function publishLists(
  sources: Sources,
  files: StoreFiles,
  settings: PublishSettings,
  context: Context,
): Promise<KeptLists> {
  const scratch = scratchFile(scratchFolder(files, settings));
  try {
    return await readAndPublish(sources, files, settings, context, scratch);
  } finally {
    scratch.close();
  }
}

async function readAndPublish(
  sources: Sources,
  files: StoreFiles,
  settings: PublishSettings,
  context: Context,
  scratch: ScratchFile,
): Promise<KeptLists> {
  const { dryRun: isDryRun = false, ndjson } = settings;
  const keys = await readKeys(files, settings);
  await checkStore(files);
  await warnOfUnseen(files, context);
  if (!settings.watch) await sources.fetched.fetchDue(new AbortController().signal);
  const read = await readLists(sources, files, settings, context, scratch);
  const accepted = new Map<string, ListContents>();
  for (const [list, contents] of read) if (contents !== null) accepted.set(list, contents);
  const nothingPublished = (kept: KeptLists): KeptLists => {
    context.complain("Nothing was published.");
    const reasonOf = (list: string) =>
      read.get(list) === null ? "source" : (kept.get(list) ?? "other-list");
    return new Map([...read.keys()].map((list) => [list, reasonOf(list)]));
  };
  if (accepted.size < read.size) return nothingPublished(new Map());
  const signed = { ...settings, ...keys };
  // Try all lists first, so that a list that is refused stops the others, too.
  if (accepted.size > 1 && !isDryRun) {
    const trial = await publishEach(
      accepted,
      files,
      { ...signed, dryRun: true },
      context,
      async () => {},
    );
    if (hasRefusal(trial)) return nothingPublished(trial);
  }
  let publishedSome = false;
  const kept = await publishEach(accepted, files, signed, context, async (published) => {
    const { outcome, manifest, isHeld } = published;
    const { list, version } = manifest;
    publishedSome = true;
    if (!isDryRun) await rememberPublished(files, keys.publicKeys, published);
    const print = ndjson ? context.complain : context.print;
    const { variants } = accepted.get(list)!;
    print(describePublished(published, { isDryRun, variants: isHeld ? 0 : variants }));
    if (outcome === "changed" && version === 1 && !isDryRun) print(describeNames(list));
    if (isHeld) context.complain(describeHold(published));
  });
  return hasRefusal(kept) && !publishedSome ? nothingPublished(kept) : kept;
}
