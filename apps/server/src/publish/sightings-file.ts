import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { temporaryPath, writeBeside } from "@x/command-line/node";
import { ifThere } from "@x/list-store/node";

/*
 * The file of sightings of a list: where its sources had each entry, and since when. The file is beside the store and
 * never in it, because it is nobody's business but the publisher's. It has records in the order of their hashes, then
 * facts as JSON with their length, and last the SHA-256 of all that.
 *
 * A record has the first 8 bytes of the full hash, the number of the source (3 bytes), the state (1), the line (4),
 * and two times (4 each, in seconds since 1970, big-endian like all numbers): since when the source has had the entry,
 * and since when the entry has been on the list.
 */

export const RECORD_BYTES = 24;
export const KEY_BYTES = 8;
/** Where the fields of a record begin, after the hash. */
export const FIELDS = { source: 8, state: 11, line: 12, since: 16, listed: 20 } as const;

/** Why a sighting does or does not put its entry on the list, as in the field `state`. */
export const STATES = ["listed", "ended", "excepted"] as const;
export type SightingState = (typeof STATES)[number];

const FORMAT = "urlhash-sightings/1";
const LENGTH_BYTES = 4;
const SHA256_BYTES = 32;
const FIRST_BYTES = 2 ** 8;
const PIECE_BYTES = 2 ** 20;
/** A file of more facts than this is not one of ours. */
const MOST_FACTS = 2 ** 26;

/** A source when it was last read. */
export interface SeenSource {
  /** Identifies the source, even if its address has a password: a hash of the address. */
  readonly key: string;
  /** The path of the file, or the URL without credentials and without the values in its query. */
  readonly name: string;
  /** How it was read, as in `column url, where verdict=malicious`; empty if there is nothing to say. */
  readonly how: string;
  /** The length and the SHA-256 of its bytes, in hex; not set if it cannot be read again, like a pipe. */
  readonly bytes?: number | undefined;
  readonly sha256?: string | undefined;
  /** When the next of its entries ends, in seconds since 1970; `null` if none will. */
  readonly nextEnd: number | null;
  /** How many of its entries have ended. */
  readonly ended: number;
}

export interface SightingsFacts {
  /** The identifier of the published entries, as in the manifest of the version. */
  readonly entries: string;
  /** When the sources were read, in milliseconds since 1970. */
  readonly read: number;
  /** A hash of everything but the sources with which the entries were made. Older files do not have it. */
  readonly identity?: string | undefined;
  /** The messages about the sources. */
  readonly said?: readonly string[] | undefined;
  /** Sightings since this time, in seconds since 1970, may be older: there is no earlier record. 0 if they are not. */
  readonly begun: number;
  readonly sources: readonly SeenSource[];
  /** How many records there are for each first byte of the hash. */
  readonly counts: readonly number[];
  /** When entries ended in the last 24 hours, in milliseconds since 1970, and how many. */
  readonly endings: readonly (readonly [at: number, entries: number])[];
}

/** An open file of sightings whose SHA-256 is right. */
export interface SightingsFile {
  readonly facts: SightingsFacts;
  /** The records of the hashes that begin with a byte. */
  recordsOf(firstByte: number): Promise<Buffer>;
  close(): Promise<void>;
}

function isFacts(value: unknown): value is SightingsFacts {
  if (typeof value !== "object" || value === null) return false;
  const { format, counts, sources, endings } = value as SightingsFacts & { format: string };
  return (
    format === FORMAT &&
    Array.isArray(counts) &&
    counts.length === FIRST_BYTES &&
    Array.isArray(sources) &&
    Array.isArray(endings)
  );
}

