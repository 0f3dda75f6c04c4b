import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Failure } from "@x/command-line";
import { ifThere } from "@x/list-store/node";
import type { Command } from "commander";
import { parse, stringify } from "yaml";
import { isUrl } from "../../publish/fetch/source-url.ts";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import { newSettings, parseSettings, type SettingsOptions } from "../settings/settings-file.ts";
import { readText } from "../signing.ts";
import { pathOfFiles } from "../store-address.ts";
import { createFile, storeOf } from "../store-files.ts";

/*
 * The settings of versions up to 0.2: DIR.conf, the file of lists (YAML), the file of other servers (JSON), and the
 * file of API keys. Nothing else reads these formats.
 */

/** What is written: the values of the new settings. */
type Values = Record<string, unknown>;

/** Turns an old value into a new one. Relative paths in it start from `folder`. */
type Convert = (text: string, folder: string) => unknown;

const same: Convert = (text) => text;
const path: Convert = (text, folder) => resolve(folder, text);
const names: Convert = (text) => text.split(",");
const numbers: Convert = (text) => text.split(",").map(Number);
const source: Convert = (text, folder) => (isUrl(text) ? text : resolve(folder, text));

/** The places of the old settings of DIR.conf that have one value. */
const SETTINGS: Readonly<Record<string, readonly [place: string, convert: Convert]>> = {
  key: ["signing-key", path],
  "public-key": ["public-keys", path],
  ...{ lifetime: ["lifetime", same], "min-interval": ["min-interval", same] },
  except: ["exceptions", path],
  "never-block": ["never-block", path],
  "fetch-every": ["fetch.every", same],
  "fetch-size": ["fetch.size", same],
  "fetch-time": ["fetch.time", same],
  "allow-redirects-to": ["fetch.redirects-to", names],
  "allow-private": ["fetch.private-hosts", names],
  metrics: ["metrics", path],
  keep: ["keep.versions", (text) => Math.max(1, Number(text))],
  window: ["keep.differences", Number],
  grace: ["keep.unused", same],
  ...{ listen: ["listen", same], admin: ["admin", same] },
  "log-level": ["log.level", same],
  "log-requests": ["log.requests", same],
  ...{ wait: ["wait", same], cache: ["cache", same], poll: ["poll", same] },
  "prefix-bytes": ["prefix-bytes", numbers],
  "hash-memory": ["hash-memory", same],
  "hash-folder": ["hash-folder", path],
  lists: ["served-lists", names],
  optional: ["optional-lists", names],
  "cors-origins": ["cors-origins", names],
  ohttp: ["ohttp-keys", path],
  "upstreams-folder": ["upstreams-folder", path],
  seen: ["seen", path],
  "operator-name": ["operator.name", same],
  "operator-contact": ["operator.contact", same],
  "operator-text": ["operator.text", same],
  "tls-cert": ["tls.certificate", path],
  "tls-key": ["tls.key", path],
  "behind-proxy": ["behind-proxy", (text) => text === "true"],
};

/** Sets a value. `place` may be below one name. */
function put(values: Values, place: string, value: unknown): void {
  const [name, below] = place.split(".") as [string, string | undefined];
  if (below === undefined) values[name] = value;
  else values[name] = { ...(values[name] as Values | undefined), [below]: value };
}

function putIntoList(values: Values, list: string, name: string, value: unknown): void {
  const lists = values["lists"] as Readonly<Record<string, Values>> | undefined;
  values["lists"] = { ...lists, [list]: { [name]: value, ...lists?.[list] } };
}

const limitOf = (text: string) => (text.endsWith("%") ? text : Number(text));

