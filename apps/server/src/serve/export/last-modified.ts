import { hasTag } from "../http/etag.ts";
import type { RequestHead } from "../http/request.ts";

/*
 * freshclam sends the time at which it downloaded its file, and drops an answer whose Last-Modified is not later. A
 * client whose clock is ahead would keep an old version forever, and so would a client of a slow cache or mirror. So a
 * version counts as just modified for an hour after it was first served. A client whose clock or copy is off by less
 * than an hour may then get a version twice, but does not miss one.
 */

/** How far a client's clock may be ahead, or a cached copy behind, in milliseconds. */
const MARGIN = 3_600_000;
const SECOND = 1000;
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Remembers when the current version of each exported file was first served. */
export interface ServedSince {
  /**
   * Returns the Last-Modified time, in milliseconds since 1970. A copy downloaded then or later has this version, not
   * the previous one.
   */
  lastModified(name: string, etag: string, now: number): number;
}

export function servedSince(): ServedSince {
  const texts = new Map<string, { etag: string; since: number }>();
  return {
    lastModified(name, etag, now) {
      let text = texts.get(name);
      if (text?.etag !== etag) {
        text = { etag, since: now };
        texts.set(name, text);
      }
      return Math.floor(Math.min(now, text.since + MARGIN) / SECOND) * SECOND;
    },
  };
}

/**
 * Returns whether the client's copy is current, according to `If-None-Match` or `If-Modified-Since`, and the headers
 * for the answer.
 */
export function ageOfCopy(
  request: Pick<RequestHead["headers"], "get">,
  etag: string,
  lastModified: number,
  now: number,
): { isCurrent: boolean; headers: Record<string, string> } {
  const headers = { ETag: etag, "Last-Modified": new Date(lastModified).toUTCString() };
  const ifNoneMatch = request.get("if-none-match");
  if (ifNoneMatch !== null) return { isCurrent: hasTag(ifNoneMatch, etag), headers };
  const ifModifiedSince = request.get("if-modified-since") ?? "";
  const since = HTTP_DATE.test(ifModifiedSince) ? Date.parse(ifModifiedSince) : Number.NaN;
  // An `If-Modified-Since` in the future proves nothing. The answer then has no Last-Modified, because the client would
  // compare the two times.
  if (since > now) return { isCurrent: false, headers: { ETag: etag } };
  return { isCurrent: since >= lastModified, headers };
}
