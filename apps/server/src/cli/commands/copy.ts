import { mkdir } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { Failure } from "@x/command-line";
import { counted, formatCount } from "@x/explain/counted";
import {
  type CopiedList,
  type CopyProgress,
  checkListName,
  copyList,
  listNames,
  type Manifest,
  type Storage,
} from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { readHint } from "@x/list-store/serving";
import { type Command, Option } from "commander";
import { recoveredLists } from "../../serve/poll-lists.ts";
import type { LogLevel } from "../../serve/log.ts";
import { rememberSeen, seenVersion } from "../../storage/seen-versions.ts";
import type { Context, LineFacts } from "../context.ts";
import { describeError } from "../describe-error.ts";
import { parseInterval } from "../option-values.ts";
import { addSettingsWithoutStore, LOG_LEVEL } from "../options.ts";
import { writeCopyMetrics } from "../publishing/copy-metrics.ts";
import { complainingOnce, logContext, outputLog, type Said } from "../publishing/log-context.ts";
import { readSettings, type SettingsOptions } from "../settings/settings-file.ts";
import { sharedAbort } from "../shared-abort.ts";
import { parseStore } from "../store-address.ts";
import {
  checkStore,
  checkWritable,
  readPublicKeys,
  type StoreFiles,
  seenOf,
  storageAt,
  storeFiles,
} from "../store-files.ts";
import { ownVersion } from "../version.ts";

interface Options extends Omit<SettingsOptions, "store"> {
  readonly from: string;
  readonly to: string;
  readonly checkCopy?: boolean;
  readonly watch?: boolean;
  readonly every: number;
  readonly metrics?: string;
}

const HELP = `
A version is copied only if it is signed by a trusted key, has not expired, and
follows the versions that the copy has. The public keys of the store and the
file of seen versions are beside it, or where its settings say. No signing key is
needed. With the setting files or seen, the versions that are copied are recorded,
so that another version with the same number is refused, even in another copy.

With --watch, the output is a log of one JSON object per line. A problem is
logged once, until something changes.`;

function describeProgress({ version, newest, objects, bytes }: CopyProgress): string {
  return ` version ${version} of ${newest}; ${counted(objects, "object", "objects")}, ${formatCount(bytes)} bytes so far`;
}

const isNews = ({ versions, objects }: CopiedList) => versions > 0 || objects > 0;

function describeCopied(copied: CopiedList): string {
  const { manifest, versions, objects, bytes, repaired } = copied;
  const { list, version } = manifest;
  if (!isNews(copied)) return `${list}: the copy is up to date, at version ${version}`;
  const before = versions === 0 ? "" : `${counted(versions, "version", "versions")} and `;
  const after = repaired === 0 ? "" : ` (${formatCount(repaired)} had been missing or damaged)`;
  return `${list}: copied ${before}${counted(objects, "object", "objects")}${after}, ${formatCount(bytes)} bytes; the copy is at version ${version}`;
}

/** Wraps a storage so that `get` throws after `signal` is aborted. */
function until(signal: AbortSignal, storage: Storage): Storage {
  return {
    ...storage,
    async get(key, most) {
      signal.throwIfAborted();
      return storage.get(key, most);
    },
  };
}

/**
 * Returns the given names, or those of all lists in the store and its copy. A list that only the copy has is an error.
 */
async function namesOf(given: readonly string[], from: Storage, to: Storage): Promise<string[]> {
  if (given.length > 0) return [...new Set(given)];
  const names = [...(await listNames(from)), ...(await listNames(to))];
  return [...new Set(names)].sort();
}

/** Whether a list is only a folder without a version, in the store as in its copy, for example because `rsync` made it. */
async function isEmptyFolder(list: string, storages: readonly Storage[]): Promise<boolean> {
  for (const storage of storages) {
    if ((await readHint(storage, list)) !== 0) return false;
    if ((await storage.list(`lists/${list}/v/`)).length > 0) return false;
  }
  return true;
}

