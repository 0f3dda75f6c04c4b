import { browserHref } from "@x/canon/browser";

/** The result of `check` for a URL. It may have more members, which the `answer` of a hop also has. */
export interface CheckAnswer {
  readonly verdict: "safe" | "unsafe" | "unsure";
}

/** The options that `followLink` passes to `fetch`. Requests never carry cookies or credentials. */
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

/** A `fetch`, such as the one that `publicFetch` of `@x/links/node` makes. */
export type FollowFetch = (url: string, request: FollowRequest) => Promise<FollowResponse>;

/** Why a chain of redirects was not followed to its end. */
export type FollowReason =
  /** `check` was unsure about a URL. */
  | "check-unsure"
  /** `check` threw an error. */
  | "check-failed"
  /** Browsers do not read the link or the value of a redirect as a URL. */
  | "url-invalid"
  /** The link or a redirect has a scheme other than `http` and `https`. */
  | "scheme-unsupported"
  /** A URL redirects to one that was already requested. */
  | "loop"
  /** There were more than `maxHops` redirects. */
  | "hops"
  /** All pages together have more than `maxBytes` bytes. */
  | "bytes"
  /** Following the link took longer than `timeout`. */
  | "time"
  /** The caller's signal was aborted. */
  | "aborted"
  /** `fetch` refused the address of a host. */
  | "address-refused"
  /** The request failed, or its response could not be read. */
  | "request-failed"
  /** The status of the last response is not in the range from 200 to 299. */
  | "status"
  /** The platform does not say where a redirect leads. */
  | "redirect-hidden"
  /** A page has a `Content-Encoding` that `fetch` does not decode. */
  | "encoding-unknown";

/** One URL of a chain of redirects. */
export interface Hop<Answer extends CheckAnswer = CheckAnswer> {
  /** The URL to request, without user name, password and fragment; `null` if browsers read no URL. */
  readonly url: string | null;
  /** The link as it was given, or the value of the redirect. */
  readonly written: string;
  /** The source of the URL: the given link, a `Location` or `Refresh` header, or `<meta http-equiv="refresh">`. */
  readonly via: "given" | "location" | "refresh" | "meta";
  /** The canonical form of `url`; `null` if it has none. */
  readonly canonical: string | null;
  /**
   * The first part in which the canonical form differs from that of the previous hop; `"none"` if they are equal, and
   * `null` if there is nothing to compare.
   */
  readonly difference: "scheme" | "host" | "path" | "query" | "none" | null;
  /** The verdict on this URL; `null` if `check` was not called or failed. */
  readonly verdict: CheckAnswer["verdict"] | null;
  /** The answer of `check`; `null` if there is none. */
  readonly answer: Answer | null;
  /** The status of the response; `null` if there was none. */
  readonly status: number | null;
  /** Why the chain ends here with the verdict `"unsure"`; otherwise `null`. */
  readonly reason: FollowReason | null;
  /** The error that `check` or `fetch` threw; otherwise `null`. */
  readonly error: unknown;
}

/** The result of `followLink`. */
export interface FollowedLink<Answer extends CheckAnswer = CheckAnswer> {
  /**
   * `"unsafe"` if `check` found a URL of the chain unsafe. `"safe"` only if the chain was followed to its end, and
   * `check` found all of its URLs safe. Otherwise `"unsure"`.
   */
  readonly verdict: CheckAnswer["verdict"];
  /** Why the verdict is `"unsure"`; otherwise `null`. */
  readonly reason: FollowReason | null;
  /** The URLs, in order. The last one is where the chain ended or was given up. */
  readonly hops: readonly Hop<Answer>[];
}

/** The destination of a link or redirect, or why it cannot be requested. */
export type Target =
  | { readonly url: string; readonly reason: null }
  | { readonly url: string | null; readonly reason: FollowReason };

const INVALID: Target = { url: null, reason: "url-invalid" };

/** The destination of a link that somebody clicks or types, as browsers read it. */
export function givenTarget(link: string): Target {
  const href = browserHref(link);
  return targetOf(href ?? link.trim(), undefined);
}

export function redirectTarget(written: string, base: string): Target {
  return targetOf(written, base);
}

function targetOf(written: string, base: string | undefined): Target {
  if (!URL.canParse(written, base)) return INVALID;
  const url = new URL(written, base);
  [url.username, url.password, url.hash] = ["", "", ""];
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  return isWeb ? { url: url.href, reason: null } : { url: url.href, reason: "scheme-unsupported" };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes a header value with bytes outside ASCII: `fetch` returns each byte as a character, but browsers read the
 * bytes as UTF-8. If they are not valid UTF-8, they are percent-encoded.
 */
export function headerText(value: string): string {
  if (/^[\0-\x7f]*$/.test(value) || /[^\0-\xff]/.test(value)) return value;
  try {
    return utf8.decode(Uint8Array.from(value, (character) => character.charCodeAt(0)));
  } catch {
    return value.replace(
      /[\x80-\xff]/g,
      (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  }
}