/** Reads the facts of a file, and verifies all of it. Returns `null` if it is damaged or in another format. */
async function readFacts(handle: FileHandle): Promise<SightingsFacts | null> {
  const { size } = await handle.stat();
  const end = size - SHA256_BYTES;
  if (end < LENGTH_BYTES) return null;
  const hash = createHash("sha256");
  const stream = handle.createReadStream({
    start: 0,
    end: end - 1,
    autoClose: false,
    highWaterMark: PIECE_BYTES,
  });
  for await (const piece of stream) hash.update(piece);
  const last = Buffer.alloc(LENGTH_BYTES + SHA256_BYTES);
  await handle.read(last, 0, last.length, end - LENGTH_BYTES);
  if (!hash.digest().equals(last.subarray(LENGTH_BYTES))) return null;
  const length = last.readUInt32BE(0);
  const start = end - LENGTH_BYTES - length;
  if (length > MOST_FACTS || start < 0) return null;
  const text = Buffer.alloc(length);
  await handle.read(text, 0, length, start);
  try {
    const facts: unknown = JSON.parse(text.toString());
    if (!isFacts(facts)) return null;
    const records = facts.counts.reduce((sum, count) => sum + count, 0);
    return records * RECORD_BYTES === start ? facts : null;
  } catch {
    // Another program wrote the file.
    return null;
  }
}

/** Opens a file of sightings. Returns `null` if it is missing, damaged or in another format. */
export async function openSightings(file: string): Promise<SightingsFile | null> {
  const handle = await ifThere(open(file));
  if (handle === null) return null;
  const facts = await readFacts(handle).catch(async (error) => {
    await handle.close();
    throw error;
  });
  if (facts === null) {
    await handle.close();
    return null;
  }
  const starts = [0];
  for (const count of facts.counts) starts.push(starts.at(-1)! + count * RECORD_BYTES);
  return {
    facts,
    async recordsOf(firstByte) {
      const start = starts[firstByte]!;
      const records = Buffer.alloc(starts[firstByte + 1]! - start);
      await handle.read(records, 0, records.length, start);
      return records;
    },
    close: () => handle.close(),
  };
}

/** An entry in a source. */
export interface Sighting {
  readonly source: SeenSource;
  readonly line: number;
  readonly state: SightingState;
  /** Since when the source has had the entry, in seconds since 1970. */
  readonly since: number;
}

/** Finds an entry. `listed` says since when it has been on the list; `null` if it is not. */
export async function findSightings(
  { facts, recordsOf }: SightingsFile,
  hash: Uint8Array,
): Promise<{ readonly listed: number | null; readonly sightings: readonly Sighting[] }> {
  const records = await recordsOf(hash[0]!);
  const key = Buffer.from(hash.subarray(0, KEY_BYTES));
  const recordAt = (i: number) => records.subarray(i * RECORD_BYTES, (i + 1) * RECORD_BYTES);
  const count = records.length / RECORD_BYTES;
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (recordAt(middle).compare(key, 0, KEY_BYTES, 0, KEY_BYTES) < 0) from = middle + 1;
    else to = middle;
  }
  const sightings: Sighting[] = [];
  let listed = 0;
  for (; from < count && recordAt(from).subarray(0, KEY_BYTES).equals(key); from++) {
    const record = recordAt(from);
    listed = record.readUInt32BE(FIELDS.listed);
    sightings.push({
      source: facts.sources[record.readUIntBE(FIELDS.source, 3)]!,
      line: record.readUInt32BE(FIELDS.line),
      state: STATES[record.readUInt8(FIELDS.state)]!,
      since: record.readUInt32BE(FIELDS.since),
    });
  }
  return { listed: listed || null, sightings };
}

/** Replaces a file of sightings as a whole. Only its owner may read a new one. */
export async function writeSightings(
  file: string,
  facts: SightingsFacts,
  pieces: Iterable<Uint8Array>,
): Promise<void> {
  const made = await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // The files beside a store may be in a repository that others can read.
  if (made !== undefined) await writeFile(join(dirname(file), ".gitignore"), "*\n");
  const hash = createHash("sha256");
  const old = await ifThere(stat(file));
  await writeBeside(
    file,
    temporaryPath(file),
    async (opened) => {
      if (old === null) await opened.chmod(0o600);
      const text = Buffer.from(JSON.stringify({ format: FORMAT, ...facts }));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(text.length);
      for (const all of [pieces, [text, length]]) {
        for (const piece of all) {
          hash.update(piece);
          await opened.writeFile(piece);
        }
      }
      await opened.writeFile(hash.digest());
    },
    old,
  );
}
