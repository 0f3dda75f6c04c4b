import type { Match, UrlHash } from "@x/lookup";
import { toHex } from "@x/sha256-prefix";

/** One expression of a URL with its hashes in lower-case hexadecimal, as plain data. */
export interface ExpressionRecord {
  readonly expression: string;
  /** The full hash. */
  readonly hash: string;
  /** The hash prefix. */
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

/** An expression of a URL that is on a list, as plain data. */
export interface MatchRecord {
  /** The name of the list. */
  readonly list: string;
  readonly expression: string;
  /** The hash prefix in the list, in lower-case hexadecimal. */
  readonly prefix: string;
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
 * match && matchRecord(match); // → { list: "phishing", expression: "evil.example/", prefix: "f001957c" }
 * ```
 */
export function matchRecord({
  list,
  expression,
  prefix,
}: Pick<Match, "list" | "expression" | "prefix">): MatchRecord {
  return { list: list.name, expression, prefix: toHex(prefix) };
}
