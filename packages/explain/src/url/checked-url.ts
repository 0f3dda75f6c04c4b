import { CanonError, canonicalize } from "@x/canon";
import type { LineVerdict } from "@x/lookup";
import { type InputRecord, inputRecord, tooLongLine } from "../input.ts";
import { type Refusal, refusalOf } from "../refusal.ts";
import { type MatchRecord, matchRecord } from "./records.ts";

/** The verdict on a URL. */
export interface UrlCheck {
  readonly canonical: string;
  readonly listed: boolean;
  readonly matches: readonly MatchRecord[];
}

/** One checked input as plain data. With the number of its line, it is a line of NDJSON. */
export type CheckedUrl = InputRecord<"url"> & (UrlCheck | Refusal);

/**
 * The verdict of `@x/lookup` on an input, as plain data. If the input is a line that is too long, the record has only
 * its beginning.
 *
 * @example
 * ```ts
 * import { checkedUrl } from "@x/explain";
 * import { checker } from "@x/lookup";
 * import { prefixList } from "@x/prefix-list";
 *
 * const [verdict] = checker(prefixList([])).checkMany(["EXAMPLE.com"]);
 * verdict && checkedUrl("EXAMPLE.com", verdict); // → { url: "EXAMPLE.com", canonical: "http://example.com/", listed: false, matches: [] }
 * ```
 */
export function checkedUrl(
  input: string | Uint8Array,
  { matches, error }: Pick<LineVerdict, "matches" | "error">,
): CheckedUrl {
  if (error?.code === "line-too-long") return refusedLine(input);
  if (error !== null) {
    const refused = refusalOf(new CanonError(input, error.code, error.index));
    return { ...inputRecord(input, "url"), ...refused };
  }
  const canonical = canonicalize(input);
  const check = { canonical, listed: matches.length > 0, matches: matches.map(matchRecord) };
  // Millions of records are made of plain text, and this is the fastest way.
  const given = typeof input === "string" ? { url: input } : inputRecord(input, "url");
  return Object.assign(given, check);
}

function refusedLine(input: string | Uint8Array): CheckedUrl {
  const line = typeof input === "string" ? new TextEncoder().encode(input) : input;
  return { ...inputRecord(line, "url"), ...tooLongLine(line)! };
}
