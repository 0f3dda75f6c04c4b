import { stat } from "node:fs/promises";
import { counted } from "@x/explain/counted";
import { printable } from "@x/explain/printable";
import { SOURCE_FORMATS, type SourceFormat } from "@x/list-source";
import { type Command, Option } from "commander";
import type { SourceReport } from "../../publish/read-sources.ts";
import { watchSources } from "../../publish/watch-sources.ts";
import { checkServedName } from "../../serve/lists/threat-rows.ts";
import { listNames } from "../../store/collect-garbage.ts";
import { checkListName } from "../../store/keys.ts";
import { type Publication, type Published, publish, renew } from "../../store/publish.ts";
import { readSeen } from "../../store/seen-versions.ts";
import type { Context } from "../context.ts";
import { Failure } from "../failure.ts";
import { addSettings, TRUST_CLOCK } from "../options.ts";
import {
  checkDirectory,
  readPublicKeys,
  readSigner,
  rememberPublished,
  type StoreFiles,
  seenOf,
  storeFiles,
} from "../store-files.ts";
import { isSystemError, systemProblem } from "../system-error.ts";

interface Options {
  readonly store: string;
  readonly key?: string;
  readonly publicKey?: string;
  readonly lifetime: number;
  readonly trustClock?: boolean;
  readonly keepNames?: ReadonlySet<string>;
  readonly interop?: ReadonlySet<string>;
  readonly report?: boolean;
  readonly json?: boolean;
  readonly allowEmpty?: boolean;
  readonly skipBad?: boolean;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
  readonly input?: SourceFormat;
  readonly column?: string;
}

/** A version is signed again when less than this part of its lifetime is left. */
const RENEW_FRACTION = 1 / 3;

/** The sources of each list, from arguments such as `malware=urls.txt`; a list may be named more than once. */
function sourcesByList(given: readonly string[]): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const each of given) {
    const at = each.indexOf("=");
    if (at < 1 || at === each.length - 1) {
      throw new Failure(
        `Expected NAME=SOURCE, such as malware=urls.txt, not ${JSON.stringify(each)}`,
      );
    }
    const name = each.slice(0, at);
    checkListName(name);
    lists.set(name, [...(lists.get(name) ?? []), each.slice(at + 1)]);
  }
  return lists;
}

function describe({ outcome, manifest }: Published, isDryRun: boolean, variants = 0): string {
  const { list, version, contents, change } = manifest;
  const all = counted(contents.fullHashes, "entry", "entries");
  const entries =
    variants === 0 ? all : `${all} (${counted(variants, "variant", "variants")} among them)`;
  const names = contents.names === undefined ? "" : "; host names are kept";
  const would = isDryRun ? "would be " : "";
  if (outcome === "unchanged")
    return `${list}: unchanged at version ${version}, ${entries}${names}`;
  if (outcome === "renewed")
    return `${list}: ${would}signed again as version ${version}, ${entries}${names}`;
  return `${list}: ${would}version ${version}, ${entries}: ${change!.addedEntries} added, ${change!.removedEntries} removed${names}`;
}

