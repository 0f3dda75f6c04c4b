import { memoized } from "../memoized.ts";
import { FOR_ALL_ORIGINS } from "./cross-origin.ts";

/**
 * The headers of an answer for one client, which no cache may keep. `readable` is the header from `cross-origin.ts` that
 * says which pages may read the answer.
 */
export function privateHeaders(contentType: string, readable: Headers): Record<string, string> {
  return {
    ...readable,
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-store",
  };
}

type Headers = Readonly<Record<string, string>>;

/** The `Cache-Control` of an answer that all caches may keep for `maxAge` milliseconds. */
function publicFor(maxAge: number): string {
  return `public, max-age=${Math.floor(maxAge / 1000)}`;
}

/**
 * Returns a function that makes the headers of an answer. Caches may keep the answer until it expires or, if it has no
 * expiry time, for `maxAge` milliseconds.
 */
export function sharedHeaders(
  maxAge: number,
): (contentType: string, etag: string | null, expires: number | null) => Headers {
  const publicHeaders = memoized((contentType: string) => ({
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": publicFor(maxAge),
    // Clients without a key get the public lists, and clients with a key may get more. The content type of a POST that
    // is sent as a GET decides the format of the answer.
    ...FOR_ALL_ORIGINS,
    Vary: "Accept, Content-Type, X-Goog-Api-Key, X-HTTP-Method-Override",
  }));

  return (contentType, etag, expires) => {
    const headers = publicHeaders(contentType);
    if (etag === null && expires === null) return headers;
    return {
      ...headers,
      ...(etag !== null && { ETag: etag }),
      // Send a time rather than `max-age`, which would start again each time this server sends the answer.
      ...(expires !== null && {
        "Cache-Control": "public",
        Expires: new Date(expires).toUTCString(),
      }),
    };
  };
}
