import { expressionHashes } from "@x/client/history";
import { Failure } from "@x/command-line";
import { aboutText } from "@x/explain/about";
import { printable } from "@x/explain/printable";
import type { Expression } from "@x/expressions";
import { type About, listNames, type Manifest, readNewest } from "@x/list-store";
import { hasName } from "@x/sha256-prefix/has-name";
import type { Command } from "commander";
import { registrableDomain } from "../../publish/exceptions.ts";
import {
  findSightings,
  type Sighting,
  type SightingsFacts,
  type SightingsFile,
} from "../../publish/sightings-file.ts";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import { exceptionsOf } from "../publishing/except-file.ts";
import { lastSightings, sightingsFileOf } from "../publishing/record-sightings.ts";
import type { SettingsOptions } from "../settings/settings-file.ts";
import { readPublicKeys, storedList } from "../signing.ts";
import { openStore } from "../store-files.ts";

/* The command that says why a URL is on a list. */

const HELP = `
JSON: [{ "list", "about", "expression", "listed", "since", "sightings":
[{ "source", "line", "how", "since", "state", "exception" }] }]. "listed" says
whether the expression is on the list. A time is { "at", "orEarlier" }, and
"state" is "listed", "ended" or "excepted".

The URL is read as the specification and as browsers read it. The answer comes
from a record beside the store that publish keeps. The exit status is 0, whether
or not the URL is on a list.`;

interface Options extends SettingsOptions {
  readonly json?: boolean;
}

/** A time. With `orEarlier`, the record begins there. */
interface Since {
  readonly at: string;
  readonly orEarlier: boolean;
}

/** Why an expression is or is not on a list. */
interface Reason {
  readonly list: string;
  /** Why entries are on the list, and where people can object, if the newest version says it. */
  readonly about: About | null;
  readonly expression: Expression;
  readonly listed: boolean;
  readonly since: Since | null;
  readonly sightings: readonly {
    readonly source: string;
    readonly line: number;
    readonly how: string | null;
    readonly since: Since;
    readonly state: Sighting["state"];
    /** The file and line of the exception, if it is still in the settings. */
    readonly exception: string | null;
  }[];
}

/** The full hashes of the expressions of a URL or host, by the rules of v4 and of v5. */
function hashesOf(url: string): ReturnType<typeof expressionHashes> {
  try {
    return expressionHashes(wholeUrl(url), { registrableDomain });
  } catch (error) {
    return failIfNoUrl(error);
  }
}

/** The URL of a site, which may be given as a host. */
export const wholeUrl = (url: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;

/** Makes the error for input that is not a URL one for the user. */
export function failIfNoUrl(error: unknown): never {
  if (!hasName(error, "CanonError")) throw error;
  throw new Failure(error.message, { cause: error });
}

const timeOf = (seconds: number, { begun }: SightingsFacts): Since => ({
  at: `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`,
  orEarlier: seconds <= begun,
});

/** Where the exceptions of a list are, by expression. Of several places, the first counts. */
async function exceptionPlaces(
  ...of: Parameters<typeof exceptionsOf>
): Promise<ReadonlyMap<string, string>> {
  const all = await exceptionsOf(...of);
  return new Map(all.toReversed().map(({ expression, where }) => [expression, where]));
}

const formatSince = ({ at, orEarlier }: Since) => `since ${at}${orEarlier ? " or earlier" : ""}`;

function linesOf({ list, expression, since, sightings }: Reason): string[] {
  const head =
    since === null
      ? `${list}: ${expression} is not on the list`
      : `${list}: ${expression} is on the list ${formatSince(since)}`;
  const places = sightings.map(({ source, line, how, since: seen, state, exception }) => {
    const read = how === null ? "" : ` (${how})`;
    const end = {
      listed: "",
      ended: "; it has ended (expire-after)",
      excepted: `; left out by ${exception ?? "an exception that is in a source, or no longer in the settings"}`,
    }[state];
    return `  ${source}:${line}${read} ${formatSince(seen)}${end}`;
  });
  return [head, ...places];
}

/** Says why the answer may not be that of the list, or `null` if it is. */
function doubtOf({ list, version, withdrawn, restores, contents }: Manifest, entries: string) {
  if (withdrawn) return `${list}: the list was withdrawn, so nothing is on it`;
  if (restores !== undefined)
    return `${list}: the list was rolled back to version ${restores}, which may have other entries`;
  if (contents.entries === entries) return null;
  return `${list}: version ${version} does not have the entries that the sources had when they were last recorded; publish again`;
}

/** @param readPlaces reads where the exceptions of the list are. */
async function reasonsIn(
  last: SightingsFile,
  wanted: ReturnType<typeof hashesOf>,
  readPlaces: () => Promise<ReadonlyMap<string, string>>,
): Promise<readonly Omit<Reason, "list" | "about">[]> {
  const { facts } = last;
  const reasons: Omit<Reason, "list" | "about">[] = [];
  let places: ReadonlyMap<string, string> | null = null;
  for (const [expression, hash] of wanted) {
    const { listed, sightings } = await findSightings(last, hash);
    if (sightings.length === 0) continue;
    if (sightings.some(({ state }) => state === "excepted")) places ??= await readPlaces();
    reasons.push({
      expression,
      listed: listed !== null,
      since: listed === null ? null : timeOf(listed, facts),
      sightings: sightings.map(({ source, line, since, state }) => ({
        source: source.name,
        line,
        how: source.how || null,
        since: timeOf(since, facts),
        state,
        exception: state === "excepted" ? (places?.get(expression) ?? null) : null,
      })),
    });
  }
  return reasons;
}

export function registerWhy(program: Command, context: Context): void {
  const command = program
    .command("why")
    .summary("say which sources put a URL on a list, and since when")
    .description("say which sources put a URL on a list, on which line, and since when")
    .argument("<URL>", "a URL or a host")
    .option("--json", "write one JSON array");
  addSettings(command).addHelpText("after", HELP);
  command.action(async (url: string, options: Options) => {
    const wanted = hashesOf(url);
    const { settings, files } = await openStore(options, context);
    const publicKeys = await readPublicKeys(files.publicKeyFile);
    const reasons: Reason[] = [];
    for (const list of await listNames(files.storage)) {
      const last = await lastSightings(files, list, context);
      if (last === null) {
        const file = sightingsFileOf(files, list);
        context.complain(printable(`${list}: there is no record in ${file}: publish makes one`));
        continue;
      }
      try {
        const newest = await readNewest(await storedList(files, list, publicKeys));
        const doubt = newest === null ? null : doubtOf(newest.manifest, last.facts.entries);
        if (doubt !== null) context.complain(doubt);
        const about = newest?.manifest.about ?? null;
        const places = () => exceptionPlaces(list, settings, files);
        for (const found of await reasonsIn(last, wanted, places)) {
          reasons.push({ list, about, ...found });
        }
      } finally {
        await last.close();
      }
    }
    if (options.json) context.print(JSON.stringify(reasons, null, 2));
    else if (reasons.length === 0) context.print(printable(`${url} is in no source of any list`));
    const lines = reasons.flatMap((reason, i) => {
      const isFirst = reasons[i - 1]?.list !== reason.list;
      const { list, about } = reason;
      const heading = isFirst && about !== null ? [`${list}: ${aboutText(about)}`] : [];
      return [...heading, ...linesOf(reason)];
    });
    if (!options.json) for (const line of lines) context.print(printable(line));
  });
}
