import type { Match, UrlHash } from "@x/lookup";
import { toHex } from "@x/sha256-prefix";

/** The members that say whether a URL is listed, the same in every command. */
export function matchRecords(matches: readonly Match[]): object {
  return {
    listed: matches.length > 0,
    matches: matches.map(({ list, expression, prefix }) => ({
      list: list.name,
      expression,
      prefix: toHex(prefix),
    })),
  };
}

export function hashRecords(hashes: readonly UrlHash[]): object {
  return {
    expressions: hashes.map(({ expression, hash, prefix }) => ({
      expression,
      hash: toHex(hash),
      prefix: toHex(prefix),
    })),
  };
}
