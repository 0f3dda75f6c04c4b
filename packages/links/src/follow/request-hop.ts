import { type Token, Tokenizer } from "parse5";
import { refreshUrl } from "../html/collect-links.ts";
import { TEXT_MODES } from "../html/elements.ts";
import { markedEncoding } from "../text-or-bytes.ts";
import {
  type FollowFetch,
  type FollowReason,
  type FollowRequest,
  type FollowResponse,
  type Hop,
  headerText,
  redirectTarget,
  type Target,
} from "./hop.ts";

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

export interface ReadPage {
  readonly refresh: PageRefresh | null;
  /** Why the page was not read to its end; otherwise `null`. */
  readonly reason: FollowReason | null;
  readonly bytes: number;
}

/** Media types that browsers parse as HTML or XML. Without a type, browsers look at the contents. */
const HTML = /^(?:text\/html|application\/xhtml\+xml|text\/xml|application\/xml|$)/i;
/** The content codings that `fetch` decodes. */
const KNOWN_CODINGS = /^(?:(?:identity|x-gzip|gzip|deflate|br|zstd|,)\s*)*$/i;

/** Reads a page up to its first redirect. Pages that are neither HTML nor XML have no redirect and are not read. */
export async function readPage(
  { headers, body }: FollowResponse,
  maxBytes: number,
  unlessEnded: <T>(promise: Promise<T>) => Promise<T>,
): Promise<ReadPage> {
  const reader = body?.getReader();
  let bytes = 0;
  try {
    const type = headers.get("content-type") ?? "";
    if (reader === undefined || !HTML.test(type.trim())) {
      return { refresh: null, reason: null, bytes };
    }
    if (!KNOWN_CODINGS.test(headers.get("content-encoding")?.trim() ?? "")) {
      return { refresh: null, reason: "encoding-unknown", bytes };
    }
    const finder = refreshFinder();
    let decoder: TextDecoder | null = null;
    for (;;) {
      const { done, value } = await unlessEnded(reader.read());
      if (value !== undefined) {
        const room = maxBytes - bytes;
        bytes += value.length;
        decoder ??= decoderFor(type, value);
        const refresh = finder.push(
          decoder.decode(value.subarray(0, room), { stream: true }),
          false,
        );
        if (refresh !== null) return { refresh, reason: null, bytes };
        if (bytes > maxBytes) return { refresh: null, reason: "bytes", bytes };
      }
      if (done) return { refresh: finder.push(decoder?.decode() ?? "", true), reason: null, bytes };
    }
  } finally {
    reader?.cancel().catch(() => {});
  }
}

/** The decoder for a page. A byte order mark takes precedence over the type. */
function decoderFor(type: string, start: Uint8Array): TextDecoder {
  const label = markedEncoding(start) ?? /charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** A redirect by `<meta http-equiv="refresh">`. */
export interface PageRefresh {
  readonly url: string;
  /** The value of the first `<base href>` before the redirect; `null` if there is none. */
  readonly base: string | null;
}

/** Finds the first redirect in a page that arrives in pieces. */
export interface RefreshFinder {
  /** Reads the next piece. Returns the redirect once it is found. */
  push(piece: string, isLast: boolean): PageRefresh | null;
}

/** Elements of SVG and MathML that contain HTML. */
const HTML_INSIDE: ReadonlySet<string> = new Set(["foreignobject", "desc", "annotation-xml"]);

const nothing = () => {};

/**
 * Finds the first `<meta http-equiv="refresh">` with a URL. The contents of `<noscript>` count, because no scripts run.
 * Takes linear time and keeps only the unfinished tag in memory.
 */
export function refreshFinder(): RefreshFinder {
  let found: PageRefresh | null = null;
  let base: string | null = null;
  /** Whether the tokenizer is in SVG or MathML, where the contents of elements such as `<style>` are markup. */
  let isForeign = false;

  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onStartTag(tag) {
        const name = tag.tagName;
        const mode = TEXT_MODES.get(name);
        if (name === "meta") found ??= refreshOf(tag);
        else if (name === "base") base ??= attribute(tag, "href");
        else if (name === "svg" || name === "math") isForeign = !tag.selfClosing;
        else if (isForeign) isForeign = !HTML_INSIDE.has(name);
        else if (mode !== undefined) tokenizer.state = mode;
      },
      onEndTag({ tagName }) {
        if (tagName === "svg" || tagName === "math") isForeign = false;
        else if (HTML_INSIDE.has(tagName)) isForeign = true;
      },
      onComment: nothing,
      onDoctype: nothing,
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
      onEof: nothing,
    },
  );

  function refreshOf(tag: Token.TagToken): PageRefresh | null {
    if (attribute(tag, "http-equiv")?.toLowerCase() !== "refresh") return null;
    const url = refreshUrl(attribute(tag, "content") ?? "");
    return url === null ? null : { url, base };
  }

  return {
    push(piece, isLast) {
      tokenizer.write(piece, isLast);
      return found;
    },
  };
}

function attribute({ attrs }: Token.TagToken, name: string): string | null {
  return attrs.find((each) => each.name === name)?.value ?? null;
}

/** Ends all work for one link when its time is up or the caller's signal is aborted. */
export interface Ending {
  readonly signal: AbortSignal;
  /** Waits for a promise, but rejects as soon as the work has ended. */
  readonly unlessEnded: <T>(promise: Promise<T>) => Promise<T>;
  /** Returns why the work has ended, or `otherwise` if it has not. */
  readonly reasonUnlessEnded: (otherwise: FollowReason) => FollowReason;
  /** Aborts running requests and clears the timer. */
  readonly end: () => void;
}

/** @param timeout In milliseconds. */
export function endingAfter(timeout: number, aborted: AbortSignal | undefined): Ending {
  const ending = new AbortController();
  const { signal } = ending;
  const timer = setTimeout(() => ending.abort("time"), timeout);
  const onAbort = () => ending.abort("aborted");
  aborted?.addEventListener("abort", onAbort);
  if (aborted?.aborted) onAbort();
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
  ended.catch(() => {});
  return {
    signal,
    unlessEnded(promise) {
      promise.catch(() => {});
      return Promise.race([ended, promise]);
    },
    reasonUnlessEnded: (otherwise) =>
      signal.aborted ? (signal.reason as FollowReason) : otherwise,
    end() {
      clearTimeout(timer);
      aborted?.removeEventListener("abort", onAbort);
      ending.abort("aborted");
    },
  };
}
