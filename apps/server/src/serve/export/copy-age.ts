import { hasTag } from "../http/etag.ts";
import type { RequestHead } from "../http/request.ts";

/*
 * freshclam sends the time at which it downloaded its file, and drops an answer whose Last-Modified is not later. A
 * client whose clock is ahead would keep an old version forever, and so would a client that got it from a slow cache or
 * mirror. Therefore a version counts as modified for another hour after it was first served: such a client may get it
 * twice, but never misses it.
 */

/** How far clocks and copies may be apart, in milliseconds. */
const MARGIN = 3_600_000;
const SECOND = 1000;
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Remembers when each text was first served. */
export interface ServedSince {
  /** Returns a time. A copy that was downloaded then or later has this version, and not the previous one. */
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

/** Whether the client has the text already, and what the answer says about its age. */
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
  // A time in the future is useless. The answer names no time either, or the client would compare the two.
  if (since > now) return { isCurrent: false, headers: { ETag: etag } };
  return { isCurrent: since >= lastModified, headers };
}