export function registerPublish(program: Command, context: Context): void {
  const command = program
    .command("publish")
    .description("make a new version of each list whose sources changed")
    .argument(
      "<NAME=SOURCE...>",
      "a list and a file to read it from; name a list again to add more files",
    )
    .addOption(
      new Option("--input <format>", "the format of the sources (default: recognized)").choices(
        SOURCE_FORMATS,
      ),
    )
    .option("--column <name>", "the CSV column or JSON field that holds the entries")
    .option("--allow-empty", "publish a list even if one of its sources is empty")
    .option("--skip-bad", "leave out lines that are refused, and publish the others")
    .option("--dry-run", "say what would be published, and write nothing")
    .option("--report", "say for each entry which clients will block it, which cannot, and why")
    .option("--json", "write the report as JSON, one object per line")
    .option(TRUST_CLOCK.flags, TRUST_CLOCK.help)
    .option(
      "--watch",
      "keep running: publish whenever a source changes, and sign again before versions expire",
    );
  addSettings(command, ["key", "public-key", "lifetime", "keep-names", "interop"]).addHelpText(
    "after",
    `
NAME is a threat type that clients know (malware, social-engineering,
social-engineering-extended-coverage, unwanted-software,
potentially-harmful-application), or a name of your own.`,
  );
  command.action(async (given: string[], options: Options) => {
    if (options.json && !options.report) throw new Failure("--json needs --report");
    const lists = sourcesByList(given);
    const files = storeFiles(options.store);
    const names = [...lists.keys(), ...(await listNames(files.storage))];
    for (const name of lists.keys()) checkServedName(name, names);
    warnOfUnknown("keep-names", options.keepNames, names, context);
    warnOfUnknown("interop", options.interop, names, context);
    const once = () => publishOnce(lists, files, options, context);
    if (!options.watch) {
      if (!(await once())) context.exitWith(1);
      return;
    }
    const onceOrRenewed = async () => {
      try {
        if (await once()) return;
      } catch (error) {
        const problem = isSystemError(error) ? systemProblem(error) : (error as Error).message;
        context.complain(printable(problem));
      }
      await renewOld([...lists.keys()], files, options, context);
    };
    const sources = [...lists.values()].flat();
    for (const source of sources) await checkWatchable(source);
    await watchSources(sources, onceOrRenewed, options.lifetime * RENEW_FRACTION, context.complain);
  });
}

/** Throws for a pipe, a socket or a device: it can be read only once, and another reader may wait for it forever. */
async function checkWatchable(source: string): Promise<void> {
  const facts = await stat(source).catch(() => null);
  if (facts === null || facts.isFile() || facts.isDirectory()) return;
  throw new Failure(`--watch needs files, but ${source} is not a regular file`);
}

/** Warns when an old copy of the store could not be told from the newest one. */
async function warnOfUnseen({ storage, seenFile }: StoreFiles, { complain }: Context) {
  if ((await readSeen(seenFile)) !== null || (await listNames(storage)).length === 0) return;
  complain(
    printable(
      `warning: the file ${seenFile} of seen versions does not exist; if the store is an old copy, servers that have seen newer versions will refuse what is published now`,
    ),
  );
}

/** Warns of names in a setting that are probably misspelt: no list has them. */
function warnOfUnknown(
  setting: string,
  named: ReadonlySet<string> | undefined,
  lists: readonly string[],
  { complain }: Context,
): void {
  for (const name of named ?? []) {
    if (!lists.includes(name)) complain(`${setting} names ${name}, but there is no such list`);
  }
}

/** Reads the keys, which must belong together. */
async function readKeys(files: StoreFiles, { key, publicKey }: Options) {
  const signer = await readSigner(key ?? files.keyFile);
  const publicKeys = await readPublicKeys(publicKey ?? files.publicKeyFile);
  if (!publicKeys.includes(signer.publicKey)) {
    throw new Failure("The signing key does not belong to one of the public keys");
  }
  return { signer, publicKeys };
}

/** Signs the published versions again while sources are wrong, so that they do not expire. */
async function renewOld(
  lists: readonly string[],
  files: StoreFiles,
  options: Options,
  { print }: Context,
): Promise<void> {
  const { lifetime } = options;
  const { storage } = files;
  const keys = await readKeys(files, options);
  for (const list of lists) {
    const seen = await seenOf(files, list);
    if (seen === null) continue;
    const renewWithin = lifetime * RENEW_FRACTION;
    const trustsClock = options.trustClock ?? false;
    const renewal = { storage, list, ...keys, lifetime, renewWithin, seen, trustsClock };
    const published = await renew(renewal);
    await rememberPublished(files, keys.publicKeys, published);
    if (published.outcome === "renewed") print(describe(published, false));
  }
}

