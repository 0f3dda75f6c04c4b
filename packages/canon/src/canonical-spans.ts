import type { HostType } from "./steps/url-parts.ts";

/** The indices of the parts of a canonical URL in a `Uint8Array`. */
export interface CanonicalSpans {
  hostType: HostType;
  /** The index of the first byte of the host. */
  host: number;
  /** The index after the host, at which the path starts. */
  path: number;
  /** The index after the path, which is that of the question mark, or `end` when there is no query. */
  query: number;
  /** The index after the URL without its fragment. */
  end: number;
}
