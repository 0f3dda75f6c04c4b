import { describeProblem } from "@x/canon";
import type { InnerUrl, LineProblem, Match, Reading, UrlHash, UrlVerdict } from "@x/lookup";
import { toHex } from "@x/sha256-prefix";
import { type InputRecord, inputRecord, type Refusal, tooLongLine } from "../input.ts";

/** One expression of a URL with its hashes, as plain data. */
export interface ExpressionRecord {
  readonly expression: string;
  /** The full hash, in lower-case hexadecimal. */
  readonly hash: string;
  /** The hash prefix, in lower-case hexadecimal. */
  readonly prefix: string;
}

export function expressionRecord({ expression, hash, prefix }: UrlHash): ExpressionRecord {
  return { expression, hash: toHex(hash), prefix: toHex(prefix) };
}

/** Whether a list has the full hash of a match. */
export function hasFullHash({ confirmed, by }: Pick<MatchRecord, "confirmed" | "by">): boolean {
  return confirmed && by !== "length";
}

/** An expression of a URL that is on a list, as plain data. */
export interface MatchRecord {
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

export function matchRecord(match: Omit<Match, "hash">): MatchRecord {
  const { list, expression, prefix, confirmed, by, reading, inner } = match;
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
