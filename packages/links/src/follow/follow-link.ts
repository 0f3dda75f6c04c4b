import { tryParseUrl } from "@x/canon";
import { ownOptions } from "@x/canon/own-options";
import { typeError } from "@x/canon/type-error";
import { refreshUrl } from "../html/refresh.ts";
import type {
  CheckAnswer,
  FollowedLink,
  FollowFetch,
  FollowReason,
  FollowRequest,
  FollowResponse,
  Hop,
} from "./hop.ts";
import { givenTarget, headerText, redirectTarget, type Target } from "./location.ts";
import { readPage } from "./page.ts";

/** The options of {@link followLink}. */
export interface FollowOptions<Answer extends CheckAnswer = CheckAnswer> {
  /**
   * Sends the requests. It must not follow redirects itself, and decides which addresses may be reached: on a server, use
   * `publicFetch` of `@x/links/node`.
   */
  readonly fetch: FollowFetch;
  /** Is asked about each URL before it is requested. */
  readonly check: (url: string) => Answer | Promise<Answer>;
  /** The maximum number of redirects. The default is 20, as in browsers. */
  readonly maxHops?: number | undefined;
  /** The maximum number of bytes of all pages that are read, after decompression. The default is 1 MiB. */
  readonly maxBytes?: number | undefined;
  /** The maximum time for everything, in milliseconds. The default is 15 000. */
  readonly timeout?: number | undefined;
  /** The value of the header `User-Agent`. The default is that of `fetch`. */
  readonly userAgent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The default limits of {@link followLink}. Browsers follow 20 redirects, too. */
export const FOLLOW_LIMITS: Readonly<Record<"maxHops" | "maxBytes" | "timeout", number>> =
  Object.freeze({ maxHops: 20, maxBytes: 2 ** 20, timeout: 15_000 });

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_TIMEOUT = 2 ** 31 - 1;

/** A redirect that was found in a response. */
interface Redirect {
  readonly written: string;
  readonly via: Hop["via"];
  readonly target: Target;
}

/** What a request came to: a redirect, an end, or neither. */
interface Outcome {
  readonly status: number | null;
  readonly redirect: Redirect | null;
  readonly reason: FollowReason | null;
  readonly error?: unknown;
}

/**
 * Follows a link, one hop at a time. `check` is asked about each URL before it is requested. The first URL that is not
 * safe ends the chain, and is not requested.
 *
 * It follows `Location` and `Refresh` headers and `<meta http-equiv="refresh">`. It does not run scripts, submits no
 * forms, and sends no cookies, so a page can lead a browser further. **The server of every requested URL learns that
 * somebody follows the link**, and can answer a browser differently.
 *
 * @throws {TypeError} when an argument or option has the wrong type.
 * @throws {RangeError} when a limit is out of range.
 * @example
 * ```ts
 * import { followLink } from "@x/links/follow";
 *
 * const pages: Record<string, ResponseInit> = {
 *   "https://short.example/a": { status: 302, headers: { location: "http://evil.example/" } },
 * };
 * const { verdict, hops } = await followLink("https://short.example/a", {
 *   fetch: async (url) => new Response(null, pages[url]),
 *   check: (url) => ({ verdict: new URL(url).host === "evil.example" ? "unsafe" : "safe" }),
 * });
 * verdict; // → "unsafe"
 * hops.map(({ url, status }) => [url, status]); // → [["https://short.example/a", 302], ["http://evil.example/", null]]
 * ```
 */
export async function followLink<Answer extends CheckAnswer>(
  link: string,
  options: FollowOptions<Answer>,
): Promise<FollowedLink<Answer>> {
  if (typeof link !== "string") throw typeError("link", "a string", link);
  const own = ownOptions(options);
  const { fetch, check, userAgent, signal } = own;
  if (typeof fetch !== "function") throw typeError("fetch", "a function", fetch);
  if (typeof check !== "function") throw typeError("check", "a function", check);
  const maxHops = limit("maxHops", own.maxHops ?? FOLLOW_LIMITS.maxHops, 0, 1000);
  const maxBytes = limit("maxBytes", own.maxBytes ?? FOLLOW_LIMITS.maxBytes, 0, 2 ** 30);
  const timeout = limit("timeout", own.timeout ?? FOLLOW_LIMITS.timeout, 1, MAX_TIMEOUT);

  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort("time"), timeout);
  const onAbort = () => ending.abort("aborted");
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(ending.signal.reason);
    if (ending.signal.aborted) end();
    else ending.signal.addEventListener("abort", end);
  });
  ended.catch(() => {});
  /** Waits for a promise, but not longer than until the time is over. */
  const unlessEnded = <T>(promise: Promise<T>): Promise<T> => {
    promise.catch(() => {});
    return Promise.race([ended, promise]);
  };
  /** Why something failed: because the time is over, or for a reason of its own. */
  const reasonUnlessEnded = (otherwise: FollowReason): FollowReason =>
    ending.signal.aborted ? (ending.signal.reason as FollowReason) : otherwise;

  const hops: Hop<Answer>[] = [];
  const requested = new Set<string>();
  let bytes = 0;
  try {
    let next: Redirect = { written: link, via: "given", target: givenTarget(link) };
    for (;;) {
      const { url } = next.target;
      const hop = { ...next, url, ...compared(url, hops.at(-1)) };
      let reason = next.target.reason;
      let answer: Answer | null = null;
      let error: unknown = null;
      if (reason === null) {
        try {
          answer = await askAll(next);
        } catch (thrown) {
          reason = reasonUnlessEnded("check-failed");
          error = thrown;
        }
      }
      const verdict = answer === null ? null : verdictOf(answer);
      if (reason === null && verdict === "unsure") reason = "check-unsure";
      if (reason === null && verdict === "safe") {
        if (requested.has(url!)) reason = "loop";
        else if (requested.size > maxHops) reason = "hops";
      }
      const mayRequest = reason === null && verdict === "safe";
      const outcome: Outcome = mayRequest
        ? await request(url!)
        : { status: null, redirect: null, reason, error };
      const { target: _, ...shown } = hop;
      hops.push({
        ...shown,
        verdict,
        answer,
        status: outcome.status,
        reason: outcome.reason,
        error: outcome.error ?? null,
      });
      if (verdict === "unsafe") return { verdict, reason: null, hops };
      if (outcome.reason !== null) return { verdict: "unsure", reason: outcome.reason, hops };
      if (outcome.redirect === null) return { verdict: "safe", reason: null, hops };
      next = outcome.redirect;
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    // Ends a request whose body nobody reads any more.
    ending.abort("aborted");
  }

  /** Asks about a URL, and about the text that stands for it if other programs would read another host there. */
  async function askAll({ written, target }: Redirect): Promise<Answer> {
    const url = target.url!;
    const answer = await unlessEnded(Promise.resolve(url).then(check));
    const other = tryParseUrl(written);
    if (verdictOf(answer) === "unsafe" || !/^\s*[a-z][a-z0-9+.-]*:/i.test(written)) return answer;
    if (other === null || other.host === tryParseUrl(url)?.host) return answer;
    const ofText = await unlessEnded(Promise.resolve(other.href).then(check));
    return verdictOf(ofText) === "safe" ? answer : ofText;
  }

  async function request(url: string): Promise<Outcome> {
    requested.add(url);
    const init: FollowRequest = {
      method: "GET",
      headers: {
        accept: "text/html,application/xhtml+xml,*/*;q=0.8",
        ...(userAgent !== undefined && { "user-agent": userAgent }),
      },
      redirect: "manual",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: ending.signal,
    };
    let status: number | null = null;
    try {
      const response = await unlessEnded(Promise.resolve(fetch(url, init)));
      status = response.status;
      return { status, ...(await outcomeOf(url, response)) };
    } catch (error) {
      const refused = hasCode(error, "address-refused") ? "address-refused" : "request-failed";
      return { status, redirect: null, reason: reasonUnlessEnded(refused), error };
    }
  }

  async function outcomeOf(
    url: string,
    response: FollowResponse,
  ): Promise<Pick<Outcome, "redirect" | "reason">> {
    const { status, type, headers, body } = response;
    if (type === "opaqueredirect") return { redirect: null, reason: "redirect-hidden" };
    const location = REDIRECTS.has(status) ? headers.get("location") : null;
    const refresh = refreshUrl(headers.get("refresh") ?? "");
    const inHeader = location ?? refresh;
    if (inHeader !== null) {
      body
        ?.getReader()
        .cancel()
        .catch(() => {});
      const written = headerText(inHeader);
      const via = location === null ? "refresh" : "location";
      return { redirect: { written, via, target: redirectTarget(written, url) }, reason: null };
    }
    const page = await readPage(response, maxBytes - bytes, unlessEnded);
    bytes += page.bytes;
    if (page.refresh !== null) {
      const { url: written, base } = page.refresh;
      const from = base !== null && URL.canParse(base, url) ? new URL(base, url).href : url;
      return {
        redirect: { written, via: "meta", target: redirectTarget(written, from) },
        reason: null,
      };
    }
    const isError = status < 200 || status > 299;
    return { redirect: null, reason: page.reason ?? (isError ? "status" : null) };
  }
}