/** Reports what became of a source, and returns whether a list may be made from it. */
function reportSource(report: SourceReport, skipBad: boolean, { complain }: Context): boolean {
  const { source, refused, refusals, warned, warnings, notApplicable, found, problem } = report;
  const say = (text: string) => complain(printable(`${source}${text}`));
  for (const { line, message } of refusals) say(`:${line}: ${message}`);
  if (refused > refusals.length)
    say(`: ${counted(refused - refusals.length, "more line", "more lines")} refused`);
  for (const { line, message } of warnings) say(`:${line}: warning: ${message}`);
  if (warned > warnings.length)
    say(`: ${counted(warned - warnings.length, "more warning", "more warnings")}`);
  if (notApplicable > 0) {
    say(`: read as ${found}; ${counted(notApplicable, "part", "parts")} of it did not apply`);
  }
  if (problem !== null) say(`: ${problem}`);
  else if (refused > 0 && !skipBad) say(": correct the refused lines, or use --skip-bad");
  return problem === null && (refused === 0 || skipBad);
}

/** What a list is published with. */
interface ListContents extends Pick<Publication, "fullHashes" | "names"> {
  /** How many of the hashes are variants of entries. */
  readonly variants: number;
}

/** Reads the sources of a list; `null` when one of them is refused. */
async function readSources(
  list: string,
  sources: readonly string[],
  options: Options,
  context: Context,
): Promise<ListContents | null> {
  const { allowEmpty, skipBad = false, input: format, column } = options;
  const { hashGatherer, isPublicSuffix, readSource } = await import(
    "../../publish/read-sources.ts"
  );
  const { nameGatherer } = await import("../../publish/gather-names.ts");
  const { variantGatherer } = await import("../../publish/gather-variants.ts");
  const { jsonReporter, textReporter } = await import("../../publish/report-entries.ts");
  const hashes = hashGatherer();
  const names = options.keepNames?.has(list) ? nameGatherer(isPublicSuffix) : null;
  const variants = options.interop?.has(list) ? variantGatherer(hashes) : null;
  const reporter = !options.report ? null : options.json ? jsonReporter() : textReporter();
  const print = (lines: readonly string[]) => {
    for (const line of lines) context.print(printable(line));
  };
  let isAccepted = true;
  for (const source of sources) {
    const report = await readSource(source, hashes, {
      ...{ format, column, allowEmpty, names },
      onText(text, line) {
        variants?.add(text);
        if (reporter !== null) print(reporter.add(source, line, text));
      },
      beforeRead: () => context.drained(),
    });
    if (!reportSource(report, skipBad, context)) isAccepted = false;
  }
  if (reporter !== null) print(reporter.summary(list));
  return isAccepted
    ? { fullHashes: hashes.pieces(), names: names?.names ?? null, variants: variants?.count() ?? 0 }
    : null;
}

/** Publishes all lists, or none if a source is refused. Returns whether it published them. */
async function publishOnce(
  lists: ReadonlyMap<string, readonly string[]>,
  files: StoreFiles,
  options: Options,
  context: Context,
): Promise<boolean> {
  const { dryRun = false, lifetime, json, trustClock: trustsClock = false } = options;
  const { signer, publicKeys } = await readKeys(files, options);
  await checkDirectory(files);
  await warnOfUnseen(files, context);
  const contentsOfList = new Map<string, ListContents>();
  let isAccepted = true;
  for (const [list, sources] of lists) {
    const contents = await readSources(list, sources, options, context);
    if (contents === null) isAccepted = false;
    else contentsOfList.set(list, contents);
  }
  if (!isAccepted) {
    context.complain("Nothing was published.");
    return false;
  }
  for (const [list, { variants, ...contents }] of contentsOfList) {
    const seen = await seenOf(files, list);
    const published = await publish({
      storage: files.storage,
      list,
      ...contents,
      signer,
      publicKeys,
      lifetime,
      renewWithin: lifetime * RENEW_FRACTION,
      seen,
      trustsClock,
      dryRun,
    });
    if (!dryRun) await rememberPublished(files, publicKeys, published);
    const said = describe(published, dryRun, variants);
    if (json) context.complain(said);
    else context.print(said);
  }
  return true;
}
