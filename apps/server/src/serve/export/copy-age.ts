import { hasTag } from "../http/etag.ts";
import type { RequestHead } from "../http/request.ts";

/*
 * freshclam asks with the time of its own file, which is when it downloaded it, and drops an answer whose
 * Last-Modified is not later. A client whose clock is ahead, or that downloaded an old version through a cache or
 * from a mirror that was behind, would then keep the old version forever. So a version counts as modified for another
 * hour after it was first served: such a client gets it once too often instead of never.
 */

/** How far clocks and copies may be apart, in milliseconds. */
const MARGIN = 3_600_000;
const SECOND = 1000;
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Remembers since when each text is served. */
export interface ServedSince {
  /** From this time on, every copy of the text is this version, and not the one before. */
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
  // A time in the future says nothing. The answer names none either, or the client would compare the two.
  if (since > now) return { isCurrent: false, headers: { ETag: etag } };
  return { isCurrent: since >= lastModified, headers };
}
