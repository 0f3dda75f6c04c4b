/**
 * A link that was found.
 *
 * `start` and `end` are indices in UTF-16 code units. If the link is in a value with character references, such as
 * `srcdoc`, they are those of the whole value.
 */
export interface FoundLink {
  /** The link as it is written. */
  readonly text: string;
  /** The index of its first character. */
  readonly start: number;
  /** The index after its last character. */
  readonly end: number;
  /**
   * The URL to check: turned back if it was defanged, without invisible characters and line breaks, with `http://` if it
   * has no scheme, and resolved if it is relative.
   */
  readonly url: string;
  /**
   * Where it stood: `"text"`, the name of an attribute in lower case, such as `"href"`, or `"refresh"`, `"css"`, `"script"`
   * or `"comment"`. In Markdown, the destination of a link is an `"href"`, and that of an image a `"src"`.
   */
  readonly where: string;
  /** Whether it was defanged, as in `hxxps://evil[.]example`, and has been turned back. */
  readonly isDefanged: boolean;
  /**
   * What a person sees in place of the URL, if that names a host that is neither the same one, nor above or below it;
   * otherwise `null`.
   */
  readonly shown: string | null;
}

/** Takes the links, in the order in which they are found. */
export type LinkSink = (link: FoundLink) => void;
