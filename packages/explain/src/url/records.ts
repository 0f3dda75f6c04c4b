import type { InnerUrl, Match, Reading, UrlHash } from "@x/lookup";
import { toHex } from "@x/sha256-prefix";

/** One expression of a URL with its hashes, as plain data. */
export interface ExpressionRecord {
  readonly expression: string;
  /** The full hash, in lower-case hexadecimal. */
  readonly hash: string;
  /** The hash prefix, in lower-case hexadecimal. */
  readonly prefix: string;
}

/**
 * An expression of `urlHashes` as plain data.
 *
 * @example
 * ```ts
 * import { expressionRecord } from "@x/explain";
 * import { urlHashes } from "@x/lookup";
 *
 * const [record] = urlHashes("b.c").map(expressionRecord);
 * [record?.expression, record?.prefix]; // → ["b.c/", "b225cf5d"]
 * ```
 */
export function expressionRecord({ expression, hash, prefix }: UrlHash): ExpressionRecord {
  return { expression, hash: toHex(hash), prefix: toHex(prefix) };
}

/** Whether a list has the full hash of a match. */
export function hasFullHash({ confirmed, by }: Pick<MatchRecord, "confirmed" | "by">): boolean {
  return confirmed && by !== "length";
}

/** An expression of a URL that is on a list, as plain data. */
export interface MatchRecord {
  /** The name of the list. */
  readonly list: string;
  /** The checksum of the list, which distinguishes lists with the same name. */
  readonly checksum: string;
  /** The time at which the list was made, such as `"2026-01-31T12:00:00.000Z"`. */
  readonly created: string;
  readonly expression: string;
  /** The hash prefix in the list, in lower-case hexadecimal. */
  readonly prefix: string;
  /**
   * Whether the expression is certainly on the list: the list has the full hash, or a prefix that is long enough.
   * Otherwise, it is probably on the list.
   */
  readonly confirmed: boolean;
  /** Set to `"length"` if the length of the prefix, rather than a full hash, confirms the match. */
  readonly by?: "length";
  /** Which readings of the URL have the expression. */
  readonly reading: Reading;
  /** The URL inside the checked one that has the expression; not set if the checked URL itself has it. */
  readonly inner?: InnerUrl | undefined;
}

/** A URL inside another one as plain data, without additional members. */
export function innerRecord({ url, wrapper, certainty, inside }: InnerUrl): InnerUrl {
  return { url, wrapper, certainty, inside: inside && innerRecord(inside) };
}

/**
 * A match of `@x/lookup` as plain data.
 *
 * @example
 * ```ts
 * import { matchRecord } from "@x/explain";
 * import { checker } from "@x/lookup";
 * import { prefixList } from "@x/prefix-list";
 * import { fullHash } from "@x/sha256-prefix";
 *
 * const list = prefixList([fullHash("evil.example/")], { name: "phishing", prefixBytes: 4 });
 * const [match] = checker(list).check("http://evil.example/login");
 * const record = match && matchRecord(match);
 * [record?.list, record?.prefix, record?.confirmed]; // → ["phishing", "f001957c", false]
 * ```
 */
export function matchRecord({
  list,
  expression,
  prefix,
  confirmed,
  by,
  reading,
  inner,
}: Omit<Match, "hash">): MatchRecord {
  return {
    list: list.name,
    checksum: list.checksum,
    created: new Date(list.created).toISOString(),
    expression,
    prefix: toHex(prefix),
    confirmed,
    ...(by && { by }),
    reading,
    ...(inner && { inner: innerRecord(inner) }),
  };
}
