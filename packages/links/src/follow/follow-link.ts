import { tryParseUrl } from "@x/canon";
import { ownOptions, typeError } from "@x/canon/own-options";
import {
  type CheckAnswer,
  type FollowedLink,
  type FollowFetch,
  givenTarget,
  type Hop,
} from "./hop.ts";
import { type Ending, endingAfter, hopRequests, type Redirect } from "./request-hop.ts";

type LimitName = "maxHops" | "maxBytes" | "timeout";

/**
 * The default limits of `followLink`: 20 redirects, as in browsers, 1 MiB for all pages, and 15 seconds for the chain.
 */
export const FOLLOW_LIMITS: Readonly<Record<LimitName, number>> = Object.freeze({
  maxHops: 20,
  maxBytes: 2 ** 20,
  timeout: 15_000,
});

/** The smallest and the largest permitted value of each limit. A timer can run for at most 2 ** 31 - 1 milliseconds. */
const RANGES: Readonly<Record<LimitName, readonly [number, number]>> = {
  maxHops: [0, 1000],
  maxBytes: [0, 2 ** 30],
  timeout: [1, 2 ** 31 - 1],
};

/** Returns the given limit, or the default if none is given. Throws if the limit is not valid. */
function followLimit(name: LimitName, given: number | undefined): number {
  const value = given ?? FOLLOW_LIMITS[name];
  const [min, max] = RANGES[name];
  if (typeof value !== "number") throw typeError(name, "a number", value);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${name} must be a whole number from ${min} to ${max}, not ${value}`);
}

/** The options of {@link followLink}. */
interface FollowOptions<Answer extends CheckAnswer = CheckAnswer> {
  /**
   * The function that sends the requests. It must not follow redirects, and it decides which addresses may be reached:
   * on a server, use `publicFetch` of `@x/links/node`.
   */
  readonly fetch: FollowFetch;
  /** Called with each URL before it is requested. */
  readonly check: (url: string) => Answer | Promise<Answer>;
  /** The maximum number of redirects. The default is 20, as in browsers. */
  readonly maxHops?: number | undefined;
  /** The maximum size of all pages together, in bytes after decompression. The default is 1 MiB. */
  readonly maxBytes?: number | undefined;
  /** The maximum time for the whole chain, in milliseconds. The default is 15 000. */
  readonly timeout?: number | undefined;
  /** The value of the `User-Agent` header. By default, `fetch` sets the header. */
  readonly userAgent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Follows a link, one hop at a time. `check` is called with each URL before it is requested. The chain ends at the
 * first URL that is not safe, without a request for it.
 *
 * The function follows `Location` and `Refresh` headers and `<meta http-equiv="refresh">`. It runs no scripts, submits
 * no forms and sends no cookies, so a page can lead a browser further. **The server of every requested URL learns that
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
  const maxHops = followLimit("maxHops", own.maxHops);
  const maxBytes = followLimit("maxBytes", own.maxBytes);
  const timeout = followLimit("timeout", own.timeout);

  const ending = endingAfter(timeout, signal);
  const request = hopRequests({ fetch, userAgent, maxBytes, ending });
  const requested = new Set<string>();
  const hops: Hop<Answer>[] = [];
  try {
    let next: Redirect = { written: link, via: "given", target: givenTarget(link) };
    for (;;) {
      const { written, via, target } = next;
      const { url } = target;
      const checked = await checkHop(next, check, ending);
      const { verdict, answer } = checked;
      let { reason } = checked;
      if (reason === null && verdict === "safe") {
        if (requested.has(url!)) reason = "loop";
        else if (requested.size > maxHops) reason = "hops";
      }
      const mayRequest = reason === null && verdict === "safe";
      if (mayRequest) requested.add(url!);
      const outcome = mayRequest ? await request(url!) : { status: null, redirect: null, reason };
      const { status, error = checked.error } = outcome;
      hops.push({
        written,
        via,
        url,
        ...compared(url, hops.at(-1)),
        verdict,
        answer,
        status,
        reason: outcome.reason,
        error: error ?? null,
      });
      if (verdict === "unsafe") return { verdict, reason: null, hops };
      if (outcome.reason !== null) return { verdict: "unsure", reason: outcome.reason, hops };
      if (outcome.redirect === null) return { verdict: "safe", reason: null, hops };
      next = outcome.redirect;
    }
  } finally {
    // Cancels a request whose body is no longer read.
    ending.end();
  }
}

/** The result of `check` for a URL, or the reason why there is none. */
type CheckedHop<Answer extends CheckAnswer> = Pick<
  Hop<Answer>,
  "verdict" | "answer" | "reason" | "error"
>;

async function checkHop<Answer extends CheckAnswer>(
  hop: Redirect,
  check: FollowOptions<Answer>["check"],
  ending: Ending,
): Promise<CheckedHop<Answer>> {
  const unchecked = { verdict: null, answer: null, error: null };
  if (hop.target.reason !== null) return { ...unchecked, reason: hop.target.reason };
  try {
    const answer = await askAll(hop, check, ending);
    const verdict = verdictOf(answer);
    return { verdict, answer, reason: verdict === "unsure" ? "check-unsure" : null, error: null };
  } catch (error) {
    return { ...unchecked, reason: ending.reasonUnlessEnded("check-failed"), error };
  }
}

/**
 * Checks the URL that browsers open, and also the written URL if the Safe Browsing specification reads another host in
 * it.
 */
async function askAll<Answer extends CheckAnswer>(
  { written, target }: Redirect,
  check: FollowOptions<Answer>["check"],
  { unlessEnded }: Ending,
): Promise<Answer> {
  const url = target.url!;
  const answer = await unlessEnded(Promise.resolve(url).then(check));
  const other = tryParseUrl(written);
  if (verdictOf(answer) === "unsafe" || !/^\s*[a-z][a-z0-9+.-]*:/i.test(written)) return answer;
  if (other === null || other.host === tryParseUrl(url)?.host) return answer;
  const ofText = await unlessEnded(Promise.resolve(other.href).then(check));
  return verdictOf(ofText) === "safe" ? answer : ofText;
}

/** An untyped `check` may return other verdicts, which count as `"unsure"`. */
function verdictOf({ verdict }: CheckAnswer): CheckAnswer["verdict"] {
  return verdict === "safe" || verdict === "unsafe" ? verdict : "unsure";
}

/** The canonical form of a URL and the first part in which it differs from that of the previous hop. */
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
