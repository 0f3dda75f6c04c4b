import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createClient, type ProtocolName } from "@x/client";
import { directoryStorage } from "@x/client/node";
import { Failure, parseDuration } from "@x/command-line";
import { isListName } from "@x/list-store";
import { parseRemovalLimits } from "../publish/removal-limits.ts";
import type { UpstreamOptions } from "../serve/upstream/upstream-lists.ts";
import { checkUpstreamNames, usualName } from "../serve/upstream/upstream-names.ts";
import { removalsOnce } from "./removals-once.ts";
import { readPublicKeys } from "./store-files.ts";

/*
 * The file of other servers (`--upstreams`) is a JSON object with a member for each server whose lists are served.
 *
 *   {
 *     "google": {
 *       "protocol": "v5",
 *       "server": "https://safebrowsing.googleapis.com",
 *       "lists": ["mw-4b", "se-4b"],
 *       "keyFile": "google.key"
 *     }
 *   }
 */

const PROTOCOLS = ["v5", "v4", "web-risk", "store"] as const satisfies readonly ProtocolName[];

/** The members of a server's object, with their valid values for error messages. */
const MEMBERS = {
  protocol: '"v5", "v4", "web-risk" or "store"',
  server: "a URL",
  lists: "an array of names",
  names: "an object that maps names of lists to names",
  keyFile: "the name of a file",
  publicKeyFile: "the name of a file",
  maxRemoved: 'limits such as "20%" or "20%,malware=300"',
  grace: 'a duration such as "12h" or "1d"',
} as const;

type Member = keyof typeof MEMBERS;

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads one member. `parse` returns `null` for a value that is not valid. */
type Take = <Value>(
  member: Member,
  parse: (value: unknown) => Value | null,
  preset?: Value,
) => Value;

function takeFrom(values: Readonly<Record<string, unknown>>, where: string): Take {
  for (const name of Object.keys(values)) {
    if (Object.hasOwn(MEMBERS, name)) continue;
    throw new Failure(
      `${where}: ${name} is unknown; the members are ${Object.keys(MEMBERS).join(", ")}`,
    );
  }
  return (member, parse, preset) => {
    const value = values[member];
    if (value === undefined && preset !== undefined) return preset;
    const parsed = value === undefined ? null : parse(value);
    if (parsed === null) throw new Failure(`${where}: ${member} must be ${MEMBERS[member]}`);
    return parsed;
  };
}

const text = (value: unknown) => (isText(value) ? value : null);

function listNames(value: unknown): readonly string[] | null {
  return Array.isArray(value) && value.length > 0 && value.every(isText) ? value : null;
}

function newNames(value: unknown): Readonly<Record<string, string>> | null {
  return isRecord(value) && Object.values(value).every(isText)
    ? (value as Readonly<Record<string, string>>)
    : null;
}

/** Reads an API key, which must be the only line of its file. */
async function readKey(file: string): Promise<string> {
  const key = (await readFile(file, "utf8")).trim();
  if (/^[!-~]+$/.test(key)) return key;
  throw new Failure(`The file ${file} must have the API key on one line, and nothing else`);
}

