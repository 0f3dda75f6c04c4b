import { mkdir, readdir, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Failure } from "@x/command-line";
import { generateSigningKey, signerOf } from "@x/list-store";
import { ifThere } from "@x/list-store/node";
import type { Command } from "commander";
import { NOTHING_SEEN } from "../../storage/seen-versions.ts";
import { configTemplate } from "../config-file.ts";
import type { Context } from "../context.ts";
import { createFile } from "../create-file.ts";
import { addS3Options, FILES } from "../options.ts";
import { NO_EXCEPTIONS } from "../publishing/except-file.ts";
import { servedFolder } from "../served-folder.ts";
import type { StoreOptions } from "../store-address.ts";
import { pathOfFiles, type StoreFiles, storeFilesToChange } from "../store-files.ts";

/** Throws if the directory of a new store, or its prefix in the bucket, is not empty. */
async function checkEmpty({ address, storage }: StoreFiles): Promise<void> {
  const entries =
    address.kind === "directory"
      ? ((await ifThere(readdir(address.directory))) ?? [])
      : await storage.list("");
  if (entries.length > 0) throw new Failure(`${address.shown} is not empty`);
}

/**
 * Throws if the signing key would be in a folder that a web server shows. If `--files` names the default place, the user
 * knows better.
 */
async function checkPlace({ keyFile, address }: StoreFiles, options: StoreOptions): Promise<void> {
  const folder = dirname(keyFile);
  const served = await servedFolder(folder);
  if (served === null) return;
  const beside = pathOfFiles({ store: options.store });
  if (options.files !== undefined && resolve(options.files) === beside) return;
  const elsewhere = join(dirname(served.folder), basename(beside));
  const advice =
    address.kind === "directory"
      ? `make the store elsewhere, as in --store ${elsewhere}, and copy it here after each publish (urlhash-server copy --from ${elsewhere} --to ${beside})`
      : `name another place, as in --files ${elsewhere}, for all commands`;
  throw new Failure(
    `The signing key would be in ${folder}, and everyone may be able to read ${served.folder}: ${served.why}. Please ${advice}. If nothing serves this folder, use init --files ${beside}`,
  );
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
    .requiredOption(
      "--store <place>",
      "a directory, or s3://BUCKET/PREFIX; it must be empty or not exist",
    )
    .option(FILES.flags, FILES.help)
    .option("--name <name>", "the name of the signing key (default: the name of the files)");
  addS3Options(command).action(async ({ name, ...options }: StoreOptions & { name?: string }) => {
    const files = storeFilesToChange(options, context);
    const { address, keyFile, publicKeyFile, configFile, seenFile, exceptFile } = files;
    await checkPlace(files, options);
    await checkEmpty(files);
    await mkdir(dirname(keyFile), { recursive: true });
    const signingKey = await generateSigningKey(
      name ?? basename(pathOfFiles(options)).replace(/[\s+]/gu, "-"),
    );
    const { publicKey } = await signerOf(signingKey);
    await createAll(
      [
        [keyFile, `${signingKey}\n`, 0o600],
        [publicKeyFile, `${publicKey}\n`, 0o644],
        [configFile, configTemplate(options.store), 0o644],
        [seenFile, NOTHING_SEEN, 0o644],
        [exceptFile, NO_EXCEPTIONS, 0o644],
      ],
      // The directory comes last: beside files of an older store, a new one would look like that store, emptied.
      async () => {
        if (address.kind === "directory") await mkdir(address.directory, { recursive: true });
      },
    );
    const where =
      options.files === undefined && address.kind === "directory"
        ? "beside it"
        : `in ${dirname(keyFile)}`;
    const named =
      options.files === undefined ? options.store : `${options.store} --files ${options.files}`;
    context.print(`Made the store ${address.shown}, and ${where}:

  ${basename(keyFile)}   the signing key: keep it secret, and keep a copy
  ${basename(publicKeyFile)}   the public key: give it to everyone who serves or mirrors this store
  ${basename(configFile)}  settings, with comments
  ${basename(seenFile)}  the highest version seen for each list
  ${basename(exceptFile)}  exceptions: entries that are never published

Write URLs into a file, one per line, and publish them as a list of malware:

  urlhash-server publish --store ${named} malware=urls.txt

Then serve the store to Firefox and other clients:

  urlhash-server serve --store ${named}`);
  });
}
