/** A source that is named by its URL. */
export interface SourceUrl {
  /** The URL without credentials and fragment. */
  readonly url: URL;
  readonly credentials: Credentials | null;
  /** The URL in a form that may be printed: without credentials and the values in its query, which often contains a key. */
  readonly shown: string;
}

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Whether a source is a URL, and not the path of a file. After `https:`, the slashes may be missing by mistake. */
export function isUrl(source: string): boolean {
  return /^([a-z][a-z0-9+.-]*:\/\/|https?:)/i.test(source);
}

/** A URL in a form that may be printed. */
export function shownUrl({ origin, pathname, search }: URL): string {
  const query = search.replace(/([?&])([^&=]*=)?[^&]*/g, "$1$2…");
  return `${origin}${pathname}${query}`;
}

function credentialsOf({ username, password }: URL): Credentials | null {
  if (username === "" && password === "") return null;
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** Reads the URL of a source. Returns `null` if it is not the URL of a web server. */
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
