import type { CanonicalUrl } from "@x/canon";
import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import { type Expression, exactExpression } from "@x/expressions";
import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import type { HashBatch } from "@x/sha256-prefix/batch";
import { type BroadOptions, isWholeHost } from "./accept-entry.ts";
import type { EntryKind } from "./formats/format.ts";

/*
 * Most texts in a source are canonical as they stand, apart from a scheme or the slash after the host, and nothing is
 * odd about them. A text that is canonical as it stands is checked byte by byte and not parsed.
 */

const HTTP = "http://";
const HTTPS = "https://";
const HTTP_BYTES = Uint8Array.from(HTTP, (character) => character.charCodeAt(0));
/** Longer texts are parsed. */
const MAX_PLAIN_LENGTH = 1024;
/** The maximum number of bytes that are written for a text, including a scheme and a slash that are added. */
export const MAX_PLAIN_BYTES: number = HTTP.length + MAX_PLAIN_LENGTH + 1;

const COLON = 0x3a;
const DOT = 0x2e;
const EXCLAMATION_MARK = 0x21;
const QUESTION_MARK = 0x3f;
const SLASH = 0x2f;

const PLAIN = 1;
const IS_DOT = 2;
const IS_SLASH = 4;
const IS_HYPHEN = 8;
/**
 * The classes of characters. Characters with class 0 may be a sign of a fragment, an escape, a second URL, copied
 * punctuation or an ellipsis.
 */
const CLASSES = new Uint8Array(128);
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_!$&+:=?@~")
  CLASSES[character.charCodeAt(0)] = PLAIN;
CLASSES[DOT] = IS_DOT;
CLASSES[SLASH] = IS_SLASH;
CLASSES["-".charCodeAt(0)] = IS_HYPHEN;

/** Kinds of texts that can be read here. `open-rule` is not one of them, because its host may continue. */
const KINDS: ReadonlySet<EntryKind> = new Set(["line", "field", "host", "rule"]);

/** The length of `http://` or `https://` at the beginning of a text; 0 if it begins with neither. */
function schemeLength(text: string): number {
  if (text.charCodeAt(HTTP.length - 3) === COLON) return text.startsWith(HTTP) ? HTTP.length : 0;
  if (text.charCodeAt(HTTPS.length - 3) !== COLON) return 0;
  return text.startsWith(HTTPS) ? HTTPS.length : 0;
}

/** Reads texts that are canonical as they stand. */
export interface PlainUrlReader {
  /**
   * The same URL as `acceptEntry` returns for `text`, found faster, and without any warning about the text; `null` for
   * a text that has to be read by `acceptEntry`, such as one with a port, escapes, capital letters in its host, or an
   * address.
   *
   * The expression is written somewhere into the {@link MAX_PLAIN_BYTES} bytes from index `at` on.
   */
  read(text: string, kind: EntryKind, at: number): CanonicalUrl | null;
  /** The position of the last expression in the bytes. */
  readonly spans: Readonly<Pick<CanonicalSpans, "host" | "end">>;
}

/** Returns a reader that writes expressions into `bytes`. */
export function plainUrlReader(bytes: Uint8Array): PlainUrlReader {
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
  return {
    read(text, kind, at) {
      const { length } = text;
      if (length > MAX_PLAIN_LENGTH) return null;
      // At the end of a path, these characters probably end a sentence.
      const final = text.charCodeAt(length - 1);
      if (final === DOT || final === EXCLAMATION_MARK) return null;
      const rest = schemeLength(text);
      let end = at;
      // Verification needs a scheme, and has the same result for `http` and `https`.
      for (let i = 0; i < HTTP.length; i++) bytes[end++] = HTTP_BYTES[i]!;
      let seen = 0;
      let last = 0;
      for (let i = rest; i < length; i++) {
        const code = text.charCodeAt(i);
        const found = CLASSES[code] ?? 0;
        // Two dots may be part of an ellipsis.
        if (found === 0 || (found & last & IS_DOT) !== 0) return null;
        seen |= found;
        last = found;
        bytes[end++] = code;
      }
      const hasPath = (seen & IS_SLASH) !== 0;
      if (!KINDS.has(kind) || (kind === "host" && (hasPath || rest > 0))) return null;
      if (!hasPath) bytes[end++] = SLASH;
      if (!verifyCanonical(bytes, at, end, spans)) return null;
      const pathStart = rest + spans.path - spans.host;
      const host = text.slice(rest, pathStart);
      if (!host.includes(".")) return null;
      if ((seen & IS_HYPHEN) !== 0 && host.includes("xn--")) return null;
      // An empty query is not part of the expression.
      if (bytes[end - 1] === QUESTION_MARK) return null;
      const pathEnd = pathStart + spans.query - spans.path;
      const start = rest > 0 ? text : HTTP + text;
      return {
        href: hasPath ? start : `${start}/`,
        scheme: rest === HTTPS.length ? "https" : "http",
        host,
        hostType: "domain",
        path: hasPath ? (text.slice(pathStart, pathEnd) as `/${string}`) : "/",
        query: spans.query < end ? text.slice(pathEnd + 1) : null,
      };
    },
    spans,
  };
}

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
