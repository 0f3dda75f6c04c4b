import { toByteString } from "./byte-string.ts";
import {
  type CanonicalUrl,
  newDraft,
  type OnStep,
  runSteps,
  toCanonicalUrl,
} from "./canonicalize.ts";
import { CanonError, type CanonFailure, type UrlProblem } from "./error.ts";

/**
 * The canonical form of a URL, given as text or as bytes: the specification's `Canonicalize()`. It is
 * {@link parseUrl}'s `href`.
 *
 * @throws {@link CanonError} `too-long`, `lone-surrogate`, `authority-missing`, `host-missing`.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { canonicalize } from "@x/canon";
 *
 * canonicalize("http://3279880203/%2525"); // → "http://195.127.0.11/%25"
 * canonicalize("http:///path"); // throws host-missing
 * ```
 * @see Web Risk, "Hashing URLs", section "Canonicalization" (the same as Safe Browsing v4, "URLs and
 * hashing").
 */
export function canonicalize(url: string | Uint8Array): string {
  return parseUrl(url).href;
}

/**
 * The parts of the canonical form of a URL, given as text or as bytes.
 *
 * Text is encoded as UTF-8; bytes are taken as they are. A URL without a scheme is an `http` URL, and any
 * scheme that is followed by `//` is accepted. User, password, port and fragment are not part of the
 * result. A host is never refused for its characters: one that is neither an address nor a name that IDNA
 * accepts keeps its bytes, escaped.
 *
 * @throws {@link CanonError} `too-long`, `lone-surrogate`, `authority-missing`, `host-missing`.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { parseUrl } from "@x/canon";
 *
 * const url = parseUrl("HTTP://user@EXAMPLE.com:80/a/../b?q#top");
 * url.href; // → "http://example.com/b?q"
 * url.hostType; // → "domain"
 * url.query; // → "q"
 * ```
 * @see Web Risk, "Hashing URLs", section "Canonicalization" (the same as Safe Browsing v4, "URLs and
 * hashing").
 */
export function parseUrl(url: string | Uint8Array): CanonicalUrl {
  return run(url, throwFailure);
}

/**
 * Like {@link parseUrl}, but returns `null` for input that is not a URL with a host.
 *
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { tryParseUrl } from "@x/canon";
 *
 * tryParseUrl("example.com")?.href; // → "http://example.com/"
 * tryParseUrl("mailto:someone@example.com"); // → null
 * ```
 */
export function tryParseUrl(url: string | Uint8Array): CanonicalUrl | null {
  return run(url, () => null);
}

/**
 * Canonicalizes text or bytes. For input that is not a URL with a host, returns the result of
 * `onFailure`. `onStep` is called after each step.
 */
export function run<Failed>(
  url: string | Uint8Array,
  onFailure: (url: string | Uint8Array, failure: CanonFailure) => Failed,
  onStep?: OnStep,
): CanonicalUrl | Failed {
  const bytes = toByteString(url);
  if (typeof bytes !== "string") return onFailure(url, bytes);
  const draft = newDraft(bytes);
  const failure = runSteps(draft, onStep);
  return failure === null ? toCanonicalUrl(draft) : onFailure(url, failure);
}

/** Throws the error for a failure. */
export function throwFailure(url: string | Uint8Array, failure: CanonFailure): never {
  throw new CanonError(url, failure.code, indexOf(url, failure));
}

/** The index of a failure. It is known only when nothing before it has changed. */
function indexOf(url: string | Uint8Array, { before }: CanonFailure): number | null {
  if (before === null) return null;
  const start = typeof url === "string" ? url : toByteString(url.subarray(0, before.length));
  return typeof start === "string" && start.startsWith(before) ? before.length : null;
}

/** The canonical URL of an input, or why it has none; and whether UTS #46 could not decide its host. */
export function parseWithProblem(url: string | Uint8Array): {
  readonly url: CanonicalUrl | null;
  readonly problem: UrlProblem | null;
  readonly isHostUndecided: boolean;
} {
  const bytes = toByteString(url);
  const draft = newDraft(typeof bytes === "string" ? bytes : "");
  const failure = typeof bytes === "string" ? runSteps(draft) : bytes;
  const { isHostUndecided } = draft;
  if (failure === null) return { url: toCanonicalUrl(draft), problem: null, isHostUndecided };
  const problem = { code: failure.code, index: indexOf(url, failure) };
  return { url: null, problem, isHostUndecided };
}

/**
 * Like {@link parseUrl}, but returns the result of `onProblem` instead of throwing. An error keeps its input and a
 * stack, and takes microseconds to make; a problem is a small record, and a program can keep millions of them.
 * `describeProblem` of `@x/canon` says it in words.
 *
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { parseUrlOr } from "@x/canon/verify";
 *
 * parseUrlOr("mailto:x", (problem) => problem); // → { code: "authority-missing", index: 7 }
 * parseUrlOr("a.b", (problem) => problem).host; // → "a.b"
 * ```
 */
export function parseUrlOr<Other>(
  url: string | Uint8Array,
  onProblem: (problem: UrlProblem) => Other,
): CanonicalUrl | Other {
  return run(url, (_, failure) => onProblem({ code: failure.code, index: indexOf(url, failure) }));
}
