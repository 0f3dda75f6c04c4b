import type { LinkParts } from "../link-parts.ts";

/** The service that wraps a URL. */
export type WrappingService =
  | "Outlook SafeLinks"
  | "Proofpoint v1"
  | "Proofpoint v2"
  | "Proofpoint v3"
  | "Barracuda"
  | "Cisco"
  | "Trend Micro"
  | "Symantec"
  | "FireEye"
  | "Sophos"
  | "Mimecast"
  | "Check Point"
  | "INKY"
  | "Google"
  | "Bing"
  | "Yahoo"
  | "YouTube"
  | "Facebook"
  | "Instagram"
  | "LinkedIn"
  | "X"
  | "Slack"
  | "Steam"
  | "VK"
  | "Tumblr"
  | "AMP cache"
  | "Google Translate"
  | "Web archive"
  | "Google cache";

/** The URL inside a wrapped link. */
export interface Opened {
  readonly url: string;
  /** Whether the wrapper names only the host, which may be wrong. */
  readonly isHint?: boolean;
}

/** One row of the table of wrappers. */
export interface Wrapper {
  readonly name: WrappingService;
  /**
   * The ends of the hosts before their top-level domain, or before `co.uk` or the like: one label, or two if most hosts
   * of the site wrap nothing.
   */
  readonly sites: readonly string[];
  readonly host: RegExp;
  /** Matches the path of a wrapped link. */
  readonly path: RegExp;
  /**
   * A string after the host that every link with a URL inside contains; `""` if there is no such string, `undefined` if
   * no link has a URL inside.
   */
  readonly mark?: string;
  /**
   * Returns the URLs inside, as written in a link whose host and path match. Values that are not URLs are allowed,
   * and ignored. If there is no URL, the link cannot be opened offline.
   */
  readonly open: (parts: LinkParts) => readonly (string | Opened)[];
}
