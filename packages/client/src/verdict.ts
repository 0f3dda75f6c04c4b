import type { UrlProblem } from "@x/canon/readings";
import type { Expression } from "@x/expressions";
import type { InnerUrl, Reading } from "@x/lookup";
import type { FullHash } from "@x/sha256-prefix";
import type { ClientError } from "./error.ts";

/** Why a verdict is not confirmed. */
export type UnsureReason =
  /** At least one list of threats has not been loaded or fetched yet. */
  | "not-loaded"
  /** The server does not have one of the lists of threats, or not the list that has the URL. */
  | "list-unknown"
  /** A stored list of threats was damaged and thrown away; the next update fetches it. */
  | "list-damaged"
  /** The lists have not been brought up to date for too long. */
  | "outdated"
  /** `checkLocally` cannot decide, because the server has to be asked. */
  | "unconfirmed"
  /** The server had to be asked but gave no usable answer; `error` says why. */
  | "server-unreachable"
  /** `onRequest` refused to ask the server. */
  | "request-refused"
  /** `stop` was called while the server was being asked. */
  | "stopped"
  /** Programs may read the host of the URL differently; see `host-undecided` of `@x/canon`. */
  | "url-undecided"
  /** The input is not a URL. */
  | "url-invalid"
  /** `unwrap` reached one of its limits, so there may be more URLs inside. */
  | "unwrap-limit";

/** One expression of a URL that is listed. */
export interface ClientMatch {
  /**
   * The client's list that has the expression; `null` when none has it, or the server's answer has other threat types.
   */
  readonly list: string | null;
  /**
   * The threat types of the match, as the protocol names them. Empty when only the name of the list shows the threat
   * type.
   */
  readonly threatTypes: readonly string[];
  readonly expression: Expression;
  /** The readings of the URL that have the expression. */
  readonly reading: Reading;
  /** The full hash of the expression. */
  readonly hash: FullHash;
  /**
   * Set to `"length"` if the list confirms the match by the length of its prefix; see `Match` of `@x/lookup`. The
   * server was not asked about the match.
   */
  readonly by?: "length";
  /** The URL inside the checked one that has the expression. Not set if the checked URL itself has the expression. */
  readonly inner?: InnerUrl;
}

/** A client's verdict on a URL. */
export interface ClientVerdict {
  readonly url: string | Uint8Array;
  readonly verdict: "safe" | "unsafe" | "unsure";
  /**
   * Whether the procedure was followed to its end. `false` when the verdict is `"unsure"`, and when it is `"safe"` only
   * because of `onError: "safe"`.
   */
  readonly confirmed: boolean;
  /** Why the verdict is not confirmed; `null` when it is. */
  readonly reason: UnsureReason | null;
  /** The result of the client's lists alone; `null` when they cannot decide. */
  readonly local: "listed" | "unlisted" | null;
  /**
   * The listed expressions of the URL. When the verdict is not confirmed, these are the matches with the local lists
   * that the server has not confirmed.
   */
  readonly matches: readonly ClientMatch[];
  /** When the verdict expires, in milliseconds since 1970; `null` when it must not be kept. */
  readonly expires: number | null;
  /** The problem with the URL, or the error that kept the server from answering; otherwise `null`. */
  readonly error: UrlProblem | ClientError | null;
}
