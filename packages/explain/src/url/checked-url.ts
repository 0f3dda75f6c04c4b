import { describeProblem } from "@x/canon";
import type { LineProblem, UrlVerdict } from "@x/lookup";
import { type InputRecord, inputRecord, tooLongLine } from "../line-input.ts";
import type { Refusal } from "../refusal.ts";
import { type MatchRecord, matchRecord } from "./records.ts";

/** The verdict on a URL. */
export interface UrlCheck {
  /** The canonical URL according to the specification; `null` for an input that only browsers read as a URL. */
  readonly canonical: string | null;
  /** The canonical form of the URL that browsers open, if it differs from `canonical`. */
  readonly browser?: string;
  readonly listed: boolean;
  readonly matches: readonly MatchRecord[];
  /** The matches on lists of safe sites, when there are any. */
  readonly safeMatches?: readonly MatchRecord[];
}

/** One checked input as plain data. With its line number, it is a line of the NDJSON that `urlhash check` writes. */
export type CheckedUrl = InputRecord<"url"> & (UrlCheck | Refusal);

/**
 * The verdict of `@x/lookup` on an input, as plain data. If the input is a line that is too long, the record has only
 * the beginning of the line. The input is not parsed again.
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
  { matches, safeMatches, error, readings }: UrlVerdict<LineProblem>,
): CheckedUrl {
  if (error?.code === "line-too-long") {
    const line = typeof input === "string" ? new TextEncoder().encode(input) : input;
    return { ...inputRecord(line, "url"), ...tooLongLine(line)! };
  }
  // For plain text, from which callers may make millions of records, this is the fastest way.
  const given: InputRecord<"url"> =
    typeof input === "string" ? { url: input } : inputRecord(input, "url");
  if (error !== null) return Object.assign(given, { error: describeProblem(input, error) });
  // Without readings, the input is already canonical except for its fragment.
  const canonical =
    readings === null ? given.url.split("#", 1)[0]! : (readings.specification?.href ?? null);
  const browser = readings?.browser ?? null;
  const isReadAlike = browser === null || browser === readings?.specification;
  const opened = isReadAlike ? {} : { browser: browser.href };
  const found = { listed: matches.length > 0, matches: matches.map(matchRecord) };
  const safe = safeMatches.length === 0 ? {} : { safeMatches: safeMatches.map(matchRecord) };
  return Object.assign(given, { canonical }, opened, found, safe);
}
