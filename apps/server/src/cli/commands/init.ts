import { existsSync } from "node:fs";
import { mkdir, readdir, realpath, unlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { Failure, shellWord } from "@x/command-line";
import { generateSigningKey, signerOf } from "@x/list-store";
import { ifThere } from "@x/list-store/node";
import type { Command } from "commander";
import { stringify } from "yaml";
import { NOTHING_SEEN } from "../../storage/seen-versions.ts";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import { NO_EXCEPTIONS } from "../publishing/except-file.ts";
import type { Settings } from "../settings/schema.ts";
import { newSettings, readSettings, type SettingsOptions } from "../settings/settings-file.ts";
import { pathOfFiles } from "../store-address.ts";
import { checkWritable, createFile, type StoreFiles, storeFiles, storeOf } from "../store-files.ts";

/** Throws if the directory of a new store, or its prefix in the bucket, is not empty. */
async function checkEmpty({ address, storage }: StoreFiles): Promise<void> {
  const entries =
    address.kind === "directory"
      ? ((await ifThere(readdir(address.directory))) ?? [])
      : await storage.list("");
  if (entries.length > 0) throw new Failure(`${address.shown} is not empty`);
}

/**
 * Throws if the signing key would be in a folder that a web server shows. If `files` names the default place, the user
 * knows better.
 */
async function checkPlace({ keyFile, address }: StoreFiles, settings: Settings): Promise<void> {
  const folder = dirname(keyFile);
  const served = await servedFolder(folder);
  if (served === null) return;
  const beside = pathOfFiles(storeOf(settings), undefined);
  if (settings.files === beside) return;
  const elsewhere = join(dirname(served.folder), basename(beside));
  const advice =
    address.kind === "directory"
      ? `make the store elsewhere, as in --store ${shellWord(elsewhere)}, and copy it here after each publish (urlhash-server copy --from ${shellWord(elsewhere)} --to ${shellWord(beside)})`
      : `name another place, as in --set files=${shellWord(elsewhere)}`;
  throw new Failure(
    `The signing key would be in ${folder}, and everyone may be able to read ${served.folder}: ${served.why}. Please ${advice}. If nothing serves this folder, use init --set files=${shellWord(beside)}`,
  );
}

/** Names that people and programs give to the folders of web servers and static hosts. */
const NAMES: ReadonlySet<string> = new Set([
  ...(["www", "web", "webroot", "wwwroot", "html", "htdocs", "httpdocs"] as const),
  ...(["public", "public_html", "static", "site", "_site", "dist"] as const),
]);

/** Files that are only there to be served, or to set up a web server or a static host. */
const FILES: ReadonlySet<string> = new Set([
  ...(["index.html", "index.htm", "index.php", "robots.txt", "favicon.ico"] as const),
  ...([".htaccess", ".well-known", ".nojekyll", "cname", "_headers", "_redirects"] as const),
]);

/** A folder that looks as if a web server shows its files, and why. */
interface ServedFolder {
  readonly folder: string;
  readonly why: string;
}

/** The path without symbolic links. Its last parts need not exist. */
async function withoutLinks(path: string): Promise<string> {
  const found = await realpath(path).catch(() => null);
  const parent = dirname(path);
  return found ?? (parent === path ? path : join(await withoutLinks(parent), basename(path)));
}

/**
 * Returns the highest folder that looks as if it is served, on a path or on the one to which its symbolic links lead;
 * `null` if there is none.
 */
async function servedFolder(path: string): Promise<ServedFolder | null> {
  const [given, real] = [resolve(path), await withoutLinks(resolve(path))];
  return (await servedAbove(given)) ?? (real === given ? null : servedAbove(real));
}

async function servedAbove(path: string): Promise<ServedFolder | null> {
  // Anything may be in these folders, because people and programs write there without a thought.
  const shared = ["/", homedir(), tmpdir()].map((each) => resolve(each));
  let found: ServedFolder | null = null;
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const names = shared.includes(folder) ? [] : await readdir(folder).catch(() => []);
    const file = names.find((name) => FILES.has(name.toLowerCase()));
    if (NAMES.has(basename(folder).toLowerCase())) found = { folder, why: "its name says so" };
    else if (file !== undefined) found = { folder, why: `it has the file ${file}` };
  }
  return found;
}

