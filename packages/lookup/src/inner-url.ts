/** A URL inside another one, such as the URL that a filter of mail has wrapped. */
export interface InnerUrl {
  readonly url: string;
  /** The service or scheme that wraps it; `null` for a guess. */
  readonly wrapper: string | null;
  /** How certain it is that the outer URL leads here. */
  readonly certainty: "certain" | "hint" | "guess";
  /** The URL that directly contains it; `null` for the URL that is checked. */
  readonly inside: InnerUrl | null;
}

/** Finds the URLs inside a URL, as `unwrapLink` of the package for links does. */
export type Unwrap = (url: string | Uint8Array) => {
  readonly found: readonly InnerUrl[];
  /** The limits that were reached, so that there may be more URLs inside. */
  readonly limits: readonly string[];
};
