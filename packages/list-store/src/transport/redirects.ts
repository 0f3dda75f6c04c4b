import { StoreError } from "../error.ts";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** The maximum number of redirects of one request that are followed. */
const MAX_REDIRECTS = 5;

/**
 * Whether a URL is on the server of another URL, whose redirects to it may be followed: both have the same origin, or
 * they have the same host, the new URL uses `https`, and both use their default ports.
 */
export function isSameServer(named: URL, url: URL): boolean {
  if (url.origin === named.origin) return true;
  return named.port === "" && url.origin === `https://${named.hostname}`;
}

/**
 * A `fetch` for GET requests that follows only redirects on the same server. Every request goes through `send`. In
 * browsers, redirects are not followed, because browsers hide their targets.
 *
 * @param where names the storage in messages.
 * @throws {StoreError} `not-a-store` when a redirect is not followed.
 */
export function fetchOnServer(send: typeof fetch, where: string): typeof fetch {
  const refuse = (why: string) =>
    new StoreError("not-a-store", `${where} redirects its readers ${why}`);
  return async (input, init) => {
    const named = new URL(String(input));
    let url = named;
    for (let redirects = 0; ; redirects++) {
      const response = await send(url.href, { ...init, redirect: "manual" });
      if (response.type === "opaqueredirect") {
        throw refuse("to an address that browsers do not reveal");
      }
      if (!REDIRECTS.has(response.status)) return response;
      response.body?.cancel().catch(() => {});
      const location = response.headers.get("location");
      if (location === null || !URL.canParse(location, url)) {
        throw refuse("to something that is not a URL");
      }
      if (redirects === MAX_REDIRECTS) throw refuse(`more than ${MAX_REDIRECTS} times`);
      const to = new URL(location, url);
      if (url.protocol === "https:" && to.protocol === "http:") {
        throw refuse("to an address without https");
      }
      if (!isSameServer(named, to)) {
        throw refuse(`to another server, ${to.protocol}//${to.host}, which is not followed`);
      }
      url = to;
    }
  };
}
