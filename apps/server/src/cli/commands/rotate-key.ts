import { existsSync } from "node:fs";
import { link, readFile, rename, unlink } from "node:fs/promises";
import { Failure } from "@x/command-line";
import { changeFile } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import {
  generateSigningKey,
  isSignedByOne,
  type LogEntry,
  listNames,
  readNewest,
  renew,
} from "@x/list-store";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { addSettings } from "../options.ts";
import type { SettingsOptions } from "../settings/settings-file.ts";
import {
  type PublisherKeys,
  readKeys,
  readPublicKeys,
  readSigner,
  signNext,
  storedList,
} from "../signing.ts";
import { createFile, openStoreToChange, type StoreFiles } from "../store-files.ts";

const HELP = `
A new signing key takes three steps:
  1. start   makes the key, and says in the newest version of each list that it
             may sign the next one. Then copy the file of public keys to every
             server and mirror, and send each serve a SIGHUP.
  2. switch  signs the lists with the new key, which is used from now on. Wait
             until every mirror has these versions.
  3. finish  forgets the old key. Copy the file of public keys again, and send
             each serve a SIGHUP.
publish --watch and copy --watch read the keys again by themselves.
A step that was interrupted can be repeated.`;

interface Rotation {
  readonly files: StoreFiles;
  /** The lifetime of versions, in milliseconds. */
  readonly lifetime: number;
  readonly keyFile: string;
  readonly nextFile: string;
  readonly oldFile: string;
  readonly publicKeyFile: string;
}

/** Returns the newest version of each list in the store. Throws if a version is signed with none of the keys. */
async function newestOfAll(
  files: StoreFiles,
  publicKeys: readonly string[],
): Promise<Map<string, LogEntry>> {
  const entries = new Map<string, LogEntry>();
  for (const list of await listNames(files.storage)) {
    const entry = await readNewest(await storedList(files, list, publicKeys));
    if (entry !== null) entries.set(list, entry);
  }
  return entries;
}

/** Signs the newest version of each list again, unless `isDone` says that the version already matches the keys. */
async function signAgain(
  { files, lifetime }: Rotation,
  keys: PublisherKeys,
  isDone: (entry: LogEntry) => boolean | Promise<boolean>,
  { print }: Context,
): Promise<void> {
  const entries = await newestOfAll(files, keys.publicKeys);
  for (const [list, entry] of entries) {
    if (await isDone(entry)) continue;
    const { manifest } = await signNext(list, files, keys, { lifetime }, (renewal) =>
      renew({ ...renewal, renewWithin: Number.POSITIVE_INFINITY }),
    );
    print(`${list}: signed again, version ${manifest.version}`);
  }
}

async function start(rotation: Rotation, context: Context): Promise<string> {
  const { files, keyFile, nextFile, oldFile, publicKeyFile } = rotation;
  if (existsSync(oldFile)) {
    throw new Failure(`${oldFile} is still there: finish the last rotation first`);
  }
  const { signer } = await readKeys(files);
  if (!existsSync(nextFile)) {
    const name = signer.publicKey.slice(0, signer.publicKey.indexOf("+"));
    await createFile(nextFile, `${await generateSigningKey(name)}\n`, 0o600);
  }
  const next = await readSigner(nextFile);
  if (!(await readPublicKeys(publicKeyFile)).includes(next.publicKey)) {
    const text = await readFile(publicKeyFile, "utf8");
    const line = text.endsWith("\n") ? "" : "\n";
    await changeFile(publicKeyFile, async () => `${text}${line}${next.publicKey}\n`);
  }
  const publicKeys = await readPublicKeys(publicKeyFile);
  const isDone = ({ manifest }: LogEntry) => manifest.nextSigners.includes(next.publicKey);
  await signAgain(rotation, { signer, publicKeys }, isDone, context);
  return `The new key is in ${nextFile}; ${keyFile} still signs. Copy ${publicKeyFile} to every server and mirror, send each serve a SIGHUP, and then run rotate-key switch.`;
}

async function switchKeys(rotation: Rotation, context: Context): Promise<string> {
  const { files, keyFile, nextFile, oldFile, publicKeyFile } = rotation;
  if (!existsSync(nextFile)) {
    throw new Failure(`${nextFile} does not exist: run rotate-key start first`);
  }
  const signer = await readSigner(nextFile);
  const publicKeys = await readPublicKeys(publicKeyFile);
  for (const [list, { manifest }] of await newestOfAll(files, publicKeys)) {
    if (manifest.nextSigners.includes(signer.publicKey)) continue;
    throw new Failure(
      `Version ${manifest.version} of ${list} does not name the new key: run rotate-key start again`,
    );
  }
  const isDone = ({ note }: LogEntry) => isSignedByOne(note, [signer.publicKey]);
  await signAgain(rotation, { signer, publicKeys }, isDone, context);
  // A second name for the file needs no room on the disk, and is there even if this step was interrupted before.
  await link(keyFile, oldFile).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rename(nextFile, keyFile);
  return `${keyFile} is the new key: keep a copy. The old one is in ${oldFile}. When every mirror has these versions, run rotate-key finish.`;
}

async function finish(rotation: Rotation, context: Context): Promise<string> {
  const { files, nextFile, oldFile, publicKeyFile } = rotation;
  if (existsSync(nextFile) || !existsSync(oldFile)) {
    throw new Failure("There is no rotation to finish: run rotate-key start and switch first");
  }
  const old = await readSigner(oldFile);
  const { signer, publicKeys } = await readKeys(files);
  const left = publicKeys.filter((each) => each !== old.publicKey);
  // Throws if only the old key has signed the newest version of a list.
  await newestOfAll(files, left);
  const isDone = ({ manifest }: LogEntry) => !manifest.nextSigners.includes(old.publicKey);
  await signAgain(rotation, { signer, publicKeys: left }, isDone, context);
  const lines = (await readFile(publicKeyFile, "utf8")).split("\n");
  const kept = lines.filter((line) => line.trim() !== old.publicKey);
  await changeFile(publicKeyFile, async () => kept.join("\n"));
  await unlink(oldFile);
  return `The old key no longer signs anything, and ${oldFile} is deleted. Copy ${publicKeyFile} to every server and mirror, and send each serve a SIGHUP.`;
}

const STEPS = {
  start: { run: start, text: "make a new key, and announce it in each list" },
  switch: { run: switchKeys, text: "sign with the new key from now on" },
  finish: { run: finish, text: "forget the old key" },
} as const;

export function registerRotateKey(program: Command, context: Context): void {
  const group = program
    .command("rotate-key")
    .description("replace the signing key with a new one, in three steps")
    .addHelpText("after", HELP);
  for (const [name, { run, text }] of Object.entries(STEPS)) {
    const command = addSettings(group.command(name).description(text));
    command.action(async (options: SettingsOptions) => {
      const { settings, files } = await openStoreToChange(options, context);
      const { keyFile, publicKeyFile } = files;
      const { lifetime } = settings;
      const [nextFile, oldFile] = [`${keyFile}.next`, `${keyFile}.old`];
      const rotation = { files, lifetime, keyFile, nextFile, oldFile, publicKeyFile };
      context.print(printable(await run(rotation, context)));
    });
  }
}