/** The lines `name = value` of DIR.conf. */
function linesIn(text: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^\s*([a-z0-9-]+)\s*=\s*(\S.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

/** Adds the lists of a file for `publish --config`. */
function addLists(values: Values, text: string, folder: string): void {
  const { defaults = {}, lists = {} } = parse(text) as Record<string, Record<string, Values>>;
  const without = ({ names: _, ...rest }: Values) => rest;
  Object.assign(values, without(defaults as Values));
  const paths = (given: unknown) => (given as string[]).map((each) => path(each, folder));
  values["lists"] = Object.fromEntries(
    Object.entries(lists).map(([list, own]) => {
      const { sources, exceptions, "never-block": neverBlock, ...rest } = without(own as Values);
      const converted = (sources as (string | { source: string })[]).map((each) =>
        typeof each === "string"
          ? source(each, folder)
          : { ...each, source: source(each.source, folder) },
      );
      const files = {
        ...(exceptions !== undefined && { exceptions: paths(exceptions) }),
        ...(neverBlock !== undefined && { "never-block": paths(neverBlock) }),
      };
      return [list, { sources: converted, ...files, ...rest }];
    }),
  );
}

/** Adds the servers of a file for `serve --upstreams`. */
function addUpstreams(values: Values, text: string, folder: string): void {
  const servers = JSON.parse(text) as Record<string, Record<string, string>>;
  values["upstreams"] = Object.fromEntries(
    Object.entries(servers).map(([name, { keyFile, publicKeyFile, maxRemoved, ...rest }]) => [
      name,
      {
        ...rest,
        ...(keyFile && { "key-file": path(keyFile, folder) }),
        ...(publicKeyFile && { "public-keys": path(publicKeyFile, folder) }),
        ...(maxRemoved && { "max-removed": limitOf(maxRemoved) }),
      },
    ]),
  );
}

/** Adds the readers of a file for `serve --keys`. */
function addReaders(values: Values, text: string): void {
  const readers: Values = {};
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const [, hash, lists, comment] =
      /^\s*([0-9a-z]+)\s+([^\s#]+)\s*(?:#\s*(.*))?$/.exec(line) ?? [];
    if (hash === undefined || lists === undefined) {
      if (/^\s*(#|$)/.test(line)) continue;
      throw new Failure(`Line ${i + 1} of the file of API keys is not valid`);
    }
    if (hash === "public") values["public-lists"] = names(lists, "");
    else {
      const name = comment && !Object.hasOwn(readers, comment) ? comment : `reader-${i + 1}`;
      readers[name] = { "key-sha256": hash, lists: lists === "-" ? [] : names(lists, "") };
    }
  }
  values["readers"] = readers;
}

/** Adds an old setting. Returns why it is left out, or `null`. */
async function add(values: Values, name: string, text: string, old: Map<string, string>) {
  const known = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  if (known !== undefined) {
    put(values, known[0], known[1](text, "."));
    return null;
  }
  switch (name) {
    case "config":
    case "upstreams":
    case "keys":
      return null;
    case "host":
    case "port": {
      const host = old.get("host") ?? "127.0.0.1";
      values["listen"] ??= `${host.includes(":") ? `[${host}]` : host}:${old.get("port") ?? 8080}`;
      return null;
    }
    case "interop":
    case "share-exceptions":
      for (const list of text.split(",")) putIntoList(values, list, name, true);
      return null;
    case "max-removed":
      for (const each of text.split(",")) {
        const [limit, list] = each.split("=").reverse() as [string, string | undefined];
        if (list === undefined) values["max-removed"] ??= limitOf(limit);
        else putIntoList(values, list, "max-removed", limitOf(limit));
      }
      return null;
    case "s3-endpoint":
      return "set AWS_ENDPOINT_URL_S3 in the environment instead";
    case "s3-region":
      return "set AWS_REGION in the environment instead";
    default:
      return "there is no such setting any more";
  }
}

export function registerMigrateSettings(program: Command, context: Context): void {
  const command = program
    .command("migrate-settings")
    .description("write a settings file from the settings of version 0.2 (DIR.conf), once")
    .argument("[NAME=VALUE...]", "old options of your commands, such as config=publish.yaml");
  addSettings(command).action(async (given: string[], options: SettingsOptions) => {
    const { settings, file, values: fresh } = newSettings(options);
    const conf = `${pathOfFiles(storeOf(settings), settings.files)}.conf`;
    const lines = linesIn((await ifThere(readFile(conf, "utf8"))) ?? "");
    const old = new Map([...lines, ...linesIn(given.join("\n"))]);
    if (old.size === 0) throw new Failure(`There are no old settings in ${conf}`);
    const values: Values = { ...fresh };
    const read = async (name: string, use: (text: string, folder: string) => void) => {
      const from = old.get(name);
      if (from !== undefined) use(await readText(from, "The file"), resolve(dirname(from)));
    };
    await read("config", (text, folder) => addLists(values, text, folder));
    await read("upstreams", (text, folder) => addUpstreams(values, text, folder));
    await read("keys", (text) => addReaders(values, text));
    for (const [name, text] of old) {
      const problem = await add(values, name, text, old);
      if (problem !== null) context.complain(`${name} was left out: ${problem}`);
    }
    const written = `# Settings of urlhash-server, written by migrate-settings. Relative paths start from the folder of this file.\n${stringify(values)}`;
    parseSettings(written, file);
    await createFile(file, written, 0o644);
    context.print(`Wrote ${file}. Read it, and delete the old files.`);
  });
}
