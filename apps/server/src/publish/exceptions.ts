import { type Expression, expressions } from "@x/expressions";
import { readListSource } from "@x/list-source";
import { FULL_HASH_BYTES, fullHash } from "@x/sha256-prefix";
import { getDomain } from "tldts";

/** An entry that is never published. */
export interface Exception {
  readonly expression: Expression;
  /** The file and line that say so. */
  readonly where: string;
  /** The source that has it; `null` for an exception of the operator. */
  readonly source: string | null;
}

/** An exception that was among the entries. */
export interface LeftOut extends Exception {
  /** The other sources whose entry it was. */
  readonly others: readonly string[];
}

/** An entry that is published and blocks the URL of an exception, because it covers it. */
export interface StillBlocked {
  readonly exception: Exception;
  readonly by: Expression;
}

/** The exceptions of a list. */
export interface Exceptions {
  add(exception: Exception): void;
  has(expression: string): boolean;
  /** The exception that covers an entry without being the same; `null` when there is none. */
  covering(expression: string): Exception | null;
  /**
   * Leaves the exceptions out of full hashes, and says what else blocks them. `sourceAt` is the source of the hash with
   * this index.
   */
  apply(pieces: readonly Uint8Array[], sourceAt?: (index: number) => string): Applied;
}

export interface Applied {
  readonly pieces: readonly Uint8Array[];
  readonly leftOut: readonly LeftOut[];
  readonly stillBlocked: readonly StillBlocked[];
}

const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString("latin1");
const hostOf = (expression: string) => expression.slice(0, expression.indexOf("/"));
const registrableDomain = (host: string) =>
  getDomain(host, { allowPrivateDomains: true, extractHostname: false });

/** The expressions of all entries that block the URL of an expression, by the rules of v4 and of v5. */
export function expressionsOf(expression: string): Set<Expression> {
  const url = `http://${expression}`;
  return new Set([...expressions(url), ...expressions(url, { registrableDomain })]);
}

/** What is done with a hash: it is left out, or blocks an exception. */
interface Hit {
  readonly exception: Exception;
  readonly expression: Expression;
}

export function gatherExceptions(given: Iterable<Exception> = []): Exceptions {
  const byExpression = new Map<string, Exception>();
  const hosts = new Set<string>();

  function add(exception: Exception): void {
    if (byExpression.has(exception.expression)) return;
    byExpression.set(exception.expression, exception);
    hosts.add(hostOf(exception.expression));
  }

  function isBelowHost(host: string): boolean {
    if (hosts.has(host)) return true;
    const dot = host.indexOf(".");
    return dot !== -1 && isBelowHost(host.slice(dot + 1));
  }

  function hitsByHash(): Map<string, Hit[]> {
    const hits = new Map<string, Hit[]>();
    for (const exception of byExpression.values()) {
      for (const expression of expressionsOf(exception.expression)) {
        const key = keyOf(fullHash(expression));
        hits.set(key, [...(hits.get(key) ?? []), { exception, expression }]);
      }
    }
    return hits;
  }

  for (const exception of given) add(exception);
  return {
    add,
    has: (expression) => byExpression.has(expression),
    covering(expression) {
      // Most entries are about other hosts.
      if (!isBelowHost(hostOf(expression))) return null;
      for (const above of expressionsOf(expression)) {
        const exception = byExpression.get(above);
        if (above !== expression && exception !== undefined) return exception;
      }
      return null;
    },
    apply(pieces, sourceAt) {
      if (byExpression.size === 0) return { pieces, leftOut: [], stillBlocked: [] };
      const hits = hitsByHash();
      /** By hash: the sources that have it. */
      const found = new Map<string, Set<string>>();
      let before = 0;
      const firstBytes = new Set([...hits.keys()].map((key) => key.slice(0, 4)));
      const kept = pieces.map((piece) => {
        const first = before;
        before += piece.length / FULL_HASH_BYTES;
        return keepHashes(piece, (hash, index) => {
          if (!firstBytes.has(keyOf(hash.subarray(0, 4)))) return true;
          const key = keyOf(hash);
          if (!hits.has(key)) return true;
          const sources = found.get(key) ?? new Set();
          found.set(key, sources);
          if (sourceAt !== undefined) sources.add(sourceAt(first + index));
          return !hits
            .get(key)!
            .some(({ exception, expression }) => exception.expression === expression);
        });
      });
      const all = [...found].flatMap(([key, sources]) =>
        hits.get(key)!.map((hit) => ({ ...hit, sources })),
      );
      return {
        pieces: kept,
        leftOut: all
          .filter(({ exception, expression }) => exception.expression === expression)
          .map(({ exception, sources }) => ({
            ...exception,
            others:
              exception.source === null ? [] : [...sources].filter((s) => s !== exception.source),
          })),
        stillBlocked: all
          .filter(({ expression }) => !byExpression.has(expression))
          .map(({ exception, expression }) => ({ exception, by: expression })),
      };
    },
  };
}

/** The hashes of a piece that are kept; the piece itself when all are. */
function keepHashes(
  piece: Uint8Array,
  keeps: (hash: Uint8Array, index: number) => boolean,
): Uint8Array {
  const dropped = new Set<number>();
  for (let at = 0; at < piece.length; at += FULL_HASH_BYTES) {
    const hash = piece.subarray(at, at + FULL_HASH_BYTES);
    if (!keeps(hash, at / FULL_HASH_BYTES)) dropped.add(at);
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

/** A line of a file of exceptions that cannot be read. */
export interface UnreadException {
  readonly line: number;
  readonly text: string;
  readonly expected: string;
}

/** Reads exceptions as people write them: a URL, a host or an expression on each line; `#` begins a comment. */
export async function readExceptions(
  text: string,
  file: string,
  onRefusal: (refusal: UnreadException) => void,
): Promise<Exception[]> {
  const exceptions: Exception[] = [];
  await readListSource([Buffer.from(`${text}\n`)], {
    format: "urls",
    onEntry: ({ line, expression }) =>
      exceptions.push({ expression: expression!, where: `${file}:${line}`, source: null }),
    onRefusal,
  });
  return exceptions;
}
