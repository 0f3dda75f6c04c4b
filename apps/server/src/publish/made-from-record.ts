import { createHash } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { changeFile } from "@x/command-line/node";
import type { Manifest } from "@x/list-store";
import { ifThere } from "@x/list-store/node";
import type { Source } from "./source.ts";

/** The length of a source in bytes and its SHA-256 in hex. */
export interface SourceBytes {
  readonly bytes: number;
  readonly sha256: string;
}

/** A record of the inputs of the newest version of a list, so that unchanged sources need not be read again. */
export interface MadeFrom {
  /** When the sources were read, in milliseconds since 1970. */
  readonly read: number;
  /** A hash of the settings and of the versions of the program and Node with which the sources were read. */
  readonly settings: string;
  readonly sources: readonly SourceBytes[];
  /** The names of these sources. */
  readonly sourceNames: readonly string[];
  /** The expressions of the operator's exceptions. */
  readonly exceptions: readonly string[];
  /** The exceptions that left out an entry, or whose URL an entry still blocks. */
  readonly effective: readonly string[];
  /** The identifier of the published entries, as in {@link Manifest}. */
  readonly entries: string;
  readonly variants: number;
  /** The messages about the sources. */
  readonly said: readonly string[];
}

const FORMAT = "urlhash-made-from/2";

const fileOf = (folder: string, list: string) => join(folder, `${list}.json`);

/** Reads the record of a list. Returns `null` if the record is missing, damaged or in another format. */
export async function readMadeFrom(folder: string, list: string): Promise<MadeFrom | null> {
  const text = await ifThere(readFile(fileOf(folder, list), "utf8"));
  if (text === null) return null;
  try {
    const { format, sha256, record } = JSON.parse(text);
    const isWhole = format === FORMAT && hashOfText(JSON.stringify(record)) === sha256;
    return isWhole ? record : null;
  } catch {
    // The file is not valid JSON.
    return null;
  }
}

export async function writeMadeFrom(folder: string, list: string, record: MadeFrom): Promise<void> {
  const sha256 = hashOfText(JSON.stringify(record));
  const text = `${JSON.stringify({ format: FORMAT, sha256, record })}\n`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await changeFile(fileOf(folder, list), async () => text);
}

export async function forgetMadeFrom(folder: string, list: string): Promise<void> {
  await rm(fileOf(folder, list), { force: true });
}

export function hashOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Whether a record describes a version that is neither withdrawn nor rolled back. */
export function isMadeFrom(
  { contents, withdrawn, restores }: Manifest,
  { entries }: MadeFrom,
): boolean {
  const isHeld = withdrawn || restores !== undefined;
  return !isHeld && contents.entries === entries;
}

/** Whether sources still have the same bytes. Their contents are read only if their lengths are the same. */
export async function haveBytes(
  sources: readonly Source[],
  known: readonly SourceBytes[],
): Promise<boolean> {
  if (sources.length !== known.length) return false;
  for (const [i, source] of sources.entries()) {
    if ((await source.size()) !== known[i]!.bytes) return false;
  }
  for (const [i, source] of sources.entries()) {
    if ((await source.sha256()) !== known[i]!.sha256) return false;
  }
  return true;
}

/**
 * Wraps a source, and computes its length and SHA-256 while it is read. The results are `null` until all bytes have
 * been read, and for a source that cannot be read again, such as a pipe.
 */
export function identified(source: Source): {
  readonly source: Source;
  readonly found: () => Promise<SourceBytes | null>;
} {
  const hash = createHash("sha256");
  let bytes = 0;
  let isOver = false;
  return {
    source: {
      ...source,
      async *pieces() {
        for await (const piece of source.pieces()) {
          hash.update(piece);
          bytes += piece.length;
          yield piece;
        }
        isOver = true;
      },
    },
    async found() {
      if (!isOver || (await source.size()) === null) return null;
      return { bytes, sha256: hash.digest("hex") };
    },
  };
}
