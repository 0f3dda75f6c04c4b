/**
 * A URN in its parts, as written: nothing is decoded, and no case is changed.
 *
 * @see RFC 2141 §2 and RFC 8141 §2
 */
export interface Urn {
  /** The namespace identifier: `"isbn"` in `urn:isbn:0451450523`. */
  readonly nid: string;
  /** The namespace-specific string, with its escapes. Under `"rfc2141"` it may hold `/`, `?` and `#`. */
  readonly nss: string;
  /** What follows `?+`; `null` when there is none, and always under `"rfc2141"`. */
  readonly rComponent: string | null;
  /** What follows `?=`; `null` when there is none, and always under `"rfc2141"`. */
  readonly qComponent: string | null;
  /** What follows `#`; `""` when nothing does, `null` without a `#` and always under `"rfc2141"`. */
  readonly fComponent: string | null;
  /**
   * How `urn` was written, when it was not in lower case: `"URN"`, `"Urn"`, … The property is not
   * enumerable: it lets `formatUrn` give back the very text that was parsed, and a copy of the record
   * (a spread, JSON, a structured clone) is formatted with `urn`, which means the same.
   */
  readonly scheme?: string;
}
