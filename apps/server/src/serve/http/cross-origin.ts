/*
 * Which pages of other origins may read answers (Fetch Standard, "CORS protocol"). Answers about public lists and errors
 * have constant headers, so that caches can keep them for all origins.
 */

type Headers = Readonly<Record<string, string>>;

/** The header of an answer that pages of all origins may read. */
export const FOR_ALL_ORIGINS = { "Access-Control-Allow-Origin": "*" } as const;

/** The origins whose pages may read answers about private lists, such as `https://app.example`; `*` means all. */
export type Origins = ReadonlySet<string>;

export const NO_ORIGINS: Origins = new Set();

/**
 * The header that says which pages may read an answer; empty if only pages of the server's own origin may. The result
 * depends on the request, so no cache may keep an answer about a private list.
 */
export function readableBy(
  isPrivate: boolean,
  origins: Origins,
  headers: { get(name: string): string | null },
): Headers {
  if (!isPrivate || origins.has("*")) return FOR_ALL_ORIGINS;
  if (origins.size === 0) return {};
  const origin = headers.get("origin");
  return origin !== null && origins.has(origin) ? { "Access-Control-Allow-Origin": origin } : {};
}

/** The methods that the server answers, as a value of the `Allow` header. */
export const METHODS_ALLOWED = "GET, HEAD, POST, OPTIONS";

/**
 * The headers of the answer to OPTIONS, which browsers send before a request with an API key or a message in its body.
 * They are the same for all paths, because the answer to the request itself decides who may read it.
 */
export const PREFLIGHT_HEADERS: Headers = {
  ...FOR_ALL_ORIGINS,
  "Access-Control-Allow-Methods": "GET, HEAD, POST",
  "Access-Control-Allow-Headers": "Content-Type, X-Goog-Api-Key, X-HTTP-Method-Override",
  "Access-Control-Max-Age": "86400",
  Allow: METHODS_ALLOWED,
};
