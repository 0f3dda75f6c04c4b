import { mkdir, readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { generateSigningKey, signerOf } from "@x/list-store";
import type { Command } from "commander";
import { NOTHING_SEEN } from "../../storage/seen-versions.ts";
import type { Context } from "../context.ts";
import { createFile } from "../create-file.ts";
import { Failure } from "../failure.ts";
import { configTemplate } from "../options.ts";
import { NO_EXCEPTIONS } from "../publishing/except-file.ts";
import { storeFiles } from "../store-files.ts";

export function registerInit(program: Command, { print }: Context): void {
  program
    .command("init")
    .description("make a store, its signing key and its settings")
    .requiredOption("--store <dir>", "the directory of the store; it must be empty or not exist")
    .option("--name <name>", "the name of the signing key (default: the name of the directory)")
    .action(async ({ store, name }: { store: string; name?: string }) => {
      const { directory, keyFile, publicKeyFile, configFile, seenFile, exceptFile } =
        storeFiles(store);
      await mkdir(dirname(directory), { recursive: true });
      await mkdir(directory, { recursive: true });
      if ((await readdir(directory)).length > 0) throw new Failure(`${directory} is not empty`);
      const signingKey = await generateSigningKey(
        name ?? basename(directory).replace(/[\s+]/gu, "-"),
      );
      const { publicKey } = await signerOf(signingKey);
      await createFile(keyFile, `${signingKey}\n`, 0o600);
      await createFile(publicKeyFile, `${publicKey}\n`, 0o644);
      await createFile(configFile, configTemplate(store), 0o644);
      await createFile(seenFile, NOTHING_SEEN, 0o644);
      await createFile(exceptFile, NO_EXCEPTIONS, 0o644);
      print(`Made the store ${directory}, and beside it:

  ${basename(keyFile)}   the signing key: keep it secret, and keep a copy
  ${basename(publicKeyFile)}   the public key: give it to everyone who serves or mirrors this store
  ${basename(configFile)}  settings, with comments
  ${basename(seenFile)}  the highest version seen of each list
  ${basename(exceptFile)}  exceptions: entries that are never published

Write URLs into a file, one per line, and publish them as a list of malware:

  urlhash-server publish --store ${store} malware=urls.txt

Then serve the store to Firefox and other clients:

  urlhash-server serve --store ${store}`);
    });
}
