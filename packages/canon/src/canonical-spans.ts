import type { HostType } from "./steps/url-parts.ts";

/** Where the parts of a canonical URL are, as indices into a `Uint8Array`. */
export interface CanonicalSpans {
  hostType: HostType;
  /** Where the host starts. */
  host: number;
  /** Where the host ends and the path starts. */
  path: number;
  /** Where the path ends: at the question mark, or at `end` when there is no query. */
  query: number;
  /** Where the URL ends, without its fragment. */
  end: number;
}
