/** What `check` must answer about a URL. The verdicts of a Safe Browsing client are such answers. */
export interface CheckAnswer {
  readonly verdict: "safe" | "unsafe" | "unsure";
}

/** A request of `followLink`. It never has cookies or credentials. */
export interface FollowRequest {
  readonly method: "GET";
  readonly headers: Readonly<Record<string, string>>;
  readonly redirect: "manual";
  readonly credentials: "omit";
  readonly referrerPolicy: "no-referrer";
  readonly signal: AbortSignal;
}

/** The part of a `Response` that `followLink` uses. */
export interface FollowResponse {
  readonly status: number;
  /** `"opaqueredirect"` if the platform hides where a redirect leads, as browsers do. */
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  readonly body: {
    getReader(): {
      read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
      cancel(): Promise<void>;
    };
  } | null;
}

/** A `fetch`, such as that of `publicFetch` of `@x/links/node`. */
export type FollowFetch = (url: string, request: FollowRequest) => Promise<FollowResponse>;

/** Why a chain of redirects was not followed to its end. */
export type FollowReason =
  /** `check` could not decide about a URL. */
  | "check-unsure"
  /** `check` threw an error. */
  | "check-failed"
  /** A link or redirect has a value that browsers do not read as a URL. */
  | "url-invalid"
  /** A link or redirect has a scheme other than `http` and `https`. */
  | "scheme-unsupported"
  /** A URL redirects to one that was already requested. */
  | "loop"
  /** There were more than `maxHops` redirects. */
  | "hops"
  /** The pages have more than `maxBytes` bytes. */
  | "bytes"
  /** It took longer than `timeout`. */
  | "time"
  /** The caller's signal was aborted. */
  | "aborted"
  /** `fetch` refused the address of a host. */
  | "address-refused"
  /** There was no usable response. */
  | "request-failed"
  /** The last response has the status of an error. */
  | "status"
  /** The platform does not say where a redirect leads. */
  | "redirect-hidden"
  /** A page is encoded in a way that cannot be read. */
  | "encoding-unknown";

/** One URL of a chain. */
export interface Hop<Answer extends CheckAnswer = CheckAnswer> {
  /** The URL that is requested, without user name, password and fragment; `null` if there is none. */
  readonly url: string | null;
  /** The link as it was given, or the value of the redirect. */
  readonly written: string;
  /** What led here: the given link, a header, or `<meta http-equiv="refresh">`. */
  readonly via: "given" | "location" | "refresh" | "meta";
  /** The canonical form of `url`; `null` if it has none. */
  readonly canonical: string | null;
  /**
   * In which part the canonical form first differs from that of the hop before; `"none"` if they are equal, and `null`
   * if there is nothing to compare.
   */
  readonly difference: "scheme" | "host" | "path" | "query" | "none" | null;
  /** The verdict on this URL; `null` if `check` was not asked. */
  readonly verdict: CheckAnswer["verdict"] | null;
  /** The answer of `check`; `null` if there is none. */
  readonly answer: Answer | null;
  /** The status of the response; `null` if there was none. */
  readonly status: number | null;
  /** Why the chain ends here without a verdict; otherwise `null`. */
  readonly reason: FollowReason | null;
  /** The error that `check` or `fetch` threw; otherwise `null`. */
  readonly error: unknown;
}

/** Where a link leads. */
export interface FollowedLink<Answer extends CheckAnswer = CheckAnswer> {
  /**
   * `"unsafe"` if `check` said so of a URL of the chain. `"safe"` only if the chain was followed to its end, and `check`
   * said so of all of its URLs. Otherwise `"unsure"`.
   */
  readonly verdict: CheckAnswer["verdict"];
  /** Why the verdict is `"unsure"`; otherwise `null`. */
  readonly reason: FollowReason | null;
  /** The URLs, in order. The last one is the end of the chain, or where it was given up. */
  readonly hops: readonly Hop<Answer>[];
}
