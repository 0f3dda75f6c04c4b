import type { CanonicalUrl } from "@x/canon";
import { type Expression, exactExpression } from "@x/expressions";
import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import type { HashBatch } from "@x/sha256-prefix/batch";
import { type BroadOptions, isWholeHost } from "./accept-entry.ts";
import type { EntryKind } from "./formats/format.ts";
import { MAX_PLAIN_BYTES, plainUrlReader } from "./plain-url.ts";

/** An entry whose text is canonical as it stands. */
export interface PlainEntry {
  readonly line: number;
  readonly text: string;
  readonly url: CanonicalUrl;
  readonly expression: Expression;
}

/** Entries that wait until there are enough of them to be hashed together. */
export interface WaitingEntries {
  /** Adds an entry if its text is canonical as it stands, and it is no public suffix. Otherwise returns `false`. */
  add(text: string, kind: EntryKind, line: number): boolean;
  /** Calls `onEntry` for all waiting entries, in order. Afterwards, none is waiting, even if `onEntry` throws. */
  flush(): void;
}

const MOST_ENTRIES = 2 ** 7;
const BYTES = 2 ** 13;
/** Fewer entries than this are hashed one by one. */
const FEWEST_TOGETHER = 8;

/** Options for hashing entries. */
export interface HashOptions {
  /**
   * A batch made by `createHashBatch` of `@x/sha256-prefix/batch`, for 8192 bytes and 128 slices. With a batch, entries
   * are hashed together, which is faster; without one, or with a smaller one, they are hashed one by one. Several
   * readers may share a batch.
   */
  readonly hashBatch?: HashBatch | undefined;
}

export function waitingEntries(
  onEntry: (entry: PlainEntry, hash: Uint8Array) => void,
  { hashBatch: batch, isPublicSuffix }: HashOptions & Pick<BroadOptions, "isPublicSuffix">,
): WaitingEntries {
  let waiting: PlainEntry[] = [];
  const bytes = new Uint8Array(BYTES);
  const starts = new Uint32Array(MOST_ENTRIES);
  const ends = new Uint32Array(MOST_ENTRIES);
  const { read, spans } = plainUrlReader(bytes);
  let used = 0;

  function hashesOf(entries: readonly PlainEntry[], length: number): Uint8Array[] {
    const count = entries.length;
    const hasRoom =
      batch !== undefined && batch.bytes.length >= BYTES && batch.starts.length >= MOST_ENTRIES;
    if (!hasRoom || count < FEWEST_TOGETHER) {
      return entries.map(({ expression }) => fullHash(expression));
    }
    batch.bytes.set(bytes.subarray(0, length));
    batch.starts.set(starts.subarray(0, count));
    batch.ends.set(ends.subarray(0, count));
    batch.run(count);
    const hashes: Uint8Array[] = [];
    for (let at = 0; at < count * FULL_HASH_BYTES; at += FULL_HASH_BYTES) {
      hashes.push(batch.hashes.slice(at, at + FULL_HASH_BYTES));
    }
    return hashes;
  }

  function flush(): void {
    if (waiting.length === 0) return;
    const entries = waiting;
    const hashes = hashesOf(entries, used);
    waiting = [];
    used = 0;
    for (let i = 0; i < entries.length; i++) onEntry(entries[i]!, hashes[i]!);
  }

  return {
    add(text, kind, line) {
      if (waiting.length === MOST_ENTRIES || BYTES - used < MAX_PLAIN_BYTES) flush();
      const url = read(text, kind, used);
      if (url === null || (isPublicSuffix && isWholeHost(url) && isPublicSuffix(url.host))) {
        return false;
      }
      starts[waiting.length] = spans.host;
      ends[waiting.length] = spans.end;
      used = spans.end;
      waiting.push({ line, text, url, expression: exactExpression(url) });
      return true;
    },
    flush,
  };
}