/** Everything but the two clear answers is no answer. */
function verdictOf({ verdict }: CheckAnswer): CheckAnswer["verdict"] {
  return verdict === "safe" || verdict === "unsafe" ? verdict : "unsure";
}

function hasCode(error: unknown, code: string): boolean {
  for (
    let each = error, depth = 0;
    each instanceof Error && depth < 5;
    each = each.cause, depth++
  ) {
    if ((each as { readonly code?: unknown }).code === code) return true;
  }
  return false;
}

/** The canonical form of a URL, and in which part it first differs from that of the hop before. */
function compared(
  url: string | null,
  before: Hop | undefined,
): Pick<Hop, "canonical" | "difference"> {
  const one = url === null ? null : tryParseUrl(url);
  const canonical = one?.href ?? null;
  const other = before?.canonical === undefined ? null : tryParseUrl(before.canonical ?? "");
  if (one === null || other === null) return { canonical, difference: null };
  const parts = ["scheme", "host", "path", "query"] as const;
  return { canonical, difference: parts.find((part) => one[part] !== other[part]) ?? "none" };
}

function limit(name: string, value: number, min: number, max: number): number {
  if (typeof value !== "number") throw typeError(name, "a number", value);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${name} must be a whole number from ${min} to ${max}, not ${value}`);
}
