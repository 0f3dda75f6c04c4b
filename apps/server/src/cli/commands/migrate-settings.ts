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
 * The settings of version 0.2: DIR.conf, the file of lists (YAML), the file of other servers (JSON), and the file of
 * API keys. Nothing else reads these formats.
 */

type Values = Record<string, unknown>;
type Lists = Record<string, Values>;

/** The new names of settings in DIR.conf, apart from those that only have a dot for the first hyphen. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ key: "signing-key", "public-key": "public-keys", except: "exceptions" },
  ...{ "allow-redirects-to": "fetch.redirects-to", "allow-private": "fetch.private-hosts" },
  ...{ keep: "keep.versions", window: "keep.differences", grace: "keep.unused" },
  ...{ lists: "served-lists", optional: "optional-lists", ohttp: "ohttp-keys" },
  ...{ "tls-cert": "tls.certificate", "tls-key": "tls.key" },
};
const WITH_COMMAS = /^(fetch\.(redirects-to|private-hosts)|.*-lists|cors-origins|prefix-bytes)$/;

/** The settings that nothing replaces. */
const GONE = /^(interop|share-exceptions|upstreams-folder|keep-names|public-names)$/;

function checkNotGone(names: readonly string[]): void {
  const gone = names.find((name) => GONE.test(name));
  if (gone !== undefined)
    throw new Failure(`${gone}: this setting is gone; delete it from the old settings`);
}

/** Turns a setting of DIR.conf into values for `--set`. */
function renamed(name: string, text: string, old: ReadonlyMap<string, string>): string[] {
  checkNotGone([name]);
  switch (name) {
    case "host":
    case "port": {
      const host = old.get("host") ?? "127.0.0.1";
      return [`listen=${host.includes(":") ? `[${host}]` : host}:${old.get("port") ?? 8080}`];
    }
    case "max-removed":
      return text.split(",").map((each) => {
        const [limit, list] = each.split("=").reverse();
        return `${list === undefined ? "" : `lists.${list}.`}${name}=${limit}`;
      });
    case "s3-endpoint":
    case "s3-region": {
      const variable = name === "s3-region" ? "AWS_REGION" : "AWS_ENDPOINT_URL_S3";
      throw new Failure(
        `${name}: set ${variable} in the environment instead, and delete this line`,
      );
    }
  }
  const now = NAMES[name] ?? name.replace(/^(fetch|log|operator)-/, "$1.");
  if (now === "keep.versions" && text === "0") return [`${now}=1`];
  return [`${now}=${WITH_COMMAS.test(now) ? `[${text}]` : text}`];
}

/** The lines `name = value` of DIR.conf. */
function linesIn(text: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^\s*([a-z0-9-]+)\s*=\s*(\S.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

/** The settings in a file for `publish --config`. */
function listsIn(text: string, folder: string): Values {
  const { defaults = {}, lists = {} } = parse(text) as { defaults?: Values; lists?: Lists };
  const path = (given: string) => (isUrl(given) ? given : resolve(folder, given));
  const convert = ([list, { names: _, ...own }]: [string, Values]) => {
    checkNotGone(Object.keys(own));
    for (const name of ["exceptions", "never-block"])
      if (own[name] !== undefined) own[name] = (own[name] as string[]).map(path);
    own["sources"] = (own["sources"] as (string | { source: string })[]).map((each) =>
      typeof each === "string" ? path(each) : { ...each, source: path(each.source) },
    );
    return [list, own];
  };
  const { names: _, ...ofAll } = defaults;
  checkNotGone(Object.keys(ofAll));
  return { ...ofAll, lists: Object.fromEntries(Object.entries(lists).map(convert)) };
}

/** The settings in a file for `serve --upstreams`. */
function upstreamsIn(text: string, folder: string): Values {
  const convert = ([name, { keyFile, publicKeyFile, maxRemoved, ...rest }]: [string, Values]) => {
    const path = (given: unknown) => resolve(folder, given as string);
    const limit = String(maxRemoved).endsWith("%") ? maxRemoved : Number(maxRemoved);
    if (keyFile) rest["key-file"] = path(keyFile);
    if (publicKeyFile) rest["public-keys"] = path(publicKeyFile);
    return [name, maxRemoved ? { ...rest, "max-removed": limit } : rest];
  };
  const servers = Object.entries(JSON.parse(text) as Lists);
  return { upstreams: Object.fromEntries(servers.map(convert)) };
}

/** The settings in a file for `serve --keys`. */
function readersIn(text: string): Values {
  const values: Values = {};
  const readers: Values = {};
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, hash, names, comment] =
      /^\s*([0-9a-z]+)\s+([^\s#]+)\s*(?:#\s*(.*))?$/.exec(line) ?? [];
    if (hash === undefined || names === undefined)
      throw new Failure(`Line ${i + 1} of the file of API keys is not valid`);
    const lists = names === "-" ? [] : names.split(",");
    const name = comment && !Object.hasOwn(readers, comment) ? comment : `reader-${i + 1}`;
    if (hash === "public") values["public-lists"] = lists;
    else readers[name] = { "key-sha256": hash, lists };
  }
  return { ...values, readers };
}

const FILES: Readonly<Record<string, (text: string, folder: string) => Values>> = {
  config: listsIn,
  upstreams: upstreamsIn,
  keys: readersIn,
};

export function registerMigrateSettings(program: Command, context: Context): void {
  const command = program
    .command("migrate-settings")
    .summary("write a settings file from the settings of version 0.2")
    .description("write a settings file from the settings of version 0.2 (DIR.conf), once")
    .argument("[NAME=VALUE...]", "old options of your commands, such as config=publish.yaml");
  addSettings(command).action(async (given: string[], options: SettingsOptions) => {
    const { settings } = newSettings(options);
    const conf = `${pathOfFiles(storeOf(settings), settings.files)}.conf`;
    const lines = linesIn((await ifThere(readFile(conf, "utf8"))) ?? "");
    const old = new Map([...lines, ...linesIn(given.join("\n"))]);
    if (old.size === 0) throw new Failure(`There are no old settings in ${conf}`);
    let fromFiles: Values = {};
    const set: string[] = [];
    for (const [name, text] of old) {
      const read = FILES[name];
      if (read === undefined) set.push(...renamed(name, text, old));
      else {
        const more = read(await readText(text, "The file"), resolve(dirname(text)));
        fromFiles = { ...fromFiles, ...more };
      }
    }
    const { values, file } = newSettings({ ...options, set: [...set, ...(options.set ?? [])] });
    const lists: Lists = { ...(values["lists"] as Lists | undefined) };
    for (const [list, own] of Object.entries((fromFiles["lists"] as Lists | undefined) ?? {}))
      lists[list] = { ...lists[list], ...own };
    const written = `# Settings of urlhash-server, written by migrate-settings. Relative paths start from the folder of this file.\n${stringify({ ...fromFiles, ...values, lists })}`;
    parseSettings(written, file);
    await createFile(file, written, 0o644);
    context.print(`Wrote ${file}. Read it, and delete the old files.`);
  });
}