async function readUpstream(
  name: string,
  values: unknown,
  file: string,
  folder: string,
): Promise<UpstreamOptions> {
  const where = `${file}: ${name}`;
  if (!isListName(name)) throw new Failure(`${where}: expected a name of letters, digits and "-"`);
  if (!isRecord(values)) throw new Failure(`${where}: expected an object`);
  const take = takeFrom(values, where);
  const protocol = take("protocol", (value) => PROTOCOLS.find((each) => each === value) ?? null);
  const lists = take("lists", listNames);
  const names = take("names", newNames, {});
  for (const list of Object.keys(names)) {
    if (!lists.includes(list)) throw new Failure(`${where}: names has ${list}, but lists does not`);
  }
  const pathOf = (path: string) => resolve(dirname(file), path);
  const keyFile = take("keyFile", text, "");
  const publicKeyFile = take("publicKeyFile", text, "");
  if ((protocol === "store") !== (publicKeyFile !== "")) {
    throw new Failure(`${where}: publicKeyFile is needed for the protocol store, and only for it`);
  }
  if (protocol === "store" && keyFile !== "") {
    throw new Failure(`${where}: keyFile is not for stores, which have no API keys`);
  }
  const key = keyFile === "" ? null : await readKey(pathOf(keyFile));
  const publicKeys = publicKeyFile === "" ? null : await readPublicKeys(pathOf(publicKeyFile));
  const client: UpstreamOptions["client"] = {
    protocol,
    server: take("server", text),
    storage: directoryStorage(join(folder, name)),
    grace: take("grace", (value) => (isText(value) ? parseDuration(value) : null), DAY),
    ...(key !== null && { key }),
    ...(publicKeys !== null && { publicKeys }),
  };
  try {
    createClient({ ...client, lists });
  } catch (error) {
    throw new Failure(`${where}: ${(error as Error).message}`, { cause: error });
  }
  return {
    name,
    client,
    lists: new Map(lists.map((list) => [list, names[list] ?? usualName(protocol, list)])),
    limits: take(
      "maxRemoved",
      (value) => (isText(value) ? parseRemovalLimits(value) : null),
      TENTH,
    ),
    // The names of the folders of servers have no dots, so this file name cannot be one of them.
    removalsOnce: removalsOnce(join(folder, "max-removed.once")),
    settings: JSON.stringify([name, values, key, publicKeys, folder]),
  };
}

const DAY = 24 * 60 * 60 * 1000;
const TENTH = parseRemovalLimits("10%")!;

/** The addresses of the other servers that options name, and the files with API keys for some of them. */
interface NamedUpstreams {
  readonly upstream?: ReadonlyMap<string, string>;
  readonly upstreamKey?: ReadonlyMap<string, string>;
}

/** The settings that name other servers. */
export interface UpstreamSettings extends NamedUpstreams {
  /** The path of the file of other servers. */
  readonly upstreams?: string;
  readonly upstreamsFolder?: string;
}

/** The v5 lists that are fetched from a server if only its address is given. */
const USUAL_LISTS = ["mw-4b", "se-4b", "uws-4b"];

/**
 * Returns the servers that options name, in the format of the file. Relative paths start from the working directory.
 */
function asValues({ upstream = new Map(), upstreamKey = new Map() }: NamedUpstreams) {
  for (const name of upstreamKey.keys()) {
    if (!upstream.has(name))
      throw new Failure(`--upstream-key ${name} needs --upstream ${name}=URL`);
  }
  return [...upstream].map(([name, server]): [string, object] => {
    const keyFile = upstreamKey.get(name);
    const key = keyFile === undefined ? {} : { keyFile: resolve(keyFile) };
    return [name, { protocol: "v5", server, lists: USUAL_LISTS, ...key }];
  });
}

async function readValues(file: string): Promise<readonly [string, unknown][]> {
  let values: unknown;
  try {
    values = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Failure(`The file ${file} is not JSON: ${error.message}`, { cause: error });
  }
  if (!isRecord(values))
    throw new Failure(`${file}: expected an object with a member for each server`);
  return Object.entries(values);
}

/**
 * Reads the file of other servers, and adds those that options name. Each server keeps its lists in its own folder
 * inside `folder`.
 */
export async function readUpstreams(
  file: string | undefined,
  folder: string,
  named: NamedUpstreams = {},
): Promise<UpstreamOptions[]> {
  const upstreams: UpstreamOptions[] = [];
  for (const [name, each] of file === undefined ? [] : await readValues(file)) {
    upstreams.push(await readUpstream(name, each, file!, folder));
  }
  for (const [name, each] of asValues(named)) {
    if (upstreams.some((other) => other.name === name)) {
      throw new Failure(`--upstream ${name}: the file ${file} has a server of this name`);
    }
    upstreams.push(await readUpstream(name, each, "--upstream", folder));
  }
  checkUpstreamNames(upstreams.flatMap(({ lists }) => [...lists.values()]));
  return upstreams;
}
