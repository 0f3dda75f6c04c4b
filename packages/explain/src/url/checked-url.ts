import { CanonError, canonicalize } from "@x/canon";
import type { LineVerdict } from "@x/lookup";
import { toHex } from "@x/sha256-prefix";
import { decodeUtf8 } from "../printable/printable.ts";
import { beginningOf, type Refusal, refusalOf, tooLongLine } from "../refusal.ts";
import { type MatchRecord, matchRecord } from "./match-record.ts";

/** The verdict on a URL. */
export interface UrlCheck {
  readonly canonical: string;
  readonly listed: boolean;
  readonly matches: readonly MatchRecord[];
}

/** One checked input as plain data: a line of NDJSON, but for the number of the line. */
export type CheckedUrl = {
  /** The input. If it was not UTF-8, the characters that could not be decoded are U+FFFD. */
  readonly url: string;
  /** All bytes of an input that was not UTF-8, in hexadecimal. */
  readonly bytes?: string;
} & (UrlCheck | Refusal);

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The members of a record that hold an input: `member` is its text. For bytes that are not UTF-8, `bytes` has all
 * of them in hexadecimal.
 *
 * @example
 * ```ts
 * import { inputRecord } from "@x/explain";
 *
 * inputRecord("urn:a:b", "urn"); // → { urn: "urn:a:b" }
 * inputRecord(Uint8Array.of(0x61, 0xff), "url"); // → { url: "a\ufffd", bytes: "61ff" }
 * ```
 */
export function inputRecord<Member extends string>(
  input: string | Uint8Array,
  member: Member,
): { readonly [M in Member]: string } & { readonly bytes?: string } {
  type InputRecord = { readonly [M in Member]: string } & { readonly bytes?: string };
  const text = typeof input === "string" ? input : decodeUtf8(input);
  if (text !== null) return { [member]: text } as InputRecord;
  const bytes = input as Uint8Array;
  return { [member]: lenient.decode(bytes), bytes: toHex(bytes) } as InputRecord;
}

/**
 * What `@x/lookup` found out about an input, as plain data. Of a line that is too long, only the beginning is in
 * the record.
 *
 * @example
 * ```ts
 * import { checkedUrl } from "@x/explain";
 * import { checker } from "@x/lookup";
 * import { prefixList } from "@x/prefix-list";
 *
 * const [verdict] = checker(prefixList([])).checkMany(["EXAMPLE.com"]);
 * verdict && checkedUrl("EXAMPLE.com", verdict);
 * // → { url: "EXAMPLE.com", canonical: "http://example.com/", listed: false, matches: [] }
 * ```
 */
export function checkedUrl(
  input: string | Uint8Array,
  { matches, error }: Pick<LineVerdict, "matches" | "error">,
): CheckedUrl {
  if (error?.code === "line-too-long") {
    const line = typeof input === "string" ? new TextEncoder().encode(input) : input;
    return { ...inputRecord(beginningOf(line), "url"), ...tooLongLine(line)! };
  }
  const given = inputRecord(input, "url");
  if (error !== null) {
    return { ...given, ...refusalOf(new CanonError(input, error.code, error.index)) };
  }
  return {
    ...given,
    canonical: canonicalize(input),
    listed: matches.length > 0,
    matches: matches.map(matchRecord),
  };
}
