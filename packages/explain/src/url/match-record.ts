import type { Match } from "@x/lookup";
import { toHex } from "@x/sha256-prefix";

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
