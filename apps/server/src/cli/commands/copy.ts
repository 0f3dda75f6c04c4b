import { mkdir, realpath } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { Failure } from "@x/command-line";
import { counted, formatCount } from "@x/explain/counted";
import {
  type CopiedList,
  checkListName,
  copyList,
  listNames,
  type Manifest,
  type Storage,
} from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { readHint } from "@x/list-store/serving";
import { type Command, Option } from "commander";
import type { LogLevel } from "../../serve/log.ts";
import { recoveredLists } from "../../serve/poll-lists.ts";
import { rememberSeen, seenVersion } from "../../storage/seen-versions.ts";
import { type Context, type LineFacts, ownVersion, sharedAbort } from "../context.ts";
import { describeError } from "../errors.ts";
import { complainingOnce, logContext, outputLog, type Said } from "../log-context.ts";
import { addSettingsWithoutStore, LOG_LEVEL, parseInterval } from "../options.ts";
import { writeCopyMetrics } from "../publishing/metrics.ts";
import { findSettings, type SettingsOptions } from "../settings/settings-file.ts";
import { readPublicKeys, seenOf } from "../signing.ts";
import { parseStore, type StoreAddress } from "../store-address.ts";
import {
  checkStore,
  checkWritable,
  type StoreFiles,
  storageAt,
  storeFiles,
} from "../store-files.ts";

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
file of seen versions are beside it, or where its settings say. No signing key
is needed. With the setting "files" or "seen", the versions that are copied are
recorded, so that another version with the same number is refused, even in
another copy.

