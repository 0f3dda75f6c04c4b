import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { failTo, removeLeftovers, replaceFile } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import {
  checkPublicKey,
  type LoadedList,
  type LogEntry,
  parseEntry,
  type SeenVersion,
} from "@x/list-store";
import { encodePrefixList, type PrefixList } from "@x/prefix-list";
import { decodeList } from "../list-files.ts";

/*
 * What is kept of a list, in a folder of its own:
 *
 *   trusted.json            the URL, and the public keys that the user gave
 *   <version>-<hash>.list   the prefixes of a version
 *   <version>-<hash>.note   its signed manifest; written after the list, and removed after newer ones are there
 *
 * The name of a note says which version was seen, even if the bytes of the note are damaged. The name of a versioned
 * file always stands for the same version, so several processes can use the folder at the same time. The highest
 * version wins.
 */

const TRUSTED = "trusted.json";
const NOTE = /^(\d{12})-([0-9a-f]{64})\.note$/;
const VERSIONED = /^\d{12}-[0-9a-f]{64}\.(?:list|note)$/;

/** A manifest has the checksum of the prefixes of this length. Longer ones are proven when they are fetched. */
const SIGNED_BYTES = 4;

/** What is kept of a list; `null` for parts that are missing or damaged. */
export interface KeptFiles {
  readonly publicKeys: readonly string[] | null;
  /** The highest version that was seen. */
  readonly seen: SeenVersion | null;
  readonly entry: LogEntry | null;
  /** The prefixes of `entry`. */
  readonly prefixes: PrefixList | null;
  /** When the newest version was last requested, in milliseconds since 1970. */
  readonly refreshed: number;
}

/** For `catch`: returns `otherwise` if there is nothing at a path. @throws {Failure} for other problems. */
function ifMissing<T>(path: string, otherwise: T): (error: NodeJS.ErrnoException) => T {
  return (error) =>
    error.code === "ENOENT" ? otherwise : failTo(`read ${printable(path)}`)(error);
}

const readIfThere = (file: string) => readFile(file).catch(ifMissing(file, null));
const namesIn = (folder: string) => readdir(folder).catch(ifMissing<string[]>(folder, []));

/** Reads a file that may be damaged. A damaged file is reported, and counts as missing. */
async function readWhole<T>(
  file: string,
  parse: (bytes: Buffer) => T | Promise<T>,
  onDamage: (file: string) => void,
): Promise<T | null> {
  const bytes = await readIfThere(file);
  if (bytes === null) return null;
  try {
    return await parse(bytes);
  } catch {
    onDamage(file);
    return null;
  }
}

function parseTrusted(bytes: Buffer): readonly string[] {
  const { publicKeys } = JSON.parse(bytes.toString()) as { readonly publicKeys: string[] };
  publicKeys.forEach(checkPublicKey);
  if (publicKeys.length === 0) throw new Error("no key");
  return publicKeys;
}

function fileOf(folder: string, { version, hash }: SeenVersion, end: "list" | "note"): string {
  return join(folder, `${String(version).padStart(12, "0")}-${hash}.${end}`);
}

/** @param onDamage called with each file that is damaged. @throws {Failure} when a file cannot be read. */
export async function readKept(
  folder: string,
  list: string,
  onDamage: (file: string) => void,
): Promise<KeptFiles> {
  const publicKeys = await readWhole(join(folder, TRUSTED), parseTrusted, onDamage);
  for (;;) {
    const notes = (await namesIn(folder)).filter((name) => NOTE.test(name)).sort();
    const [, digits, hash] = NOTE.exec(notes.at(-1) ?? "") ?? [];
    if (hash === undefined) {
      return { publicKeys, seen: null, entry: null, prefixes: null, refreshed: 0 };
    }
    const seen = { version: Number(digits), hash };
    const note = fileOf(folder, seen, "note");
    const stats = await stat(note).catch(() => null);
    // Another process has just replaced this note with a newer one.
    if (stats === null) continue;
    const entry = await readWhole(
      note,
      async (bytes) => {
        if (createHash("sha256").update(bytes).digest("hex") !== hash) throw new Error("damaged");
        return parseEntry(new Uint8Array(bytes), list, seen.version);
      },
      onDamage,
    );
    const file = fileOf(folder, seen, "list");
    const prefixes = await readWhole(
      file,
      (bytes) => {
        const read = decodeList(bytes);
        const [length] = read.lengths;
        const isShort = length === undefined || length.prefixBytes === SIGNED_BYTES;
        const checksum = entry?.manifest.contents.checksum ?? read.checksum;
        if (isShort && read.checksum !== checksum) throw new Error("another list");
        return read;
      },
      onDamage,
    );
    if (prefixes === null && (await readIfThere(note)) === null) continue;
    return { publicKeys, seen, entry, prefixes, refreshed: stats.mtimeMs };
  }
}

/** Keeps a list that was loaded, and removes older versions. @throws {Failure} when it cannot be written. */
export async function keepList(
  folder: string,
  url: string,
  publicKeys: readonly string[],
  { entry, prefixes }: LoadedList,
  kept: KeptFiles,
  now: number,
): Promise<void> {
  const seen = { version: entry.manifest.version, hash: entry.hash };
  const note = fileOf(folder, seen, "note");
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (kept.publicKeys === null) {
      const trusted = `${JSON.stringify({ url, publicKeys }, null, 2)}\n`;
      await replaceFile(join(folder, TRUSTED), Buffer.from(trusted), null);
    }
    const isSame = kept.entry?.hash === entry.hash;
    if (!isSame || kept.prefixes?.checksum !== prefixes.checksum) {
      await replaceFile(fileOf(folder, seen, "list"), encodePrefixList(prefixes), null);
    }
    if (!isSame) await replaceFile(note, entry.note, null);
    // This fails if another process has already kept a newer version and removed this one.
    await utimes(note, new Date(now), new Date(now)).catch(() => {});
    await removeLeftovers(folder);
    for (const name of await namesIn(folder)) {
      const isOlder = VERSIONED.test(name) && Number(name.slice(0, 12)) < seen.version;
      if (isOlder) await rm(join(folder, name), { force: true });
    }
  } catch (error) {
    failTo(`write to ${printable(folder)}`)(error);
  }
}
