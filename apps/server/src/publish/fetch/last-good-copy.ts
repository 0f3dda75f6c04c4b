import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readdir, rename, stat, unlink, utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StoreError } from "@x/list-store";
import { sha256Hex } from "../../storage/sha256.ts";
import type { Validators } from "./send-request.ts";
import type { SourceUrl } from "./source-url.ts";

/** The facts about a body that was received and unpacked. */
export interface Received {
  readonly bytes: number;
  readonly sha256: string;
  readonly endsWithLineEnd: boolean;
}

/** The facts about a copy that come from the server's answer. */
export interface CopyFacts extends Received, Validators {
  /** The URL without credentials and without the values in its query. */
  readonly source: string;
  /**
   * The SHA-256 of the URL that answered, after redirects. The URL itself is not stored, because it may contain a key.
   */
  readonly answeredBy: string;
  /** When the copy was fetched, in milliseconds since 1970. */
  readonly fetched: number;
}

/** The last good copy of a source. */
export interface Copy extends CopyFacts {
  readonly file: string;
  /** When the server last confirmed that the copy is current, in milliseconds since 1970. */
  readonly checked: number;
}

/**
 * The offset in bytes at which the contents begin in the file of a copy. The facts precede the contents as one line of
 * JSON.
 */
const CONTENTS = 4096;
const MODE = 0o600;
/**
 * An unfinished copy is removed if nothing has been written to it for this many milliseconds, because its process must
 * have been killed.
 */
const ABANDONED = 10 * 60_000;

export const urlHash = ({ href }: URL): string => sha256Hex(href);

/** Returns the file name of the copy of a source. A new password does not change the name. */
export function copyName({ url, credentials }: SourceUrl): string {
  const host = url.hostname.replace(/[^a-z0-9.-]/g, "_").slice(0, 100);
  const hash = sha256Hex(`${credentials?.user ?? ""} ${url.href}`);
  return `${host}-${hash.slice(0, 32)}`;
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => Number.isFinite(value);

/** Reads the facts at the start of a copy's file. Returns `null` if they are missing or not valid. */
async function readFacts(handle: FileHandle): Promise<CopyFacts | null> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(CONTENTS), 0, CONTENTS, 0);
  try {
    const facts = JSON.parse(buffer.toString("utf8", 0, bytesRead)) as CopyFacts;
    const { source, answeredBy, sha256: hash, bytes, fetched, etag, lastModified } = facts;
    const isWhole =
      [source, answeredBy, hash].every(isText) &&
      [bytes, fetched].every(isNumber) &&
      [etag, lastModified].every((value) => value === null || isText(value));
    return isWhole ? facts : null;
  } catch {
    // The line is not JSON, or it is `null`.
    return null;
  }
}

/** Reads a copy's facts. Returns `null` for a missing or incomplete copy, so that the source is fetched again. */
export async function readCopy(file: string): Promise<Copy | null> {
  const handle = await open(file).catch((error) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    const { size, mtimeMs } = await handle.stat();
    const facts = await readFacts(handle);
    if (facts === null || size !== CONTENTS + facts.bytes) return null;
    return { ...facts, file, checked: mtimeMs };
  } finally {
    await handle.close();
  }
}

/** Reads the contents of a copy that is still being written. */
export function readNewContents(file: string): AsyncIterable<Uint8Array> {
  return createReadStream(file, { start: CONTENTS });
}

/** Reads the contents of a copy. Throws at the end if their SHA-256 is not that of the fetched bytes. */
export async function* readContents(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file);
  try {
    const facts = await readFacts(handle);
    const hash = createHash("sha256");
    for await (const piece of handle.createReadStream({ start: CONTENTS, autoClose: false })) {
      hash.update(piece);
      yield piece;
    }
    if (hash.digest("hex") === facts?.sha256) return;
  } finally {
    await handle.close();
  }
  throw new StoreError(
    "damaged",
    `The copy ${file} of a source is damaged: remove it, so that the source is fetched again`,
  );
}

/** Sets the modification time of the file, which records when the server last confirmed the copy. */
export async function touchCopy(copy: Copy, now: number): Promise<Copy> {
  await utimes(copy.file, now / 1000, now / 1000);
  return { ...copy, checked: now };
}

/** A copy that is being written. {@link NewCopy.keep} puts it into effect. */
export interface NewCopy {
  readonly file: string;
  /** Makes room for the facts, and returns the file, so that contents can be appended. */
  begin(): Promise<FileHandle>;
  /** Replaces the last copy with this one. */
  keep(facts: CopyFacts): Promise<Copy>;
  /** Removes the copy, unless it was kept. */
  close(): Promise<void>;
}

async function removeAbandoned(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(file)}.`)) continue;
    const part = join(folder, name);
    const found = await stat(part).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED)
      await unlink(part).catch(() => {});
  }
}

function encodeFacts(facts: CopyFacts): string {
  const encoded = Buffer.from(JSON.stringify(facts));
  if (encoded.length >= CONTENTS) {
    // Leave out strings that may be too long. Without validators, the next fetch downloads the whole source.
    return encodeFacts({ ...facts, source: "", etag: null, lastModified: null });
  }
  return `${encoded.toString()}${" ".repeat(CONTENTS - 1 - encoded.length)}\n`;
}

/** Begins a copy that will replace the copy in `file`. */
export async function newCopy(file: string): Promise<NewCopy> {
  await removeAbandoned(file);
  const part = `${file}.${randomBytes(8).toString("hex")}`;
  const handle = await open(part, "wx", MODE);
  let isKept = false;
  return {
    file: part,
    async begin() {
      await handle.appendFile(" ".repeat(CONTENTS));
      return handle;
    },
    async keep(facts) {
      await handle.write(encodeFacts(facts), 0);
      await handle.sync();
      await handle.close();
      await rename(part, file);
      isKept = true;
      return { ...facts, file, checked: facts.fetched };
    },
    async close() {
      if (isKept) return;
      await handle.close().catch(() => {});
      await unlink(part).catch(() => {});
    },
  };
}
