import { refreshUrl } from "../html/refresh.ts";
import type { FollowFetch, FollowReason, FollowRequest, FollowResponse, Hop } from "./hop.ts";
import { headerText, redirectTarget, type Target } from "./location.ts";
import { readPage } from "./page.ts";
import type { Ending } from "./timeout-or-abort.ts";

/** A redirect that was found in a response. */
export interface Redirect {
  readonly written: string;
  readonly via: Hop["via"];
  readonly target: Target;
}

/** The outcome of a request: a redirect, a reason to stop, or neither. */
export interface Outcome {
  readonly status: number | null;
  readonly redirect: Redirect | null;
  readonly reason: FollowReason | null;
  readonly error?: unknown;
}

export interface HopRequestOptions {
  readonly fetch: FollowFetch;
  readonly userAgent: string | undefined;
  /** The maximum number of bytes of all pages together. */
  readonly maxBytes: number;
  readonly ending: Ending;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns a function that requests a URL of a chain. `maxBytes` applies to all of its calls together. */
export function hopRequests(options: HopRequestOptions): (url: string) => Promise<Outcome> {
  const { fetch, userAgent, maxBytes, ending } = options;
  let bytes = 0;

  async function inPage(url: string, response: FollowResponse): Promise<Omit<Outcome, "status">> {
    const { status } = response;
    const page = await readPage(response, maxBytes - bytes, ending.unlessEnded);
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

  return async (url) => {
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
      const response = await ending.unlessEnded(Promise.resolve(fetch(url, init)));
      status = response.status;
      return { status, ...(inHeaders(url, response) ?? (await inPage(url, response))) };
    } catch (error) {
      const refused = hasCode(error, "address-refused") ? "address-refused" : "request-failed";
      return { status, redirect: null, reason: ending.reasonUnlessEnded(refused), error };
    }
  };
}

/** The outcome that the headers of a response determine; `null` if the page has to be read. */
function inHeaders(
  url: string,
  { status, type, headers, body }: FollowResponse,
): Omit<Outcome, "status"> | null {
  if (type === "opaqueredirect") return { redirect: null, reason: "redirect-hidden" };
  const location = REDIRECTS.has(status) ? headers.get("location") : null;
  const value = location ?? refreshUrl(headers.get("refresh") ?? "");
  if (value === null) return null;
  body
    ?.getReader()
    .cancel()
    .catch(() => {});
  const written = headerText(value);
  const via = location === null ? "refresh" : "location";
  return { redirect: { written, via, target: redirectTarget(written, url) }, reason: null };
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
