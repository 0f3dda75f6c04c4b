import { type Expression, expressions } from "@x/expressions";
import { entriesOfHost, readListSource, type WarningCode } from "@x/list-source";
import { fullHash } from "@x/sha256-prefix";
import { getDomain } from "tldts";
import { keepHashes } from "./sort-hashes.ts";
import type { Source } from "./source.ts";

/** An entry that must never be published. */
export interface Exception {
  readonly expression: Expression;
  /** The file and line of the exception. */
  readonly where: string;
  /** The source that contains the exception, or `null` for an exception of the operator. */
  readonly source: Source | null;
  /**
   * Whether the exception comes from a host that is never blocked. Other entries below such a host are published
   * without a warning, because popular sites also have harmful pages.
   */
  readonly isNeverBlocked?: boolean;
}

/** A published entry that blocks the URL of an exception. */
export interface StillBlocked {
  readonly exception: Exception;
  readonly by: Expression;
  /**
   * The sources that contain the entry, if it equals an exception that applies only to its own source. Otherwise empty.
   */
  readonly of: readonly string[];
}

/** The exceptions of a list. */
export interface Exceptions {
  add(exception: Exception): void;
  /** Whether an entry of a source is left out. */
  has(expression: string, source?: Source): boolean;
  /** The exception that covers an entry of a source without being equal to it, or `null` if there is none. */
  covering(expression: string, source: Source): Exception | null;
  /**
   * Removes the exceptions from full hashes, and returns the exceptions that had an effect and those that are still
   * blocked. `filter` receives a function that says whether to keep a hash, and must call it for every hash. Without
   * exceptions, `filter` is not called.
   */
  apply(filter: (keeps: (hash: Uint8Array, source: Source | null) => boolean) => void): Applied;
}

export interface Applied {
  readonly leftOut: readonly Exception[];
  readonly stillBlocked: readonly StillBlocked[];
}

const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString("latin1");
const hostOf = (expression: string) => expression.slice(0, expression.indexOf("/"));
export const registrableDomain = (host: string): string | null =>
  getDomain(host, { allowPrivateDomains: true, extractHostname: false });

/** The expressions of all entries that block the URL of an expression, by the rules of v4 and of v5. */
export function expressionsOf(expression: string): Set<Expression> {
  const url = `http://${expression}`;
  return new Set([...expressions(url), ...expressions(url, { registrableDomain })]);
}

/** An entry that blocks the URLs of exceptions, and where it was found. */
interface Blocking {
  readonly expression: Expression;
  /** An exception for each URL that the entry blocks. */
  readonly exceptions: Exception[];
  /** The exceptions that left out an entry of a source. */
  readonly left: Set<Exception>;
  /** The sources whose entry is published. */
  readonly kept: Set<Source | null>;
}

/** The entries that block the URLs of exceptions, keyed by their full hashes. */
function blockingEntries(
  byExpression: ReadonlyMap<Expression, readonly Exception[]>,
): Map<string, Blocking> {
  const entries = new Map<string, Blocking>();
  for (const [same, exceptions] of byExpression) {
    // The hosts above a host that is never blocked have exceptions of their own.
    const isAlone = exceptions.every(({ isNeverBlocked }) => isNeverBlocked);
    for (const expression of isAlone ? [same] : expressionsOf(same)) {
      const key = keyOf(fullHash(expression));
      const known = entries.get(key);
      if (known !== undefined) known.exceptions.push(exceptions[0]!);
      else {
        const found = { left: new Set<Exception>(), kept: new Set<Source | null>() };
        entries.set(key, { expression, exceptions: [exceptions[0]!], ...found });
      }
    }
  }
  return entries;
}

function namesOf(sources: Iterable<Source | null>): string[] {
  return [...sources].flatMap((source) => (source === null ? [] : [source.name]));
}

/** Removes exceptions from full hashes. `find` returns the exception that leaves out an entry of a source. */
function applyTo(
  filter: Parameters<Exceptions["apply"]>[0],
  entries: ReadonlyMap<string, Blocking>,
  find: (expression: Expression, source: Source | null) => Exception | undefined,
): Applied {
  const firstBytes = new Set([...entries.keys()].map((key) => key.slice(0, 4)));
  filter((hash, source) => {
    if (!firstBytes.has(keyOf(hash.subarray(0, 4)))) return true;
    const entry = entries.get(keyOf(hash));
    if (entry === undefined) return true;
    const { left, kept } = entry;
    const exception = find(entry.expression, source);
    if (exception === undefined) {
      kept.add(source);
      return true;
    }
    left.add(exception);
    return false;
  });
  const all = [...entries.values()];
  const blocked = all.filter(({ kept }) => kept.size > 0);
  return {
    leftOut: all.flatMap(({ left }) => [...left]),
    stillBlocked: blocked.flatMap(({ expression: by, exceptions, kept }) =>
      exceptions.map((exception) => ({
        exception,
        by,
        of: exception.expression === by ? namesOf(kept) : [],
      })),
    ),
  };
}