With --watch, the output is a log: text on a terminal, and elsewhere one JSON
object per line. A problem is logged once, until something changes.`;

/** What is copied, and how. */
interface Copying {
  /** The names of the lists; none for all lists. */
  readonly given: readonly string[];
  readonly files: StoreFiles;
  readonly to: Storage;
  readonly checksCopy: boolean;
  /** Whether the versions that were copied are recorded as seen. */
  readonly remembers: boolean;
  /** The metrics file, if there is one. */
  readonly metrics: string | undefined;
  /** The newest versions that were copied, for the metrics. */
  readonly newest: Map<string, Manifest>;
  readonly progress: Context["progress"];
}

type OnCopied = (line: string, facts: LineFacts, isNews: boolean) => void;

const isFailure = ({ facts }: Said) => facts.isFailure === true;

/** Copies all lists, and writes the metrics. Returns the problems and warnings. */
async function copyLists(copying: Copying, onCopied: OnCopied): Promise<Said[]> {
  const { given, files, to, metrics, newest, progress } = copying;
  const problems: Said[] = [];
  // A list that is refused does not stop the others.
  const attempt = async (run: () => Promise<void>, about: LineFacts = {}) => {
    try {
      await run();
    } catch (error) {
      const line = describeError(error);
      if (line === null) throw error;
      problems.push({ line, facts: { ...about, isFailure: true } });
    } finally {
      progress.erase();
    }
  };
  await attempt(async () => {
    const { storage: from, address } = files;
    const publicKeys = await readPublicKeys(files.publicKeyFile);
    await checkStore(files);
    // Without names, a list that only the copy has is an error.
    const all =
      given.length > 0 ? given : [...(await listNames(from)), ...(await listNames(to))].sort();
    if (all.length === 0) throw new Failure(`The store ${address.shown} has no lists yet`);
    for (const list of new Set(all)) {
      await attempt(() => copyOne(list, publicKeys, copying, problems, onCopied), { list });
    }
  });
  if (metrics !== undefined) {
    await attempt(() => writeCopyMetrics(metrics, problems.filter(isFailure).length, newest));
  }
  return problems;
}

async function copyOne(
  list: string,
  publicKeys: readonly string[],
  { given, files, to, checksCopy, remembers, newest, progress }: Copying,
  problems: Said[],
  onCopied: OnCopied,
): Promise<void> {
  const { storage: from, seenFile } = files;
  const warn = (text: string) => void problems.push({ line: `warning: ${text}`, facts: { list } });
  const seen = await seenOf(files, list);
  if (given.length === 0 && seen === null && (await isEmptyFolder(list, [from, to]))) {
    return warn(`the folder of the list ${list} has no version, so there is no such list`);
  }
  const options = { from, to, list, publicKeys, seen, checksCopy };
  const copied = await copyList({
    ...options,
    onProgress: ({ version, newest: last, objects, bytes }) =>
      progress.show(
        `${list}: copying`,
        () =>
          ` version ${version} of ${last}; ${counted(objects, "object", "objects")}, ${formatCount(bytes)} bytes so far`,
      ),
  });
  const { manifest, versions, objects } = copied;
  newest.set(list, manifest);
  const isNews = versions > 0 || objects > 0;
  onCopied(describeCopied(copied, isNews), { list, version: manifest.version }, isNews);
  if (!remembers) return;
  try {
    await rememberSeen(seenFile, new Map([[list, seenVersion(copied)]]));
  } catch (error) {
    // The copy is complete all the same.
    const problem = describeError(error);
    if (problem === null) throw error;
    warn(`the version is not recorded as seen: ${problem}`);
  }
}

/**
 * Whether a list is only a folder without a version, in the store as in its copy, for example because `rsync` made it.
 */
async function isEmptyFolder(list: string, storages: readonly Storage[]): Promise<boolean> {
  for (const storage of storages) {
    if ((await readHint(storage, list)) !== 0) return false;
    if ((await storage.list(`lists/${list}/v/`)).length > 0) return false;
  }
  return true;
}

function describeCopied(
  { manifest, versions, objects, bytes, repaired }: CopiedList,
  isNews: boolean,
): string {
  const { list, version } = manifest;
  if (!isNews) return `${list}: the copy is up to date, at version ${version}`;
  const before = versions === 0 ? "" : `${counted(versions, "version", "versions")} and `;
  const after = repaired === 0 ? "" : ` (${formatCount(repaired)} had been missing or damaged)`;
  return `${list}: copied ${before}${counted(objects, "object", "objects")}${after}, ${formatCount(bytes)} bytes; the copy is at version ${version}`;
}

async function copyOnce(copying: Copying, { print, complain, exitWith }: Context): Promise<void> {
  const problems = await copyLists(copying, print);
  for (const { line } of problems) complain(line);
  if (problems.some(isFailure)) exitWith(2);
}

/** Copies new versions until SIGTERM or SIGINT, which also aborts the reads in progress. */
async function watch(
  copying: Copying,
  { from, to, every }: Options,
  logLevel: LogLevel,
  context: Context,
  ended: AbortController,
): Promise<void> {
  const { signal } = ended;
  const log = outputLog(context, logLevel);
  const { print, complain } = logContext(context, log);
  const complainOnce = complainingOnce({ complain });
  let before: readonly Said[] = [];
  const end = (signal: NodeJS.Signals) => {
    log.info("stopping", { signal });
    ended.abort();
  };
  log.info("started", { version: ownVersion(), from, to, pid: process.pid });
  process.once("SIGTERM", end).once("SIGINT", end);
  try {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const problems = await copyLists(copying, (line, facts, isNews) => {
        if (isFirst || isNews) print(line, facts);
      });
      if (signal.aborted) break;
      complainOnce(problems);
      for (const list of recoveredLists(before, problems)) {
        if (list !== undefined) print(`${list}: the problem is solved`, { list });
        else if (problems.length === 0) print("The problem is solved.");
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

/** Throws if both addresses are of one store. A link to a directory is the same place. */
async function checkDiffer(from: StoreAddress, to: StoreAddress): Promise<void> {
  const placeOf = (address: StoreAddress) =>
    address.kind === "directory"
      ? realpath(address.directory).catch(() => address.directory)
      : address.shown;
  if ((await placeOf(from)) !== (await placeOf(to))) return;
  throw new Failure(
    `--from and --to are the same store, ${from.shown}: name another place for the copy`,
  );
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

export function registerCopy(program: Command, context: Context): void {
  const command = program
    .command("copy")
    .summary("copy a store, or bring a copy up to date")
    .description("copy a store, or bring a copy up to date, and verify everything")
    .argument("[NAME...]", "the lists (default: all; a store at https:// cannot be asked for them)")
    .requiredOption(
      "--from <place>",
      "the store: a directory, s3://BUCKET/PREFIX or https://HOST/PATH/",
    )
    .requiredOption("--to <place>", "the copy: a directory or s3://BUCKET/PREFIX")
    .option("--check-copy", "verify the copy's newest versions; damaged objects are replaced")
    .option("--watch", "keep running, and copy new versions")
    .addOption(
      new Option("--every <duration>", "how often --watch looks for new versions")
        .argParser(parseInterval)
        .default(parseInterval("5m"), "5m"),
    )
    .option(
      "--metrics <file>",
      "write metrics for Prometheus to this file; its node exporter reads it",
    )
    .option(LOG_LEVEL.flags, LOG_LEVEL.help)
    .addHelpText("after", HELP);
  addSettingsWithoutStore(command).action(async (given: string[], options: Options) => {
    given.forEach(checkListName);
    const { from, to, config, set, logLevel, metrics, checkCopy: checksCopy = false } = options;
    const target = parseStore(to);
    checkWritable(target);
    await checkDiffer(parseStore(from), target);
    const ended = sharedAbort();
    const { signal } = ended;
    const { settings, warning } = await findSettings({ config, set, logLevel, store: from });
    const { level } = settings.log;
    const printing = options.watch ? logContext(context, outputLog(context, level)) : context;
    if (warning !== null) printing.complain(`warning: ${warning}`);
    const source = storeFiles(settings, { io: context.io, signal });
    const isDirectory = target.kind === "directory";
    // If the directory of the copy is missing later, its disk may not be mounted.
    if (isDirectory && options.watch) await mkdir(target.directory, { recursive: true });
    const copying: Copying = {
      given,
      files: { ...source, storage: until(signal, source.storage) },
      to: isDirectory
        ? directoryStorage(target.directory, { makesDirectory: !options.watch })
        : storageAt(target, context),
      checksCopy,
      // Otherwise, the files beside a URL or a bucket may be those of another store of this machine.
      remembers: settings.files !== undefined || settings.seen !== undefined,
      metrics,
      newest: new Map(),
      progress: context.progress,
    };
    await (options.watch
      ? watch(copying, options, level, context, ended)
      : copyOnce(copying, context));
  });
}