interface CopySettings {
  readonly checksCopy: boolean;
  /** Whether the versions that were copied are recorded as seen. */
  readonly remembers: boolean;
}

/** Records the version that was copied as seen. If that fails, the copy is complete all the same. */
async function remember(
  { seenFile }: Pick<StoreFiles, "seenFile">,
  copied: CopiedList,
  problems: Said[],
): Promise<void> {
  const { list } = copied.manifest;
  try {
    await rememberSeen(seenFile, new Map([[list, seenVersion(copied)]]));
  } catch (error) {
    const problem = describeError(error);
    if (problem === null) throw error;
    problems.push({
      line: `warning: the version is not recorded as seen: ${problem}`,
      facts: { list },
    });
  }
}

const failuresIn = (said: readonly Said[]) => said.filter(({ facts }) => facts.isFailure).length;

/**
 * Copies each list on its own, so that a list that is refused does not stop the others. Returns the problems and
 * warnings.
 */
async function copyLists(
  given: readonly string[],
  files: StoreFiles,
  to: Storage,
  { checksCopy, remembers }: CopySettings,
  context: Context,
  onCopied: (copied: CopiedList) => void,
): Promise<Said[]> {
  const problems: Said[] = [];
  const attempt = async (run: () => Promise<void>, about: LineFacts = {}) => {
    try {
      await run();
    } catch (error) {
      const problem = describeError(error);
      if (problem === null) throw error;
      problems.push({ line: problem, facts: { ...about, isFailure: true } });
    } finally {
      context.progress.erase();
    }
  };
  await attempt(async () => {
    const { storage: from, address, publicKeyFile } = files;
    const publicKeys = await readPublicKeys(publicKeyFile);
    await checkStore(files);
    const names = await namesOf(given, from, to);
    if (names.length === 0) throw new Failure(`The store ${address.shown} has no lists yet`);
    for (const list of names) {
      await attempt(
        async () => {
          const seen = await seenOf(files, list);
          if (given.length === 0 && seen === null && (await isEmptyFolder(list, [from, to]))) {
            const line = `warning: the folder of the list ${list} has no version, so there is no such list`;
            problems.push({ line, facts: { list } });
            return;
          }
          const onProgress = (progress: CopyProgress) =>
            context.progress.show(`${list}: copying`, () => describeProgress(progress));
          const copied = await copyList({
            from,
            to,
            list,
            publicKeys,
            seen,
            checksCopy,
            onProgress,
          });
          onCopied(copied);
          if (remembers) await remember(files, copied, problems);
        },
        { list },
      );
    }
  });
  return problems;
}

/** Copies the lists once, and calls `onCopied` after each list. Returns the problems. */
type Copy = (onCopied: (copied: CopiedList) => void) => Promise<Said[]>;

/** Writes the metrics, if a file is named. Returns the problems, of which a file that cannot be written is one more. */
async function withMetrics(
  file: string | undefined,
  problems: readonly Said[],
  newest: ReadonlyMap<string, Manifest>,
): Promise<readonly Said[]> {
  if (file === undefined) return problems;
  try {
    await writeCopyMetrics(file, failuresIn(problems), newest);
    return problems;
  } catch (error) {
    const line = describeError(error);
    if (line === null) throw error;
    return [...problems, { line, facts: { isFailure: true } }];
  }
}

async function copyOnce(
  copy: Copy,
  { metrics }: Options,
  { print, complain, exitWith }: Context,
): Promise<void> {
  const newest = new Map<string, Manifest>();
  const found = await copy((copied) => {
    newest.set(copied.manifest.list, copied.manifest);
    print(describeCopied(copied));
  });
  const problems = await withMetrics(metrics, found, newest);
  for (const { line } of problems) complain(line);
  if (failuresIn(problems) > 0) exitWith(2);
}