/**
 * Gathers exceptions. An exception of a source applies to the entries of that source, and an exception of the operator
 * to those of all sources.
 */
export function gatherExceptions(given: Iterable<Exception> = []): Exceptions {
  const byExpression = new Map<Expression, Exception[]>();
  const hosts = new Set<string>();
  const counts = (exception: Exception, source: Source | null) =>
    exception.source === null || exception.source === source;
  const find = (expression: Expression, source: Source | null) =>
    byExpression.get(expression)?.find((exception) => counts(exception, source));

  function add(exception: Exception): void {
    const { expression, source, isNeverBlocked } = exception;
    if (find(expression, source) !== undefined) return;
    byExpression.set(expression, [...(byExpression.get(expression) ?? []), exception]);
    if (!isNeverBlocked) hosts.add(hostOf(expression));
  }

  function isBelowHost(host: string): boolean {
    if (hosts.has(host)) return true;
    const dot = host.indexOf(".");
    return dot !== -1 && isBelowHost(host.slice(dot + 1));
  }

  for (const exception of given) add(exception);
  return {
    add,
    has: (expression, source) => find(expression as Expression, source ?? null) !== undefined,
    covering(expression, source) {
      // Most lists have no exceptions, and most entries are on hosts without exceptions, so both cases return early.
      if (hosts.size === 0) return null;
      if (!isBelowHost(hostOf(expression))) return null;
      for (const above of expressionsOf(expression)) {
        const exception = find(above, source);
        if (above !== expression && exception !== undefined && !exception.isNeverBlocked)
          return exception;
      }
      return null;
    },
    apply(filter) {
      if (byExpression.size === 0) return { leftOut: [], stillBlocked: [] };
      return applyTo(filter, blockingEntries(byExpression), find);
    },
  };
}

/** Removes the operator's exceptions from full hashes that were read from a store. */
export function withoutExceptions(
  exceptions: Exceptions,
  fullHashes: readonly Uint8Array[],
): Applied & { readonly fullHashes: readonly Uint8Array[] } {
  let kept = fullHashes;
  const applied = exceptions.apply((keeps) => {
    kept = fullHashes.map((piece) => keepHashes(piece, (hash) => keeps(hash, null)));
  });
  return { ...applied, fullHashes: kept };
}

/** A line in an exceptions file that is not valid. */
export interface UnreadException {
  readonly line: number;
  readonly text: string;
  readonly expected: string;
}

/** What is expected instead of lines that sources may have, with a warning. */
const MUST_HOLD: Readonly<Partial<Record<WarningCode, string>>> = {
  "path-collapsed": 'a path that ".." does not shorten',
  "header-skipped": "a host with a dot",
};

/**
 * Parses exceptions. Each line has a URL, a host or an expression, and `#` begins a comment. With `isNeverBlocked`,
 * each line has a host, and there are exceptions for the host and all hosts above it.
 */
export async function readExceptions(
  text: string,
  file: string,
  onRefusal: (refusal: UnreadException) => void,
  { isNeverBlocked = false }: Pick<Exception, "isNeverBlocked"> = {},
): Promise<Exception[]> {
  const exceptions: Exception[] = [];
  const seen = new Set<string>();
  await readListSource([Buffer.from(`${text}\n`)], {
    format: isNeverBlocked ? "domains" : "urls",
    onEntry({ line, expression }) {
      const all = isNeverBlocked ? entriesOfHost(expression!) : [expression!];
      for (const each of all) {
        // Many hosts have the same hosts above them.
        if (isNeverBlocked && seen.has(each)) continue;
        seen.add(each);
        exceptions.push({
          expression: each,
          where: `${file}:${line}`,
          source: null,
          isNeverBlocked,
        });
      }
    },
    onRefusal,
    onWarning({ code, line, text: written }) {
      const expected = MUST_HOLD[code];
      if (expected !== undefined) onRefusal({ line, text: written!, expected });
    },
  });
  return exceptions;
}
