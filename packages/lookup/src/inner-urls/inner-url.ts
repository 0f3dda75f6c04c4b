/** A URL inside another one, such as the URL that a mail filter has wrapped. */
export interface InnerUrl {
  readonly url: string;
  /** The service or scheme that wraps the URL, or `null` for a guess. */
  readonly wrapper: string | null;
  /** How certain it is that the outer URL leads to this one. */
  readonly certainty: "certain" | "hint" | "guess";
  /** The URL inside that directly contains this one, or `null` if the checked URL does. */
  readonly inside: InnerUrl | null;
}

/** Finds the URLs inside a URL, as `unwrapLink` does. */
export type Unwrap = (url: string | Uint8Array) => {
  readonly found: readonly InnerUrl[];
  /** The limits that were reached, so that there may be more URLs inside. */
  readonly limits: readonly string[];
};