/** Copies new versions until SIGTERM or SIGINT, which also aborts the reads in progress. */
async function watch(
  copy: Copy,
  { from, to, every, metrics }: Options,
  logLevel: LogLevel,
  context: Context,
  ended: AbortController,
): Promise<void> {
  const { signal } = ended;
  const log = outputLog(context, logLevel);
  const { print, complain } = logContext(context, log);
  const complainOnce = complainingOnce({ complain });
  const newest = new Map<string, Manifest>();
  let before: readonly Said[] = [];
  const end = (signal: NodeJS.Signals) => {
    log.info("stopping", { signal });
    ended.abort();
  };
  log.info("started", { version: ownVersion(), from, to, pid: process.pid });
  process.once("SIGTERM", end).once("SIGINT", end);
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const found = await copy((copied) => {
        const { list, version } = copied.manifest;
        newest.set(list, copied.manifest);
        if (isFirst || isNews(copied)) print(describeCopied(copied), { list, version });
      });
      if (signal.aborted) break;
      const problems = await withMetrics(metrics, found, newest);
      complainOnce(problems);
      for (const list of recoveredLists(before, problems)) {
        if (list !== undefined) print(`${list}: there is no problem any more`, { list });
        else if (problems.length === 0) print("There is no problem any more.");
      }
      before = problems;
      await setTimeout(every, undefined, { signal }).catch(() => {});
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    log.info("stopped");
    // The output is only a log, so the command does not fail when lines of the log cannot be written.
    context.exitWith(0);
    process.off("SIGTERM", end).off("SIGINT", end);
  }
}

export function registerCopy(program: Command, context: Context): void {
  const command = program
    .command("copy")
    .description("copy a store, or bring a copy up to date, and verify everything")
    .argument("[NAME...]", "the lists (default: all; a store at https:// cannot be asked for them)")
    .requiredOption(
      "--from <place>",
      "the store: a directory, s3://BUCKET/PREFIX or https://HOST/PATH/",
    )
    .requiredOption("--to <place>", "the copy: a directory or s3://BUCKET/PREFIX")
    .option(
      "--check-copy",
      "read every object of the copy's newest versions, and replace damaged ones",
    )
    .option("--watch", "keep running, and copy new versions")
    .addOption(
      new Option("--every <duration>", "how often --watch looks for new versions")
        .argParser(parseInterval)
        .default(parseInterval("5m"), "5m"),
    )
    .option("--metrics <file>", "write metrics for the node exporter of Prometheus to this file")
    .option(LOG_LEVEL.flags, LOG_LEVEL.help)
    .addHelpText("after", HELP);
  addSettingsWithoutStore(command).action(async (given: string[], options: Options) => {
    given.forEach(checkListName);
    const { from, to, config, set, logLevel, checkCopy: checksCopy = false } = options;
    const target = parseStore(to);
    checkWritable(target);
    const ended = sharedAbort();
    const { signal } = ended;
    const settingsOptions = { config, set, logLevel, store: from };
    const { settings } = await readSettings(settingsOptions);
    const source = storeFiles(settings, { io: context.io, signal });
    const reading = { ...source, storage: until(signal, source.storage) };
    const isDirectory = target.kind === "directory";
    // If the directory of the copy is missing later, its disk may not be mounted.
    if (isDirectory && options.watch) await mkdir(target.directory, { recursive: true });
    const written = isDirectory
      ? directoryStorage(target.directory, { makesDirectory: !options.watch })
      : storageAt(target, context);
    // Otherwise, the files beside a URL or a bucket may be those of another store of this machine.
    const remembers = settings.files !== undefined || settings.seen !== undefined;
    const how = { checksCopy, remembers };
    const copy: Copy = (onCopied) => copyLists(given, reading, written, how, context, onCopied);
    await (options.watch
      ? watch(copy, options, settings.log.level, context, ended)
      : copyOnce(copy, options, context));
  });
}