/** The text of a new settings file. Paths in its folder are relative, so that the folder can be moved. */
function settingsText(file: string, values: Readonly<Record<string, unknown>>): string {
  const folder = `${dirname(file)}${sep}`;
  const shorter = (_: unknown, value: unknown) =>
    typeof value === "string" && value.startsWith(folder) ? value.slice(folder.length) : value;
  return `# Settings of urlhash-server, for all commands. Relative paths start from the folder of this file.
# urlhash-server check tests them. settings.example.yaml, beside the program, explains all of them.

${stringify(values, shorter)}
# The lists to publish:
#
# lists:
#   malware:
#     sources:
#       - urls.txt

# Who runs the server, for the people who are blocked:
#
# operator:
#   name: Example Ltd
#   contact: lists@example.com
`;
}

/** Creates files, and calls `finish`. If anything fails, the files are deleted, so that `init` can be repeated. */
async function createAll(
  files: readonly (readonly [string, string, number])[],
  finish: () => Promise<void>,
): Promise<void> {
  const made: string[] = [];
  try {
    for (const [file, text, mode] of files) {
      await createFile(file, text, mode);
      made.push(file);
    }
    await finish();
  } catch (error) {
    for (const file of made) await unlink(file).catch(() => {});
    throw error;
  }
}

export function registerInit(program: Command, context: Context): void {
  const command = program
    .command("init")
    .description("make a store, its signing key and its settings")
    .option("--name <name>", "the name of the signing key (default: the name of the files)");
  addSettings(command).action(async ({ name, ...options }: SettingsOptions & { name?: string }) => {
    const fresh = newSettings(options);
    const { file } = fresh;
    // The settings may be there first, for example in a container.
    const isNew = !existsSync(file);
    const { settings } = isNew ? fresh : await readSettings(options, context);
    const files = storeFiles(settings, context);
    checkWritable(files.address);
    const { address, keyFile, publicKeyFile, seenFile, exceptFiles } = files;
    // Files that settings name have other owners.
    const newExceptFiles = settings.exceptions === undefined ? exceptFiles : [];
    await checkPlace(files, settings);
    await checkEmpty(files);
    await mkdir(dirname(keyFile), { recursive: true });
    const path = pathOfFiles(storeOf(settings), settings.files);
    const signingKey = await generateSigningKey(name ?? basename(path).replace(/[\s+]/gu, "-"));
    const { publicKey } = await signerOf(signingKey);
    await createAll(
      [
        ...(isNew ? [[file, settingsText(file, fresh.values), 0o644] as const] : []),
        [keyFile, `${signingKey}\n`, 0o600],
        [publicKeyFile, `${publicKey}\n`, 0o644],
        [seenFile, NOTHING_SEEN, 0o644],
        ...newExceptFiles.map((each) => [each, NO_EXCEPTIONS, 0o644] as const),
      ],
      // The directory comes last: beside files of an older store, a new one would look like that store, emptied.
      async () => {
        if (address.kind === "directory") await mkdir(address.directory, { recursive: true });
      },
    );
    const isBeside = settings.files === undefined && address.kind === "directory";
    const where = isBeside ? "beside it" : `in ${dirname(keyFile)}`;
    const named =
      options.config === undefined && settings.files === undefined
        ? `--store ${shellWord(options.store ?? address.shown)}`
        : `--config ${shellWord(file)}`;
    const made: [file: string, text: string][] = [
      [keyFile, "the signing key: keep it secret, and keep a copy"],
      [publicKeyFile, "the public key: give it to everyone who serves or mirrors this store"],
      [seenFile, "the highest version seen for each list"],
    ];
    for (const each of newExceptFiles) made.push([each, "entries that are never published"]);
    if (isNew) made.push([file, "the settings of all commands"]);
    const width = Math.max(...made.map(([each]) => basename(each).length));
    const rows = made.map(([each, text]) => `  ${basename(each).padEnd(width)}  ${text}`);
    context.print(`Made the store ${address.shown}, and ${where}:

${rows.join("\n")}

Write URLs into a file, one per line, and publish them as a list of malware:

  urlhash-server publish ${named} malware=urls.txt

Then serve the store to Firefox and other clients:

  urlhash-server serve ${named}`);
  });
}
