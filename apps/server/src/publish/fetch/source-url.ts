/** The parsed URL of a source. */
export interface SourceUrl {
  /** The URL without credentials or a fragment. */
  readonly url: URL;
  readonly credentials: Credentials | null;
  /** The URL for messages: without credentials, and without the values in its query, which often contain keys. */
  readonly shown: string;
}

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/**
 * Whether a source is a URL instead of the path of a file. `https:` is enough, because the slashes may be missing by
 * mistake.
 */
export function isUrl(source: string): boolean {
  return /^([a-z][a-z0-9+.-]*:\/\/|https?:)/i.test(source);
}

/** The URL for messages, without credentials and without the values in its query. */
export function shownUrl({ origin, pathname, search }: URL): string {
  const query = search.replace(/([?&])([^&=]*=)?[^&]*/g, "$1$2…");
  return `${origin}${pathname}${query}`;
}

function credentialsOf({ username, password }: URL): Credentials | null {
  if (username === "" && password === "") return null;
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** Parses the URL of a source. Returns `null` if it is not a valid URL with `http:` or `https:`. */
export function parseSourceUrl(source: string): SourceUrl | null {
  if (!/^https?:\/\/[^/]/i.test(source)) return null;
  try {
    const url = new URL(source);
    const credentials = credentialsOf(url);
    [url.username, url.password, url.hash] = ["", "", ""];
    return { url, credentials, shown: shownUrl(url) };
  } catch {
    return null;
  }
}
