import { isSameServer } from "@x/list-store/transport";
import { FetchProblem } from "./fetch-problem.ts";
import { shownUrl } from "./source-url.ts";

/** The most redirects that are followed for one fetch. */
export const MAX_REDIRECTS = 5;
export const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** How many characters of a redirect target are shown in messages. */
const MAX_SHOWN = 200;

/** Returns the target of a redirect, without credentials or a fragment. */
export function redirectOf(from: URL, location: string | undefined): URL {
  if (location === undefined || !URL.canParse(location, from)) {
    throw new FetchProblem("redirects to something that is not a URL");
  }
  const to = new URL(location, from);
  [to.username, to.password, to.hash] = ["", "", ""];
  return to;
}

/**
 * Throws unless the redirect is allowed. `named` is the URL of the source, `from` the URL that redirects, and
 * `allowed` are the hosts to which it may redirect.
 */
export function checkRedirect(named: URL, from: URL, to: URL, allowed: ReadonlySet<string>): void {
  const shown = shownUrl(to).slice(0, MAX_SHOWN);
  const refuse = (why: string) => new FetchProblem(`redirects to ${shown}, ${why}`);
  if (to.protocol !== "http:" && to.protocol !== "https:") {
    throw new FetchProblem(`redirects to ${JSON.stringify(to.protocol)}, which is not fetched`);
  }
  if (from.protocol === "https:" && to.protocol === "http:") {
    throw refuse("which is not encrypted");
  }
  if (isSameServer(named, to) || allowed.has(to.hostname)) return;
  const what = named.hostname === to.hostname ? "another port" : "another host";
  throw refuse(`${what}; if that is right, use --allow-redirects-to ${to.hostname}`);
}
