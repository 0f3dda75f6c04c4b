import type { SortedHashes } from "@x/list-store";
import { sortFullHashes } from "@x/prefix-list/raw-hashes";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import type { ScratchFile } from "../storage/scratch-file.ts";

/** Collects full hashes one by one, and sorts them, however many there are. */
export interface HashSorter {
  /** Adds a hash. `source` is the number of its source. Hashes must be added in the order of these numbers. */
  add(hash: Uint8Array, source: number): void;
  /** Removes the hashes for which `keeps` returns `false`. */
  filter(keeps: (hash: Uint8Array, source: number) => boolean): void;
  /**
   * Sorts the hashes. No hash may be added afterwards.
   *
   * @param beforeSort gets the share that is done, from 0 to 1.
   * @param keepsOf called with each first byte in turn. Returns which of the hashes that begin with it are kept, or
   * `null` if all are.
   */
  sorted(
    beforeSort?: (share: number) => Promise<void>,
    keepsOf?: (firstByte: number) => Promise<((hash: Uint8Array) => boolean) | null>,
  ): Promise<SortedHashes>;
}

/** Hashes are put into this many buckets by their first byte. */
const BUCKETS = 2 ** 8;
const FIRST_BYTES = 8 * FULL_HASH_BYTES;
/** At most this many bytes of a bucket stay in memory. */
const CHUNK_BYTES = 2 ** 16;

/**
 * A bucket, with its bytes in the order in which they were added. Full chunks are in the file, and the rest is in
 * memory.
 */
function bucketIn(file: ScratchFile) {
  const chunks: number[] = [];
  let rest = new Uint8Array(0);
  let used = 0;
  return {
    add(hash: Uint8Array): void {
      if (used === CHUNK_BYTES) {
        chunks.push(file.append(rest));
        used = 0;
      }
      if (used === rest.length) {
        const longer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(FIRST_BYTES, 2 * used)));
        longer.set(rest);
        rest = longer;
      }
      rest.set(hash, used);
      used += hash.length;
    },
    length: () => chunks.length * CHUNK_BYTES + used,
    read(): Uint8Array<ArrayBuffer> {
      const bytes = new Uint8Array(chunks.length * CHUNK_BYTES + used);
      for (const [i, at] of chunks.entries()) {
        file.read(bytes.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES), at);
      }
      bytes.set(rest.subarray(0, used), chunks.length * CHUNK_BYTES);
      return bytes;
    },
    /** Replaces the bytes. The new bytes must not be longer. */
    replace(bytes: Uint8Array): void {
      chunks.length = Math.min(chunks.length, Math.floor(bytes.length / CHUNK_BYTES));
      for (const [i, at] of chunks.entries()) {
        file.write(bytes.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES), at);
      }
      rest = bytes.slice(chunks.length * CHUNK_BYTES);
      used = rest.length;
    },
  };
}

/**
 * Sorts full hashes in buckets. Most of a long bucket is kept in `file`, so that ten million hashes take 16 MB of
 * memory instead of 320 MB.
 */
export function hashSorter(file: ScratchFile): HashSorter {
  const buckets = Array.from({ length: BUCKETS }, () => ({
    ...bucketIn(file),
    /** Where the last hash of each source ends in the bucket, in bytes. */
    ends: [] as number[],
  }));
  return {
    add(hash, source) {
      const bucket = buckets[hash[0]!]!;
      bucket.add(hash);
      bucket.ends[source] = bucket.length();
    },
    filter(keeps) {
      for (const { read, replace, ends } of buckets) {
        let source = 0;
        const bytes = read();
        const kept = keepHashes(bytes, (hash, at) => {
          while (at >= (ends[source] ?? 0)) source++;
          return keeps(hash, source);
        });
        if (kept !== bytes) replace(kept);
      }
    },
    async sorted(beforeSort, keepsOf) {
      for (const [i, { read, replace }] of buckets.entries()) {
        await beforeSort?.(i / BUCKETS);
        const hashes = sortFullHashes(read());
        const keeps = (await keepsOf?.(i)) ?? null;
        replace(keeps === null ? hashes : keepHashes(hashes, keeps));
      }
      const bytes = buckets.reduce((sum, { length }) => sum + length(), 0);
      return {
        count: bytes / FULL_HASH_BYTES,
        *pieces() {
          for (const { read } of buckets) yield read();
        },
      };
    },
  };
}

/**
 * Returns the hashes of a piece that are kept, or the piece itself if all are kept. `at` is the offset of a hash in
 * bytes.
 */
export function keepHashes<Piece extends Uint8Array>(
  piece: Piece,
  keeps: (hash: Uint8Array, at: number) => boolean,
): Piece | Uint8Array {
  const dropped = new Set<number>();
  for (let at = 0; at < piece.length; at += FULL_HASH_BYTES) {
    const hash = piece.subarray(at, at + FULL_HASH_BYTES);
    if (!keeps(hash, at)) dropped.add(at);
  }
  if (dropped.size === 0) return piece;
  const kept = new Uint8Array(piece.length - dropped.size * FULL_HASH_BYTES);
  let used = 0;
  for (let at = 0; at < piece.length; at += FULL_HASH_BYTES) {
    if (dropped.has(at)) continue;
    kept.set(piece.subarray(at, at + FULL_HASH_BYTES), used);
    used += FULL_HASH_BYTES;
  }
  return kept;
}
